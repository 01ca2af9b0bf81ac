import { createHash } from 'node:crypto';
import type SqliteDatabase from 'better-sqlite3';
import type { Chunk } from './chunks.ts';
import type { ChunkDigest } from './chunk-digest.ts';

/** What a book keeps of a chunk. `fault`: in words, what was found otherwise than Tieout wrote it, before Tieout wrote it again; null for nothing. */
export interface StoredDigest extends ChunkDigest {
  readonly chunk: Chunk;
  readonly fault: string | null;
}

/** The digest of a chunk whose rows are gone, which is kept for its fault alone. */
export const NO_ROWS = { sha256: Buffer.alloc(0), places: Buffer.alloc(0) };

export function hasRows(stored: StoredDigest | undefined): boolean {
  return stored !== undefined && stored.sha256.length > 0;
}

interface Row {
  readonly chunk: Chunk;
  readonly sha256: Buffer;
  readonly places: Buffer;
  readonly fault: string | null;
}

/** The digests of chunks, as they stand in a book. */
export class DigestRows {
  readonly #get: SqliteDatabase.Statement<[string, Chunk], Row>;
  readonly #put: SqliteDatabase.Statement;
  readonly #drop: SqliteDatabase.Statement;
  readonly #each: SqliteDatabase.Statement<[string], Row>;

  constructor(connection: SqliteDatabase.Database, schema: string) {
    const table = `${schema}.content_digests`;
    this.#get = connection.prepare(`SELECT chunk, sha256, places, fault FROM ${table} WHERE tab = ? AND chunk = ?`);
    this.#put = connection.prepare(
      `INSERT INTO ${table}(tab, chunk, sha256, places, fault) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT(tab, chunk) DO UPDATE SET sha256 = excluded.sha256, places = excluded.places, fault = excluded.fault`,
    );
    this.#drop = connection.prepare(`DELETE FROM ${table} WHERE tab = ? AND chunk = ?`);
    this.#each = connection.prepare(`SELECT chunk, sha256, places, fault FROM ${table} WHERE tab = ?`);
  }

  get(table: string, chunk: Chunk): StoredDigest | undefined {
    return this.#get.get(table, chunk);
  }

  put(table: string, { chunk, sha256, places, fault }: StoredDigest): void {
    // A whole number must stay one: SQLite would take a JavaScript number for a fraction.
    this.#put.run(table, typeof chunk === 'number' ? BigInt(chunk) : chunk, sha256, places, fault);
  }

  drop(table: string, chunk: Chunk): void {
    this.#drop.run(table, chunk);
  }

  each(table: string): IterableIterator<StoredDigest> {
    return this.#each.iterate(table);
  }
}

/** A stretch of chunks, both ends included, that are to be digested. */
export interface PendingChunks {
  readonly tab: string;
  readonly first: number;
  readonly last: number;
}

/** Stretches of chunks that a large write left to be digested after it: nobody may have touched what they hold. */
export class PendingRows {
  readonly #covers: SqliteDatabase.Statement;
  readonly #put: SqliteDatabase.Statement;
  readonly #drop: SqliteDatabase.Statement<[string, number, number]>;
  readonly #all: SqliteDatabase.Statement<[], PendingChunks>;

  constructor(connection: SqliteDatabase.Database, schema: string) {
    const table = `${schema}.content_pending`;
    this.#covers = connection.prepare(`SELECT 1 FROM ${table} WHERE tab = ? AND first <= ? AND last >= ?`);
    this.#put = connection.prepare(`INSERT INTO ${table}(tab, first, last) VALUES (?, ?, ?)`);
    this.#drop = connection.prepare(`DELETE FROM ${table} WHERE tab = ? AND first = ? AND last = ?`);
    this.#all = connection.prepare(`SELECT tab, first, last FROM ${table} ORDER BY tab, first`);
  }

  covers(table: string, chunk: Chunk): boolean {
    return typeof chunk === 'number' && this.#covers.get(table, chunk, chunk) !== undefined;
  }

  put({ tab, first, last }: PendingChunks): void {
    this.#put.run(tab, first, last);
  }

  /** False where there is none such. */
  drop({ tab, first, last }: PendingChunks): boolean {
    return this.#drop.run(tab, first, last).changes === 1;
  }

  all(): PendingChunks[] {
    return this.#all.all();
  }
}

/** What the hash of the whole content is told of a stretch that is to be digested. */
export function elementOfPending({ tab, first, last }: PendingChunks): Buffer {
  return createHash('sha256').update(`to be digested\n${tab}\n${first}\n${last}`).digest();
}

/** What the hash of the whole content is told of a chunk. */
export function elementOf(table: string, { chunk, sha256, places, fault }: StoredDigest): Buffer {
  return createHash('sha256')
    .update(`${table}\n${typeof chunk} ${chunk}\n${fault ?? ''}\n`)
    .update(sha256)
    .update(places)
    .digest();
}

/** One row: how far the book is, and the hash of all its content. */
interface ContentState {
  /** Transactions that changed something so far. */
  readonly writes: number;
  /** Sums of the set of all chunks, see `SetHash`. */
  readonly root: Buffer;
  /** The highest ids that ever were, by table, as JSON. */
  readonly sequences: string;
  /** Entries of the audit log, and the hash of the last. */
  readonly entries: number;
  readonly head: string;
  /** SQLite's own count of changes of the schema, when that was looked at. */
  readonly schema_version: number;
}

function checkOf(state: ContentState): string {
  const { writes, root, sequences, entries, head, schema_version: version } = state;
  return createHash('sha256').update([writes, sequences, entries, head, version, ''].join('\n')).update(root).digest('hex');
}

export class StateRow {
  readonly #get: SqliteDatabase.Statement<[], ContentState & { readonly checksum: string }>;
  readonly #put: SqliteDatabase.Statement;

  constructor(connection: SqliteDatabase.Database, schema: string) {
    this.#get = connection.prepare(
      `SELECT writes, root, sequences, entries, head, schema_version, checksum FROM ${schema}.content_state WHERE id = 1`,
    );
    this.#put = connection.prepare(
      `INSERT OR REPLACE INTO ${schema}.content_state(id, writes, root, sequences, entries, head, schema_version, checksum)
       VALUES (1, ?, ?, ?, ?, ?, ?, ?)`,
    );
  }

  get(): (ContentState & { readonly isSound: boolean }) | undefined {
    const row = this.#get.get();
    return row === undefined ? undefined : { ...row, isSound: row.checksum === checkOf(row) };
  }

  put(state: ContentState): void {
    this.#put.run(state.writes, state.root, state.sequences, state.entries, state.head, state.schema_version, checkOf(state));
  }
}
