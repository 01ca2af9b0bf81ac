import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { DefaultSettings, TaskUtils } from '@microsoft/powerquery-parser';
import { OfficeAddinManifest } from 'office-addin-manifest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sheetLibrary } from '../../src-main/domain/statement/workbook/sheet-library.ts';
import { contract, type Operation } from '../../src-shared/contract/index.ts';
import { LINKED_TABLES, powerQueryText } from '../../src-shared/values/sheet-link.ts';
import { closedJuneBook } from '../support/books/june-book.ts';
import { temporaryFolder } from '../support/processes/run-cli.ts';
import { ask } from './support.ts';

const FOLDER = path.join(import.meta.dirname, '../../resources/spreadsheets/excel');

type Cell = string | number | { readonly type: string; readonly basicValue: number; readonly numberFormat: string };
interface Functions {
  readonly open: (link: string, day?: string | number | null, measure?: string | null) => Promise<Cell>;
  readonly balance: (link: string, account?: string | null, day?: string | number | null) => Promise<Cell>;
  readonly items: (link: string, day?: string | number | null) => Promise<Cell[][]>;
}
const functions = (await import(pathToFileURL(path.join(FOLDER, 'functions.js')).href)) as Functions;
const REVOKED = '#TIEOUT! this link was revoked or is mistyped';
const NOT_RUNNING = '#TIEOUT! not running';
/** June 30 as a cell has it. */
const JUNE_30 = 46_203;

async function linked() {
  const book = await closedJuneBook();
  const { client } = book;
  const server = await book.backend.serveHttp({ port: 0, uiFolder: null, environment: 'live' });
  onTestFinished(() => server.close());
  const { key, id } = await client.get('api_keys.issue', {
    environment: 'live',
    permission: 'read',
    name: 'Workpaper',
    reconciliation_id: 1,
  });
  const origin = new URL(server.baseUrl).origin;
  const get = (address: string) => ask(server.port, address);
  return { client, server, id, origin, link: `${origin}/sheet/${key}`, path: `/sheet/${key}`, get };
}

