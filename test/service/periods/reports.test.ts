import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { Call, Output } from '../../../src-shared/contract/index.ts';
import { FIRST_NOTATION, takeNotation } from '../../../src-shared/values/notation.ts';
import { failed, success } from '../../../src-shared/values/result.ts';
import type { TestBook } from '../../support/books/backend.ts';
import { closedJuneBook, juneBook } from '../../support/books/june-book.ts';
import { CFP_BANK, CFP_BOOKS } from '../../support/cfp-june.ts';
import { packChecked, packChecks, packData, packFaults } from '../../support/pack-checks.ts';
import { cellsOf } from '../../support/report-workbooks.ts';

type Format = Call<'periods.report'>['format'];
type Report = Output<'periods.report'>;

const reportOf = ({ client }: Pick<TestBook, 'client'>, format: Format, more: Partial<Call<'periods.report'>> = {}): Promise<Report> =>
  client.get('periods.report', { id: 1, format, ...more });
const bytesOf = ({ content, encoding }: Report): Buffer => Buffer.from(content, encoding);

/** Lines of a CSV that begin with a text. */
const rowsOf = (csv: string, start: string): string[] => csv.split('\r\n').filter((line) => line.startsWith(start));

/** The figures on a page, in their order. */
const shownIn = (page: string | undefined): string[] =>
  [...(page ?? '').matchAll(/<span class="f">([^<]*)</g)].map(([, text = '']) => text);
const plainOf = (figure: string): string => figure.replaceAll(',', '').replace('−', '-');

/** The figures of the worked example as people read them. */
const FIGURES = ['11,280.49', '12,661.65', '2,710.30', '−1,275.00', '12,715.79', '12.15', '−30.00', '71.99', '−1,381.16'];

afterEach(() => takeNotation(FIRST_NOTATION));

test('the worked example has the same figures in every format', async () => {
  const book = await closedJuneBook();
  const [html, csv, pack, xlsx] = await Promise.all((['html', 'csv', 'pack', 'xlsx'] as const).map((format) => reportOf(book, format)));
  expect(html).toMatchObject({
    file_name: 'northgate-current-2026-06-GBP.html',
    content_type: 'text/html; charset=utf-8',
    encoding: 'utf8',
  });
  expect(pack?.file_name).toBe('northgate-current-2026-06-GBP-pack.html');
  expect(shownIn(html?.content)).toEqual(expect.arrayContaining(FIGURES));
  expect(packChecked(pack?.content ?? '').shown).toEqual(expect.arrayContaining(FIGURES));
  const cells = new Set((csv?.content ?? '').split(/,|\r\n/));
  for (const figure of FIGURES) expect(cells).toContain(plainOf(figure));
  expect(rowsOf(csv?.content ?? '', 'Unexplained,')).toEqual(['Unexplained,The figures agree.,0.00']);
  expect(xlsx?.encoding).toBe('base64');
  const sheets = cellsOf(xlsx === undefined ? new Uint8Array() : bytesOf(xlsx));
  const numbers = new Set([...sheets.values()].flatMap((cells) => [...cells.values()].map(({ v }) => v)));
  for (const figure of FIGURES) expect(numbers).toContain(Number(plainOf(figure)));
});

test('a pack of a real book passes its own checks: figures, lines, fingerprint and audit chain', async () => {
  const book = await closedJuneBook();
  const { content } = await reportOf(book, 'pack');
  expect(packFaults(content)).toEqual([]);
  const checks = new Map(packChecks(content).map(({ title, of }) => [title, of]));
  expect(checks.get('Figures re-added')).toBeGreaterThan(100);
  expect(checks.get('Audit chain')).toBeGreaterThan(10);
  expect(packData(content)).toMatchObject({
    state: 'closed',
    is_stale: false,
    records: { length: 37 },
    sign_offs: [
      { kind: 'prepare', by: 'Amira Patel', stands: true },
      { kind: 'review', by: 'Tom Whitfield', stands: true },
      { kind: 'close', by: 'Tom Whitfield', stands: true },
    ],
  });
  // A report of a closed period that is made later has the same head.
  await book.client.get('bank_accounts.create', { name: 'Other', currency: 'GBP' });
  const later = packData((await reportOf(book, 'pack')).content);
  expect(later['audit']).toEqual(packData(content)['audit']);
  expect(packFaults(content.replace('-127500,"CHQ-1043"', '-117500,"CHQ-1043"'))).not.toEqual([]);
});

