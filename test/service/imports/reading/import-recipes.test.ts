import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ImportRecipe } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { auditEntries } from '../../../support/books/audit-entries.ts';
import { importHere, openQuietBook, type QuietBook } from '../../../support/books/quiet-book.ts';
import { failEachStatement } from '../../../support/faults/failing-statements.ts';

/** Days that read either way round; nothing in the file tells which it is. */
const OPEN = 'Date,Text,Amount\n03/04/2026,Rent,-9.00\n05/04/2026,Tea,-1.00\n';
/** The same layout, but these days can only be read day first. */
const DAY_FIRST = 'Date,Text,Amount\n23/04/2026,Rent,-9.00\n25/04/2026,Tea,-1.00\n';

function write(book: QuietBook, name: string, text: string): string {
  const file = path.join(book.folder, name);
  writeFileSync(file, text);
  return file;
}

/** A book that keeps the recipe `Bank`, by which months come first. */
function bookWithRecipe(change: Partial<ImportRecipe> = {}) {
  const book = openQuietBook();
  const guessed = importHere(book, { path: write(book, 'open.csv', OPEN), dryRun: true }).result?.recipe;
  const recipe: ImportRecipe = { ...present(guessed, 'recipe').recipe, date_order: 'mdy', stream_key: null, ...change };
  const { result } = importHere(book, { path: path.join(book.folder, 'open.csv'), recipe, rememberRecipe: 'Bank' });
  return { book, recipe, result };
}

const days = async (book: QuietBook) => (await book.client.get('records.list', { sort: 'date' })).data.map((record) => record.date);
const list = (book: QuietBook) => book.client.get('import_recipes.list', {});

test('an import says how the table was read; the batch keeps it, and the recipe is kept under the name given', async () => {
  const { book, recipe, result } = bookWithRecipe();
  expect(result).toMatchObject({ kept: 2, recipe: { state: 'given', id: null, recipe: { date_order: 'mdy', stream_key: 'bank' } } });
  expect(await days(book)).toEqual(['2026-03-04', '2026-05-04']);
  const kept = { ...recipe, name: 'Bank', stream_key: 'bank' };
  expect(await book.client.get('import_batches.get', { id: 1 })).toMatchObject({ recipe: { ...kept, name: recipe.name } });
  expect(await list(book)).toMatchObject([{ id: 1, recipe: kept, last_used_at: '2026-07-01T09:00:00.000Z' }]);
  expect(auditEntries(book.database, 'import_recipe.created')).toMatchObject([{ detail: { import_recipe_id: 1, recipe: kept } }]);
  expect(await book.testEnvironment.get('import_recipes.list', {})).toEqual([]);
});

test('the next file with that header is read by the kept recipe, which says so', async () => {
  const { book } = bookWithRecipe();
  book.clock.advance(60_000);
  const { result } = importHere(book, { path: write(book, 'next.csv', OPEN.replaceAll('2026', '2025')) });
  expect(result).toMatchObject({
    kept: 2,
    date_range_start: '2025-03-04',
    recipe: { state: 'remembered', id: 1, recipe: { name: 'Bank' } },
  });
  expect((await list(book))[0]?.last_used_at).toBe('2026-07-01T09:01:00.000Z');
  const guessed = importHere(book, { path: path.join(book.folder, 'next.csv'), keptRecipe: 'guess', streamKey: 'other' });
  expect(guessed.result).toMatchObject({ date_range_start: '2025-04-03', recipe: { state: 'guessed', id: null } });
});

test('of several recipes for one header, that of the stream is followed', () => {
  const { book, recipe } = bookWithRecipe();
  const other: ImportRecipe = { ...recipe, date_order: 'dmy' };
  importHere(book, { path: path.join(book.folder, 'open.csv'), recipe: other, streamKey: 'card', rememberRecipe: 'Card' });
  const next = write(book, 'next.csv', OPEN.replaceAll('2026', '2025'));
  expect(importHere(book, { path: next, dryRun: true }).result).toMatchObject({ date_range_start: '2025-03-04', recipe: { id: 1 } });
  expect(importHere(book, { path: next, dryRun: true, streamKey: 'card' }).result).toMatchObject({
    date_range_start: '2025-04-03',
    recipe: { id: 2 },
  });
});

