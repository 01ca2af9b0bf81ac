import type SqliteDatabase from 'better-sqlite3';

/** Told when a thread enters SQLite and when it returns. Between these the thread cannot report anything. */
export interface StatementWatch {
  readonly enter: () => void;
  readonly leave: () => void;
}

/** For a thread that is not watched. */
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

/** Does some work of the thread itself, called from within SQLite in the middle of a transaction. */
export function outOfSqlite<T>({ enter, leave }: StatementWatch, work: () => T): T {
  leave();
  try {
    return work();
  } finally {
    enter();
  }
}

/** A statement that tells when it enters SQLite. Where the thread is not watched, the statement itself. */
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
