import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ALL_ACCOUNTS } from '../../../../src-shared/contract/imports/imports.ts';
import { importHere, openQuietBook } from '../../../support/books/quiet-book.ts';

const [ONE, OTHER] = ['GB33BUKB20201555555555', 'GB94BARC10201530093459'];
const ROWS = 600;

/** Two thirds of the rows are of one account, with balances of each. */
function table(hasBalances: boolean): string {
  const balances = [100_000, 500_000];
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const at = index % 3 === 0 ? 1 : 0;
    balances[at] = (balances[at] ?? 0) - 100;
    const day = String(1 + Math.floor(index / 30)).padStart(2, '0');
    return `2026-06-${day},${at === 1 ? OTHER : ONE},Line ${index},-1.00${hasBalances ? `,${(balances[at] ?? 0) / 100}.00` : ''}`;
  });
  return `Date,IBAN,Details,Amount (GBP)${hasBalances ? ',Balance' : ''}\n${rows.join('\n')}\n`;
}

test.each([
  ['whole', {}, true],
  ['whole', {}, false],
  ['in stretches', { wholeBytes: 10_000 }, true],
  ['in stretches', { wholeBytes: 10_000 }, false],
] as const)('a table of several accounts that is read %s is held back until one is chosen, or all', (_, context, hasBalances) => {
  const book = openQuietBook();
  const file = path.join(book.folder, 'two.csv');
  writeFileSync(file, table(hasBalances));
  const proof = hasBalances ? 'proved' : 'unproved';
  const held = importHere(book, { path: file, currency: null }, context);
  expect(held.result).toMatchObject({ rows: ROWS, kept: 0, batch_id: null, proof, problems: [{ code: 'several_accounts' }] });
  expect(held.result?.problems[0]?.message).toContain(`2 accounts ("${OTHER}", "${ONE}")`);
  expect(book.database.connection.prepare('SELECT count(*) FROM records').pluck().get()).toBe(0);
  const one = importHere(book, { path: file, currency: null, account: ONE }, context);
  expect(one.result).toMatchObject({ rows: 400, kept: 400, proof, problems: [{ code: 'other_accounts_left_out' }] });
  expect(one.result).toMatchObject(hasBalances ? { opening_balance: 100_000, closing_balance: 60_000 } : { opening_balance: null });
  const all = importHere(book, { path: file, currency: null, account: ALL_ACCOUNTS }, context);
  expect(all.result).toMatchObject({ rows: ROWS, kept: 200, skipped: 400, opening_balance: null });
  const none = importHere(book, { path: file, currency: null, account: 'GB00' }, context);
  expect(none.result).toMatchObject({ rows: 0, kept: 0, problems: [{ code: 'no_such_account', severity: 'fatal' }] });
});
