import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { bulkItem, sendBulk, wholeBulk } from '../../support/books/bulk.ts';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { undoSteps } from '../../support/books/wipes.ts';

async function bookWithBank(): Promise<QuietBook> {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await book.client.get('streams.create', { key: 'ledger', name: 'Ledger' });
  return book;
}

const pointsAt = (done: Awaited<ReturnType<typeof sendBulk>>) => done.results.data.map((result) => result.possible_duplicate_of);
const rent = bulkItem({ amount: -1250, description: 'Rent June' });

test('a line of an earlier request is reported, and is stored nevertheless', async () => {
  const book = await bookWithBank();
  const first = await sendBulk(book, { records: [rent, bulkItem({ amount: 1250, description: 'Rent June' })] });
  expect(pointsAt(first)).toEqual([null, null]);
  const again = await sendBulk(book, { records: [rent], on_conflict: 'error' });
  expect(again.results.data).toEqual([{ index: 0, status: 'successful', record_id: 3, possible_duplicate_of: 1, error: null }]);
  // What was told of the first request stays: it was there before.
  expect(pointsAt(await wholeBulk(book.client, first))).toEqual([null, null]);
});

test.each([
  ['another day', { date: '2026-06-11' }],
  ['another sign', { amount: 1250 }],
  ['another amount', { amount: -1251 }],
  ['another currency', { currency: 'EUR' }],
  ['other decimals', { decimal_places: 3 }],
  ['another stream', { data_stream_key: 'ledger' }],
])('none with %s', async (_what, change) => {
  const book = await bookWithBank();
  await sendBulk(book, { records: [rent] });
  expect(pointsAt(await sendBulk(book, { records: [{ ...rent, ...change }] }))).toEqual([null]);
});

test.each([
  ['another text', { description: 'Miete Juli' }],
  ['no text', { description: undefined }],
  ['an external_id that the older one has not', { external_id: 'r-1' }],
])('a line with an alternative description is reported: %s', async (_what, change) => {
  const book = await bookWithBank();
  await sendBulk(book, { records: [rent] });
  expect(pointsAt(await sendBulk(book, { records: [{ ...rent, ...change }] }))).toEqual([1]);
});

test.each([
  ['the very words', {}, 1],
  ['other words', { description: 'Miete Juni' }, 1],
  ['another amount', { amount: -1251 }, null],
  ['another day', { date: '2026-06-20' }, null],
  ['an id of the same look', { external_id: 'A-9' }, null],
  ['an id of another look', { external_id: '2026061000017' }, 1],
])('a single record is reported as existing, with %s', async (_what, change, older) => {
  const book = await bookWithBank();
  await sendBulk(book, { records: [{ ...rent, external_id: 'A-1' }] });
  const made = await book.client.get('records.create', {
    data_stream_key: 'bank',
    date: '2026-06-10',
    amount: -1250,
    description: 'Rent June',
    ...change,
  });
  expect(made.possible_duplicate_of ?? null).toBe(older);
});

test('an amount that comes every day is no hint', async () => {
  const book = await bookWithBank();
  const days = Array.from({ length: 60 }, (_, n) => `2026-0${n < 30 ? 4 : 6}-${String(1 + (n % 30)).padStart(2, '0')}`);
  await sendBulk(book, { records: days.map((date) => bulkItem({ date, amount: -300, description: 'Coffee' })) });
  expect(pointsAt(await sendBulk(book, { records: [bulkItem({ date: '2026-06-10', amount: -300, description: 'Bagel' })] }))).toEqual([
    null,
  ]);
});

test('equal lines within one request are no duplicates, whatever page they are on', async () => {
  const book = await bookWithBank();
  expect(pointsAt(await sendBulk(book, { records: Array.from({ length: 250 }, () => rent) }))).toEqual(
    Array.from({ length: 250 }, () => null),
  );
  expect(pointsAt(await sendBulk(book, { records: [rent, bulkItem(), rent] }))).toEqual([1, null, 1]);
});

