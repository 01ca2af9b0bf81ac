import { expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import { failEachStatement } from '../../support/faults/failing-statements.ts';
import { setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

const MOST_STATEMENTS = 100;
const BALANCES = [
  { side: 'bank' as const, opening: 0 },
  { side: 'books' as const, opening: 0 },
];

/** June of a pair with one line on each side, and a reviewed May before it. */
async function filledBook(): Promise<QuietBook> {
  const book = openQuietBook();
  const { client } = book;
  await setUpPair(client, { a: [{ amount: 5, currency: 'GBP' }], b: [{ amount: 7, currency: 'GBP' }] });
  await client.get('periods.create', { reconciliation_id: 1, from: '2026-05-01', to: '2026-05-31', balances: BALANCES });
  await client.get('periods.create', { reconciliation_id: 1, from: '2026-06-01', to: '2026-06-30', balances: BALANCES });
  await client.get('periods.prepare', { id: 1, by: 'Amira' });
  await client.get('periods.review', { id: 1, by: 'Ben' });
  await client.get('open_items.put', { id: 1, record_id: 1, status: 'in_transit' });
  return book;
}

const OPERATIONS: Readonly<Record<string, (book: QuietBook) => Promise<Outcome<unknown>>>> = {
  'periods.create, with balances': ({ client }) =>
    client.call('periods.create', { reconciliation_id: 1, bank_side: 'b', balances: BALANCES }),
  'periods.update, everything': ({ client }) =>
    client.call('periods.update', { id: 2, to: '2026-06-29', bank_side: 'a', balances: BALANCES }),
  'periods.remove': ({ client }) => client.call('periods.remove', { id: 2 }),
  'periods.prepare': ({ client }) => client.call('periods.prepare', { id: 2, by: 'Amira' }),
  'periods.close': ({ client }) => client.call('periods.close', { id: 1, by: 'Ben', unexplained_reason: 'Nothing is stated' }),
  'open_items.put, in place of another': ({ client }) =>
    client.call('open_items.put', { id: 1, record_id: 1, status: 'book_error', comment: 'Posted twice' }),
};

test.each(Object.entries(OPERATIONS))('%s: whichever statement fails, all is as it was; then it works', async (_what, act) => {
  const book = await filledBook();
  const { outcomes, isUnchanged } = await failEachStatement(book.database, () => act(book), MOST_STATEMENTS);
  expect(outcomes.length).toBeGreaterThan(2);
  expect(outcomes).toEqual([...outcomes.slice(1).map(() => 'storage_full'), 'done']);
  expect(isUnchanged).toEqual(outcomes.map((outcome) => outcome !== 'done'));
  expect(firstBrokenAuditEntry(book.database)).toBeNull();
});
