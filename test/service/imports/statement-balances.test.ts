import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { auditEntries } from '../../support/books/audit-entries.ts';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { operationSteps, undoSteps } from '../../support/books/wipes.ts';

/** A CSV whose running balance goes from `opening` by 1.00 a day of June. */
function june(days: readonly number[], opening: number): string {
  const rows = days.map((day, index) => `2026-06-${String(day).padStart(2, '0')},Line ${day},1.00,${opening + index + 1}.00`);
  return `Date,Description,Amount,Balance\n${rows.join('\n')}\n`;
}

function write(book: QuietBook, name: string, text: string): string {
  const file = path.join(book.folder, name);
  writeFileSync(file, text);
  return file;
}

/** A book whose stream `bank` is linked to account 1. */
async function linkedBook(currency = 'USD') {
  const book = openQuietBook();
  await book.client.get('bank_accounts.create', { name: 'Current', currency });
  await book.client.get('streams.create', { key: 'bank', name: 'Bank', type: 'csv', bank_account_id: 1 });
  return book;
}

async function balances(book: QuietBook, account = 1): Promise<string[]> {
  const listed = await book.client.get('bank_account_balances.list', { bank_account_id: account });
  return listed.map(
    (each) =>
      `${each.date} ${each.balance_type} ${each.amount_cents} by ${each.import_batch_id ?? 'hand'}${each.conflicts.map((other) => `, not ${other.amount_cents} of ${other.import_batch_id}`).join('')}`,
  );
}

test('the balances of a statement are those of the account, named by the import, with an audit entry', async () => {
  const book = await linkedBook();
  const { result } = importHere(book, { path: write(book, 'one.csv', june([1, 2, 3], 10)) });
  expect(result?.balances).toEqual({
    bank_account: { id: 1, name: 'Current' },
    stated: 2,
    new: 2,
    same: 0,
    conflicts: 0,
    items: [
      {
        date: '2026-06-01',
        balance_type: 'opening_ledger',
        amount: 1_000,
        currency: 'USD',
        decimal_places: 2,
        outcome: 'new',
        existing_amount: null,
      },
      {
        date: '2026-06-03',
        balance_type: 'closing_ledger',
        amount: 1_300,
        currency: 'USD',
        decimal_places: 2,
        outcome: 'new',
        existing_amount: null,
      },
    ],
  });
  expect(await balances(book)).toEqual(['2026-06-03 closing_ledger 1300 by 1', '2026-06-01 opening_ledger 1000 by 1']);
  expect(auditEntries(book.database, 'import_batch.created')).toMatchObject([{ detail: { balances: 2 } }]);
});

test('without an account the balances wait until the stream is linked; they are removed with the link', async () => {
  const book = openQuietBook();
  const { result } = importHere(book, { path: write(book, 'one.csv', june([1, 2, 3], 10)) });
  expect(result?.balances).toMatchObject({
    bank_account: null,
    stated: 2,
    new: 0,
    items: [{ outcome: 'unlinked' }, { outcome: 'unlinked' }],
  });
  for (const name of ['Current', 'Other']) await book.client.get('bank_accounts.create', { name });
  await book.client.get('streams.update', { key: 'bank', bank_account_id: 1 });
  expect(await balances(book)).toHaveLength(2);
  await book.client.get('streams.update', { key: 'bank', bank_account_id: 2 });
  expect([await balances(book), (await balances(book, 2)).length]).toEqual([[], 2]);
});

