import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Call, ImportPreview } from '../../../../src-shared/contract/index.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { openTestBook, type TestBook } from '../../../support/books/backend.ts';

const TWO_HEADERS = 'Date,Text,Amount\nBooked,What for,Sum\n2026-06-01,Rent,-9.00\n2026-06-02,Tea,-1.00\n';

function choose(book: TestBook, text: string | Uint8Array): string {
  const file = path.join(book.folder, 'statement.csv');
  writeFileSync(file, text);
  const chosen = book.backend.registerFile(file);
  return chosen.ok ? chosen.value.token : '';
}

async function previewed(book: TestBook, input: Call<'imports.preview'>): Promise<ImportPreview> {
  return present((await book.ended(await book.client.get('imports.preview', input))).preview, 'preview');
}

test('a person states where the table is: the preview and the import follow, and the recipe keeps it for the next file', async () => {
  const book = await openTestBook();
  const file_token = choose(book, TWO_HEADERS);
  const table = { header_row: 2 };
  expect((await previewed(book, { file_token })).dialect.header_row).toBe(1);
  const preview = await previewed(book, { file_token, table });
  expect(preview).toMatchObject({
    dialect: { header_row: 2, delimiter: ',' },
    head: [{ row: 1, cells: ['Date', 'Text', 'Amount'] }, { row: 2 }, { row: 3, cells: ['2026-06-01', 'Rent', '-9.00'] }, { row: 4 }],
    columns: [{ header: 'Booked', role: 'date' }, { header: 'What for' }, { header: 'Sum', role: 'amount' }],
    result: { rows: 2, recipe: { state: 'given', recipe: { has_header: true } } },
  });
  const start = { file_token, stream_key: 'bank', currency: 'USD', table, remember_recipe: 'Bank' };
  const job = await book.ended(await book.client.get('imports.start', start));
  expect(job.import_result).toMatchObject({ kept: 2, rejected: 0 });
  const next = choose(book, TWO_HEADERS.replaceAll('2026', '2025'));
  expect(await previewed(book, { file_token: next, stream_key: 'bank' })).toMatchObject({
    dialect: { header_row: 2 },
    result: { kept: 2, recipe: { state: 'remembered', recipe: { name: 'Bank' } } },
  });
});

test("a person's description of the table overrides a kept recipe", async () => {
  const book = await openTestBook();
  await book.importText('bank', TWO_HEADERS, { remember_recipe: 'Bank', accept_rejected: true });
  const file_token = choose(book, TWO_HEADERS.replaceAll('2026', '2025'));
  expect((await previewed(book, { file_token })).result.recipe).toMatchObject({ state: 'remembered', id: 1 });
  const preview = await previewed(book, { file_token, table: { header_row: null } });
  expect(preview.result.recipe).toMatchObject({ state: 'given', id: null, recipe: { has_header: false } });
});

test('the preview of a table that is not understood shows the first rows, shortened', async () => {
  const book = await openTestBook();
  const wide = Array.from({ length: 30 }, (_, index) => `c${index}`).join('|');
  const file_token = choose(book, `${wide}\n${'x'.repeat(200)}|b\n`.repeat(40));
  const preview = await previewed(book, { file_token, table: { delimiter: '|', header_row: 1 } });
  expect(preview).toMatchObject({
    can_import: false,
    rows: [],
    dialect: { delimiter: '|', encoding: 'utf-8', header_row: 1 },
    result: { recipe: null, problems: [{ severity: 'fatal', code: 'no_date_column' }] },
  });
  expect([preview.head.length, preview.head[0]?.cells.length, preview.head[1]?.cells[0]]).toEqual([40, 20, `${'x'.repeat(79)}…`]);
  expect(preview.columns.slice(0, 2)).toMatchObject([{ header: 'c0', role: 'metadata' }, { header: 'c1' }]);
});

test('a recipe and a table by hand exclude each other; rows and encodings beyond all bounds are refused', async () => {
  const book = await openTestBook();
  const file_token = choose(book, TWO_HEADERS);
  const { recipe } = present((await previewed(book, { file_token })).result.recipe, 'recipe');
  const both = { file_token, stream_key: 'bank', recipe, table: { delimiter: ';' } };
  for (const operation of ['imports.preview', 'imports.start'] as const) {
    expect(await book.client.refusal(operation, both)).toMatchObject({ code: 'conflict', errors: [{ path: 'table' }] });
  }
  for (const table of [{ header_row: 0 }, { header_row: 201 }, { delimiter: ';;' }, { encoding: '' }]) {
    expect((await book.client.refusal('imports.preview', { file_token, table })).code).toBe('validation_failed');
  }
});