test('it has decisions, notes, signatures, and the origin of the lines', async () => {
  const { content } = await reportOf(await closedJuneBook(), 'csv');
  for (const text of [
    'Account,"Northgate Bank Business Current, 40-12-88 71449302"',
    'Prepared by,Amira Patel',
    'State,closed',
    'Digits transposed, invoice seen',
    'Tieout window',
    'Paid in 30/06 after hours',
    'Its balances add up: opening balance 12,500.00 GBP, closing balance 11,280.49 GBP.',
    'The file states no balance.',
    'Same reference, same amount',
  ]) {
    expect(content).toContain(text);
  }
  expect(content).toMatch(/statement-1\.csv,[0-9a-f]{64},/);
});

test('it lists changes after a signature in words, with author and time', async () => {
  const book = await juneBook();
  const { client } = book;
  await client.get('periods.prepare', { id: 1, by: 'Amira Patel' });
  const { data: records } = await client.get('records.list', { limit: 100 });
  const cheque = records.find(({ metadata }) => metadata['voucher'] === 'CHQ-1043');
  await client.get('records.update', { id: cheque?.id ?? 0, date: '2026-06-14', amount: 127_600, direction: 'debit' });
  const late = 'Date,Voucher,Particulars,Receipts,Payments\n30/06/2026,RCT-LATE,Late takings,10.00,\n';
  expect((await book.importText('ledger', late, { currency: 'GBP' })).status).toBe('completed');
  await client.get('periods.update', { id: 1, balances: [{ side: 'books', opening: 1_260_000 }] });
  const { content } = await reportOf(book, 'csv');
  const at = String.raw`\d\d/\d\d/\d{4} \d\d:\d\d,Tieout window`;
  for (const words of [
    'Opening balance of the books,"?12,500.00"?,"?12,600.00',
    '"CHQ-1043 of the books, date",13/06/2026,14/06/2026',
    String.raw`"CHQ-1043 of the books, amount",.?"-1,275.00",.?"-1,276.00"`,
    '"Line RCT-LATE of the books, 30/06/2026",none,10.00',
    'File statement-3.csv of the books,none,imported',
  ]) {
    expect(content).toMatch(new RegExp(`${at},${words}`));
  }
  expect(content).toContain('Something has changed since this period was prepared');
  expect(packFaults((await reportOf(book, 'pack')).content)).toEqual([]);
});

test('it names who undid the import of a removed line, and the expected day of an item', async () => {
  const book = await juneBook();
  const { client } = book;
  const late = 'Date,Voucher,Particulars,Receipts,Payments\n30/06/2026,RCT-LATE,Late takings,10.00,\n';
  await book.importText('ledger', late, { currency: 'GBP' });
  await client.get('periods.prepare', { id: 1, by: 'Amira Patel' });
  await client.get('import_batches.remove', { id: 3, preview: false });
  const { data: records } = await client.get('records.list', { limit: 100 });
  const cheque = records.find(({ metadata }) => metadata['voucher'] === 'CHQ-1043');
  const note = { status: 'outstanding' as const, owner: null, comment: null, expected_on: '2026-07-03' };
  await client.get('open_items.put', { id: 1, record_id: cheque?.id ?? 0, ...note });
  const { content } = await reportOf(book, 'csv');
  expect(content).toMatch(/\d\d:\d\d,Tieout window,"Line RCT-LATE of the books, 30\/06\/2026",10.00,none/);
  expect(content).toMatch(/\d\d:\d\d,Tieout window,File statement-3.csv of the books,imported,none/);
  expect(rowsOf(content, '2026-06-13,CHQ-1043')[0]).toMatch(/,17,03\/07\/2026,-1275.00$/);
});

test('a period that was signed again lists the changes between its signatures, and the next period those after its own', async () => {
  const book = await juneBook();
  const { client } = book;
  await client.get('periods.prepare', { id: 1, by: 'Amira Patel' });
  const { data: records } = await client.get('records.list', { limit: 100 });
  const cheque = records.find(({ metadata }) => metadata['voucher'] === 'CHQ-1043');
  await client.get('records.update', { id: cheque?.id ?? 0, date: '2026-06-14' });
  await client.get('periods.prepare', { id: 1, by: 'Amira Patel' });
  await client.get('periods.review', { id: 1, by: 'Tom Whitfield' });
  await client.get('periods.close', { id: 1, by: 'Tom Whitfield' });
  const { content } = await reportOf(book, 'csv');
  expect(content).toMatch(/"CHQ-1043 of the books, date",13\/06\/2026,14\/06\/2026/);
  expect(content).toContain('no period was closed before');
  await client.get('periods.create', { reconciliation_id: 1, from: '2026-07-01', to: '2026-07-31' });
  const july = await client.get('periods.report', { id: 2, format: 'csv' });
  expect(july.content).toMatch(/Changes since the last close,"June 2026, closed 01\/07\/2026 09:00"/);
  expect(july.content).toContain('Nothing that was signed has changed.');
  const pack = (await client.get('periods.report', { id: 2, format: 'pack' })).content;
  expect(packFaults(pack)).toEqual([]);
  expect((packData(pack)['audit'] as unknown[][])[0]?.[4]).toBe('period.created');
});

