import { expect } from 'vitest';
import { runById } from '../../../src-main/runs/store/runs.ts';
import type { QuietBook } from '../books/quiet-book.ts';
import { IS_LONG } from '../long.ts';
import { thrownWithFailingStatement } from './failing-statements.ts';

const MOST_STATEMENTS = 60;
/** Each statement is tried in the long tests, every second one in `npm test`. */
export const STRIDE = IS_LONG ? 1 : 2;

/** What `seen` tells of the book but for what an unpublished run has left there, which nobody sees and the run itself clears when it is worked anew. */
function seenWithoutRemains(book: QuietBook, seen: (book: QuietBook) => string): string {
  const { connection } = book.database;
  connection.exec('BEGIN; DELETE FROM matches WHERE run_id IN (SELECT id FROM runs WHERE writing = 1)');
  try {
    return seen(book);
  } finally {
    connection.exec('ROLLBACK');
  }
}

/**
 * Does the work of a run that is in the queue again and again, with its first, second, ... writing statement failing, until it is done. After each
 * failure and a restart all is as it was, by what `seen` tells of the book. Answers how many failures there were.
 */
export async function failEachStatementOfRun(
  book: QuietBook,
  runId: number,
  how: 'once' | 'forever',
  seen: (book: QuietBook) => string,
): Promise<number> {
  const before = seen(book);
  const isDone = () => runById(book.database, runId)?.status === 'completed';
  let failures = 0;
  for (let nth = 1; nth <= MOST_STATEMENTS && !isDone(); nth += STRIDE) {
    const { thrown } = await thrownWithFailingStatement(nth, () => book.work(), how);
    if (isDone()) break;
    failures += 1;
    expect(thrown).toContain('database or disk is full');
    book.recover();
    expect(seenWithoutRemains(book, seen)).toBe(before);
  }
  return failures;
}
