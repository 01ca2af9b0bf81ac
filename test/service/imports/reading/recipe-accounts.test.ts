import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { present } from '../../../../src-shared/values/assert.ts';
import { openTestBook } from '../../../support/books/backend.ts';
import type { Call } from '../../../../src-shared/contract/index.ts';
import { importHere, openQuietBook } from '../../../support/books/quiet-book.ts';

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

describe('found once: kept recipe account not applied', () => {
  const STATEMENT = 'Date,Details,Amount (GBP),Balance\n2026-06-01,Rent,-10.00,90.00\n2026-06-02,Sale,5.00,95.00\n';
  const NEXT = STATEMENT.replaceAll('2026', '2027');

  /** A book with a recipe of the stream `bank`, which was linked to an account and is no more. */
  async function unlinkedBook() {
    const book = await openTestBook();
    await book.importText('bank', STATEMENT, { bank_account_name: 'Current', remember_recipe: 'Bank' });
    await book.client.get('streams.update', { key: 'bank', bank_account_id: null });
    const imported = async (key: string, text: string, input: Partial<Call<'imports.start'>> = {}) => {
      await book.importText(key, text, input);
      const streams = await book.client.get('streams.list', {});
      return streams.find((stream) => stream.key === key)?.bank_account_id ?? null;
    };
    return { book, imported };
  }

  test('an import links its stream to the account that the kept recipe of the stream names', async () => {
    const { book, imported } = await unlinkedBook();
    const dry = await book.importText('bank', NEXT, { dry_run: true });
    expect(dry.import_result).toMatchObject({ balances: { bank_account: { id: 1, name: 'Current' }, new: 2 } });
    expect(await imported('bank', NEXT)).toBe(1);
    const balances = await book.client.get('bank_account_balances.list', { bank_account_id: '1' });
    expect(balances).toHaveLength(4);
  });

  test('it links no stream where a person declines, for a recipe of another stream, or to a removed account', async () => {
    const { book, imported } = await unlinkedBook();
    expect(await imported('bank', NEXT, { link_by_recipe: false })).toBeNull();
    expect(await imported('savings', NEXT)).toBeNull();
    await book.client.get('bank_accounts.remove', { id: '1' });
    expect(await imported('bank', NEXT.replaceAll('2027', '2028'))).toBeNull();
  });

  test('a large file does so as well', () => {
    const book = openQuietBook();
    const write = (year: number): string => {
      const file = path.join(book.folder, `${year}.csv`);
      const rows = Array.from(
        { length: 600 },
        (_, index) => `${year}-06-${String(1 + Math.floor(index / 30)).padStart(2, '0')},Line,-1.00,${1_000 - index}.00`,
      );
      writeFileSync(file, `Date,Details,Amount (GBP),Balance\n${rows.join('\n')}\n`);
      return file;
    };
    const streamed = { wholeBytes: 10_000 };
    importHere(book, { path: write(2026), bankAccountName: 'Current', rememberRecipe: 'Bank' }, streamed);
    book.database.connection.prepare('UPDATE streams SET bank_account_id = NULL').run();
    const next = importHere(book, { path: write(2027), linkByRecipe: true }, streamed);
    expect(next.result).toMatchObject({ kept: 600, balances: { bank_account: { id: 1, name: 'Current' }, stated: 2, new: 2 } });
    expect(book.database.connection.prepare('SELECT bank_account_id FROM streams').pluck().get()).toBe(1);
  });
});