test('a kept recipe that can no longer read rows is doubtful: nothing is imported until a person chooses', async () => {
  const { book } = bookWithRecipe();
  const file = write(book, 'later.csv', DAY_FIRST);
  const held = importHere(book, { path: file });
  expect(held.result).toMatchObject({ kept: 0, batch_id: null, rejected: 0, recipe: { state: 'doubtful' } });
  expect(held.result?.problems[0]).toMatchObject({
    code: 'recipe_doubtful',
    message:
      'The import profile "Bank" does not seem to fit this file: 2 rows cannot be read by it, and 0 rows without it. Choose whether to read the file by the profile or by what it shows.',
  });
  expect(importHere(book, { path: file, keptRecipe: 'use', dryRun: true }).result).toMatchObject({
    rejected: 2,
    recipe: { state: 'remembered', id: 1 },
  });
  expect(importHere(book, { path: file, keptRecipe: 'guess' }).result).toMatchObject({ kept: 2, recipe: { state: 'guessed' } });
  expect(await days(book)).toContain('2026-04-23');
});

test('a kept recipe that breaks a proof which guessing keeps is doubtful', () => {
  const proved = 'Date,Text,Amount,Balance\n01/04/2026,Rent,-9.00,91.00\n02/04/2026,Tea,-1.00,90.00\n03/04/2026,Cash,5.00,95.00\n';
  const book = openQuietBook();
  const file = write(book, 'one.csv', proved);
  const { recipe } = present(importHere(book, { path: file, dryRun: true }).result?.recipe, 'recipe');
  importHere(book, { path: file, recipe: { ...recipe, sign_model: 'signed_inverted' }, rememberRecipe: 'Wrong', acceptBroken: true });
  const next = importHere(book, { path: write(book, 'two.csv', proved.replaceAll('/04/', '/05/')) });
  expect(next.result).toMatchObject({ batch_id: null, proof: 'proved', recipe: { state: 'doubtful' } });
  expect(next.result?.problems[0]?.message).toContain('the balances are broken by it, and proved without it');
});

test('a file that is proved by the kept recipe is not read a second time', () => {
  const { book } = bookWithRecipe();
  const proved = 'Date,Text,Amount,Balance\n01/04/2026,Rent,-9.00,91.00\n02/04/2026,Tea,-1.00,90.00\n03/04/2026,Cash,5.00,95.00\n';
  const file = write(book, 'one.csv', proved);
  importHere(book, { path: file, rememberRecipe: 'Proved' });
  const seen: number[] = [];
  const readings = (keptRecipe: 'ask' | 'guess') => {
    seen.length = 0;
    importHere(
      book,
      { path: file, keptRecipe, dryRun: true },
      { onStep: (phase, processed) => phase === 'reading' && seen.push(processed) },
    );
    return seen.filter((processed) => processed === Buffer.byteLength(proved)).length;
  };
  expect(readings('ask')).toBe(readings('guess'));
});

test('a recipe of the same name is replaced by an import, with both in the audit log', async () => {
  const { book, recipe } = bookWithRecipe();
  importHere(book, { path: path.join(book.folder, 'open.csv'), recipe: { ...recipe, date_order: 'dmy' }, rememberRecipe: 'bank' });
  expect(await list(book)).toMatchObject([{ id: 1, recipe: { date_order: 'dmy' } }]);
  expect(auditEntries(book.database, 'import_recipe.replaced')).toMatchObject([
    { detail: { before: { date_order: 'mdy' }, recipe: { date_order: 'dmy' } } },
  ]);
});

test('recipes are made from a file, listed by name, renamed and deleted; each with an audit entry', async () => {
  const { book, recipe } = bookWithRecipe();
  const { client } = book;
  const made = await client.get('import_recipes.create', { recipe: { ...recipe, name: 'Another' } });
  expect(made).toMatchObject({ id: 2, recipe: { name: 'Another' }, last_used_at: null });
  expect((await list(book)).map((each) => each.recipe.name)).toEqual(['Another', 'Bank']);
  expect(made.fingerprint).toBe((await list(book))[1]?.fingerprint);
  expect(await client.refusal('import_recipes.create', { recipe: { ...recipe, name: 'BANK' } })).toMatchObject({
    code: 'conflict',
    message: 'There is an import profile named “BANK” already: choose another name.',
    errors: [{ path: 'recipe.name' }],
  });
  expect((await client.refusal('import_recipes.update', { id: 2, name: 'bank' })).code).toBe('conflict');
  expect(await client.get('import_recipes.update', { id: 2, name: 'Card' })).toMatchObject({ recipe: { name: 'Card' } });
  await client.get('import_recipes.remove', { id: 2 });
  expect((await client.refusal('import_recipes.remove', { id: 2 })).code).toBe('not_found');
  expect((await client.refusal('import_recipes.update', { id: 2, name: 'x' })).code).toBe('not_found');
  expect(auditEntries(book.database, 'import_recipe.renamed')).toMatchObject([{ detail: { from: 'Another', to: 'Card' } }]);
  expect(auditEntries(book.database, 'import_recipe.deleted')).toMatchObject([{ detail: { recipe: { name: 'Card' } } }]);
});