test('each currency has a report of its own, under one fingerprint', async () => {
  const book = await juneBook();
  await book.importText('bank-eur', 'Date,Description,Amount\n02/06/2026,Rent,5.00\n', { currency: 'EUR' });
  await book.client.get('reconciliations.update', { id: 1, side_b_stream_ids: [1, 3] });
  await book.client.get('periods.prepare', { id: 1, by: 'Amira Patel' });
  const packs = await Promise.all(['GBP', 'EUR'].map((currency) => reportOf(book, 'pack', { currency })));
  expect(packs.map(({ file_name: name }) => name)).toEqual([
    'northgate-current-2026-06-GBP-pack.html',
    'northgate-current-2026-06-EUR-pack.html',
  ]);
  for (const { content } of packs) expect(packFaults(content)).toEqual([]);
  const [gbp, eur] = packs.map(({ content }) => packData(content));
  expect(gbp?.['fingerprint']).toBe(eur?.['fingerprint']);
  expect([gbp?.['records'], eur?.['records']]).toMatchObject([{ length: 37 }, { length: 1 }]);
  expect(packs[0]?.content).toContain('is in EUR: it stands on a statement of that currency.');
});

test('the journal comes in the layout of a ledger, or in columns of one’s own', async () => {
  const book = await closedJuneBook();
  const plain = await reportOf(book, 'journal');
  expect(plain.file_name).toBe('northgate-current-2026-06-GBP-journal.csv');
  expect(plain.content.split('\r\n')[0]).toBe('Entry,Date,Account,Debit,Credit,Currency,Text,Reason,Source');
  expect(rowsOf(plain.content, '1,2026-07-01')).toHaveLength(2);
  expect((await reportOf(book, 'journal', { layout: 'xero' })).content).toContain('*Narration,*Date,Description,*AccountCode');
  const chosen = await reportOf(book, 'journal', { columns: 'day:Posted on, amount,text' });
  expect(chosen.content.split('\r\n')[0]).toBe('Posted on,Amount,Text');
  expect(chosen.content).toContain('2026-07-01,12.15,INT-JUN');
});

test('a report that cannot be made is refused with a message', async () => {
  const book = await juneBook();
  const refused = (input: object) => book.client.refusal('periods.report', { id: 1, format: 'html', ...input });
  expect(await refused({ currency: 'USD' })).toMatchObject({ code: 'unknown_reference', message: 'Nothing of June 2026 is in USD.' });
  expect(await refused({ format: 'doc' })).toMatchObject({ code: 'validation_failed', errors: [{ path: 'format' }] });
  expect(await refused({ id: 9 })).toMatchObject({ code: 'not_found' });
  expect(await refused({ layout: 'xero' })).toMatchObject({ code: 'validation_failed', errors: [{ path: 'layout' }] });
  expect(await refused({ format: 'journal', layout: 'xero', columns: 'day' })).toMatchObject({ errors: [{ path: 'columns' }] });
  expect(await refused({ format: 'journal', columns: 'day,colour' })).toMatchObject({
    message: expect.stringContaining('“colour” is no field of a journal') as string,
  });
  expect(await refused({ format: 'pdf' })).toEqual({
    code: 'no_printer',
    message: 'Nothing on this machine prints: ask for the report as HTML, which prints from any browser.',
  });
});

test("a PDF is the HTML as the printer prints it, or the printer's message", async () => {
  const pages: string[] = [];
  const ends = [success(Buffer.from('%PDF-1')), failed('The browser broke.')];
  const pdfOf = (html: string) => Promise.resolve(ends[pages.push(html) - 1] ?? failed('no more'));
  const book = await juneBook({ pdfOf });
  const pdf = await reportOf(book, 'pdf');
  expect(pdf).toMatchObject({ file_name: 'northgate-current-2026-06-GBP.pdf', content_type: 'application/pdf', encoding: 'base64' });
  expect(bytesOf(pdf).toString()).toBe('%PDF-1');
  expect(pages[0]).toBe((await reportOf(book, 'html')).content);
  expect(await book.client.refusal('periods.report', { id: 1, format: 'pdf' })).toEqual({
    code: 'no_printer',
    message: 'The browser broke.',
  });
});

