import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importHere, openQuietBook } from '../../support/books/quiet-book.ts';
import { dumpBook, failEachStatement, withFailingStatement } from '../../support/faults/failing-statements.ts';

/** A bound on the statements of one operation, so that a loop without end is a failure. */
const MOST_STATEMENTS = 80;
const FILE = 'Date,Description,Amount,Balance\n2026-06-01,Rent,-9.00,91.00\n2026-06-02,Tea,-1.00,90.00\n2026-06-03,Cash,5.00,95.00\n';

async function linkedBook() {
  const book = openQuietBook();
  await book.client.get('bank_accounts.create', { name: 'Current', currency: 'USD' });
  await book.client.get('streams.create', { key: 'bank', name: 'Bank', type: 'csv', bank_account_id: 1 });
  const file = path.join(book.folder, 'one.csv');
  writeFileSync(file, FILE);
  const balances = () => book.client.get('bank_account_balances.list', { bank_account_id: 1 });
  return { book, file, balances };
}

test('whichever statement of an import fails, neither its lines nor its balances are there', async () => {
  const { book, file, balances } = await linkedBook();
  const dump = () => JSON.stringify(dumpBook(book.database, ['jobs']));
  const before = dump();
  const after: string[] = [];
  for (let nth = 1, failed = true; failed && nth < MOST_STATEMENTS; nth += 1) {
    ({ failed } = await withFailingStatement(nth, () => {
      try {
        importHere(book, { path: file });
      } catch {
        // The disk is full: what was begun is taken back.
      }
    }));
    after.push(dump());
  }
  expect(after.length).toBeGreaterThan(10);
  const [done, ...failures] = after.toReversed();
  for (const each of failures) expect(each).toBe(before);
  expect(done).not.toBe(before);
  expect(await balances()).toHaveLength(2);
});

test('whichever statement of a put over a statement’s balance fails, it is as the statement says', async () => {
  const { book, file, balances } = await linkedBook();
  importHere(book, { path: file });
  const put = () =>
    book.client.call('bank_account_balances.put', {
      bank_account_id: 1,
      date: '2026-06-03',
      balance_type: 'closing_ledger',
      amount_cents: 7,
    });
  const { outcomes, isUnchanged } = await failEachStatement(book.database, put, MOST_STATEMENTS);
  expect([outcomes.at(-1), isUnchanged.at(-1)]).toEqual(['done', false]);
  expect(isUnchanged.slice(0, -1)).not.toContain(false);
  expect(await balances()).toMatchObject([{ amount_cents: 7, import_batch_id: null, conflicts: [{ import_batch_id: 1 }] }, {}]);
});
