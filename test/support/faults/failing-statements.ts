import SqliteDatabase from 'better-sqlite3';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import type { Database } from '../../../src-main/database/database.ts';

type Run = (this: SqliteDatabase.Statement, ...parameters: unknown[]) => SqliteDatabase.RunResult;
interface Prototype {
  run: Run;
}

const WRITES = /^\s*(insert|update|delete|replace)\b/i;

/** Returns the error that SQLite raises when the disk is full. */
function diskFull(): Error {
  return new SqliteDatabase.SqliteError('database or disk is full', 'SQLITE_FULL');
}

/**
 * Makes the n-th writing statement of this thread fail, from 1. Later ones work again (`once`) or fail too (`forever`, as on a full disk). Returns
 * the number of writing statements. Only the statement is replaced: the transaction around it is SQLite's own.
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

/** Works as `withFailingStatement`, and returns the thrown error as text; empty where nothing was thrown. */
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

// Digests repeat the content of other tables and the number of transactions.
const LEFT_OUT = new Set(['sqlite_sequence', 'content_digests', 'content_state']);

/** Returns every row of every table in a stable order, to compare a book with itself. */
export function dumpBook(database: Database, leaveOut: readonly string[] = []): Record<string, unknown[]> {
  const names = database.connection
    // The index of words is left out, because its rows cannot be read; its content is in the records.
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
 * Makes the first writing statement of an operation fail, then the second, until it succeeds or `most` were tried. Returns how each attempt ended
 * (`done`, or the code of the error) and whether the book was unchanged after it.
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
