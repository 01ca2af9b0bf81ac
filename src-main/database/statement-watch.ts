import type SqliteDatabase from 'better-sqlite3';

/** Called when a thread enters SQLite and when it returns. In between the thread can send no heartbeat. */
export interface StatementWatch {
  readonly enter: () => void;
  readonly leave: () => void;
}

/** For a thread without heartbeats. */
export const UNWATCHED: StatementWatch = { enter: () => undefined, leave: () => undefined };

/** Runs work within SQLite. */
export function inSqlite<T>({ enter, leave }: StatementWatch, work: () => T): T {
  enter();
  try {
    return work();
  } finally {
    leave();
  }
}

/** Runs the thread's own work, called from within SQLite in the middle of a transaction. */
export function outOfSqlite<T>({ enter, leave }: StatementWatch, work: () => T): T {
  leave();
  try {
    return work();
  } finally {
    enter();
  }
}

/** Returns a statement that reports when it enters SQLite; the statement itself if the thread has no heartbeats. */
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
