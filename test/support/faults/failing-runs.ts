import { expect } from 'vitest';
import { runById } from '../../../src-main/runs/store/runs.ts';
import type { QuietBook } from '../books/quiet-book.ts';
import { IS_LONG } from '../long.ts';
import { thrownWithFailingStatement } from './failing-statements.ts';

const MOST_STATEMENTS = 60;
/** The long tests try each statement, `npm test` every second one. */
export const STRIDE = IS_LONG ? 1 : 2;

/** Returns what `seen` reads from the book without the rows of an unpublished run, which no reader sees and the run removes when it starts again. */
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
 * Works on a queued run again and again, with its first, second, ... writing statement failing, until it completes. Asserts after each failure and
 * restart that what `seen` reads is unchanged. Returns the number of failures.
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
