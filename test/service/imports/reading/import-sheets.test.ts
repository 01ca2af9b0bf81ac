import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Call, ImportPreview } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { openTestBook, type TestBook } from '../../../support/books/backend.ts';
import { type Cells, workbook } from '../../../support/inputs/workbooks.ts';

const table = (text: string, rows = 2): Cells => [
  ['Date', 'Details', 'Amount'],
  ...Array.from({ length: rows }, (_, index) => [`2026-06-0${index + 1}`, text, index + 1.5]),
];
const EURO_AND_DOLLAR = { Cover: [['My bank']], Dollar: table('in dollars'), Euro: table('in euros', 3), Empty: [] };

function choose(book: TestBook, sheets: Readonly<Record<string, Cells>>): string {
  const file = path.join(book.folder, 'accounts.xlsx');
  writeFileSync(file, workbook(sheets));
  const chosen = book.backend.registerFile(file);
  return chosen.ok ? chosen.value.token : '';
}

async function previewed(book: TestBook, input: Call<'imports.preview'>): Promise<ImportPreview> {
  return present((await book.ended(await book.client.get('imports.preview', { currency: 'USD', ...input }))).preview, 'preview');
}

const imported = async (book: TestBook, input: Call<'imports.start'>) =>
  present((await book.ended(await book.client.get('imports.start', { currency: 'USD', ...input }))).import_result, 'result');

/** A book that keeps the recipe `Euro account`, which reads the sheet `Euro`. */
async function bookWithSheet() {
  const book = await openTestBook();
  const file_token = choose(book, EURO_AND_DOLLAR);
  const kept = { file_token, stream_key: 'euro', table: { sheet: 'Euro' }, remember_recipe: 'Euro account' };
  return { book, file_token, result: await imported(book, kept) };
}

test('the preview lists the sheets and which one is read; a person can choose another one', async () => {
  const book = await openTestBook();
  const file_token = choose(book, EURO_AND_DOLLAR);
  const sheets = (read: string) =>
    [
      ['Cover', 1],
      ['Dollar', 3],
      ['Euro', 4],
      ['Empty', 0],
    ].map(([name, rows]) => ({ name, rows, is_hidden: false, is_read: name === read }));
  const first = await previewed(book, { file_token });
  expect(first).toMatchObject({ sheets: sheets('Dollar'), result: { rows: 2, recipe: { state: 'guessed', recipe: { sheet: null } } } });
  expect(first.result.problems.map(({ code }) => code)).toContain('sheets_left_out');
  const second = await previewed(book, { file_token, table: { sheet: 'Euro' } });
  expect(second).toMatchObject({ sheets: sheets('Euro'), result: { rows: 3, recipe: { state: 'given', recipe: { sheet: 'Euro' } } } });
  const empty = await previewed(book, { file_token, table: { sheet: 'Empty' } });
  expect(empty).toMatchObject({ sheets: sheets(''), head: [], can_import: false, result: { problems: [{ code: 'empty_file' }] } });
});

test('the sheet is kept with the recipe, and found again by its name in the next workbook', async () => {
  const { book, result } = await bookWithSheet();
  expect(result).toMatchObject({ kept: 3, remembered: { name: 'Euro account' } });
  expect(await book.client.get('import_batches.get', { id: 1 })).toMatchObject({ recipe: { sheet: 'Euro' } });
  const july = { Cover: [['July']], Other: table('more', 4), ' euro': table('July', 1) };
  const preview = await previewed(book, { file_token: choose(book, july) });
  expect(preview).toMatchObject({
    suggestion: { stream_key: 'euro', is_known: true },
    result: { rows: 1, problems: [], recipe: { state: 'remembered', recipe: { sheet: ' euro' } } },
  });
});

