import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { addLines } from '../../support/books/lines.ts';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

const LINES = [
  { amount: 100, external_id: 'ORD-100', description: 'Café Crème, June' },
  { amount: 200, external_id: 'ORD-1001', description: 'cafeteria', metadata: { order: { city: 'Zürich', paid: 14.99 }, cafe: 'no' } },
  { amount: 300, external_id: 'x', description: 'ord', metadata: { note: '100' } },
];

async function bookOfLines(): Promise<QuietBook> {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await addLines(book.client, 'bank', LINES);
  return book;
}

/** Amounts of what a list holds, lowest first. */
async function amounts(book: QuietBook, input: object): Promise<number[]> {
  return (await book.client.get('records.list', { sort: 'amount', ...input })).data.map((record) => record.amount);
}

test.each([
  ['cafe', [100, 200]],
  ['CAFÉ', [100, 200]],
  ['cafe creme', [100]],
  ['creme cafe', [100]],
  ['café june x', []],
  ['caf june', []],
  ['june caf', [100]],
  ['ORD-100', [100, 200]],
  ['ord 100', [100, 200, 300]],
  ['zurich', [200]],
  ['14.99', [200]],
  ['city', []],
  ['order', []],
  ['"cafeteria" OR NOT x*', []],
  ['crème\u0000', [100]],
])('q %j finds %j', async (q, expected) => {
  const book = await bookOfLines();
  expect(await amounts(book, { q })).toEqual(expected);
  expect((await book.client.get('records.list', { q })).not_searched).toBe(0);
});

test('a search with q follows edits, deletes and a restart', async () => {
  const book = await bookOfLines();
  expect(await amounts(book, { q: 'cafe' })).toEqual([100, 200]);
  const [first, second] = (await book.client.get('records.list', { sort: 'amount' })).data;
  await book.client.get('records.update', { id: String(first?.id), description: 'Tea' });
  expect([await amounts(book, { q: 'cafe' }), await amounts(book, { q: 'tea' })]).toEqual([[200], [100]]);
  await book.client.get('records.remove', { id: String(second?.id) });
  expect(await amounts(book, { q: 'cafe' })).toEqual([]);
  expect(book.search.step()).toBe(false);
  book.database.connection.exec('UPDATE search_state SET recipe = 0');
  expect([await amounts(book, { q: 'tea' }), await amounts(book, { q: 'cafe' })]).toEqual([[100], []]);
});

test('a damaged index is rebuilt, and the search says what it could not search', async () => {
  const book = await bookOfLines();
  expect(await amounts(book, { q: 'cafe' })).toEqual([100, 200]);
  book.database.connection.unsafeMode(true);
  book.database.connection.exec("UPDATE record_words_data SET block = x'00ff' WHERE id > 1");
  const page = await book.client.get('records.list', { q: 'cafe' });
  expect(page.data.length + (page.not_searched ?? 0)).toBeGreaterThanOrEqual(2);
  expect(await amounts(book, { q: 'cafe' })).toEqual([100, 200]);
});

test('only a search says how far it looked, and one without a word is refused', async () => {
  const book = await bookOfLines();
  expect(await book.client.get('records.list', {})).not.toHaveProperty('not_searched');
  const message = 'q has no letter or digit to look for: write a word, or leave q out.';
  for (const q of ['', ' ', '-- "*"']) {
    expect(await book.client.refusal('records.list', { q })).toEqual({
      code: 'validation_failed',
      message,
      errors: [{ path: 'q', code: 'no_words', message }],
    });
  }
});