test('the older one may have an external_id, no text on both sides, or have been made by hand or by a file', async () => {
  const book = await bookWithBank();
  await book.client.get('records.create', { data_stream_key: 'bank', date: '2026-06-10', amount: 5, external_id: 'a' });
  const file = path.join(book.folder, 'bank.csv');
  writeFileSync(file, 'Date,Description,Amount\n2026-06-01,Coffee,-4.50\n2026-06-02,Bread,-2.00\n2026-06-03,Wage,900.00\n');
  importHere(book, { path: file });
  const coffee = bulkItem({ date: '2026-06-01', amount: -450, description: 'Coffee' });
  expect(pointsAt(await sendBulk(book, { records: [bulkItem({ amount: 5 }), coffee, coffee] }))).toEqual([1, 2, 2]);
});

test('it is reported once the request has ended', async () => {
  const book = await bookWithBank();
  await sendBulk(book, { records: [rent] });
  const many = Array.from({ length: 1_000 }, () => rent);
  const open = await book.client.get('bulk_requests.create', { records: many });
  for (let step = 'more'; step === 'more';) {
    const told = await book.client.get('bulk_requests.get', { id: open.id, limit: 1 });
    expect(told.results.data.map((result) => result.possible_duplicate_of)).toEqual(told.processed_items === 0 ? [] : [null]);
    step = book.bulk.step();
  }
  expect(new Set(pointsAt(await wholeBulk(book.client, open)))).toEqual(new Set([1]));
});

test('it follows changes of the older record', async () => {
  const book = await bookWithBank();
  const first = await sendBulk(book, { records: [rent] });
  const again = await sendBulk(book, { records: [rent] });
  const now = async () => pointsAt(await wholeBulk(book.client, again));
  await book.client.get('records.update', { id: 1, amount: -9900 });
  expect(await now()).toEqual([null]);
  await book.client.get('records.update', { id: 1, amount: -1250 });
  expect(await now()).toEqual([1]);
  expect([...undoSteps(book, 1)].length).toBeGreaterThan(0);
  expect(await now()).toEqual([null]);
  expect(pointsAt(await wholeBulk(book.client, first))).toEqual([null]);
});

test('many records of one amount, or of one day, are searched by the rarer of the two', async () => {
  const book = await bookWithBank();
  book.database.connection.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
    INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, description, metadata, created_at)
      SELECT 1, 1, 10000 + i / 10, 1250, 0, 'USD', 2, 'Fee ' || i, '{}', 0 FROM n`);
  const fee = bulkItem({ date: '2000-01-01', amount: -1250, description: 'Fee 9570' });
  expect(pointsAt(await sendBulk(book, { records: [fee, rent] }))).toEqual([9_570, null]);
});

test('lines with alternative descriptions are reported on each page of the results, even the only one', async () => {
  const book = await bookWithBank();
  const lines = (words: string, month: string) =>
    Array.from({ length: 12 }, (_, n) =>
      bulkItem({ date: `2026-${month}-${n + 10}`, amount: -(7_001 + n * 613), description: `${words} ${n}` }),
    );
  // Each amount comes every month, so that one line alone might be another one by chance.
  for (const month of ['03', '04', '05', '06']) await sendBulk(book, { records: lines('Card payment', month) });
  const records = lines('POS', '06');
  const whole = pointsAt(await sendBulk(book, { records }));
  expect(whole.filter((older) => older !== null)).toHaveLength(12);
  const { data } = await book.client.get('bulk_requests.list', {});
  const id = String(Math.max(...data.map((request) => request.id)));
  const single: (number | null)[] = [];
  for (let offset = 0; offset < records.length; offset += 1) {
    const page = await book.client.get('bulk_requests.get', { id, limit: 1, offset });
    single.push(...page.results.data.map((result) => result.possible_duplicate_of));
  }
  expect(single).toEqual(whole);
});