describe('the functions of the add-in for Excel', () => {
  it('answer the figures of a link, as of a day given as a date or as a text', async () => {
    const { client, link } = await linked();
    const { statement } = await client.get('periods.get', { id: 1 });
    expect(await functions.open(link, JUNE_30, 'count')).toBe(statement.open_item_count);
    expect(await functions.open(link, '2026-06-30', 'count')).toBe(statement.open_item_count);
    expect(await functions.open(link, null, 'read_at')).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    const { data } = await client.get('figures.accounts', { id: '1', as_of: '2026-06-30' });
    const [{ account, balance } = { account: '', balance: 0 }] = data;
    expect(await functions.balance(link, account, JUNE_30)).toBe(Number(balance) / 100);
  });

  it('give the open items as a table whose days and amounts are numbers', async () => {
    const { client, link } = await linked();
    const { data } = await client.get('figures.items', { id: '1', as_of: '2026-06-30' });
    const [headings, ...rows] = await functions.items(link, JUNE_30);
    expect(headings).toEqual(['Date', 'Account', 'Reference', 'Description', 'Amount', 'Currency', 'Age in days', 'Status']);
    expect(rows.map(([, account, , , amount, currency]) => [account, amount, currency])).toEqual(
      data.map((item) => [item.account, item.amount / 100, item.currency]),
    );
    for (const [day] of rows) expect(day).toMatchObject({ type: 'FormattedNumber', numberFormat: 'yyyy-mm-dd' });
  });

  it('say in the cell what is wrong', async () => {
    const { client, server, id, link } = await linked();
    expect(await functions.open('June')).toBe('#TIEOUT! this is no sheet link');
    expect(await functions.open(link, null, 'sum')).toMatch(/^#TIEOUT! [^\n]{3,200}$/);
    for (const day of ['June', -5, 0.5, 2_958_466, 1e15])
      expect(await functions.open(link, day)).toMatch(/^#TIEOUT! .*as_of must be a date/);
    expect(await functions.balance(link, 'absent')).toBe('#TIEOUT! No account of this reconciliation is called absent.');
    await client.get('api_keys.revoke', { id });
    expect([await functions.open(link), await functions.balance(link), await functions.items(link)]).toEqual([
      REVOKED,
      REVOKED,
      [[REVOKED]],
    ]);
    await server.close();
    expect([await functions.open(link), await functions.balance(link), await functions.items(link)]).toEqual([
      NOT_RUNNING,
      NOT_RUNNING,
      [[NOT_RUNNING]],
    ]);
  });

  it('read a link to this computer from the page of the add-in, whichever name it has', async () => {
    const { origin, link } = await linked();
    const { port } = new URL(origin);
    const asked: string[] = [];
    vi.stubGlobal('location', new URL(`http://localhost:${port}/office/taskpane.html`));
    vi.stubGlobal('fetch', async (address: string) => {
      asked.push(new URL(address).origin);
      throw new TypeError('no network');
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(await functions.open(link)).toBe(NOT_RUNNING);
    expect(await functions.open(`http://127.0.0.1:1/sheet/x`)).toBe(
      `${NOT_RUNNING}, or its settings do not allow http://localhost:${port}`,
    );
    expect(asked).toEqual([`http://localhost:${port}`, 'http://127.0.0.1:1']);
  });

  it('read cells with commas, quotes and lines', async () => {
    vi.stubGlobal('fetch', async () => new Response('\uFEFFdate,description,amount_decimal\r\n2026-06-01,"a, ""b""\nc",-1.50\r\n'));
    onTestFinished(() => void vi.unstubAllGlobals());
    const [, row] = await functions.items('http://127.0.0.1:1/sheet/x');
    expect([row?.[3], row?.[4], row?.[2]]).toEqual(['a, "b"\nc', -1.5, '']);
  });
});

describe('the add-in for Excel', () => {
  it('is served without a key, and its manifest names this server', async () => {
    const { server, get, origin } = await linked();
    const manifest = await get('/office/manifest.xml');
    expect([manifest.status, manifest.headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8']);
    const named = [...manifest.text.matchAll(/https?:\/\/[^"<]+/g)]
      .map(([address]) => address)
      .filter((each) => each.includes('localhost'));
    expect(new Set(named.map((address) => new URL(address).origin))).toEqual(new Set([`http://localhost:${server.port}`]));
    for (const address of named.filter((each) => each !== `http://localhost:${server.port}`)) {
      const answer = await fetch(address.replace(`http://localhost:${server.port}`, origin));
      expect([address, answer.status]).toEqual([address, 200]);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    expect((await get('/office/..%2ftieout.oxt')).status).toBe(404);
  });

  it('has a manifest that the tool of Microsoft reads', async () => {
    const { get } = await linked();
    const file = path.join(temporaryFolder(), 'manifest.xml');
    writeFileSync(file, (await get('/office/manifest.xml')).text);
    const read = await OfficeAddinManifest.readManifestFile(file);
    expect(read).toMatchObject({
      displayName: 'Tieout',
      officeAppType: 'TaskPaneApp',
      hosts: ['Workbook'],
      permissions: 'ReadWriteDocument',
    });
  });

  it('describes each of its functions, and has them calculated whenever a workbook is opened', () => {
    const described = JSON.parse(readFileSync(path.join(FOLDER, 'functions.json'), 'utf8')) as {
      functions: { id: string; parameters: object[]; options: { volatile: boolean } }[];
    };
    const pane = readFileSync(path.join(FOLDER, 'taskpane.js'), 'utf8');
    expect(described.functions.map(({ id }) => id)).toEqual(['OPEN', 'BALANCE', 'ITEMS']);
    for (const { id, parameters, options } of described.functions) {
      expect(pane).toContain(`associate('${id}', ${id.toLowerCase()})`);
      expect(functions[id.toLowerCase() as keyof Functions]).toHaveLength(parameters.length);
      // Excel shows the stored result of other functions when it opens a workbook.
      expect(options.volatile).toBe(true);
    }
  });
});

describe('what a spreadsheet reads by a link', () => {
  it('is every figure, with the columns that its CSV has', async () => {
    const { get, path: link } = await linked();
    const figures = Object.values<Operation>(contract).filter((spec) => spec.path.startsWith('/figures/'));
    expect(LINKED_TABLES.map((table) => `/figures/{id}/${table.path}`).toSorted()).toEqual(figures.map((spec) => spec.path).toSorted());
    for (const table of LINKED_TABLES) {
      const { text } = await get(`${link}/${table.path}?as_of=2026-06-30&format=csv`);
      const [header = ''] = text.replace('\uFEFF', '').split('\r\n');
      expect([table.path, header.split(',')]).toEqual([table.path, table.columns.map(({ field }) => field)]);
    }
  });

  it('has queries that Power Query reads', async () => {
    for (const table of LINKED_TABLES) {
      const text = powerQueryText('http://127.0.0.1:4690/sheet/sheet_x"y', table);
      const task = await TaskUtils.tryLexParse(DefaultSettings, text);
      expect([table.path, task.resultKind]).toEqual([table.path, 'Ok']);
      expect(text).toContain('otherwise "#TIEOUT! not running"');
    }
    const broken = await TaskUtils.tryLexParse(DefaultSettings, 'let a = in');
    expect(broken.resultKind).not.toBe('Ok');
  });

  it('is a ready workbook without any figure, which says nothing when the link is revoked', async () => {
    const { client, id, get, link, path: address } = await linked();
    const answer = await fetch(`${link}/workbook`);
    expect(answer.headers.get('content-disposition')).toContain('tieout-figures.xlsx');
    const { read, CFB } = sheetLibrary();
    const bytes = new Uint8Array(await answer.arrayBuffer());
    const workbook = read(bytes, { type: 'array', cellFormula: true, sheetStubs: true });
    expect(workbook.SheetNames).toHaveLength(1 + LINKED_TABLES.length);
    const figures = workbook.Sheets['Figures'] ?? {};
    expect(figures['B2']).toMatchObject({ v: link });
    const cells = Object.entries(figures).filter(([place]) => /^B([6-9]|1\d)$/.test(place));
    expect(cells.length).toBeGreaterThan(10);
    for (const [, cell] of cells) expect((cell as { f: string }).f).toContain('#TIEOUT! not running');
    const parts = CFB.read(bytes, { type: 'buffer' }) as unknown as { FullPaths: string[]; FileIndex: { content: Uint8Array }[] };
    const part = (name: string) =>
      new TextDecoder().decode(parts.FileIndex[parts.FullPaths.findIndex((each) => each.endsWith(name))]?.content);
    expect(part('worksheets/sheet1.xml')).toMatch(/<\/f><\/c>/);
    expect(part('worksheets/sheet1.xml')).not.toContain('</f><v>');
    expect(part('xl/connections.xml').match(/<connection /g)).toHaveLength(LINKED_TABLES.length);
    expect(part('xl/connections.xml')).toContain(`sourceFile="${link}/items?format=csv"`);
    for (const [index] of LINKED_TABLES.entries()) {
      expect(part(`queryTables/queryTable${index + 1}.xml`)).toContain('removeDataOnSave="1"');
      expect(part(`sheet${index + 2}.xml.rels`)).toContain(`queryTable${index + 1}.xml`);
    }
    await client.get('api_keys.revoke', { id });
    expect(await get(`${address}/workbook`)).toMatchObject({ status: 200, text: REVOKED });
  });
});