test("where the sheet is missing the file is guessed, and waits for a person's choice", async () => {
  const { book } = await bookWithSheet();
  const file_token = choose(book, { Dollar: table('in dollars', 1), Yen: table('in yen') });
  const held = await imported(book, { file_token, stream_key: 'euro' });
  expect(held).toMatchObject({ kept: 0, batch_id: null, rows: 1, recipe: { state: 'doubtful', recipe: { sheet: null } } });
  expect(held.problems[0]).toMatchObject({
    code: 'recipe_doubtful',
    message:
      'The import profile "Euro account" does not seem to fit this file: it reads the sheet "Euro", which is not there or holds no such table. Choose whether to read the file by the profile or by what it shows.',
  });
  const used = await imported(book, { file_token, stream_key: 'euro', kept_recipe: 'use', answers: { overlap: 'new' } });
  expect(used).toMatchObject({ kept: 1, recipe: { state: 'remembered', id: 1, recipe: { sheet: 'Dollar' } } });
  expect(used.problems.map(({ code }) => code)).toContain('sheet_missing');
});

test('a recipe for a sheet is compared with that sheet, not with a better one beside it', async () => {
  const { book } = await bookWithSheet();
  const proved: Cells = [
    ['Date', 'Details', 'Amount', 'Balance'],
    ['2026-06-01', 'a', 1, 1],
    ['2026-06-02', 'b', 2, 3],
    ['2026-06-03', 'c', 3, 6],
  ];
  const preview = await previewed(book, { file_token: choose(book, { Dollar: proved, Euro: table('next', 1) }), stream_key: 'euro' });
  expect(preview.result).toMatchObject({ rows: 1, proof: 'unproved', recipe: { state: 'remembered', recipe: { sheet: 'Euro' } } });
  const broken: Cells = [
    ['Date', 'Details', 'Amount'],
    ['2026-06-01', 'a', 1],
    ['no day', 'b', 2],
  ];
  const worse = await previewed(book, { file_token: choose(book, { Dollar: proved, Euro: broken }), stream_key: 'euro' });
  expect(worse.result).toMatchObject({ rows: 2, rejected: 1, recipe: { state: 'remembered' } });
});

test('recipes for two sheets of one layout exist side by side, each for its stream', async () => {
  const { book, file_token } = await bookWithSheet();
  await imported(book, { file_token, stream_key: 'dollar', table: { sheet: 'Dollar' }, remember_recipe: 'Dollar account' });
  for (const [stream_key, rows] of [
    ['euro', 3],
    ['dollar', 2],
  ] as const) {
    expect((await previewed(book, { file_token, stream_key })).result).toMatchObject({
      rows,
      skipped: rows,
      recipe: { state: 'remembered' },
    });
  }
});

test('a recipe goes out as JSON and comes in again with its sheet; one that was written without is taken as naming none', async () => {
  const { book } = await bookWithSheet();
  const [stored] = await book.client.get('import_recipes.list', {});
  const { recipe } = present(stored, 'recipe');
  expect(recipe.sheet).toBe('Euro');
  const other = await openTestBook();
  await other.client.get('import_recipes.create', { recipe: JSON.parse(JSON.stringify(recipe)) as typeof recipe });
  expect((await previewed(other, { file_token: choose(other, EURO_AND_DOLLAR) })).result).toMatchObject({ rows: 3 });
  const { sheet: _, ...older } = recipe;
  const taken = await other.client.get('import_recipes.create', { recipe: { ...older, name: 'Older' } });
  expect(taken.recipe.sheet).toBeNull();
  for (const sheet of ['', 'x'.repeat(1_001), 7]) {
    const fault = { code: 'validation_failed', errors: [{ path: 'recipe.sheet' }] };
    expect(await other.client.refusal('import_recipes.create', { recipe: { ...recipe, name: 'Bad', sheet } })).toMatchObject(fault);
  }
});

test('the sheets of a workbook are listed even if none of it is understood', async () => {
  const book = await openTestBook();
  const preview = await previewed(book, { file_token: choose(book, { Cover: [['My bank']], Notes: [['Nothing', 'here']] }) });
  expect(preview).toMatchObject({
    head: [{ row: 1, cells: ['My bank'] }],
    sheets: [{ name: 'Cover', is_read: true }, { name: 'Notes' }],
    can_import: false,
  });
});
