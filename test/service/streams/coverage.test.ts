import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { undoHere } from '../../support/books/wipes.ts';

const HEADER = 'Date,Description,Amount,Balance';

/** One line a day at some days of June 2026, one pound each, from an opening balance on. */
function june(book: QuietBook, name: string, days: readonly number[], opening: number): number {
  const rows = days.map((day, index) => `2026-06-${String(day).padStart(2, '0')},Fee ${day},1.00,${(opening + index + 1).toFixed(2)}`);
  const file = path.join(book.folder, name);
  writeFileSync(file, `${HEADER}\n${rows.join('\n')}\n`);
  return importHere(book, { path: file }).result?.batch_id ?? 0;
}

test('gaps, overlaps and breaks of a stream follow its imports and their undoing', async () => {
  const book = openQuietBook();
  const first = june(book, 'one.csv', [1, 2, 3, 4, 5], 10);
  const second = june(book, 'two.csv', [9, 10, 11], 15);
  const stream = () => book.client.get('coverage.of_stream', { key: 'bank' });
  expect(await stream()).toMatchObject({
    accounts: [
      {
        data_stream_key: 'bank',
        account: null,
        currency: 'USD',
        decimal_places: 2,
        statements: [
          {
            import_batch_id: first,
            filename: 'one.csv',
            date_start: '2026-06-01',
            date_end: '2026-06-05',
            opening_balance: 1_000,
            closing_balance: 1_500,
            proof: 'proved',
          },
          { import_batch_id: second, date_start: '2026-06-09', date_end: '2026-06-11', opening_balance: 1_500 },
        ],
        covered: [
          { date_start: '2026-06-01', date_end: '2026-06-05' },
          { date_start: '2026-06-09', date_end: '2026-06-11' },
        ],
        gaps: [{ date_start: '2026-06-06', date_end: '2026-06-08', days: 3, weekdays: 1, kind: 'quiet', difference: 0 }],
        overlaps: [],
        breaks: [],
      },
    ],
  });
  // Lines that were there already are covered all the same; the file again is no overlap.
  june(book, 'two again.csv', [9, 10, 11], 15);
  const third = june(book, 'three.csv', [11, 12], 17);
  expect(third).not.toBe(0);
  const after = (await stream()).accounts[0];
  expect(after?.statements.map((each) => each.import_batch_id)).toEqual([first, second, third]);
  expect(after?.overlaps).toEqual([{ date_start: '2026-06-11', date_end: '2026-06-11', import_batch_ids: [second, third] }]);
  const fourth = june(book, 'four.csv', [13], 99);
  expect((await stream()).accounts[0]?.breaks).toEqual([
    { date: '2026-06-13', import_batch_ids: [third, fourth], closing_balance: 1_900, opening_balance: 9_900, difference: 8_000 },
  ]);
  await undoHere(book, second);
  expect((await stream()).accounts[0]?.gaps).toMatchObject([{ date_start: '2026-06-06', date_end: '2026-06-08' }]);
});

test('a window shows all stretches that it touches, in full', async () => {
  const book = openQuietBook();
  june(book, 'one.csv', [1, 2], 10);
  june(book, 'two.csv', [9, 10], 12);
  const inside = await book.client.get('coverage.of_stream', { key: 'bank', date_from: '2026-06-05', date_to: '2026-06-06' });
  expect(inside.accounts[0]).toMatchObject({ statements: [], covered: [], gaps: [{ date_start: '2026-06-03', date_end: '2026-06-08' }] });
  const beyond = await book.client.get('coverage.of_stream', { key: 'bank', date_from: '2026-06-10' });
  expect(beyond.accounts[0]).toMatchObject({ covered: [{ date_start: '2026-06-09', date_end: '2026-06-10' }], gaps: [] });
});

test('records from the API are no statement, and a stream without files covers nothing', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'api', name: 'API' });
  await book.client.get('records.create', { data_stream_key: 'api', date: '2026-06-01', amount: 1, direction: 'credit' });
  expect(await book.client.get('coverage.of_stream', { key: 'api' })).toEqual({ accounts: [] });
  expect(await book.client.refusal('coverage.of_stream', { key: 'nowhere' })).toMatchObject({ code: 'not_found' });
});

test('a bank account covers what its streams do', async () => {
  const book = openQuietBook();
  june(book, 'one.csv', [1, 2], 10);
  const account = await book.client.get('bank_accounts.create', { name: 'Current' });
  expect(await book.client.get('coverage.of_account', { id: account.id })).toEqual({ accounts: [] });
  await book.client.get('streams.update', { key: 'bank', bank_account_id: account.id });
  expect(await book.client.get('coverage.of_account', { id: account.id })).toEqual(
    await book.client.get('coverage.of_stream', { key: 'bank' }),
  );
  expect(await book.client.refusal('coverage.of_account', { id: 99 })).toMatchObject({ code: 'not_found' });
});

test('a batch from before statements were kept covers the days of its records', async () => {
  const book = openQuietBook();
  june(book, 'one.csv', [3, 5], 10);
  book.database.connection.exec('UPDATE import_batches SET periods = NULL');
  expect((await book.client.get('coverage.of_stream', { key: 'bank' })).accounts).toMatchObject([
    { statements: [{ date_start: '2026-06-03', date_end: '2026-06-05', opening_balance: 1_000, closing_balance: 1_200 }] },
  ]);
});
