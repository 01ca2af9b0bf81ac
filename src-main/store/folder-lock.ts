import { mkdirSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { failed, type Result, success } from '../../src-shared/values/result.ts';

export interface FolderLock {
  readonly release: () => void;
}

/** Keeps the connections alive: a collected one is closed, and its lock with it, under a process that works on. */
const held = new Set<SqliteDatabase.Database>();

/**
 * Takes a data folder for this process. The lock is an exclusive transaction on a database of its own, so the operating
 * system frees it when the process dies, however it dies; there is no stale lock to clear.
 */
export function lockFolder(dataFolder: string): Result<FolderLock, 'in_use'> {
  mkdirSync(dataFolder, { recursive: true });
  const connection = new SqliteDatabase(path.join(dataFolder, 'book.lock'), { timeout: 200 });
  try {
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
  });
}
