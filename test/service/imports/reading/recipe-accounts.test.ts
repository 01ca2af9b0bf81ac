import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { present } from '../../../../src-shared/values/assert.ts';
import { openTestBook } from '../../../support/books/backend.ts';

const STATEMENT = 'Date,Details,Amount,Balance\n2026-06-01,Rent,-10.00,90.00\n2026-06-02,Sale,5.00,95.00\n';

/** A book with a recipe of a stream that is linked to an account. */
async function bookWithRecipe() {
  const book = await openTestBook();
  await book.importText('bank', STATEMENT, { bank_account_name: 'Curent', remember_recipe: 'Bank' });
  const file = path.join(book.folder, 'next.csv');
  writeFileSync(file, STATEMENT.replaceAll('2026', '2027'));
  const chosen = book.backend.registerFile(file);
  const proposed = async (stream_key: string) => {
    const input = { file_token: chosen.ok ? chosen.value.token : '', stream_key };
    return present((await book.ended(await book.client.get('imports.preview', input))).preview, 'preview').suggestion.bank_account_id;
  };
  return { book, proposed };
}

test('the account of a kept recipe is proposed for a stream without one, and follows its new name', async () => {
  const { book, proposed } = await bookWithRecipe();
  await book.client.get('bank_accounts.update', { id: '1', name: 'Current' });
  const [kept] = await book.client.get('import_recipes.list', {});
  expect(kept?.recipe.bank_account).toBe('Current');
  expect(await proposed('other')).toBe(1);
});

test('nothing is proposed for a stream with an account, or where the account is gone', async () => {
  const { book, proposed } = await bookWithRecipe();
  expect(await proposed('bank')).toBeNull();
  await book.client.get('streams.update', { key: 'bank', bank_account_id: null });
  await book.client.get('bank_accounts.remove', { id: '1' });
  expect(await proposed('bank')).toBeNull();
});