test('a search reports records that were too many to index at once', async () => {
  const book = await bookOfLines();
  book.database.connection.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    INSERT INTO records(environment_id, stream_id, day, amount, direction, currency, decimal_places, description, metadata, created_at)
      SELECT 1, 1, 1, 1, 1, 'USD', 2, 'many', '{}', 0 FROM n`);
  const page = await book.client.get('records.list', { q: 'many' });
  expect(page.not_searched).toBeGreaterThan(0);
  while (book.search.step());
  expect((await book.client.get('records.list', { q: 'many' })).not_searched).toBe(0);
});

test('times of creation are bounds, inclusive, to the millisecond', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  const times: string[] = [];
  for (const amount of [1, 2, 3]) {
    book.clock.advance(1);
    await addLines(book.client, 'bank', [{ amount }]);
    times.push(new Date(book.clock.nowMs()).toISOString());
  }
  const middle = times[1] ?? '';
  expect(await amounts(book, { created_after: middle })).toEqual([2, 3]);
  expect(await amounts(book, { created_before: middle })).toEqual([1, 2]);
  expect(await amounts(book, { created_after: middle, created_before: middle })).toEqual([2]);
  expect(await amounts(book, { created_after: middle.replace('Z', '5Z') })).toEqual([3]);
  expect(await book.client.refusal('records.list', { created_after: '2026-06-30' })).toMatchObject({
    message: 'The input is not valid: created_after must be a timestamp, as 2026-06-30T12:00:00.000Z.',
  });
});

test('source and bulk request are those of the batch; a record made by itself has neither', async () => {
  const book = await bookOfLines();
  const records = [{ data_stream_key: 'bank', date: '2026-06-01', amount: 7, direction: 'credit', description: 'bulk' }];
  const request = await book.client.get('bulk_requests.create', { records } as never);
  while (book.bulk.step() === 'more');
  expect(await amounts(book, { source: 'bulk_api' })).toEqual([7]);
  expect(await amounts(book, { source: 'csv_upload' })).toEqual([]);
  expect(await amounts(book, { bulk_request_id: String(request.id), q: 'bulk' })).toEqual([7]);
  expect(await amounts(book, {})).toEqual([7, 100, 200, 300]);
  const message = 'There is no bulk request 99 in this environment.';
  expect(await book.client.refusal('records.list', { bulk_request_id: '99' })).toEqual({
    code: 'unknown_reference',
    message,
    errors: [{ path: 'bulk_request_id', code: 'unknown_reference', message }],
  });
  expect((await book.client.refusal('records.list', { source: 'fax' })).message).toBe(
    'The input is not valid: source must be one of csv_upload, nacha_upload, bulk_api.',
  );
});

test('reversal finds returns and what they take back, as the records say it themselves', async () => {
  const book = openQuietBook();
  const file = path.join(book.folder, 'bank.csv');
  writeFileSync(
    file,
    'Date,Description,Amount\n2026-06-01,Gas company,-45.20\n2026-06-03,RETOURE Gas company,45.20\n2026-06-04,RETOURE of nothing here,7.00\n2026-06-05,Water,-12.34\n',
  );
  importHere(book, { path: file });
  await addLines(book.client, 'bank', [{ amount: 1, description: 'Made by hand' }]);
  book.database.connection.exec(
    `INSERT INTO reversals(record_id, stream_id, mark) VALUES (5, 1, '{"by":"format","reason":"AC04","reference":null}')`,
  );
  const ids = async (input: object): Promise<number[]> =>
    (await book.client.get('records.list', { sort: 'date', limit: 100, ...input })).data.map(({ id }) => id).toSorted();
  const told = async (): Promise<number[]> =>
    (await book.client.get('records.list', { limit: 100 })).data
      .filter((record) => record.reverses_record_id !== null || record.reversed_by_record_id !== null || record.reversal_reason !== null)
      .map(({ id }) => id)
      .toSorted();
  for (const sort of ['date', '-amount', 'value_date', '-created_at']) {
    expect([await ids({ reversal: true, sort }), await ids({ reversal: false, sort })]).toEqual([
      [1, 2, 5],
      [3, 4],
    ]);
  }
  expect(await told()).toEqual([1, 2, 5]);
  expect(await ids({ reversal: true, data_stream_key: 'bank', amount_min: 4_520 })).toEqual([1, 2]);
  // An edit parts the two.
  await book.client.get('records.update', { id: 1, amount: -4_521 });
  expect([await ids({ reversal: true }), await told()]).toEqual([[5], [5]]);
});

test('a list and its totals cover several accounts, and the totals of a currency add up at its finest scale', async () => {
  const book = await bookOfLines();
  for (const key of ['till', 'ledger']) await book.client.get('streams.create', { key, name: key });
  await addLines(book.client, 'till', [
    { amount: -1_250, decimal_places: 3 },
    { amount: 7, currency: 'EUR' },
  ]);
  await addLines(book.client, 'ledger', [{ amount: 5_000 }]);
  const keys = { data_stream_key: 'bank,till' };
  expect(await amounts(book, keys)).toEqual([7, 100, 200, 300, 1_250]);
  const none = { reconciled_count: 0, reconciled_net: 0 };
  expect(await book.client.get('records.totals', keys)).toEqual({
    totals: [
      {
        ...none,
        currency: 'EUR',
        decimal_places: 2,
        record_count: 1,
        credit_count: 1,
        credit_sum: 7,
        debit_count: 0,
        debit_sum: 0,
        unreconciled_count: 1,
        unreconciled_net: 7,
      },
      {
        ...none,
        currency: 'USD',
        decimal_places: 3,
        record_count: 4,
        credit_count: 3,
        credit_sum: 6_000,
        debit_count: 1,
        debit_sum: 1_250,
        unreconciled_count: 4,
        unreconciled_net: 4_750,
      },
    ],
  });
  expect(await book.client.refusal('records.list', { data_stream_key: 'bank,nowhere' })).toMatchObject({ code: 'not_found' });
});

test('totals that no number holds exactly are refused', async () => {
  const book = await bookOfLines();
  await addLines(book.client, 'bank', [{ amount: Number.MAX_SAFE_INTEGER }]);
  expect(await book.client.refusal('records.totals', {})).toMatchObject({ code: 'total_out_of_range' });
  expect((await book.client.get('records.totals', { amount_max: 300 })).totals[0]).toMatchObject({ record_count: 3, credit_sum: 600 });
});
