import SqliteDatabase from 'better-sqlite3';
import { type CompiledQuery, DummyDriver, Kysely, type Selectable, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { ContentKeeper, type SealedChunks } from './digests/keeper.ts';
import { inSqlite, outOfSqlite, type StatementWatch, UNWATCHED, watched } from './statement-watch.ts';
import type { Tables } from './tables.ts';

/** Compiles queries and runs none: better-sqlite3 executes, synchronously, so that no await can sit in a transaction. */
export const query = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

export type Row<T extends keyof Tables> = Selectable<Tables[T]>;

interface Compilable<T> {
  compile(): CompiledQuery<T>;
}

/** May read. Every connection is one. */
export interface ReadHandle {
  all<T>(compilable: Compilable<T>): T[];
  first<T>(compilable: Compilable<T>): T | undefined;
  /** Rows one at a time, for reads too large for memory; the connection can do nothing else meanwhile. */
  each<T>(compilable: Compilable<T>): IterableIterator<T>;
  /** A prepared statement of hand-written SQL, cached by its text. */
  prepare<P extends readonly unknown[], T>(sql: string): SqliteDatabase.Statement<[...P], T>;
}

declare const WRITES: unique symbol;
/** May write; given only inside `Database.write`, so that no change happens outside a transaction. */
export interface WriteHandle extends ReadHandle {
  readonly [WRITES]: true;
  run(compilable: Compilable<unknown>): { changes: number; lastInsertId: number };
  /** Does something at the end of the transaction, told the hash of all that the book then holds; null where no digests are kept. */
  lastly(work: (content: string | null) => void): void;
  /** Says that a row was put back under its old id. Inserts of records and matches have no trigger that would tell. */
  putBack(table: 'records' | 'matches', id: number): void;
  /** Writes the digests that a large write left for later, see `sealPending`. */
  stateChunks(sealed: SealedChunks): void;
  /** Writes the digest of the index of words, see `IndexDigest`; null while the index changes. */
  stateIndex(sha256: Buffer | null): void;
}

const BUSY_TIMEOUT_MS = 10_000;
/** SQLite's own wait for the write lock sleeps longer and longer, and so misses the moments between the short transactions of a job. */
const LOCK_POLL_MS = 0.5;
const MAX_LOCK_POLLS = BUSY_TIMEOUT_MS / LOCK_POLL_MS;
const NOTHING = new Int32Array(new SharedArrayBuffer(4));

/** Holds this thread for some milliseconds; for short waits that must not give up control, and for the threads of jobs. */
export function pause(milliseconds: number): void {
  Atomics.wait(NOTHING, 0, 0, milliseconds);
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}
const MAX_CACHED_STATEMENTS = 500;
const CACHE_KIB = 65_536;
/** For a table that is read once from end to end: with a large cache its pages would push out all others. */
const CACHE_OF_VISITS_KIB = 4_096;

/** See `Database.beginUnseenWrites`. */
interface UnseenWrites {
  readonly cacheKib?: number;
  readonly isVouchedFor?: boolean;
}

/** The book's name on a connection whose own database is a table beside it. */
const BOOK_BESIDE = 'book';

interface DatabaseOptions {
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Nothing can be written, and the file is left as it is. */
  readonly isReadOnly?: boolean;
  /** A table as the bytes of a database, to stand beside the book. */
  readonly image?: Uint8Array;
  /** Of a thread that is watched. */
  readonly watch?: StatementWatch | undefined;
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** One connection. Not shared between threads. */
export class Database implements ReadHandle {
  readonly path: string;
  readonly connection: SqliteDatabase.Database;
  readonly #statements = new Map<string, SqliteDatabase.Statement>();
  readonly #watch: StatementWatch;
  #keeper: ContentKeeper | undefined;
  /** A connection that sees the book as it was before the transaction; opened when it is first needed. */
  #before: SqliteDatabase.Database | undefined;
  #lastWorks: ((content: string | null) => void)[] = [];

  constructor(path: string, { synchronous, image, isReadOnly = false, watch = UNWATCHED }: DatabaseOptions) {
    this.path = path;
    this.#watch = watch;
    this.connection = new SqliteDatabase(image === undefined ? path : bufferOf(image), { timeout: BUSY_TIMEOUT_MS, readonly: isReadOnly });
    if (image !== undefined) this.connection.prepare(`ATTACH ? AS ${BOOK_BESIDE}`).run(path);
    const book = image === undefined ? 'main' : BOOK_BESIDE;
    if (!isReadOnly) this.connection.pragma(`${book}.journal_mode = WAL`);
    this.connection.pragma(`${book}.synchronous = ${synchronous}`);
    this.connection.pragma('foreign_keys = ON');
    // What somebody puts into the schema can call only SQLite's own harmless functions.
    this.connection.pragma('trusted_schema = OFF');
    this.connection.pragma('temp_store = MEMORY');
    this.connection.pragma(`${book}.cache_size = -${image === undefined ? CACHE_KIB : CACHE_OF_VISITS_KIB}`);
  }

  /**
   * Another connection to the book, with a table beside it that statements see under its own name: what is to be written of it need not be bound value by
   * value. Its transactions wait for no disk and make no checkpoints; `beginUnseenWrites` says what that means. To be closed.
   */
  beside(image: Uint8Array): Database {
    const other = new Database(this.path, { synchronous: 'NORMAL', image, watch: this.#watch });
    other.connection.pragma(`${BOOK_BESIDE}.max_page_count = ${String(this.connection.pragma('max_page_count', { simple: true }))}`);
    other.withoutCheckpoints();
    if (this.#keeper !== undefined) {
      other.#keeper = new ContentKeeper(other.connection, BOOK_BESIDE, () => this.#beforeWriting());
      other.#keeper.leavesNewRows = true;
    }
    return other;
  }

  /**
   * Does `work` with a connection that only reads, and for which a table of words has no rows: SQLite checks no page of a file whose index of words it cannot
   * open, and of a damaged file it often cannot.
   */
  withoutWords<T>(work: (connection: SqliteDatabase.Database) => T): T {
    const other = new SqliteDatabase(this.path, { readonly: true, timeout: BUSY_TIMEOUT_MS });
    try {
      other.table('fts5', { columns: ['words'], *rows() {} });
      return work(other);
    } finally {
      other.close();
    }
  }

  /** From now on every transaction keeps the digests of what it writes. The book is at its newest version. */
  keepContent(): void {
    this.#keeper = new ContentKeeper(this.connection, 'main', () => this.#beforeWriting());
    // Statements that are there already would be told by no trigger.
    this.#statements.clear();
  }

  #beforeWriting(): SqliteDatabase.Database {
    if (this.#before === undefined) {
      this.#before = new SqliteDatabase(this.path, { readonly: true, timeout: BUSY_TIMEOUT_MS });
      this.#before.pragma('trusted_schema = OFF');
      this.#before.pragma(`cache_size = -${CACHE_OF_VISITS_KIB}`);
    }
    return this.#before;
  }

  prepare<P extends readonly unknown[], T>(sql: string): SqliteDatabase.Statement<[...P], T> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      if (this.#statements.size >= MAX_CACHED_STATEMENTS) this.#statements.clear();
      this.#keeper?.watch(sql);
      statement = watched(this.connection.prepare(sql), this.#watch);
      this.#statements.set(sql, statement);
    }
    return statement as SqliteDatabase.Statement<[...P], T>;
  }

  all<T>(compilable: Compilable<T>): T[] {
    const { sql, parameters } = compilable.compile();
    return this.prepare<unknown[], T>(sql).all(...parameters);
  }

  first<T>(compilable: Compilable<T>): T | undefined {
    const { sql, parameters } = compilable.compile();
    return this.prepare<unknown[], T>(sql).get(...parameters);
  }

  each<T>(compilable: Compilable<T>): IterableIterator<T> {
    const { sql, parameters } = compilable.compile();
    // Not the cached statement, which would be busy until the iteration ends.
    return watched(this.connection.prepare<unknown[], T>(sql), this.#watch).iterate(...parameters);
  }

  /**
   * Calls `visit` with the columns of every row of a query, in which `FROM` and all that follows is given: the cheapest way to look at
   * millions of rows. The first argument has no meaning. Within `visit` the connection can do nothing else. An error that it throws ends the reading.
   */
  visitRows<V extends readonly unknown[]>(
    columns: readonly string[],
    from: string,
    parameters: readonly unknown[],
    visit: (nothing: null, ...values: V) => void,
  ): void {
    this.connection.aggregate('visit_row', {
      start: null,
      step: visit as unknown as (nothing: null, ...values: unknown[]) => void,
      directOnly: true,
    });
    this.readingThrough(() =>
      watched(this.connection.prepare<unknown[], unknown>(`SELECT visit_row(${columns.join(', ')}) ${from}`), this.#watch).get(
        ...parameters,
      ),
    );
  }

  #run(compilable: Compilable<unknown>): { changes: number; lastInsertId: number } {
    const { sql, parameters } = compilable.compile();
    const { changes, lastInsertRowid } = this.prepare<unknown[], unknown>(sql).run(...parameters);
    return { changes, lastInsertId: Number(lastInsertRowid) };
  }

  /** Runs `work` in one immediate transaction; whatever it throws rolls everything back. Synchronous by type. */
  write<T>(work: (handle: WriteHandle) => T extends Promise<unknown> ? never : T): T {
    const handle = {
      all: this.all.bind(this),
      first: this.first.bind(this),
      each: this.each.bind(this),
      prepare: this.prepare.bind(this),
      run: this.#run.bind(this),
      lastly: (last: (content: string | null) => void) => void this.#lastWorks.push(last),
      putBack: (table: string, id: number) => this.#keeper?.touchRow(table, id),
      stateChunks: (sealed: SealedChunks) => this.#keeper?.stateChunks(sealed),
      stateIndex: (sha256: Buffer | null) => this.#keeper?.stateIndex(sha256),
    } as unknown as WriteHandle;
    if (this.connection.inTransaction) return this.#within(() => work(handle) as T);
    try {
      return this.#whenFree(() => this.#kept(() => work(handle) as T));
    } catch (error) {
      this.#keeper?.undone();
      throw error;
    }
  }

  /** A part of a transaction that can come to nothing by itself. */
  #within<T>(work: () => T): T {
    const watched = this.#keeper?.watched ?? 0;
    try {
      return this.connection.transaction(work).immediate();
    } catch (error) {
      this.#keeper?.restore(watched);
      throw error;
    }
  }

  /** Does the work of a transaction, and then writes digests and audit entries at its end. */
  #kept<T>(work: () => T): T {
    this.#lastWorks = [];
    this.#keeper?.begin();
    const done = work();
    if (this.#keeper === undefined) for (const last of this.#lastWorks) last(null);
    else this.#keeper.seal(this.#lastWorks);
    return done;
  }

  /** Takes the write lock as soon as it is free. SQLite itself would look again only after longer and longer waits. */
  #whenFree<T>(work: () => T): T {
    const waitNot = this.prepare<[], unknown>('PRAGMA busy_timeout = 0');
    const waitAsEver = this.prepare<[], unknown>(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
    for (let polls = 0; ; polls += 1) {
      let hasBegun = false;
      waitNot.get();
      const transaction = this.connection.transaction(() => {
        hasBegun = true;
        waitAsEver.get();
        return outOfSqlite(this.#watch, work);
      });
      try {
        return inSqlite(this.#watch, () => transaction.immediate()) as T;
      } catch (error) {
        if (hasBegun || !isBusy(error) || polls >= MAX_LOCK_POLLS) throw error;
      } finally {
        if (!hasBegun) waitAsEver.get();
      }
      pause(LOCK_POLL_MS);
    }
  }

  /**
   * For the connection of a job that writes very many rows that nobody sees yet: no transaction waits for the disk, and only
   * `checkpoint` copies what was written from the log into the book. A process that dies loses nothing of it, a machine that stops may lose the newest, in order.
   * The transaction that makes the rows visible comes after `end`, and takes all before it safely to the disk with it. `end` makes the last checkpoint, unless
   * `withoutCheckpoints` left that to others before. `cacheKib`: pages that are kept in memory, for rows that need few of them again. `isVouchedFor`: the statements
   * can write only what the tables allow, so that it need not be looked at row by row.
   */
  beginUnseenWrites({ cacheKib = CACHE_KIB, isVouchedFor = false }: UnseenWrites = {}): () => void {
    const synchronous = String(this.connection.pragma('synchronous', { simple: true }));
    const isLeft = this.connection.pragma('wal_autocheckpoint', { simple: true }) === 0;
    this.connection.pragma('synchronous = NORMAL');
    this.connection.pragma(`cache_size = -${cacheKib}`);
    if (isVouchedFor) this.connection.pragma('ignore_check_constraints = ON');
    const checkpointAgain = this.withoutCheckpoints();
    if (this.#keeper !== undefined) this.#keeper.leavesNewRows = true;
    return () => {
      if (this.#keeper !== undefined) this.#keeper.leavesNewRows = false;
      try {
        if (!isLeft) this.checkpoint();
      } finally {
        checkpointAgain();
        this.connection.pragma(`cache_size = -${CACHE_KIB}`);
        this.connection.pragma('ignore_check_constraints = OFF');
        this.connection.pragma(`synchronous = ${synchronous}`);
      }
    };
  }

  /** From now on commits of this connection make no checkpoints, because another connection makes them. Call the answer to end that. */
  withoutCheckpoints(): () => void {
    const pages = String(this.connection.pragma('wal_autocheckpoint', { simple: true }));
    this.connection.pragma('wal_autocheckpoint = 0');
    return () => void this.connection.pragma(`wal_autocheckpoint = ${pages}`);
  }

  /** A WAL checkpoint: copies what was committed from the log into the book, as far as no reader needs the log. Nobody waits for it. */
  checkpoint(): void {
    inSqlite(this.#watch, () => this.connection.pragma('wal_checkpoint(PASSIVE)'));
  }

  /** A checkpoint of the whole log, which is emptied: the book is then complete in its one file. False if somebody is in the way; nobody waits for them. */
  checkpointAll(): boolean {
    this.connection.pragma('busy_timeout = 0');
    try {
      const [done] = this.connection.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[];
      return done?.busy === 0;
    } catch (error) {
      // The disk is full, or this connection itself is reading. What stands in the log is safe there.
      if (error instanceof Error && 'code' in error) return false;
      throw error;
    } finally {
      this.connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  /** For a read that goes through much of the book once, with a small cache: its pages would push out all others, and not all of their memory would be given back. */
  readingThrough<T>(read: () => T): T {
    this.connection.pragma(`cache_size = -${CACHE_OF_VISITS_KIB}`);
    try {
      return read();
    } finally {
      this.connection.pragma(`cache_size = -${CACHE_KIB}`);
    }
  }

  /** Gives back the memory of cached pages; for a job that works without the book for a while. */
  forgetPages(): void {
    this.connection.pragma('shrink_memory');
  }

  /** Switches foreign keys off, for a connection that deletes nothing and checks by itself that what its rows refer to exists. */
  leaveParentsUnchecked(): void {
    this.connection.pragma('foreign_keys = OFF');
  }

  /** Several reads of one snapshot. */
  snapshot<T>(work: () => T): T {
    return this.connection.transaction(work).deferred();
  }

  /** Several reads of one snapshot of a book that may be damaged. They end without a commit, which a damaged book may refuse. */
  look<T>(work: () => T): T {
    this.connection.exec('BEGIN');
    try {
      return work();
    } finally {
      if (this.connection.inTransaction) this.connection.exec('ROLLBACK');
    }
  }

  close(): void {
    this.#statements.clear();
    inSqlite(this.#watch, () => {
      this.#before?.close();
      this.connection.close();
    });
  }
}

/** Whether an error says that the disk, or the room given to the book, is full. */
export function isStorageFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'SQLITE_FULL' || error.code === 'ENOSPC');
}
