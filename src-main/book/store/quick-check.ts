import { phrase } from '../../../src-shared/words/say.ts';
import type SqliteDatabase from 'better-sqlite3';
import { DamagedValue } from '../../database/json-columns.ts';
import { isDamage } from '../../database/database.ts';

/** A book up to this size is checked whole when it is opened; of a larger one, small tables are, and some rows of large tables. */
const WHOLE_BYTES = 16 * 1_024 * 1_024;
const SMALL_TABLE_ROWS = 5_000;
/** The number of rows checked in a large table, spread evenly from its first to its last. */
const SAMPLED_ROWS = 24;

const LOOK_AGAIN_MS = 60_000;

interface Table {
  readonly name: string;
  readonly wr: number;
  readonly type: string;
}

/**
 * Returns a fault in the file of a book that a quick check can find; null if there is none. `tieout verify` checks everything. May throw SQLite's
 * errors for a damaged file.
 */
export function quickFault(connection: SqliteDatabase.Database, wholeBytes = WHOLE_BYTES): string | null {
  const pages = Number(connection.pragma('page_count', { simple: true }));
  const pageBytes = Number(connection.pragma('page_size', { simple: true }));
  if (pages * pageBytes <= wholeBytes) return faultIn(connection, 'PRAGMA quick_check(1)');
  const tables = connection.prepare("SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main'").all() as Table[];
  for (const { name, type, wr } of tables) {
    if (type !== 'table' && type !== 'shadow') continue;
    const fault = wr === 1 || name === 'sqlite_schema' ? endFault(connection, name) : sampleFault(connection, name);
    if (fault !== null) return fault;
  }
  return null;
}

/** Returns a message of SQLite in one line, without its standard prefix. */
export function faultWords(found: string): string {
  return found.replaceAll(/\*\*\* in database \w+ \*\*\*\s*/g, '').split('\n')[0] ?? found;
}

function faultIn(connection: SqliteDatabase.Database, pragma: string): string | null {
  const found = String(connection.prepare(pragma).pluck().get());
  return found === 'ok' ? null : faultWords(found);
}

/** Reads the first row of a table without row ids. */
function endFault(connection: SqliteDatabase.Database, table: string): null {
  connection.prepare(`SELECT * FROM "${table}" LIMIT 1`).get();
  return null;
}

function sampleFault(connection: SqliteDatabase.Database, table: string): string | null {
  const ends = connection.prepare(`SELECT min(rowid) AS first, max(rowid) AS last FROM "${table}"`).get() as {
    first: number | null;
    last: number | null;
  };
  if (ends.first === null || ends.last === null) return null;
  const reach = ends.last - ends.first;
  if (reach < SMALL_TABLE_ROWS) return faultIn(connection, `PRAGMA quick_check("${table}")`);
  const next = connection.prepare<[number], unknown>(`SELECT * FROM "${table}" WHERE rowid >= ? ORDER BY rowid LIMIT 1`);
  for (let sample = 0; sample <= SAMPLED_ROWS; sample += 1) next.get(ends.first + Math.floor((reach * sample) / SAMPLED_ROWS));
  return null;
}

/**
 * Returns a function that looks for damage after a failure, at most once in a while, so that many failures in a row cost little. A stored text that
 * cannot be parsed is damage without a check.
 */
export function faultFinder(
  { connection }: { readonly connection: SqliteDatabase.Database },
  clock: { readonly monotonicMs: () => number },
): (error: unknown) => string | null {
  let seen: { readonly atMs: number; readonly fault: string | null } | null = null;
  return (error) => {
    if (error instanceof DamagedValue) return error.message;
    if (error instanceof SyntaxError) return phrase('book.quickCheck.unreadableText');
    const atMs = clock.monotonicMs();
    if (seen === null || atMs - seen.atMs > LOOK_AGAIN_MS) seen = { atMs, fault: faultOrThrown(connection) };
    return seen.fault;
  };
}

function faultOrThrown(connection: SqliteDatabase.Database): string | null {
  try {
    return quickFault(connection);
  } catch (error) {
    return isDamage(error) && error instanceof Error ? error.message : null;
  }
}
