import { createHash } from 'node:crypto';
import type SqliteDatabase from 'better-sqlite3';
import type { ChunkDigest } from './chunk-digest.ts';
import type { Chunk } from './chunks.ts';

/**
 * The digest of a chunk as the book keeps it. `fault` says in words how the chunk had been changed without Tieout before Tieout wrote it again; null
 * if it had not.
 */
export interface StoredDigest extends ChunkDigest {
  readonly chunk: Chunk;
  readonly fault: string | null;
}

/** The digest of a chunk without rows, which is kept only for its fault. */
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

/** The stored digests of chunks. */
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
    // A whole number must be bound as BigInt: SQLite would store a JavaScript number as a float.
    this.#put.run(table, typeof chunk === 'number' ? BigInt(chunk) : chunk, sha256, places, fault);
  }

  drop(table: string, chunk: Chunk): void {
    this.#drop.run(table, chunk);
  }

  each(table: string): IterableIterator<StoredDigest> {
    return this.#each.iterate(table);
  }
}

/** A range of chunks to digest, both ends included. */
export interface PendingChunks {
  readonly tab: string;
  readonly first: number;
  readonly last: number;
}

/** Ranges of chunks that a large write left to digest later. Their rows must not have been changed in between. */
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

  /** Returns false if there is no such range. */
  drop({ tab, first, last }: PendingChunks): boolean {
    return this.#drop.run(tab, first, last).changes === 1;
  }

  all(): PendingChunks[] {
    return this.#all.all();
  }
}

/** Returns the element of a pending range in the hash of the whole content. */
export function elementOfPending({ tab, first, last }: PendingChunks): Buffer {
  return createHash('sha256').update(`to be digested\n${tab}\n${first}\n${last}`).digest();
}

/** Returns the element of a chunk in the hash of the whole content. */
export function elementOf(table: string, { chunk, sha256, places, fault }: StoredDigest): Buffer {
  return createHash('sha256')
    .update(`${table}\n${typeof chunk} ${chunk}\n${fault ?? ''}\n`)
    .update(sha256)
    .update(places)
    .digest();
}

/** The single row that states the progress of the book and the hash of all its content. */
interface ContentState {
  /** The number of transactions that changed something. */
  readonly writes: number;
  /** The sums of the set of all chunks, see `SetHash`. */
  readonly root: Buffer;
  /** The highest id that each table ever had, as JSON. */
  readonly sequences: string;
  /** The number of entries of the audit log, and the hash of the last. */
  readonly entries: number;
  readonly head: string;
  /** SQLite's counter of schema changes at the last check. */
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

/**
 * A hash of a set. Elements are added and removed without knowledge of the others. It is LtHash (Bellare and Micciancio; Lewi and others) with 1,024
 * sums of 16 bits: two sets with equal hashes are as hard to find as for a hash of 200 bits.
 */
const SUMS = 1_024;
const BYTES = SUMS * 2;

export class SetHash {
  readonly #sums: Uint16Array;

  /** `bytes` are those of the getter `bytes`; omit them for the empty set. */
  constructor(bytes?: Uint8Array) {
    this.#sums = new Uint16Array(SUMS);
    if (bytes?.length === BYTES) new Uint8Array(this.#sums.buffer).set(bytes);
  }

  add(element: Uint8Array): void {
    const sums = this.#sums;
    const more = spread(element);
    for (let at = 0; at < SUMS; at += 1) sums[at] = (sums[at] as number) + (more[at] as number);
  }

  remove(element: Uint8Array): void {
    const sums = this.#sums;
    const less = spread(element);
    for (let at = 0; at < SUMS; at += 1) sums[at] = (sums[at] as number) - (less[at] as number);
  }

  get bytes(): Buffer {
    return Buffer.from(new Uint8Array(this.#sums.buffer));
  }

  /** SHA-256 of the sums, in hexadecimal. */
  get text(): string {
    return createHash('sha256').update(this.bytes).digest('hex');
  }
}

function spread(element: Uint8Array): Uint16Array {
  const bytes = createHash('shake128', { outputLength: BYTES }).update(element).digest();
  return new Uint16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + BYTES));
}
