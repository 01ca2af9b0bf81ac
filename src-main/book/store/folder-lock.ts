import { existsSync, lstatSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { BOOK_FILE, HOLDER_FILE, isAlive, LOCK_FILE } from './book-folder.ts';
import { makePrivateFile, makePrivateFolder } from './private-files.ts';

export interface FolderLock {
  readonly release: () => void;
  /** Releases the lock, and removes the lock file and folders that locking created, unless something else is in them. */
  readonly withdraw: () => void;
  /** Notes in the lock file that a book is here, so that its loss is noticed later. */
  readonly noteBook: () => void;
  /** Writes into the holder file where commands reach this process; null if they no longer can. */
  readonly noteDoor: (door: DoorAddress | null) => void;
}

/** The address at which a command reaches the process that holds a folder. The secret proves that the command may read the holder file. */
export interface DoorAddress {
  /** The path of a local socket, or the name of a pipe. */
  readonly place: string;
  readonly secret: string;
}

/** The process that holds a folder, for others that find it in use. */
interface FolderHolder {
  readonly pid: number;
  /** How the process was started, such as `tieout reconcile`. */
  readonly what: string;
  readonly sinceMs: number;
  readonly door?: DoorAddress | undefined;
}

/** Keeps the connections from being garbage-collected, which would close them and free their locks. */
const held = new Set<SqliteDatabase.Database>();

/** Writes the holder file. Without space for it the folder is held all the same. */
function tellHolder(dataFolder: string, holder: FolderHolder): void {
  try {
    writeFileSync(path.join(dataFolder, HOLDER_FILE), JSON.stringify(holder), { mode: 0o600 });
  } catch {
    rmSync(path.join(dataFolder, HOLDER_FILE), { force: true });
  }
}

/** Locks a file for this process as long as the connection is open; returns null if another process holds it. */
function exclusive(file: string): SqliteDatabase.Database | null {
  const connection = new SqliteDatabase(file, { timeout: 200 });
  try {
    // Keeps a commit from freeing the file.
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
 * Locks a data folder for this process. The lock is an exclusive transaction on its own database, so the operating system frees it however the
 * process dies; there is no stale lock to clear.
 */
export function lockFolder(dataFolder: string, holder: FolderHolder): Result<FolderLock, 'in_use'> {
  const file = path.join(dataFolder, LOCK_FILE);
  const made = missingOf(file);
  makePrivateFolder(dataFolder);
  // Only SQLite may open the file: closing it elsewhere would lose every lock of this process on it.
  if (!existsSync(file)) makePrivateFile(file);
  const connection = exclusive(file);
  if (connection === null) return failed('in_use');
  // The folder may be reachable by another path, or have lost its lock file; the book itself is the same.
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
      // A book that was created or restored just now is another file.
      ofBook.take();
      noteBook(connection);
    },
    noteDoor: (door) => tellHolder(dataFolder, { ...holder, door: door ?? undefined }),
  });
}

/** Returns the missing ones of a file and the folders above it, innermost first. */
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
    // The folder is not empty, so it stays.
  }
}

/** Returns the process that holds a folder; null if unknown, or if the process is dead. */
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
 * Locks a book itself, by device and inode, with a file in the user's own folder among the temporary files. Without an inode, or if the folder is not
 * the user's own, only the data folder's lock remains.
 */
class BookLock {
  readonly #book: string;
  #file: string | null = null;
  #connection: SqliteDatabase.Database | null = null;

  constructor(book: string) {
    this.#book = book;
  }

  /** Locks the present book in place of an earlier one. Returns false if another process holds it. */
  take(): boolean {
    const file = lockFileOf(this.#book);
    if (file === this.#file) return true;
    let connection: SqliteDatabase.Database | null = null;
    if (file !== null) {
      try {
        if (!existsSync(file)) makePrivateFile(file);
        connection = exclusive(file);
      } catch {
        // There is no space for the file, or it cannot be locked there.
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

/** Returns the lock file of a book; null if there is no book or it has no inode. */
function lockFileOf(book: string): string | null {
  try {
    const found = statSync(book, { bigint: true, throwIfNoEntry: false });
    // Some file systems of Windows have no inodes.
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
