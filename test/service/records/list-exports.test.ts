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
  expect([lines.file_name, lines.row_count, csvOf(lines).length]).toEqual(['open-lines.csv', COUNT, COUNT]);
  const found = await exported('lines.window', { reconciliation_id: 1, side: 'b', search: '>2000' });
  expect(csvOf(found)).toMatchObject([
    { Description: 'b line 0', Amount: '-2500.50', Currency: 'GBP', Account: 'Bank', cost_centre: 'C-0' },
  ]);
  expect((await exported('records.list', { data_stream_key: 'bank' })).row_count).toBe(COUNT);
  await run(1);
  const matches = csvOf(await exported('matches.window', { reconciliation_id: 1, status: 'proposed' }));
  expect(matches).toHaveLength(2 * COUNT);
  expect(new Set(matches.map((row) => row['Match'])).size).toBe(COUNT);
  expect((await exported('matches.window', { reconciliation_id: 1, status: 'matched' })).row_count).toBe(0);
  const history = csvOf(await exported('history.list', {}));
  expect(history.filter((row) => row['What'] === 'Line added by hand')).toHaveLength(2 * COUNT);
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

test('what the list refuses is refused here, with the same sentence', async () => {
  const { client } = await fullBook();
  const asked = { data_stream_key: 'bank', nonsense: 1 };
  expect(await client.refusal('lists.export', { list: 'records.list', asked, format: 'csv' })).toMatchObject({ code: 'validation_failed' });
  expect(await client.refusal('lists.export', { list: 'records.list', asked: { data_stream_key: 'none' }, format: 'csv' })).toMatchObject({
    message: (await client.refusal('records.list', { data_stream_key: 'none' })).message,
  });
});
