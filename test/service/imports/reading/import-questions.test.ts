import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Call } from '../../../../src-shared/contract/index.ts';
import { openTestBook, type TestBook } from '../../../support/books/backend.ts';
import { importHere, openQuietBook } from '../../../support/books/quiet-book.ts';

const EVEN = 'Date,Description,Amount\n01/02/2026,Rent,-10.00\n02/03/2026,Fee,-5.00\n';

async function imported(book: TestBook, text: string, input: Omit<Call<'imports.start'>, 'file_token'>) {
  const file = path.join(book.folder, 'statement.csv');
  writeFileSync(file, text);
  const chosen = book.backend.registerFile(file);
  const token = chosen.ok ? chosen.value.token : '';
  return (await book.ended(await book.client.get('imports.start', { file_token: token, ...input }))).import_result;
}

test('a file with open questions is held back until they are answered, and its kept recipe asks no more', async () => {
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

test('the preview asks as well, and an invalid answer is refused', async () => {
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

const WORDS = [
  'Date,Details,Kind,Amount',
  '2026-06-01,Rent,X,950.00',
  '2026-06-02,Wage,Y,2100.00',
  '2026-06-03,Tea,X,4.50',
  '2026-06-04,Bus,X,2.10',
].join('\n');

test('words that may mean money out are asked about, kept with the recipe, and asked about again where one is new', async () => {
  const book = await openTestBook();
  const bank = { stream_key: 'bank', currency: 'GBP' };
  const held = await imported(book, WORDS, bank);
  expect(held).toMatchObject({
    kept: 0,
    batch_id: null,
    rejected: 0,
    questions: [{ about: 'money_out', choices: [{ value: 'X' }, { value: 'Y' }] }],
  });
  const other = await book.client.call('imports.start', { file_token: 'x', ...bank, answers: { money_out: [' '] } });
  expect(other).toMatchObject({ ok: false, error: { code: 'validation_failed' } });
  const said = await imported(book, WORDS, { ...bank, answers: { money_out: ['X'] }, remember_recipe: 'Bank' });
  expect(said).toMatchObject({ kept: 4, questions: [], total_credits: 210_000, total_debits: 95_660 });
  expect(said?.recipe?.recipe).toMatchObject({ sign_model: 'direction', direction_words: { in: ['Y'], out: ['X'] } });
  const next = await imported(book, WORDS.replaceAll('2026-06', '2026-07'), { stream_key: 'bank' });
  expect(next).toMatchObject({ kept: 4, total_debits: 95_660, recipe: { state: 'remembered' } });
  const august = `${WORDS.replaceAll('2026-06', '2026-08')}\n2026-08-05,Fine,Z,7.00`;
  const asked = await imported(book, august, { stream_key: 'bank', accept_rejected: true });
  expect(asked).toMatchObject({
    kept: 0,
    batch_id: null,
    questions: [{ about: 'money_out', choices: [{ value: 'Z' }] }],
    recipe: { state: 'remembered' },
  });
  const none = await imported(book, august, { stream_key: 'bank', answers: { money_out: [] }, dry_run: true });
  expect(none).toMatchObject({ rows: 5, rejected: 0, questions: [], total_debits: 95_660, total_credits: 210_700 });
  const again = await imported(book, august, { stream_key: 'bank', answers: { money_out: ['z'] }, remember_recipe: 'Bank' });
  expect(again).toMatchObject({ kept: 5, rejected: 0, total_debits: 96_360 });
  expect(again?.recipe?.recipe.direction_words).toEqual({ in: ['Y'], out: ['z', 'X'] });
});

test('a word that is not in the file is refused in a sentence, with nothing stored', async () => {
  const book = await openTestBook();
  const wrong = await imported(book, WORDS, { stream_key: 'bank', currency: 'GBP', answers: { money_out: ['Q'] } });
  expect(wrong).toMatchObject({ kept: 0, batch_id: null, problems: [{ code: 'answer_does_not_fit', severity: 'fatal' }] });
  expect(wrong?.problems[0]?.message).toBe('statement.csv: No row says “Q” in the column Kind, which says “X”, “Y”. Say one of these.');
});

test('a recipe from before such words were kept is read as before', async () => {
  const book = await openTestBook();
  await imported(book, EVEN, { stream_key: 'bank', currency: 'GBP', answers: { date_order: 'mdy' }, remember_recipe: 'Bank' });
  const [kept] = await book.client.get('import_recipes.list', {});
  const { direction_words: _words, ...before } = kept?.recipe ?? {};
  const again = await book.client.call('import_recipes.create', { recipe: { ...before, name: 'As before' } as never });
  expect(again).toMatchObject({ ok: true, value: { recipe: { direction_words: null } } });
});

test('a large file is asked which of its words mean money out', () => {
  const book = openQuietBook();
  const file = path.join(book.folder, 'large.csv');
  const rows = (word: string, count: number) =>
    Array.from({ length: count }, (_, index) => `2026-06-01,Line ${index},${word},${index + 1}.00\n`).join('');
  writeFileSync(file, `Date,Details,Kind,Amount\n${rows('Imeingia', 1_500)}${rows('Imeuzwa', 1_500)}`);
  const streamed = { wholeBytes: 10_000 };
  const held = importHere(book, { path: file }, streamed);
  expect(held.result).toMatchObject({
    rows: 3_000,
    kept: 0,
    questions: [{ about: 'money_out', choices: [{ label: 'Imeingia, 1500 rows' }, { label: 'Imeuzwa, 1500 rows' }] }],
  });
  expect(importHere(book, { path: file, answers: { money_out: ['Other'] } }, streamed).result).toMatchObject({
    kept: 0,
    problems: [{ code: 'answer_does_not_fit' }],
  });
  const said = importHere(book, { path: file, answers: { money_out: ['Imeuzwa'] } }, streamed);
  const total = (1_500 * 1_501 * 100) / 2;
  expect(said.result).toMatchObject({ kept: 3_000, questions: [], total_credits: total, total_debits: total });
});
