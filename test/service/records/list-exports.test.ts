import { Buffer } from 'node:buffer';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { sheetLibrary } from '../../../src-main/domain/statement/workbook/sheet-library.ts';
import type { Call, Output } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { BY_AMOUNT_PROPOSED, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';

const COUNT = 230;

/** Two sides with more lines than a page of any list holds. */
async function fullBook() {
  const book = openQuietBook();
  const line = (side: string) => (_: unknown, place: number) => ({
    amount: place === 0 ? -250_050 : 100 + place,
    currency: 'GBP',
    description: place === 7 ? '=HYPERLINK("x")' : `${side} line ${place}`,
    external_id: `${side}${place}`,
    metadata: { cost_centre: `C-${place % 3}` },
  });
  const lines = { a: Array.from({ length: COUNT }, line('a')), b: Array.from({ length: COUNT }, line('b')) };
  await setUpPair(book.client, lines, [BY_AMOUNT_PROPOSED]);
  return book;
}

type Exported = Output<'lists.export'>;
const csvOf = ({ content }: Exported) => Papa.parse<Record<string, string>>(content, { header: true, skipEmptyLines: true }).data;

test('a file has all that a list finds, not only its first page, and nothing else', async () => {
  const { client, run } = await fullBook();
  const exported = (list: Call<'lists.export'>['list'], asked: Record<string, unknown>) =>
    client.get('lists.export', { list, asked, format: 'csv' });
  const lines = await exported('lines.window', { reconciliation_id: 1, side: 'a' });
  expect([lines.file_name, lines.row_count, csvOf(lines).length]).toEqual(['open-lines-a.csv', COUNT, COUNT]);
  const found = await exported('lines.window', { reconciliation_id: 1, side: 'b', search: '>2000' });
  expect(found.file_name).toBe('open-lines-b-over-2000.csv');
  expect(csvOf(found)).toMatchObject([
    { Description: 'b line 0', Amount: '-2500.50', Currency: 'GBP', Account: 'Bank', cost_centre: 'C-0' },
  ]);
  expect((await exported('records.list', { data_stream_key: 'bank' })).row_count).toBe(COUNT);
  await run(1);
  const proposed = await exported('matches.window', { reconciliation_id: 1, status: 'proposed' });
  expect([proposed.listed_count, proposed.row_count]).toEqual([COUNT, 2 * COUNT]);
  const matches = csvOf(proposed);
  expect(matches).toHaveLength(2 * COUNT);
  expect(new Set(matches.map((row) => row['Match'])).size).toBe(COUNT);
  expect((await exported('matches.window', { reconciliation_id: 1, status: 'matched' })).row_count).toBe(0);
  const history = csvOf(await exported('history.list', {}));
  expect(history.filter((row) => row['What'] === 'Line added by hand')).toHaveLength(2 * COUNT);
});

test('exceptions have their sums by currency in the file, and only those that are chosen', async () => {
  const book = openQuietBook();
  const lines = [
    { amount: -1_000, currency: 'GBP' },
    { amount: 250, currency: 'EUR' },
    { amount: 300, currency: 'GBP' },
  ];
  const { reconciliation, aIds } = await setUpPair(book.client, { a: lines, b: [] }, []);
  for (const id of aIds) await book.client.get('records.mark_overdue', { id, reconciliation_id: reconciliation.id });
  const open = async (stream: number, title: string) =>
    (await book.client.get('exceptions.create', { reconciliation_id: reconciliation.id, data_stream_id: stream, title })).id;
  const [first, second] = [await open(1, 'Old ones'), await open(2, 'None left')];
  await book.client.get('exceptions.update', { id: first, assignee: 'Ann', comment: 'Asked the bank', status: 'investigating' });
  const exported = async (only?: number[]) =>
    book.client.get('lists.export', { list: 'exceptions.list', asked: {}, format: 'csv', ...(only === undefined ? {} : { only }) });
  const all = await exported();
  expect([all.file_name, all.row_count, all.listed_count]).toEqual(['exceptions.csv', 3, 2]);
  const one = csvOf(await exported([first]));
  const same = { Exception: 'Old ones', Status: 'Investigating', Owner: 'Ann', Comment: 'Asked the bank', Lines: '3' };
  expect(one).toMatchObject([
    { ...same, Currency: 'EUR', 'Money in': '2.50', 'Money out': '0.00', Net: '2.50' },
    { ...same, Currency: 'GBP', 'Money in': '3.00', 'Money out': '-10.00', Net: '-7.00' },
  ]);
  expect(csvOf(await exported([second]))).toMatchObject([{ Exception: 'None left', Lines: '0', Currency: '', Net: '' }]);
  expect((await exported([])).row_count).toBe(0);
});

test('a match of more lines than its list shows has all of them in the file', async () => {
  const book = openQuietBook();
  const parts = Array.from({ length: 150 }, () => ({ amount: 100 }));
  const pair = await setUpPair(book.client, { a: parts, b: [{ amount: 15_000 }] }, []);
  await book.client.get('matches.create', { reconciliation_id: 1, record_ids: [...pair.aIds, present(pair.bIds[0], 'bank line')] });
  const asked = { reconciliation_id: 1, status: 'matched' };
  const rows = csvOf(await book.client.get('lists.export', { list: 'matches.window', asked, format: 'csv' }));
  expect(Map.groupBy(rows, (row) => row['Side']).get('A')).toHaveLength(150);
  expect(rows).toHaveLength(151);
});

test('a workbook has amounts and days as numbers, and a text never becomes a formula in either file', async () => {
  const { client } = await fullBook();
  const asked = { reconciliation_id: 1, side: 'a', sort: 'amount' };
  const { content, encoding } = await client.get('lists.export', { list: 'lines.window', asked, format: 'xlsx' });
  expect(encoding).toBe('base64');
  const { utils, read } = sheetLibrary();
  const workbook = read(Buffer.from(content, 'base64'), { type: 'buffer', cellFormula: true });
  const sheet = present(workbook.Sheets[present(workbook.SheetNames[0], 'name')], 'sheet');
  const rows = utils.sheet_to_json<Record<string, unknown>>(sheet, { raw: true });
  expect(rows).toHaveLength(COUNT);
  const smallest = present(
    rows.find((row) => row['Description'] === 'a line 0'),
    'first line',
  );
  expect(smallest).toMatchObject({ Amount: -2500.5, Date: 46_183, Reference: 'a0' });
  const cells = Object.entries(sheet).filter(([place]) => !place.startsWith('!'));
  expect(cells.filter(([, cell]) => (cell as { f?: string }).f !== undefined)).toEqual([]);
  const csv = await client.get('lists.export', { list: 'lines.window', asked, format: 'csv' });
  expect(csvOf(csv).map((row) => row['Description'])).toContain('\'=HYPERLINK("x")');
});

test('a file has the columns that are asked for in their order, the fields of files behind them, and no title twice', async () => {
  const book = openQuietBook();
  const metadata = { Amount: 'net', account: 'x', 'amount (2)': 'y' };
  await setUpPair(book.client, { a: [{ amount: 100, metadata }], b: [{ amount: 100 }] }, [BY_AMOUNT_PROPOSED]);
  const titles = async (list: Call<'lists.export'>['list'], asked: Record<string, unknown>, columns?: string[]) => {
    const { content } = await book.client.get('lists.export', {
      list,
      asked,
      format: 'csv',
      ...(columns === undefined ? {} : { columns }),
    });
    return (content.split('\r\n')[0] ?? '').replaceAll('"', '');
  };
  const side = { reconciliation_id: 1, side: 'a' };
  expect(await titles('lines.window', side, ['amount', 'external_id', 'date'])).toBe(
    'Currency,Amount,Reference,Date,Amount (2),account,amount (2) (2)',
  );
  expect(await titles('lines.window', side)).toBe(
    'Date,Value date,Account,Description,Reference,Currency,Amount,State,Days open,Amount (2),account (2),amount (2) (2)',
  );
  await book.run(1);
  const grid = ['date-a', 'text-a', 'amount-a', 'date-b', 'text-b', 'amount-b', 'likelihood', 'certainty'];
  expect(await titles('matches.window', { reconciliation_id: 1, status: 'proposed' }, grid)).toBe(
    'Match,State,Side,Date,Description,Currency,Amount,Likelihood,Certainty',
  );
});

test.each<[string, Partial<Call<'lists.export'>>]>([
  ['open-lines-b', { asked: { reconciliation_id: 1, side: 'b', sort: '-amount' } }],
  ['open-lines-from-5-older-than', { asked: { reconciliation_id: 1, side: 'a' }, about: '>=5 older than' }],
  ['open-lines-a-minus-25-to-minus-10', { asked: { reconciliation_id: 1, side: 'a', search: '-25..-10' } }],
  ['open-lines-a-café', { asked: { reconciliation_id: 1, side: 'a', search: '"Café"/../' } }],
  ['matches-proposed', { list: 'matches.window', asked: { reconciliation_id: 1, status: 'proposed', sort: 'likelihood' } }],
  ['lines-bank-from-2026-06-01', { list: 'records.list', asked: { data_stream_key: 'bank', date_from: '2026-06-01' } }],
])('the name of a file says what is filtered: %s', async (name, input) => {
  const book = openQuietBook();
  await setUpPair(book.client, { a: [{ amount: 100 }], b: [{ amount: 100 }] }, [BY_AMOUNT_PROPOSED]);
  const { file_name: named } = await book.client.get('lists.export', { list: 'lines.window', asked: {}, format: 'csv', ...input });
  expect(named).toBe(`${name}.csv`);
});

test('what the list refuses is refused here, with the same sentence', async () => {
  const { client } = await fullBook();
  const asked = { data_stream_key: 'bank', nonsense: 1 };
  expect(await client.refusal('lists.export', { list: 'records.list', asked, format: 'csv' })).toMatchObject({ code: 'validation_failed' });
  expect(await client.refusal('lists.export', { list: 'records.list', asked: { data_stream_key: 'none' }, format: 'csv' })).toMatchObject({
    message: (await client.refusal('records.list', { data_stream_key: 'none' })).message,
  });
});

test('a list for printing has the columns with their kinds, and the first rows of a long one', async () => {
  const { client } = await fullBook();
  const asked = { reconciliation_id: 1, side: 'a', search: 'line' };
  const printed = await client.get('lists.export', { list: 'lines.window', asked, columns: ['date', 'amount'], format: 'json' });
  const { columns, rows } = JSON.parse(printed.content) as { columns: { title: string; kind: string }[]; rows: unknown[][] };
  expect(columns).toEqual([
    { title: 'Date', kind: 'day' },
    { title: 'Currency', kind: 'text' },
    { title: 'Amount', kind: 'amount' },
  ]);
  expect([rows.length, rows[0]?.[2], printed.row_count]).toEqual([COUNT - 1, '-2500.50', COUNT - 1]);
});
