import type SqliteDatabase from 'better-sqlite3';

/** Told as a thread goes into SQLite and comes back: meanwhile it can tell nothing itself. */
export interface StatementWatch {
  readonly enter: () => void;
  readonly leave: () => void;
}

/** Where nobody asks. */
export const UNWATCHED: StatementWatch = { enter: () => undefined, leave: () => undefined };

/** Does some work within SQLite. */
export function inSqlite<T>({ enter, leave }: StatementWatch, work: () => T): T {
  enter();
  try {
    return work();
  } finally {
    leave();
  }
}

/** Work of the thread itself in the middle of a transaction. */
export function outOfSqlite<T>({ enter, leave }: StatementWatch, work: () => T): T {
  leave();
  try {
    return work();
  } finally {
    enter();
  }
}

/** A statement that tells when it goes into SQLite; the same one where nobody asks. */
export function watched<S extends SqliteDatabase.Statement>(statement: S, watch: StatementWatch): S {
  if (watch === UNWATCHED) return statement;
  const { run, get, all, iterate } = statement;
  return Object.assign(statement, {
    run: (...given: unknown[]) => inSqlite(watch, () => run.apply(statement, given)),
    get: (...given: unknown[]) => inSqlite(watch, () => get.apply(statement, given)),
    all: (...given: unknown[]) => inSqlite(watch, () => all.apply(statement, given)),
    iterate: (...given: unknown[]) => watchedRows(iterate.apply(statement, given), watch),
  });
}

function watchedRows<T>(rows: IterableIterator<T>, watch: StatementWatch): IterableIterator<T> {
  const next = rows.next.bind(rows);
  return Object.assign(rows, { next: () => inSqlite(watch, next) });
}
