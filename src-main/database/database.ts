import SqliteDatabase from 'better-sqlite3';
import { type CompiledQuery, DummyDriver, Kysely, type Selectable, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import { ContentKeeper, type SealedChunks } from './digests/keeper.ts';
import type { Tables } from './tables.ts';

/** Called when a thread enters SQLite and when it returns. In between the thread can send no heartbeat. */
export interface StatementWatch {
  readonly enter: () => void;
  readonly leave: () => void;
}

/** For a thread without heartbeats. */
const UNWATCHED: StatementWatch = { enter: () => undefined, leave: () => undefined };

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
function outOfSqlite<T>({ enter, leave }: StatementWatch, work: () => T): T {
  leave();
  try {
    return work();
  } finally {
    enter();
  }
}

/** Returns a statement that reports when it enters SQLite; the statement itself if the thread has no heartbeats. */
function watched<S extends SqliteDatabase.Statement>(statement: S, watch: StatementWatch): S {
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

/** Compiles queries only. better-sqlite3 executes them synchronously, so that no await is possible within a transaction. */
export const query = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

export type Row<T extends keyof Tables> = Selectable<Tables[T]>;

/** A change of some members. A member that is absent or undefined keeps its value. */
export type Change<T> = { readonly [K in keyof T]?: T[K] | undefined };

/** Returns whether a change gives any member a value. */
export function changesAnything(change: Change<object>): boolean {
  return Object.values(change).some((value) => value !== undefined);
}

interface Compilable<T> {
  compile(): CompiledQuery<T>;
}

/** Can read. Every connection is one. */
export interface ReadHandle {
  all<T>(compilable: Compilable<T>): T[];
  first<T>(compilable: Compilable<T>): T | undefined;
  /** Iterates over rows, for results too large for memory. The connection cannot be used until the end. */
  each<T>(compilable: Compilable<T>): IterableIterator<T>;
  /** Returns a prepared statement of hand-written SQL, cached by its text. */
  prepare<P extends readonly unknown[], T>(sql: string): SqliteDatabase.Statement<[...P], T>;
}

declare const WRITES: unique symbol;
/** Can write. `Database.write` passes it to its callback, so that no change happens outside of a transaction. */
export interface WriteHandle extends ReadHandle {
  readonly [WRITES]: true;
  run(compilable: Compilable<unknown>): { changes: number; lastInsertId: number };
  /** Runs work at the end of the transaction, with the hash of everything that the book then holds; null if no digests are kept. */
  lastly(work: (content: string | null) => void): void;
  /** Notes that a row returned under its old id. Must be called for each: inserts of records and matches have no trigger. */
  putBack(table: 'records' | 'matches', id: number): void;
  /** Writes the digests that a large write left pending, see `sealPending`. */
  stateChunks(sealed: SealedChunks): void;
  /** Writes the digest of the word index, see `IndexDigest`; null while the index changes. */
  stateIndex(sha256: Buffer | null): void;
}

const BUSY_TIMEOUT_MS = 10_000;
/** SQLite's own wait for the write lock sleeps longer each time, and so misses the moments between the short transactions of a job. */
const LOCK_POLL_MS = 0.5;
const MAX_LOCK_POLLS = BUSY_TIMEOUT_MS / LOCK_POLL_MS;
const NOTHING = new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread for some milliseconds; for short waits that must not yield, and for job threads. */
export function pause(milliseconds: number): void {
  Atomics.wait(NOTHING, 0, 0, milliseconds);
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}
const MAX_CACHED_STATEMENTS = 500;
const CACHE_KIB = 65_536;
/** The cache for a table that is read once from end to end, whose pages would push all others out of a large cache. */
const CACHE_OF_VISITS_KIB = 4_096;

/** See `Database.beginUnseenWrites`. */
interface UnseenWrites {
  readonly cacheKib?: number;
  readonly isVouchedFor?: boolean;
}

/** The book's schema name on a connection whose main database is an image. */
const BOOK_BESIDE = 'book';

interface DatabaseOptions {
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Opens the book read-only, and leaves the file unchanged. */
  readonly isReadOnly?: boolean;
  /** The bytes of a database with a table, to attach beside the book. */
  readonly image?: Uint8Array;
  /** The watch of a thread that sends heartbeats. */
  readonly watch?: StatementWatch | undefined;
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** One connection. Must not be shared between threads. */
export class Database implements ReadHandle {
  readonly path: string;
  readonly connection: SqliteDatabase.Database;
  readonly #statements = new Map<string, SqliteDatabase.Statement>();
  readonly #watch: StatementWatch;
  #keeper: ContentKeeper | undefined;
  /** A connection that sees the book as it was before the transaction; opened when first needed. */
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
    // A manipulated schema can call only SQLite's own harmless functions.
    this.connection.pragma('trusted_schema = OFF');
    this.connection.pragma('temp_store = MEMORY');
    this.connection.pragma(`${book}.cache_size = -${image === undefined ? CACHE_KIB : CACHE_OF_VISITS_KIB}`);
  }

  /**
   * Returns another connection to the book with a table beside it, which statements see under its own name; its rows need not be bound value by
   * value. Transactions of it do not wait for the disk and make no checkpoints; `beginUnseenWrites` says what that means. The caller must close it.
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
   * Runs `work` with a read-only connection on which a word table has no rows. SQLite checks no page of a file whose word index it cannot open, which
   * is common in damaged files.
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

  /** Makes every transaction keep the digests of what it writes. The book must be at its newest version. */
  keepContent(): void {
    this.#keeper = new ContentKeeper(this.connection, 'main', () => this.#beforeWriting());
    // Statements prepared before would fire no trigger.
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
    // The cached statement would be busy until the iteration ends.
    return watched(this.connection.prepare<unknown[], T>(sql), this.#watch).iterate(...parameters);
  }

  /**
   * Calls `visit` with the columns of every row of a query; `from` is `FROM` and everything after it. This is the cheapest way to read millions of
   * rows. The first argument of `visit` has no meaning. `visit` must not use the connection; an error that it throws ends the reading.
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

  /** Runs `work` in one immediate transaction; anything it throws rolls everything back. The types allow synchronous work only. */
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

  /** Runs a nested part of a transaction, which can be rolled back alone. */
  #within<T>(work: () => T): T {
    const watched = this.#keeper?.watched ?? 0;
    try {
      return this.connection.transaction(work).immediate();
    } catch (error) {
      this.#keeper?.restore(watched);
      throw error;
    }
  }

  /** Runs the work of a transaction, and then writes digests and audit entries. */
  #kept<T>(work: () => T): T {
    this.#lastWorks = [];
    this.#keeper?.begin();
    const done = work();
    if (this.#keeper === undefined) for (const last of this.#lastWorks) last(null);
    else this.#keeper.seal(this.#lastWorks);
    return done;
  }

  /** Takes the write lock as soon as it is free. SQLite itself would poll at longer and longer intervals. */
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
   * For a job's connection that writes very many invisible rows: transactions do not wait for the disk, and only `checkpoint` copies the log into the
   * book. A process that dies loses nothing; a machine that stops may lose the newest transactions, in order. Call the returned function before the
   * transaction that makes the rows visible, which then takes everything safely to the disk. It makes the last checkpoint, unless
   * `withoutCheckpoints` left checkpoints to another connection. `cacheKib` limits the cache for rows that are not read again. With `isVouchedFor`
   * the rows are not checked against the tables' constraints: the caller guarantees them.
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

  /** Stops automatic checkpoints of this connection, because another connection makes them. Call the returned function to resume them. */
  withoutCheckpoints(): () => void {
    const pages = String(this.connection.pragma('wal_autocheckpoint', { simple: true }));
    this.connection.pragma('wal_autocheckpoint = 0');
    return () => void this.connection.pragma(`wal_autocheckpoint = ${pages}`);
  }

  /** Copies the committed log into the book, as far as no reader needs the log. Does not wait for readers. */
  checkpoint(): void {
    inSqlite(this.#watch, () => this.connection.pragma('wal_checkpoint(PASSIVE)'));
  }

  /**
   * Copies the whole log into the book and empties it, so that the book is complete in its one file. Returns false if a reader or writer is in the
   * way; does not wait for them.
   */
  checkpointAll(): boolean {
    this.connection.pragma('busy_timeout = 0');
    try {
      const [done] = this.connection.pragma('wal_checkpoint(TRUNCATE)') as { readonly busy: number }[];
      return done?.busy === 0;
    } catch (error) {
      // The disk is full, or this connection itself is reading. The content of the log stays safe there.
      if (error instanceof Error && 'code' in error) return false;
      throw error;
    } finally {
      this.connection.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    }
  }

  /**
   * Runs a read that goes through much of the book once, with a small cache: its pages would push out all others, and not all of their memory would
   * be freed.
   */
  readingThrough<T>(read: () => T): T {
    this.connection.pragma(`cache_size = -${CACHE_OF_VISITS_KIB}`);
    try {
      return read();
    } finally {
      this.connection.pragma(`cache_size = -${CACHE_KIB}`);
    }
  }

  /** Frees the memory of cached pages, for a job that does not need the book for a while. */
  forgetPages(): void {
    this.connection.pragma('shrink_memory');
  }

  /** Switches foreign keys off. The connection must delete nothing, and check itself that referenced rows exist. */
  leaveParentsUnchecked(): void {
    this.connection.pragma('foreign_keys = OFF');
  }

  /** Runs several reads on one snapshot. */
  snapshot<T>(work: () => T): T {
    return this.connection.transaction(work).deferred();
  }

  /** Runs several reads on one snapshot of a book that may be damaged. Ends without a commit, which a damaged book may refuse. */
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

/** Whether an error says that the disk, or the space allowed to the book, is full. */
export function isStorageFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'SQLITE_FULL' || error.code === 'ENOSPC');
}

/**
 * Whether SQLite found something impossible in the file: a damaged page, no database at all, a broken word index, an unreadable schema. Correct
 * statements raise these errors for no other reason.
 */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  return /^SQLITE_(?:CORRUPT|NOTADB|ERROR|FORMAT|MISMATCH|TOOBIG)/u.test(String(error.code));
}

/** Whether SQLite reports a damaged file, one that is no database, or one with an unreadable schema. */
export function isDamagedFile(error: unknown): error is Error & { readonly code: string } {
  if (!(error instanceof Error && 'code' in error)) return false;
  return /^SQLITE_(?:CORRUPT|NOTADB)/u.test(String(error.code)) || error.message.startsWith('malformed database schema');
}