test('an import links its stream to an account, which is made when there is none of that name, by the same publish step', async () => {
  const book = openQuietBook();
  const file = write(book, 'one.csv', june([1, 2, 3], 10));
  const made = importHere(book, { path: file, currency: 'EUR', bankAccountName: 'Current' });
  expect(made.result?.balances).toMatchObject({ bank_account: { id: 1, name: 'Current' }, new: 2 });
  expect(await book.client.get('bank_accounts.list', {})).toMatchObject([{ name: 'Current', currency: 'EUR' }]);
  expect(await balances(book)).toHaveLength(2);
  importHere(book, { path: write(book, 'two.csv', june([4], 13)), streamKey: 'other', currency: 'EUR', bankAccountName: 'Current' });
  expect(await book.client.get('bank_accounts.list', {})).toHaveLength(1);
  expect(auditEntries(book.database, 'stream.updated')).toMatchObject([
    { detail: { key: 'bank', change: { bank_account_id: 1 } } },
    { detail: { key: 'other', change: { bank_account_id: 1 } } },
  ]);
  expect(firstBrokenAuditEntry(book.database)).toBeNull();
});

test('an account of another currency does not get the balances', async () => {
  const book = await linkedBook('GBP');
  const { result } = importHere(book, { path: write(book, 'one.csv', june([1, 2, 3], 10)), currency: 'EUR' });
  expect(result?.balances).toMatchObject({ new: 0, items: [{ outcome: 'other_currency' }, { outcome: 'other_currency' }] });
  expect(await balances(book)).toEqual([]);
});

test('another amount for the same date and type is a shown conflict; the first amount stays', async () => {
  const book = await linkedBook();
  importHere(book, { path: write(book, 'one.csv', june([1, 2, 3], 10)) });
  const other = importHere(book, { path: write(book, 'two.csv', june([2, 3], 20)) });
  expect(other.result?.balances).toMatchObject({
    new: 1,
    conflicts: 1,
    items: [
      { outcome: 'conflict', balance_type: 'closing_ledger', amount: 2_200, existing_amount: 1_300 },
      { outcome: 'new', balance_type: 'opening_ledger' },
    ],
  });
  expect(await balances(book)).toEqual([
    '2026-06-03 closing_ledger 1300 by 1, not 2200 of 2',
    '2026-06-02 opening_ledger 2000 by 2',
    '2026-06-01 opening_ledger 1000 by 1',
  ]);
});

test('undo removes balances that only this import states: the preview counts them; those of a person or another import stay', async () => {
  const book = await linkedBook();
  importHere(book, { path: write(book, 'one.csv', june([1, 2, 3], 10)) });
  importHere(book, { path: write(book, 'more.csv', june([1, 2, 3, 4], 10)) });
  const [closing] = await book.client.get('bank_account_balances.list', { bank_account_id: 1 });
  const changed = await book.client.get('bank_account_balances.put', {
    bank_account_id: 1,
    date: '2026-06-04',
    balance_type: 'closing_ledger',
    amount_cents: 5,
  });
  expect([changed.id, changed.import_batch_id, changed.conflicts]).toEqual([
    closing?.id,
    null,
    [{ import_batch_id: 2, amount_cents: 1_400 }],
  ]);
  const before = await balances(book);
  expect(await book.client.get('import_batches.remove', { id: 1, preview: true })).toMatchObject({
    balances_removed: 1,
    balances_kept: 1,
    // The second file left out three lines that this import brought.
    shared_with: [{ import_batch_id: 2, filename: 'more.csv', at_most: 3 }],
  });
  expect(await balances(book)).toEqual(before);
  expect(await book.client.get('import_batches.remove', { id: 1 })).toMatchObject({ balances_removed: 1, balances_kept: 1 });
  expect(await balances(book)).toEqual(['2026-06-04 closing_ledger 5 by hand, not 1400 of 2', '2026-06-01 opening_ledger 1000 by 2']);
  expect(await book.client.get('import_batches.remove', { id: 2 })).toMatchObject({ balances_removed: 1, balances_kept: 1 });
  expect(await balances(book)).toEqual(['2026-06-04 closing_ledger 5 by hand']);
  expect(auditEntries(book.database, 'import_batch.undone').map((entry) => entry.detail)).toMatchObject([
    { balances_removed: 1, balances_kept: 1 },
    { balances_removed: 1, balances_kept: 1 },
  ]);
  // The file again: its balance stands beside the person's, the other one comes back.
  importHere(book, { path: write(book, 'again.csv', june([1, 2, 3, 4], 10)) });
  expect(await balances(book)).toEqual(['2026-06-04 closing_ledger 5 by hand, not 1400 of 3', '2026-06-01 opening_ledger 1000 by 3']);
});