const SAMPLES = path.resolve(import.meta.dirname, '../../../../shared/samples/recon');
for (const folder of [SAMPLES].filter((each) => existsSync(each))) {
  test('the worked example is that of the samples', () => {
    const textOf = (name: string): string => readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim();
    expect(textOf('cfp__bank_statement.csv')).toBe(CFP_BANK.trim());
    expect(textOf('cfp__cash_book.csv')).toBe(CFP_BOOKS.trim());
  });
}

test('a pack holds the preparation of its month, also where the month before was closed after it', async () => {
  const book = await juneBook();
  await book.client.get('periods.create', { reconciliation_id: 1, from: '2026-07-01', to: '2026-07-31' });
  await book.client.get('periods.prepare', { id: 2, by: 'Amira Patel' });
  for (const [operation, by] of [
    ['periods.prepare', 'Amira Patel'],
    ['periods.review', 'Tom Whitfield'],
    ['periods.close', 'Tom Whitfield'],
  ] as const)
    await book.client.get(operation, { id: 1, by });
  const { content } = await reportOf(book, 'pack', { id: 2 });
  expect(packFaults(content)).toEqual([]);
  const { audit } = packData(content) as unknown as { readonly audit: readonly (readonly unknown[])[] };
  const signed = audit.filter(([, , , , action]) => String(action).startsWith('period.')).map(([, , , , action]) => action);
  expect(signed.slice(-4)).toEqual(['period.prepared', 'period.prepared', 'period.reviewed', 'period.closed']);
});

test('an open period follows the notation of the book; what is signed keeps that of its signature until it is reopened', async () => {
  const { client } = await juneBook();
  const pages = async (): Promise<readonly string[]> =>
    Promise.all((['html', 'pack'] as const).map(async (format) => (await client.get('periods.report', { id: 1, format })).content));
  const statement = async (): Promise<string> => JSON.stringify(await client.get('periods.get', { id: 1 }));
  expect((await pages()).every((page) => page.includes('30/06/2026') && page.includes('A4'))).toBe(true);
  const chosen = await client.get('notation.update', { days: 'ymd', decimal: ',', paper: 'Letter' });
  expect(chosen).toMatchObject({
    days: 'ymd',
    week: 'computer',
    in_use: { days: 'ymd', decimal: ',', groups: '.', week: 1, paper: 'Letter' },
  });
  expect((await pages()).every((page) => page.includes('2026-06-30') && !page.includes('30/06/2026'))).toBe(true);
  expect(await statement()).toContain('2026-06-30');
  await client.get('periods.prepare', { id: 1, by: 'Amira Patel' });
  await client.get('notation.update', { days: 'mdy', decimal: '.' });
  const { undo } = await client.get('undo.list', {});
  expect(undo[0]).toMatchObject({ label: 'Changed the order of day and month, decimal mark of the book' });
  const [signed = '', pack = ''] = await pages();
  expect(signed).toContain('@page{size:Letter');
  for (const page of [signed, pack]) expect([page.includes('2026-06-30'), page.includes('06/30/2026')]).toEqual([true, false]);
  expect(packFaults(pack)).toEqual([]);
  expect(await statement()).toContain('06/30/2026');
  await client.get('periods.review', { id: 1, by: 'Tom Whitfield' });
  await client.get('periods.close', { id: 1, by: 'Tom Whitfield' });
  await client.get('periods.reopen', { id: 1, by: 'Amira Patel', reason: 'To look again' });
  expect((await pages()).every((page) => page.includes('06/30/2026'))).toBe(true);
});

test('a signed document keeps the account names that it was signed with, and an open one follows a rename', async () => {
  const book = await closedJuneBook();
  const { data: streams } = await book.client.get('reconciliations.list', {}).then(({ data }) => ({
    data: data.flatMap((each) => [...each.side_a_streams, ...each.side_b_streams]),
  }));
  for (const { key } of streams) await book.client.get('streams.update', { key, name: `Renamed ${key}` });
  for (const format of ['csv', 'html'] as const) expect((await reportOf(book, format)).content).not.toContain('Renamed');
  await book.client.get('periods.reopen', { id: 1, by: 'Tom Whitfield', reason: 'A late line' });
  expect((await reportOf(book, 'csv')).content).toContain('Renamed');
});
