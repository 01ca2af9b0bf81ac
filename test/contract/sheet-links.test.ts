import { describe, expect, it, onTestFinished } from 'vitest';
import { closedJuneBook } from '../support/books/june-book.ts';
import { ask } from './support.ts';

const CELL = /^#TIEOUT! [^\n]{3,200}$/;

describe('a sheet link', () => {
  async function linked() {
    const book = await closedJuneBook();
    const { client } = book;
    const server = await book.backend.serveHttp({ port: 0, uiFolder: null, environment: 'live' });
    onTestFinished(() => server.close());
    const issue = (reconciliation_id = 1) =>
      client.get('api_keys.issue', { environment: 'live', permission: 'read', name: 'Workpaper', reconciliation_id });
    const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
      ask(Number(new URL(server.baseUrl).port), path, { method, headers });
    const cell = async (path: string) => {
      const { status, headers, text } = await get(path);
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'text/plain; charset=utf-8', 'no-store']);
      return text;
    };
    return { client, log: book.log, server, issue, get, cell, link: await issue() };
  }

  it('answers one value as text, and tables as CSV and JSON', async () => {
    const { client, get, cell, link } = await linked();
    const { statement } = await client.get('periods.get', { id: 1 });
    expect(await cell(`/sheet/${link.key}/open?as_of=2026-06-30&measure=count`)).toBe(String(statement.open_item_count));
    expect(await cell(`/sheet/${link.key}/balances?as_of=2026-06-30`)).toBe('0.00');
    expect(await cell(`/sheet/${link.key}/open?measure=read_at`)).toMatch(/^2026-.*Z$/);
    const items = await get(`/sheet/${link.key}/items?as_of=2026-06-30&format=csv`);
    expect(items.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    const [header = '', ...lines] = items.text.trimEnd().split('\r\n');
    expect(header).toMatch(/^\uFEFFrecord_id,side,date,account,reference,description,amount,amount_decimal,currency,/);
    expect(lines).toHaveLength(statement.open_item_count);
    const json = await get(`/sheet/${link.key}/balances?as_of=2026-06-30&format=json`);
    expect(json.json).toMatchObject({ pinned: true, reconciliation: 'Northgate current', link: expect.stringMatching(/^tieout:/) });
  });

  it('tells in a cell what is wrong, in a few words', async () => {
    const { client, issue, get, cell, link } = await linked();
    expect(await cell('/sheet/sheet_mistyped/open')).toBe('#TIEOUT! this link was revoked or is mistyped');
    const { key, id } = await issue();
    expect(await cell(`/sheet/${key}/items?as_of=2026-06-30`)).toMatch(/^\d+$/);
    await client.get('api_keys.revoke', { id });
    expect(await cell(`/sheet/${key}/items?as_of=2026-06-30`)).toBe('#TIEOUT! this link was revoked or is mistyped');
    await client.get('reconciliations.create', {
      name: 'Another',
      run_type: 'batch',
      side_a_stream_ids: [2],
      side_b_stream_ids: [1],
    });
    const other = await issue(2);
    await client.get('reconciliations.remove', { id: 2 });
    expect(await cell(`/sheet/${other.key}/open`)).toBe('#TIEOUT! There is no reconciliation 2 in this environment.');
    for (const path of ['open?as_of=31.6.2026', 'open?currency=EUR', 'open?measure=sum', 'records', 'open?id=2', 'open?format=xml']) {
      expect(await cell(`/sheet/${link.key}/${path}`)).toMatch(CELL);
    }
    expect((await get('/sheet/sheet_mistyped/open?format=json')).status).toBe(401);
  });

  it('reads its own reconciliation and nothing else', async () => {
    const { client, server, get, cell, link } = await linked();
    expect((await get(`/v1/records`, { 'x-api-key': link.key })).status).toBe(401);
    expect((await get(`/v1/figures/1/open`, { authorization: `Bearer ${link.key}` })).status).toBe(401);
    expect(await cell(`/sheet/${server.apiKey}/open`)).toMatch(CELL);
    const key = await client.get('api_keys.issue', { environment: 'live', permission: 'read', name: 'Key' });
    expect(await cell(`/sheet/${key.key}/open`)).toMatch(CELL);
    const written = await get(`/sheet/${link.key}/open`, {}, 'POST');
    expect(written.text).toMatch(CELL);
  });

  it('is listed, and never in the log or in the file', async () => {
    const { client, log, get, cell, link } = await linked();
    await cell(`/sheet/${link.key}/items`);
    await get(`/sheet/sheet_in-a-log/open?format=json`);
    expect(JSON.stringify(log)).not.toContain('sheet_in-a-log');
    const listed = await client.get('api_keys.list', {});
    expect(listed[0]).toMatchObject({ reconciliation_id: 1, name: 'Workpaper', last_used_at: expect.any(String) });
    expect(JSON.stringify(listed)).not.toContain(link.key);
  });

  it('is refused where it could write, or names nothing', async () => {
    const { client } = await linked();
    const asked = { environment: 'live', name: 'Sheet' } as const;
    expect(await client.refusal('api_keys.issue', { ...asked, permission: 'read_write', reconciliation_id: 1 })).toMatchObject({
      code: 'validation_failed',
    });
    expect(await client.refusal('api_keys.issue', { ...asked, permission: 'read', reconciliation_id: 77 })).toMatchObject({
      code: 'unknown_reference',
    });
  });

  it('figures answer a program the same as text', async () => {
    const { get, server } = await linked();
    const text = await get('/v1/figures/1/balances?as_of=2026-06-30&format=text', { 'x-api-key': server.apiKey });
    expect([text.status, text.text]).toEqual([200, '0.00']);
    const refused = await get('/v1/figures/9/balances?format=text', { 'x-api-key': server.apiKey });
    expect([refused.status, refused.text]).toEqual([404, '#TIEOUT! There is no reconciliation 9 in this environment.']);
  });
});
