import SqliteDatabase from 'better-sqlite3';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import type { Database } from '../../../src-main/database/database.ts';

type Run = (this: SqliteDatabase.Statement, ...parameters: unknown[]) => SqliteDatabase.RunResult;
interface Prototype {
  run: Run;
}

const WRITES = /^\s*(insert|update|delete|replace)\b/i;

/** An error as SQLite raises it when the disk has no room. */
function diskFull(): Error {
  return new SqliteDatabase.SqliteError('database or disk is full', 'SQLITE_FULL');
}

/**
 * Lets the n-th writing statement of this thread fail, from 1; what comes after it works again (`once`) or fails as well
 * (`forever`, as on a full disk). Answers how many writing statements there were. Nothing but the statement is replaced: the
 * transaction around it is SQLite's own.
 */
export async function withFailingStatement(
  nth: number,
  work: () => unknown,
  how: 'once' | 'forever' = 'once',
): Promise<{ readonly statements: number; readonly failed: boolean }> {
  const connection = new SqliteDatabase(':memory:');
  const prototype = Object.getPrototypeOf(connection.prepare('SELECT 1')) as Prototype;
  const original = prototype.run;
  const restore = () => {
    prototype.run = original;
    connection.close();
  };
  let statements = 0;
  prototype.run = function run(...parameters) {
    if (WRITES.test(this.source)) {
      statements += 1;
      if (statements === nth || (how === 'forever' && statements > nth)) throw diskFull();
    }
    return original.apply(this, parameters);
  };
  try {
    await work();
  } finally {
    restore();
  }
  return { statements, failed: statements >= nth };
}

/** As `withFailingStatement`; what the work throws is answered as a text, which is empty where it throws nothing. */
export async function thrownWithFailingStatement(
  nth: number,
  work: () => unknown,
  how: 'once' | 'forever',
): Promise<{ readonly failed: boolean; readonly thrown: string }> {
  let thrown = '';
  const { failed } = await withFailingStatement(
    nth,
    async () => {
      try {
        await work();
      } catch (error) {
        thrown = String(error);
      }
    },
    how,
  );
  return { failed, thrown };
}

// Digests say once more what the other tables hold, and how many transactions it took.
const LEFT_OUT = new Set(['sqlite_sequence', 'content_digests', 'content_state']);

/** Every row of every table, in a stable order, to compare a book with itself. */
export function dumpBook(database: Database, leaveOut: readonly string[] = []): Record<string, unknown[]> {
  const names = database.connection
    // Not the index of words, which keeps no rows to be read; what it knows is in the records.
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name <> 'sqlite_schema' ORDER BY name")
    .pluck()
    .all() as string[];
  const dump: Record<string, unknown[]> = {};
  for (const name of names) {
    if (LEFT_OUT.has(name) || leaveOut.includes(name)) continue;
    dump[name] = database.connection.prepare(`SELECT * FROM "${name}" ORDER BY 1, 2`).all();
  }
  return dump;
}

/**
 * Lets the first statement of an operation fail, then the second, until the operation gets through or `most` were tried.
 * Tells how each try ended (`done`, or the error's code) and whether the book was unchanged by it.
 */
export async function failEachStatement(
  database: Database,
  act: () => Promise<Outcome<unknown>>,
  most: number,
): Promise<{ readonly outcomes: string[]; readonly isUnchanged: boolean[] }> {
  const outcomes: string[] = [];
  const isUnchanged: boolean[] = [];
  for (let nth = 1; outcomes.at(-1) !== 'done' && nth <= most; nth += 1) {
    const before = JSON.stringify(dumpBook(database));
    await withFailingStatement(nth, async () => {
      const answered = await act();
      outcomes.push(answered.ok ? 'done' : answered.error.code);
    });
    isUnchanged.push(JSON.stringify(dumpBook(database)) === before);
  }
  return { outcomes, isUnchanged };
}
