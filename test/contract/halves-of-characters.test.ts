import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend, HttpServer } from '../../src-main/backend/types.ts';
import { createIpcHandler, type IpcHandler } from '../../src-main/transport/dispatch.ts';
import { isWholeText } from '../../src-shared/values/text-print.ts';
import { sendBulk } from '../support/books/bulk.ts';
import { openQuietBook } from '../support/books/quiet-book.ts';
import { codesOf, statementOf } from '../support/inputs/statements.ts';
import { STRINGS, workbookParts, zipOf } from '../support/inputs/zips.ts';
import { createParityBook, type ParityBook } from './parity-book.ts';
import { ask, type Answer, jsonHeaders } from './support.ts';

const HALF = '\ud800';
const OTHER_HALF = '\udbff';
const WHOLE = '\u{1f600}';
const RECORD = { data_stream_key: 'bank', date: '2026-06-10', amount: 100 };

/** Whatever enters the book as text, with the path of the half in it. */
const INPUTS: readonly (readonly [operation: string, input: Record<string, unknown>, path: string])[] = [
  ['records.create', { ...RECORD, external_id: `A${HALF}` }, 'external_id'],
  ['records.create', { ...RECORD, description: `${OTHER_HALF}A` }, 'description'],
  ['records.create', { ...RECORD, metadata: { note: HALF } }, 'metadata.note'],
  ['records.create', { ...RECORD, metadata: { tags: [{ deep: ['x', HALF] }] } }, 'metadata.tags.0.deep.1'],
  ['records.create', { ...RECORD, metadata: { [`k${HALF}`]: 1 } }, 'metadata.k\ufffd'],
  ['streams.create', { key: 'new', name: `New ${HALF}` }, 'name'],
  ['bank_accounts.create', { name: HALF }, 'name'],
];

describe('texts with half of a character', () => {
  let book: ParityBook;
  let backend: Backend;
  let server: HttpServer;
  let overIpc: IpcHandler;
  beforeAll(async () => {
    book = await createParityBook();
    backend = await book.open();
    server = await backend.serveHttp({ port: 0, uiFolder: null, environment: 'live' });
    overIpc = createIpcHandler(backend.dispatch, backend.ownCaller('live', 'app'));
  });
  afterAll(async () => {
    await backend.close();
    book.remove();
  });

  const send = (method: string, path: string, body?: string): Promise<Answer> =>
    ask(Number(new URL(server.baseUrl).port), path, { method, headers: jsonHeaders(server.apiKey), ...(body !== undefined && { body }) });

  it.each(INPUTS)('%s with %j is refused over IPC, naming the field', async (operation, input, path) => {
    const outcome = await overIpc(operation, input);
    expect(outcome).toMatchObject({ ok: false, error: { code: 'validation_failed', errors: [{ path, code: 'broken_text' }] } });
  });

  it('is 422 over HTTP, where it comes as an escape, and whole characters are taken', async () => {
    const body = JSON.stringify({ ...RECORD, external_id: `A${HALF}` });
    expect(body).toContain(String.raw`\ud800`);
    expect(await send('POST', '/v1/records', body)).toMatchObject({
      status: 422,
      json: { code: 'validation_failed', errors: [{ path: 'external_id', code: 'broken_text' }] },
    });
    const whole = await send('POST', '/v1/records', JSON.stringify({ ...RECORD, external_id: `A${WHOLE}\ufffd` }));
    expect(whole).toMatchObject({ status: 201, json: { external_id: `A${WHOLE}\ufffd` } });
  });

  it('is 422 in a query, and nothing in a path', async () => {
    expect(await send('GET', '/v1/records?external_id=A%ED%A0%80')).toMatchObject({
      status: 422,
      json: { code: 'validation_failed', errors: [{ path: 'external_id', code: 'broken_text' }] },
    });
    expect((await send('GET', '/v1/records?external_id=A%F0%9F%98%80')).status).toBe(200);
    expect((await send('GET', '/v1/records?q=100%')).status).toBe(200);
    expect((await send('GET', '/v1/records/%ED%A0%80')).status).toBeGreaterThanOrEqual(400);
  });
});

it('in a bulk request fail alone, with the path of the field; the others go in', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  const { results } = await sendBulk(book, {
    records: [
      { ...RECORD, external_id: `A${HALF}` },
      { ...RECORD, external_id: `A${OTHER_HALF}` },
      { ...RECORD, external_id: 'A' },
      { ...RECORD, external_id: 'B', metadata: { list: [{ [HALF]: 1 }] } },
      { ...RECORD, external_id: 'C', metadata: { list: [{ fine: WHOLE }] } },
    ],
  });
  expect(results.data.map(({ status }) => status)).toEqual(['failed', 'failed', 'successful', 'failed', 'successful']);
  expect(results.data.flatMap(({ error }) => error?.errors.map(({ path, code }) => `${path} ${code}`) ?? [])).toEqual([
    'external_id broken_text',
    'external_id broken_text',
    'metadata.list.0.\ufffd broken_text',
  ]);
});

const GBP = { currency: 'GBP' };

describe('files', () => {
  const table = (id: string): string => `Date,Amount,External ID\n2026-06-01,-9.50,A${id}\n2026-06-02,-1.00,B\n2026-06-03,-1.00,C\n`;
  const utf16 = (text: string, isSwapped = false): Uint8Array => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
    return new Uint8Array(isSwapped ? bytes.swap16() : bytes);
  };

  it.each([false, true])('in UTF-16 (bytes swapped: %s) have the row with the half rejected', (isSwapped) => {
    const read = statementOf(utf16(table(HALF), isSwapped), GBP);
    expect([codesOf(read), read.lines.map(({ externalId }) => externalId)]).toEqual([['broken_text'], ['B', 'C']]);
    expect(read.problems).toMatchObject([{ code: 'broken_text', row: 2, column: 'External ID', severity: 'rejected' }]);
    expect(statementOf(utf16(table(WHOLE), isSwapped), GBP).lines.map(({ externalId }) => externalId)).toEqual([`A${WHOLE}`, 'B', 'C']);
  });

  it.each(['&#xD800;', '&#55296;', '_xD800_'])('a workbook with %s in a text has that row rejected', (half) => {
    const strings = STRINGS.replace('Tea', `Tea${half}`);
    const read = statementOf(zipOf(workbookParts({ strings })), GBP);
    expect([codesOf(read), read.lines.map(({ description }) => description)]).toEqual([['broken_text'], ['Rent']]);
  });

  it.each([
    [
      'a page',
      (half: string) =>
        `<html><table><tr><td>Date</td><td>Amount</td><td>Text</td></tr><tr><td>2026-06-01</td><td>-9.50</td><td>Tea${half}</td></tr><tr><td>2026-06-02</td><td>-1.00</td><td>Rent</td></tr></table></html>`,
    ],
    [
      'an OFX file',
      (half: string) =>
        `<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>GBP<BANKTRANLIST><STMTTRN><DTPOSTED>20260601<TRNAMT>-9.50<FITID>1<NAME>Tea${half}</STMTTRN><STMTTRN><DTPOSTED>20260602<TRNAMT>-1.00<FITID>2<NAME>Rent</STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`,
    ],
  ])('%s with an escaped half keeps it as it is written, or rejects the row', (_what, text) => {
    const read = statementOf(new TextEncoder().encode(text('&#xD800;')), GBP);
    expect(read.lines.every(({ description, metadata }) => isWholeText([description, metadata]))).toBe(true);
    expect(read.lines.map(({ description }) => description)).toContain('Rent');
  });
});
