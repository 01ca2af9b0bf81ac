import { existsSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { failed, type Result, success } from '../../src-shared/values/result.ts';
import { LOCK_FILE } from './book-folder.ts';
import { makePrivateFile, makePrivateFolder } from './private-files.ts';

export interface FolderLock {
  readonly release: () => void;
  /** Notes that a book is here: should it be gone one day, that is known. */
  readonly noteBook: () => void;
}

/** Keeps the connections alive: a collected one is closed, and its lock with it, under a process that works on. */
const held = new Set<SqliteDatabase.Database>();

/**
 * Takes a data folder for this process. The lock is an exclusive transaction on a database of its own, so the operating
 * system frees it when the process dies, however it dies; there is no stale lock to clear.
 */
export function lockFolder(dataFolder: string): Result<FolderLock, 'in_use'> {
  makePrivateFolder(dataFolder);
  const file = path.join(dataFolder, LOCK_FILE);
  // Never opened but by SQLite: to close a file loses every lock of this process on it.
  if (!existsSync(file)) makePrivateFile(file);
  const connection = new SqliteDatabase(file, { timeout: 200 });
  try {
    // So that a commit does not free the folder either.
    connection.pragma('locking_mode = EXCLUSIVE');
    connection.pragma('journal_mode = MEMORY');
    connection.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    connection.close();
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')) return failed('in_use');
    throw error;
  }
  held.add(connection);
  return success({
    release: () => {
      held.delete(connection);
      connection.close();
    },
    noteBook: () => noteBook(connection),
  });
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