test('a recipe of another form is refused with the place', async () => {
  const { book, recipe } = bookWithRecipe();
  const refused = async (change: object) => {
    const { message, errors } = await book.client.refusal('import_recipes.create', { recipe: { ...recipe, ...change } });
    return [message, errors?.[0]?.path];
  };
  expect(await refused({ version: 2 })).toEqual([expect.stringContaining('recipe.version must be 1'), 'recipe.version']);
  expect(await refused({ schema: 'x' })).toEqual([expect.stringContaining('recipe.schema must be tieout-import-recipe'), 'recipe.schema']);
  expect(await refused({ colums: [] })).toEqual([expect.stringContaining('recipe.colums is not known here'), 'recipe.colums']);
});

test('a file whose format defines everything has no recipe, and a given one is refused', () => {
  const { book, recipe } = bookWithRecipe();
  const file = write(book, 'one.sta', ':20:X\n:25:1\n:60F:C260601EUR10,\n:61:260602D6,NTRFA//1\n:62F:C260602EUR4,\n');
  expect(importHere(book, { path: file, dryRun: true, streamKey: 'mt' }).result?.recipe).toBeNull();
  expect(importHere(book, { path: file, recipe, streamKey: 'mt' }).result).toMatchObject({
    rows: 0,
    problems: [{ code: 'recipe_does_not_fit' }],
  });
});

test('whichever statement of a change fails, the recipes are as before', async () => {
  const { book, recipe } = bookWithRecipe();
  const acts = [
    () => book.client.call('import_recipes.create', { recipe: { ...recipe, name: 'New' } }),
    () => book.client.call('import_recipes.update', { id: 1, name: 'Other' }),
    () => book.client.call('import_recipes.remove', { id: 1 }),
  ];
  for (const act of acts) {
    const { outcomes, isUnchanged } = await failEachStatement(book.database, act, 20);
    expect([outcomes.length > 1, outcomes.at(-1)]).toEqual([true, 'done']);
    expect(isUnchanged).toEqual(outcomes.map((outcome) => outcome !== 'done'));
  }
});

test('a replaced recipe can be restored, and so can its replacement', async () => {
  const { book, recipe } = bookWithRecipe();
  const file = path.join(book.folder, 'open.csv');
  const again = (change: Partial<ImportRecipe>) => {
    book.clock.advance(60_000);
    return importHere(book, { path: file, recipe: { ...recipe, ...change }, streamKey: 'bank', rememberRecipe: 'bank' }).result;
  };
  // The same once more replaces nothing.
  expect(again({})?.remembered).toEqual({ id: 1, name: 'bank', former_id: null });
  expect(again({ date_order: 'dmy', footer_rows: 1 })?.remembered).toEqual({ id: 1, name: 'bank', former_id: 1 });
  expect(await list(book)).toMatchObject([{ former: 1, recipe: { date_order: 'dmy', footer_rows: 1 } }]);
  const former = await book.client.get('import_recipes.former', { id: 1 });
  expect(former).toMatchObject([
    { id: 1, recipe: { name: 'Bank', date_order: 'mdy', footer_rows: null }, replaced_at: '2026-07-01T09:02:00.000Z' },
  ]);

  const back = await book.client.get('import_recipes.restore', { id: 1, former_id: 1 });
  expect(back).toMatchObject({ id: 1, former: 1, recipe: { name: 'Bank', date_order: 'mdy', footer_rows: null } });
  expect(await book.client.get('import_recipes.former', { id: 1 })).toMatchObject([
    { id: 2, recipe: { date_order: 'dmy', footer_rows: 1 } },
  ]);
  expect(auditEntries(book.database, 'import_recipe.restored')).toMatchObject([
    { detail: { import_recipe_id: 1, recipe: { date_order: 'mdy' }, before: { date_order: 'dmy' } } },
  ]);
  await book.client.get('import_recipes.restore', { id: 1, former_id: 2 });
  expect(await list(book)).toMatchObject([{ former: 1, recipe: { date_order: 'dmy' } }]);
});

