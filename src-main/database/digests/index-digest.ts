import { createHash, type Hash } from 'node:crypto';
import type SqliteDatabase from 'better-sqlite3';

/** The word index has a single digest. SQLite writes its tables itself, so it is unknown which rows a change touches. */
export const INDEX = 'record_words';
export const WHOLE_INDEX = '"whole"';

/** The tables of the index, and the columns in whose order their rows are read. */
const PARTS = [
  { table: 'record_words_config', keys: ['k'], columns: ['k', 'v'] },
  { table: 'record_words_data', keys: ['id'], columns: ['id', 'block'] },
  { table: 'record_words_idx', keys: ['segid', 'term'], columns: ['segid', 'term', 'pgno'] },
  { table: 'record_words_docsize', keys: ['id'], columns: ['id', 'sz', 'origin'] },
] as const;
const ROWS_AT_ONCE = 32;

type Row = [string, ...unknown[]];

/** Computes the digest in steps. The index must not change between them. */
export class IndexDigest {
  readonly #connection: SqliteDatabase.Database;
  readonly #hash: Hash = createHash('sha256');
  #part = 0;
  #last: unknown[] | null = null;

  constructor(connection: SqliteDatabase.Database) {
    this.#connection = connection;
  }

  /** Reads on until told to stop. Returns whether everything was read. */
  readOn(isOver: () => boolean): boolean {
    for (;;) {
      const part = PARTS[this.#part];
      if (part === undefined) return true;
      const rows = this.#rows(part);
      for (const [text] of rows) this.#hash.update(text);
      this.#last = rows.at(-1)?.slice(1) ?? null;
      if (rows.length < ROWS_AT_ONCE) {
        this.#hash.update(`end of ${part.table}\n`);
        this.#part += 1;
        this.#last = null;
      }
      if (isOver()) return this.#part === PARTS.length;
    }
  }

  /** The digest of everything read so far. */
  get sha256(): Buffer {
    return this.#hash.copy().digest();
  }

  #rows({ table, keys, columns }: (typeof PARTS)[number]): Row[] {
    const quoted = columns.map((column) => `quote(${column})`).join(" || ',' || ");
    const names = keys.join(', ');
    const behind = this.#last === null ? '' : `WHERE (${names}) > (${keys.map(() => '?').join(', ')})`;
    return this.#connection
      .prepare<unknown[], Row>(`SELECT ${quoted} || char(10), ${names} FROM ${table} ${behind} ORDER BY ${names} LIMIT ${ROWS_AT_ONCE}`)
      .raw()
      .safeIntegers()
      .all(...(this.#last ?? []));
  }
}
