import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Call } from '../../src-shared/contract/index.ts';
import { openTestBook, type TestBook } from '../support/backend.ts';
import { importHere, openQuietBook } from '../support/quiet-book.ts';

const EVEN = 'Date,Description,Amount\n01/02/2026,Rent,-10.00\n02/03/2026,Fee,-5.00\n';

async function imported(book: TestBook, text: string, input: Omit<Call<'imports.start'>, 'file_token'>) {
  const file = path.join(book.folder, 'statement.csv');
  writeFileSync(file, text);
  const chosen = book.backend.registerFile(file);
  const token = chosen.ok ? chosen.value.token : '';
  return (await book.ended(await book.client.get('imports.start', { file_token: token, ...input }))).import_result;
}

test('a file that leaves open how it is read stays out until that is said, and the recipe kept for it asks no more', async () => {
  const book = await openTestBook();
  const held = await imported(book, EVEN, { stream_key: 'bank' });
  expect(held).toMatchObject({
    rows: 2,
    kept: 0,
    batch_id: null,
    questions: [{ about: 'currency' }, { about: 'date_order', taken: 'dmy' }],
  });
  expect(await book.client.get('streams.list', {})).toEqual([]);
  const said = await imported(book, EVEN, { stream_key: 'bank', currency: 'GBP', answers: { date_order: 'mdy' }, remember_recipe: 'Bank' });
  expect(said).toMatchObject({ kept: 2, questions: [], date_range_start: '2026-01-02', recipe: { recipe: { date_order: 'mdy' } } });
  const next = await imported(book, EVEN.replaceAll('2026', '2027'), { stream_key: 'bank' });
  expect(next).toMatchObject({ kept: 2, questions: [], date_range_start: '2027-01-02', recipe: { state: 'remembered' } });
});

test('the preview asks as well, and an answer that is none is refused', async () => {
  const book = await openTestBook();
  const file = path.join(book.folder, 'statement.csv');
  writeFileSync(file, EVEN);
  const chosen = book.backend.registerFile(file);
  const file_token = chosen.ok ? chosen.value.token : '';
  const preview = async (input: Partial<Call<'imports.preview'>>) =>
    (await book.ended(await book.client.get('imports.preview', { file_token, ...input }))).preview?.result;
  expect((await preview({}))?.questions).toHaveLength(2);
  expect(await preview({ currency: 'USD', answers: { date_order: 'dmy' } })).toMatchObject({
    questions: [],
    date_range_start: '2026-02-01',
  });
  const refused = await book.client.call('imports.preview', { file_token, answers: { date_order: 'sideways' } } as never);
  expect(refused).toMatchObject({ ok: false, error: { code: 'validation_failed' } });
});

test('a large file is asked about before anything of it is written', () => {
  const book = openQuietBook();
  const file = path.join(book.folder, 'large.csv');
  // Every day of the first twelve of some months: in order under either reading.
  writeFileSync(file, `Date,Description,Amount\n${'01/02/2026,Rent,-10.00\n'.repeat(2_000)}02/03/2026,Fee,-5.00\n`);
  const streamed = { wholeBytes: 10_000 };
  const held = importHere(book, { path: file, currency: null }, streamed);
  expect(held.result).toMatchObject({ rows: 2_001, kept: 0, batch_id: null, questions: [{ about: 'currency' }, { about: 'date_order' }] });
  expect(book.database.connection.prepare('SELECT count(*) FROM records').pluck().get()).toBe(0);
  const said = importHere(book, { path: file, answers: { date_order: 'mdy' } }, streamed);
  expect(said.result).toMatchObject({ kept: 2_001, questions: [], date_range_end: '2026-02-03' });
});
