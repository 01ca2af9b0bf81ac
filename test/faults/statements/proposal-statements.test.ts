import { expect, test } from 'vitest';
import { firstBrokenAuditEntry } from '../../../src-main/book/store/audit.ts';
import { dumpBook, failEachStatement } from '../../support/faults/failing-statements.ts';
import { failEachStatementOfRun, STRIDE } from '../../support/faults/failing-runs.ts';
import { BY_AMOUNT, numbered, proposeRule, setUpPair } from '../../support/books/lines.ts';
import { openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';
import { some } from '../../support/long.ts';

const MOST_STATEMENTS = 60;

/** Lines that an order's number ties, and an earlier proposal that nobody touched and that will not be found again. */
async function bookToPropose() {
  const book = openQuietBook();
  const amounts = [100, 250, 375, 480, 520, 660];
  const lines = (side: string) =>
    numbered(6, (index) => ({ external_id: `${side}${index}`, amount: amounts[index] ?? 0, metadata: { order: `N${900 + index * 3}` } }));
  const { reconciliation } = await setUpPair(book.client, { a: lines('a'), b: lines('b') }, []);
  proposeRule(book.database, reconciliation.id, BY_AMOUNT);
  return { book, id: reconciliation.id };
}

const seen = (book: QuietBook) => JSON.stringify(dumpBook(book.database, ['jobs', 'runs']));

test('proposals.create: whichever statement fails, all is as it was; then it works', async () => {
  const { book, id } = await bookToPropose();
  const { outcomes, isUnchanged } = await failEachStatement(
    book.database,
    () => book.client.call('proposals.create', { id }),
    MOST_STATEMENTS,
  );
  expect(outcomes.length).toBeGreaterThan(3);
  expect(outcomes).toEqual([...outcomes.slice(1).map(() => 'storage_full'), 'done']);
  expect(isUnchanged).toEqual(outcomes.map((outcome) => outcome !== 'done'));
});

test.each(some(['once', 'forever'] as const, 1))(
  'the work: whichever statement fails (%s), no rule and no entry is stored; after a restart it is done',
  async (how) => {
    const { book, id } = await bookToPropose();
    const { id: runId } = await book.client.get('proposals.create', { id });
    const failures = await failEachStatementOfRun(book, runId, how, seen);
    // The publish step alone takes away a rule, keeps it for undo, adds one, and writes run, entry and job.
    expect(failures).toBeGreaterThan(5 / STRIDE);
    const rules = await book.client.get('rules.list', { reconciliation_id: id });
    expect(rules).toMatchObject([
      { method: 'evidence', status: 'proposed' },
      { description: 'Same order, same amount', status: 'proposed' },
    ]);
    expect(firstBrokenAuditEntry(book.database)).toBeNull();
  },
);
