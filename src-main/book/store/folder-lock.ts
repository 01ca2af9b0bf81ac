import { existsSync, lstatSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { BOOK_FILE, HOLDER_FILE, isAlive, LOCK_FILE } from './book-folder.ts';
import { makePrivateFile, makePrivateFolder } from './private-files.ts';

export interface FolderLock {
  readonly release: () => void;
  /** Releases it, and takes away what taking it made: the lock file and the folders, where nothing else has come into them. */
  readonly withdraw: () => void;
  /** Notes in the lock file that a book is here, so that its loss is noticed one day. */
  readonly noteBook: () => void;
  /** Writes into the holder file where commands reach this process; null when they cannot any more. */
  readonly noteDoor: (door: DoorAddress | null) => void;
}

/** Where a command reaches the process that holds a folder. The secret proves that the command may read the holder file. */
export interface DoorAddress {
  /** Path of a local socket, or name of a pipe. */
  readonly place: string;
  readonly secret: string;
}

/** Who holds a folder, for those who find it held. */
interface FolderHolder {
  readonly pid: number;
  /** What it is: `tieout reconcile`. */
  readonly what: string;
  readonly sinceMs: number;
  readonly door?: DoorAddress | undefined;
}

/** Keeps the connections alive: a collected one is closed, and its lock with it, under a process that works on. */
const held = new Set<SqliteDatabase.Database>();

/** Tells others who holds the folder. If there is no room for the file, the folder is held all the same. */
function tellHolder(dataFolder: string, holder: FolderHolder): void {
  try {
    writeFileSync(path.join(dataFolder, HOLDER_FILE), JSON.stringify(holder), { mode: 0o600 });
  } catch {
    rmSync(path.join(dataFolder, HOLDER_FILE), { force: true });
  }
}

/** Holds a file for this process, for as long as the connection is open; null where another one holds it. */
function exclusive(file: string): SqliteDatabase.Database | null {
  const connection = new SqliteDatabase(file, { timeout: 200 });
  try {
    // So that a commit does not free the file either.
    connection.pragma('locking_mode = EXCLUSIVE');
    connection.pragma('journal_mode = MEMORY');
    connection.exec('BEGIN EXCLUSIVE');
    return connection;
  } catch (error) {
    connection.close();
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')) return null;
    throw error;
  }
}

/**
 * Takes a data folder for this process. The lock is an exclusive transaction on a database of its own, so the operating
 * system frees it when the process dies, however it dies; there is no stale lock to clear.
 */
export function lockFolder(dataFolder: string, holder: FolderHolder): Result<FolderLock, 'in_use'> {
  const file = path.join(dataFolder, LOCK_FILE);
  const made = missingOf(file);
  makePrivateFolder(dataFolder);
  // Never opened but by SQLite: to close a file loses every lock of this process on it.
  if (!existsSync(file)) makePrivateFile(file);
  const connection = exclusive(file);
  if (connection === null) return failed('in_use');
  // The folder may be reached by another path, or have lost its lock file: the book itself is the same.
  const ofBook = new BookLock(path.join(dataFolder, BOOK_FILE));
  if (!ofBook.take()) {
    connection.close();
    return failed('in_use');
  }
  held.add(connection);
  tellHolder(dataFolder, holder);
  const release = (): void => {
    rmSync(path.join(dataFolder, HOLDER_FILE), { force: true });
    ofBook.release();
    held.delete(connection);
    connection.close();
  };
  return success({
    release,
    withdraw: () => {
      release();
      takeAway(made);
    },
    noteBook: () => {
      // A book that was made or restored just now is another file.
      ofBook.take();
      noteBook(connection);
    },
    noteDoor: (door) => tellHolder(dataFolder, { ...holder, door: door ?? undefined }),
  });
}

/** A file and the folders above it that are not there, the innermost first. */
function missingOf(file: string): string[] {
  const missing: string[] = [];
  for (let place = path.resolve(file); !existsSync(place); place = path.dirname(place)) missing.push(place);
  return missing;
}

function takeAway(made: readonly string[]): void {
  try {
    for (const [place, name] of made.entries()) {
      if (place === 0) rmSync(name);
      else rmdirSync(name);
    }
  } catch {
    // Something else has come into a folder, which is therefore left.
  }
}

/** Who holds a folder that is held. Null where that cannot be said: what a dead process wrote is not believed. */
export function holderOf(dataFolder: string): FolderHolder | null {
  try {
    const { pid, what, sinceMs, door } = JSON.parse(readFileSync(path.join(dataFolder, HOLDER_FILE), 'utf8')) as Partial<FolderHolder>;
    if (typeof pid !== 'number' || typeof what !== 'string' || typeof sinceMs !== 'number') return null;
    const hasDoor = typeof door?.place === 'string' && typeof door.secret === 'string';
    return isAlive(pid) ? { pid, what, sinceMs, door: hasDoor ? door : undefined } : null;
  } catch {
    return null;
  }
}

function noteBook(connection: SqliteDatabase.Database): void {
  if (connection.pragma('user_version', { simple: true }) !== 0) return;
  try {
    connection.pragma('user_version = 1');
    connection.exec('COMMIT; BEGIN EXCLUSIVE');
  } catch {
    // The disk is full: it is noted another time.
    if (!connection.inTransaction) connection.exec('BEGIN EXCLUSIVE');
  }
}

/**
 * Holds a book itself, by the device and the number of its file, in a folder of the user's own among the temporary files. Where the system gives no such number, or
 * the folder is not the user's own, the lock of the data folder is all there is.
 */
class BookLock {
  readonly #book: string;
  #file: string | null = null;
  #connection: SqliteDatabase.Database | null = null;

  constructor(book: string) {
    this.#book = book;
  }

  /** Takes the book that is there now, in place of one that was there before. False where another process has it. */
  take(): boolean {
    const file = lockFileOf(this.#book);
    if (file === this.#file) return true;
    let connection: SqliteDatabase.Database | null = null;
    if (file !== null) {
      try {
        if (!existsSync(file)) makePrivateFile(file);
        connection = exclusive(file);
      } catch {
        // There is no room for the file, or it cannot be locked there.
        return true;
      }
      if (connection === null) return false;
      held.add(connection);
    }
    this.release();
    this.#file = file;
    this.#connection = connection;
    return true;
  }

  release(): void {
    if (this.#connection !== null) held.delete(this.#connection);
    this.#connection?.close();
    this.#connection = null;
    this.#file = null;
  }
}

/** Null where a book is not there, or cannot be told from others by its number. */
function lockFileOf(book: string): string | null {
  try {
    const found = statSync(book, { bigint: true, throwIfNoEntry: false });
    // Some file systems of Windows have no numbers for files.
    if (found === undefined || found.ino === 0n) return null;
    const user = process.getuid?.();
    const folder = path.join(os.tmpdir(), user === undefined ? 'tieout-open-books' : `tieout-open-books-${user}`);
    makePrivateFolder(folder);
    const own = lstatSync(folder);
    if (!own.isDirectory() || (user !== undefined && own.uid !== user)) return null;
    return path.join(folder, `${found.dev}-${found.ino}.lock`);
  } catch {
    return null;
  }
}
