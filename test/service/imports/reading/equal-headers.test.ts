import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importHere, openQuietBook } from '../../../support/books/quiet-book.ts';

const HEADER = 'Date,Amount,Text,Amount,Text\n';
const JUNE = `${HEADER}2026-06-01,-9.00,Rent,-10.00,June\n2026-06-02,-1.50,Tea,-2.00,Shop\n`;

test('a row that was corrected by hand is recognised in the corrected file', () => {
  const book = openQuietBook();
  const file = path.join(book.folder, 'june.csv');
  writeFileSync(file, JUNE.replace('-1.50', 'oops'));
  const line = { date: '2026-06-02', amount: 150, direction: 'debit' } as const;
  const overrules = [{ row: 3, occurrence: 1, action: 'edit', line }] as const;
  expect(importHere(book, { path: file, currency: 'EUR', overrules }).result).toMatchObject({ kept: 2, rejected: 0 });
  writeFileSync(file, JUNE);
  expect(importHere(book, { path: file, currency: 'EUR' }).result).toMatchObject({ kept: 0, skipped: 2 });
});

test('a second import of a table with equal headers adds only what is new, by the recipe and by guessing', async () => {
  const book = openQuietBook();
  const file = path.join(book.folder, 'june.csv');
  writeFileSync(file, JUNE);
  const guessed = importHere(book, { path: file, currency: 'EUR' }).result?.recipe?.recipe;
  const columns =
    guessed?.columns.map((column, index) => ({
      ...column,
      role: (['date', 'metadata', 'description', 'amount'] as const)[index] ?? ('metadata' as const),
    })) ?? [];
  const recipe = guessed === undefined ? null : { ...guessed, columns };
  expect(importHere(book, { path: file, recipe, currency: 'EUR', streamKey: 'second', rememberRecipe: 'Second' }).result).toMatchObject({
    kept: 2,
    total_debits: 1_200,
  });
  writeFileSync(file, `${JUNE}2026-06-03,,Bun,-3.00,Shop\n`);
  expect(importHere(book, { path: file, streamKey: 'second', currency: 'EUR' }).result).toMatchObject({
    kept: 1,
    skipped: 2,
    total_debits: 1_500,
    recipe: { state: 'remembered' },
  });
  expect(importHere(book, { path: file, keptRecipe: 'guess', currency: 'EUR', acceptRejected: true }).result).toMatchObject({
    kept: 0,
    skipped: 2,
    rejected: 1,
  });
  const records = (await book.client.get('records.list', { sort: 'date' })).data;
  expect(records.map(({ metadata }) => metadata)).toEqual(
    expect.arrayContaining([
      { amount_2: '-10.00', text_2: 'June' },
      { amount: '-9.00', text_2: 'June' },
    ]),
  );
});