test('the publish step of an undo takes the balances out of sight at once, and that of an import brings them', async () => {
  const book = await linkedBook();
  const file = write(book, 'one.csv', june([1, 2, 3], 10));
  const seen: Promise<string[]>[] = [];
  importHere(book, { path: file }, { onStep: () => void seen.push(balances(book)) });
  for (const each of await Promise.all(seen)) expect(each).toEqual([]);
  for (const step of undoSteps(book, 1)) {
    expect([step, (await balances(book)).length]).toEqual([step, step === 'preparing' ? 2 : 0]);
  }
  expect(book.database.connection.prepare('SELECT count(*) FROM bank_account_balances').pluck().get()).toBe(0);
});

test.each(['reset', 'delete'] as const)('a %s of the stream removes its balances, but not those of the account', async (kind) => {
  const book = await linkedBook();
  importHere(book, { path: write(book, 'one.csv', june([1, 2, 3], 10)) });
  await book.client.get('bank_account_balances.put', { bank_account_id: 1, date: '2026-06-09', balance_type: 'other', amount_cents: 1 });
  const seen: string[] = [];
  for (const step of operationSteps(book, 'bank', kind)) seen.push(`${step}: ${(await balances(book)).length}`);
  expect(seen).toContain('published: 1');
  expect(await balances(book)).toEqual(['2026-06-09 other 1 by hand']);
  importHere(book, { path: write(book, 'again.csv', june([1, 2, 3], 10)), bankAccountId: 1 });
  expect(await balances(book)).toHaveLength(3);
});

test('a deleted account loses balances that people gave; those of statements wait for the next account', async () => {
  const book = await linkedBook();
  importHere(book, { path: write(book, 'one.csv', june([1, 2, 3], 10)) });
  await book.client.get('bank_account_balances.put', {
    bank_account_id: 1,
    date: '2026-06-03',
    balance_type: 'closing_ledger',
    amount_cents: 1,
  });
  await book.client.get('streams.update', { key: 'bank', bank_account_id: null });
  await book.client.get('bank_accounts.remove', { id: 1 });
  await book.client.get('bank_accounts.create', { name: 'New' });
  await book.client.get('streams.update', { key: 'bank', bank_account_id: 2 });
  expect(await balances(book, 2)).toEqual(['2026-06-03 closing_ledger 1300 by 1', '2026-06-01 opening_ledger 1000 by 1']);
});

test('refusals: both ways to name the account, an unknown one, a stream that is linked to another', async () => {
  const book = await linkedBook();
  await book.client.get('bank_accounts.create', { name: 'Other' });
  const chosen = book.files.register(write(book, 'one.csv', june([1, 2, 3], 10)));
  const file_token = chosen.ok ? chosen.value.token : '';
  const start = (input: object) => book.client.refusal('imports.start', { file_token, stream_key: 'bank', ...input });
  expect(await start({ bank_account_id: 1, bank_account_name: 'x' })).toMatchObject({
    code: 'conflict',
    errors: [{ path: 'bank_account_name' }],
  });
  expect(await start({ bank_account_id: 9 })).toMatchObject({ code: 'unknown_reference' });
  const linked = { code: 'conflict', message: expect.stringContaining('linked to the bank account “Current” already') };
  expect(await start({ bank_account_id: 2 })).toMatchObject(linked);
  expect(await book.client.refusal('imports.preview', { file_token, stream_key: 'bank', bank_account_name: 'New' })).toMatchObject(linked);
  expect((await book.client.call('imports.preview', { file_token, stream_key: 'bank', bank_account_id: 1 })).ok).toBe(true);
});
