import type SqliteDatabase from 'better-sqlite3';
import { type CoveredTable, ROWS_OF_CHUNK } from './covered.ts';

/** The name of a chunk of a table: a number if rows have ids, else the parts of its key as JSON. */
export type Chunk = number | string;
/** A key value as SQLite returns it. */
type Part = number | string | null;

export function chunkOf({ keys }: CoveredTable, parts: readonly Part[]): Chunk {
  const named = parts.map((part, place) => (keys[place]?.isShifted === true ? Math.floor(Number(part) / ROWS_OF_CHUNK) : part));
  const [only] = named;
  return named.length === 1 && typeof only === 'number' ? only : JSON.stringify(named);
}

function partsOf(chunk: Chunk): Part[] {
  return typeof chunk === 'number' ? [chunk] : (JSON.parse(chunk) as Part[]);
}

/** Returns the lowest id of a chunk of rows with ids. */
export function firstIdOf(chunk: Chunk): number {
  return typeof chunk === 'number' ? chunk * ROWS_OF_CHUNK : 0;
}

/** Reads the chunks of one table. */
export class ChunkReader {
  readonly #table: CoveredTable;
  readonly #rows: SqliteDatabase.Statement;
  readonly #connection: SqliteDatabase.Database;
  readonly #from: string;

  constructor(connection: SqliteDatabase.Database, schema: string, table: CoveredTable) {
    this.#table = table;
    this.#connection = connection;
    this.#from = `${schema}."${table.name}"`;
    const order = table.hasId ? '' : ` ORDER BY ${table.primary.join(', ')}`;
    const conditions = table.keys.map(({ name, isShifted }) => (isShifted ? `${name} BETWEEN ? AND ?` : `${name} = ?`));
    // JSON keeps any text unchanged but has no bytes, so columns that may hold them go through `quote`.
    const values = table.columns.map(({ name, type }) => (type === 'INTEGER' || type === 'TEXT' ? name : `quote(${name})`));
    this.#rows = connection
      .prepare(
        `SELECT CAST(group_concat(json_array(${values.join(', ')}), char(10)${order}) AS BLOB) FROM ${this.#from} ${table.hasId ? 'NOT INDEXED' : ''}
         WHERE ${conditions.join(' AND ')}`,
      )
      .pluck();
  }

  /** Returns the rows of a chunk; null if there are none. */
  rows(chunk: Chunk): Buffer | null {
    const bound = partsOf(chunk).flatMap((part, place) =>
      this.#table.keys[place]?.isShifted === true
        ? [Number(part) * ROWS_OF_CHUNK, Number(part) * ROWS_OF_CHUNK + ROWS_OF_CHUNK - 1]
        : [part],
    );
    return (this.#rows.get(...bound) as Buffer | null | undefined) ?? null;
  }

  /** Yields all chunks that have rows, in order. */
  *all(): Generator<Chunk> {
    const { keys } = this.#table;
    const names = keys.map(({ name }) => name).join(', ');
    const places = keys.map(() => '?').join(', ');
    const text = (condition: string) => `SELECT ${names} FROM ${this.#from} ${condition} ORDER BY ${names} LIMIT 1`;
    const next = this.#connection.prepare<Part[], Part[]>(text(`WHERE (${names}) > (${places})`)).raw();
    let found = this.#connection.prepare<[], Part[]>(text('')).raw().get();
    while (found !== undefined) {
      const chunk = chunkOf(this.#table, found);
      yield chunk;
      const last = partsOf(chunk).map((part, place) =>
        keys[place]?.isShifted === true ? Number(part) * ROWS_OF_CHUNK + ROWS_OF_CHUNK - 1 : part,
      );
      found = next.get(...last);
    }
  }

  count(): number {
    return this.#connection.prepare(`SELECT count(*) FROM ${this.#from}`).pluck().get() as number;
  }
}
