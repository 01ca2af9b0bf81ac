import { type Database, isDamage } from '../../database/database.ts';

/** A message of SQLite about the file, with its page if it names one. */
interface FileFault {
  readonly page: number | null;
  /** The root page of the table or index in which it was found. */
  readonly tree: number | null;
  readonly what: string;
}

const MOST_ROWS = 100_000;
const OF_PAGE =
  /^(?:Tree (?<tree>\d{1,12}) page (?<page>\d{1,12})|Page (?<alone>\d{1,12}))(?: (?:cell|right child)[^:]*)?:? ?(?<what>[^\n]*)/u;

type Connection = Pick<Database['connection'], 'prepare'>;

/** Adds the lines of SQLite's integrity check. Returns false if the check failed. */
function addLines(connection: Connection, of: string, lines: string[]): boolean {
  try {
    const rows = connection.prepare(`PRAGMA integrity_check(${of})`).pluck().iterate() as Iterable<string>;
    for (const row of rows) lines.push(...row.split('\n'));
    return true;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return false;
  }
}

/**
 * Returns everything that SQLite's integrity check reports. The check of the whole file fails before it reads any page if the word index cannot be
 * opened; it is then repeated without that index, and tables are checked one by one.
 */
function linesOfCheck(database: Database): string[] {
  const lines: string[] = [];
  if (addLines(database.connection, String(MOST_ROWS), lines)) return lines;
  database.withoutWords((connection) => addLines(connection, String(MOST_ROWS), lines));
  for (const table of tablesOf(database)) addLines(database.connection, `"${table}"`, lines);
  return lines;
}

function tablesOf(database: Database): string[] {
  const names = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY rootpage";
  return database.connection.prepare<[], string>(names).pluck().all() as string[];
}

/** Yields each damaged page once, in SQLite's order, and messages that concern no page. */
export function* damagedPages(database: Database): Generator<FileFault> {
  const told = new Set<string>();
  for (const line of linesOfCheck(database)) {
    if (line === 'ok' || line === '' || line.startsWith('*** in database')) continue;
    const found = OF_PAGE.exec(line)?.groups;
    const page = found === undefined ? null : Number(found['page'] ?? found['alone']);
    const key = page === null ? line : String(page);
    if (told.has(key)) continue;
    told.add(key);
    const tree = found?.['tree'] === undefined ? null : Number(found['tree']);
    yield { page, tree, what: found?.['what'] || line };
  }
}

/** Returns tables and indices by their root page. */
export function tablesByRootPage(database: Database): ReadonlyMap<number, string> {
  const rows = database.connection.prepare<[], [number, string]>('SELECT rootpage, name FROM sqlite_schema WHERE rootpage > 0').raw().all();
  return new Map(rows as unknown as [number, string][]);
}

interface UnreadableRows {
  readonly table: string;
  readonly first: number;
  /** Null: all rows from the first one on. */
  readonly last: number | null;
}

/** Yields ranges of unreadable rows by id, for tables with ids. Reads every row. */
export function* unreadableRows(database: Database): Generator<UnreadableRows> {
  for (const table of tablesOf(database)) {
    const columns = database.connection.prepare<[], { name: string; type: string; pk: number }>(`PRAGMA table_info("${table}")`).all();
    const [key, ...more] = columns.filter(({ pk }) => pk > 0);
    if (key === undefined || key.type !== 'INTEGER' || more.length > 0) continue;
    yield* unreadableOf(database, table, key.name);
  }
}

function* unreadableOf({ connection }: Database, table: string, key: string): Generator<UnreadableRows> {
  const rows = connection.prepare<[number], unknown[]>(`SELECT ${key}, * FROM "${table}" WHERE ${key} > ? ORDER BY ${key}`).raw();
  const next = connection
    .prepare<[number], number>(`SELECT ${key} FROM "${table}" NOT INDEXED WHERE ${key} > ? ORDER BY ${key} LIMIT 1`)
    .pluck();
  /** Returns the next row after an id; undefined if that place is unreadable, null at the end. */
  const behind = (id: number): number | null | undefined => {
    try {
      return (next.get(id) as number | undefined) ?? null;
    } catch (error) {
      if (!isDamage(error)) throw error;
      return undefined;
    }
  };
  let last = 0;
  for (;;) {
    try {
      for (const row of rows.iterate(last)) last = row[0] as number;
      return;
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    // The page of this row is readable, but not its overflow pages: only this row is lost.
    const following = behind(last);
    if (typeof following === 'number') {
      yield { table, first: following, last: following };
      last = following;
      continue;
    }
    const readable = firstReadable(last, behind);
    yield { table, first: last + 1, last: readable === null ? null : readable - 1 };
    if (readable === null) return;
    last = readable - 1;
  }
}

const MOST_STEPS = 2 ** 52;

/** Returns the first id after a damaged place from which reading works again; null if there is none. */
function firstReadable(from: number, behind: (id: number) => number | null | undefined): number | null {
  let step = 1;
  while (step < MOST_STEPS && behind(from + step) === undefined) step *= 2;
  if (step >= MOST_STEPS) return null;
  let [unread, read] = [from + Math.floor(step / 2), from + step];
  while (read - unread > 1) {
    const middle = Math.floor((read + unread) / 2);
    if (behind(middle) === undefined) unread = middle;
    else read = middle;
  }
  return behind(read) ?? null;
}