test('a restored recipe is recognised by its own header', async () => {
  const { book, recipe } = bookWithRecipe();
  const other = write(book, 'other.csv', 'Day,What,Sum\n03/04/2026,Rent,-9.00\n05/04/2026,Tea,-1.00\n');
  importHere(book, { path: other, streamKey: 'bank', rememberRecipe: 'Bank', acceptTarget: true, answers: { date_order: 'dmy' } });
  const next = write(book, 'next.csv', OPEN.replaceAll('2026', '2025'));
  expect(importHere(book, { path: next, dryRun: true }).result?.recipe?.state).toBe('guessed');
  await book.client.get('import_recipes.restore', { id: 1, former_id: 1 });
  const { result } = importHere(book, { path: next, dryRun: true });
  expect(result?.recipe).toMatchObject({ state: 'remembered', id: 1, recipe: { date_order: recipe.date_order } });
});

test('former versions of a recipe are limited, belong to one recipe, and are removed with it', async () => {
  const { book, recipe } = bookWithRecipe();
  const codes = Array.from({ length: 22 }, (_, index) => `AA${String.fromCharCode(65 + index)}`);
  for (const [index, currency] of codes.entries()) {
    const path = write(book, `${currency}.csv`, OPEN.replaceAll('2026', `20${index + 30}`));
    importHere(book, { path, currency: null, recipe: { ...recipe, currency }, rememberRecipe: 'Bank' });
  }
  const former = await book.client.get('import_recipes.former', { id: 1 });
  expect(former.map((each) => each.recipe.currency)).toEqual(codes.slice(1, -1).toReversed());
  const refused = { code: 'unknown_reference', errors: [{ path: 'former_id' }] };
  expect(await book.client.refusal('import_recipes.restore', { id: 1, former_id: 999 })).toMatchObject(refused);
  expect((await book.client.refusal('import_recipes.restore', { id: 9, former_id: 1 })).code).toBe('not_found');
  expect((await book.testEnvironment.refusal('import_recipes.former', { id: 1 })).code).toBe('not_found');
  await book.client.get('import_recipes.remove', { id: 1 });
  expect(book.database.connection.prepare('SELECT count(*) FROM former_recipes').pluck().get()).toBe(0);
});

test('whichever statement of restoring a recipe fails, it is unchanged', async () => {
  const { book, recipe } = bookWithRecipe();
  const file = write(book, 'next.csv', OPEN.replaceAll('2026', '2025'));
  importHere(book, { path: file, recipe: { ...recipe, date_order: 'dmy' }, streamKey: 'bank', rememberRecipe: 'Bank' });
  const restore = () => book.client.call('import_recipes.restore', { id: 1, former_id: 1 });
  const { outcomes, isUnchanged } = await failEachStatement(book.database, restore, 30);
  expect([outcomes.length > 3, outcomes.at(-1), isUnchanged.at(-1)]).toEqual([true, 'done', false]);
  expect(isUnchanged.slice(0, -1)).not.toContain(false);
});

/** How often it is told how far a file is read: each reading of a small file tells it as often, and what is told never goes back. */
function readingsOf(book: QuietBook, file: string, keptRecipe: 'ask' | 'guess'): number {
  let told = 0;
  importHere(book, { path: file, keptRecipe, dryRun: true }, { onStep: (phase) => void (told += phase === 'reading' ? 1 : 0) });
  expect(told).toBeGreaterThan(0);
  return told;
}

test.each([
  ['without any balance, is read once', OPEN, 1],
  [
    'whose balances the recipe does not look at, is read by guessing as well',
    'Date,Text,Amount,Balance\n03/04/2026,Rent,-9.00,1.00\n05/04/2026,Tea,-1.00,0.00\n',
    2,
  ],
  ['that states a balance below its rows, is read by guessing as well', `${OPEN}Closing balance,,5.00\n`, 2],
])('a file with a kept recipe %s', (_what, text, times) => {
  const book = openQuietBook();
  const file = write(book, 'one.csv', text);
  const guessed = present(importHere(book, { path: file, dryRun: true }).result?.recipe, 'recipe').recipe;
  const columns = guessed.columns.map((column) => (column.role === 'balance' ? { ...column, role: 'metadata' as const } : column));
  importHere(book, { path: file, recipe: { ...guessed, columns, sign_model: 'signed' }, rememberRecipe: 'Bank', acceptBroken: true });
  expect(readingsOf(book, file, 'ask')).toBe(times * readingsOf(book, file, 'guess'));
});
