import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_WORDS } from '../../src-shared/contract/error-words.ts';
import { contract, type ErrorCode, ERRORS, type Operation } from '../../src-shared/contract/index.ts';
import { escaped } from '../../src-main/transport/openapi/docs.ts';
import { docsPage } from '../../src-main/transport/openapi/docs.ts';
import { type Answer, ask, startTestServer, type TestServer } from './support.ts';

const publicOperations = Object.values<Operation>(contract).filter((spec) => spec.surface === 'public');
let server: TestServer;
let page: Answer;
beforeAll(async () => {
  server = await startTestServer({ version: '1.2.3' });
  page = await ask(server.port, '/docs');
});
afterAll(() => server.close());

/** The part of the page about one operation. */
const sectionOf = (id: string) => page.text.split(`<section id="${id}">`)[1]?.split('</section>')[0] ?? '';

describe('/docs', () => {
  it('needs no key, and lets nothing in but its own style sheet', async () => {
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; style-src 'self'");
    expect(page.text).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=|<img|url\(/);
    const addresses = [...page.text.matchAll(/(?:href|src)="([^"]*)"/g)].map((found) => found[1] ?? '');
    expect([...new Set(addresses.filter((address) => !address.startsWith('#')))].toSorted()).toEqual([
      '/docs/style.css',
      '/v1/openapi-3.0.json',
      '/v1/openapi.json',
    ]);
    const style = await ask(server.port, '/docs/style.css');
    expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8']);
    expect(style.text).toContain('color-scheme: light dark');
    expect(style.text).not.toMatch(/url\(|@import/);
  });

  it('is not served under another name, as everything else', async () => {
    expect((await ask(server.port, '/docs', { headers: { host: 'evil.example' } })).status).toBe(403);
    expect((await ask(server.port, '/docs', { method: 'POST' })).status).toBe(405);
  });

  it('is not sent again while it is the same', async () => {
    expect((await ask(server.port, '/docs', { headers: { 'if-none-match': page.headers.etag ?? '' } })).status).toBe(304);
  });

  it.each(publicOperations.map((spec) => [spec.id, spec] as const))('%s has its fields, errors and an example', (_, spec) => {
    const section = sectionOf(spec.id);
    expect(section).toContain(`<code>/v1${spec.path}</code>`);
    for (const name of Object.keys(spec.input.shape)) expect(section).toContain(`<td><code>${name}</code></td>`);
    for (const code of [...spec.errors, 'unauthorized']) expect(section).toContain(`href="#error-${code}"`);
    const address = spec.path.replaceAll(/\{([a-z_]+)\}/g, (__, name: string) => String(spec.example[name]));
    expect(section).toContain(`http://127.0.0.1:${server.port}/v1${address}`);
    expect(section).not.toContain('undefined');
  });

  it('leads every link to something', () => {
    const targets = new Set([...page.text.matchAll(/ id="([^"]*)"/g)].map((found) => found[1]));
    const links = [...page.text.matchAll(/href="#([^"]*)"/g)].map((found) => found[1]);
    expect(links.length).toBeGreaterThan(200);
    expect(links.filter((link) => !targets.has(link))).toEqual([]);
    for (const code of Object.keys(ERRORS)) expect(targets).toContain(`error-${code}`);
  });

  it.each(Object.entries(ERRORS))('says of %s when it is answered and what to do', (code, { status, title }) => {
    const row = page.text.split(`<tr id="error-${code}">`)[1]?.split('</tr>')[0] ?? '';
    const cells = row.split('</td>').map((cell) => cell.replaceAll(/<[^>]*>/g, ''));
    const { when, remedy } = ERROR_WORDS[code as ErrorCode];
    const [codeCell = '', statusCell = '', whenCell = '', remedyCell = ''] = cells;
    expect([codeCell, statusCell]).toEqual([code, String(status)]);
    expect(whenCell).toContain(escaped(title));
    for (const words of [when, remedy]) expect(words).toMatch(/^[A-Z`].{8,}\.$/);
    expect(remedyCell).toBe(escaped(remedy).replaceAll('`', ''));
    expect(row).not.toContain('undefined');
  });

  it('takes words for words, whatever they look like', () => {
    const evil = `<script>"'&`;
    const operation = {
      operationId: 'a',
      summary: evil,
      parameters: [{ name: evil, in: 'query', required: true, schema: { description: evil } }],
    };
    const html = docsPage(
      { info: { version: evil }, paths: { [`/${evil}`]: { get: operation } }, components: { schemas: { [evil]: {} } } },
      'http://x',
    );
    expect(html).toContain('&lt;script&gt;&quot;&#39;&amp;');
    expect(html).not.toContain('<script');
  });

  it('has every tag closed', () => {
    const open: string[] = [];
    const crossed: string[] = [];
    for (const [, slash, tag = ''] of page.text.matchAll(/<(\/?)([a-z][a-z0-9]*)(?:\s[^>]*)?>/g)) {
      if (['meta', 'link'].includes(tag)) continue;
      if (slash === '') open.push(tag);
      else if (open.pop() !== tag) crossed.push(tag);
    }
    expect([open, crossed]).toEqual([[], []]);
  });
});
