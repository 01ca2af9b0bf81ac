import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { phrase } from '../../../src-shared/words/say.ts';

export const BOOK_FILE = 'book.sqlite';
export const LOCK_FILE = 'book.lock';
/** States which process holds the folder. */
export const HOLDER_FILE = 'book.holder.json';
/** States the length of the book's audit log. */
export const ANCHOR_FILE = 'book.anchor';
export const BACKUPS_FOLDER = 'backups';
export const UPLOADS_FOLDER = 'uploads';
/** Encrypted keys of remotes; no part of a backup. */
export const SYNC_KEYS_FILE = 'sync-keys.json';
/** The name of a new book until it is complete. */
export const MAKING = `${BOOK_FILE}.making-`;
/** The name of a restored book until it is put into place. */
export const RESTORING = `${BOOK_FILE}.restoring-`;

/** The length of SQLite's own header; a shorter file holds nothing. */
const HEADER_BYTES = 100;

/** `missing`: there is no book, and signs that there was one. `empty`: the file is too short to hold anything. */
type FolderState = 'new' | 'present' | 'missing' | 'empty';

export function stateOfFolder(folder: string): FolderState {
  const book = statSync(path.join(folder, BOOK_FILE), { throwIfNoEntry: false });
  if (book !== undefined) return book.isFile() && book.size < HEADER_BYTES ? 'empty' : 'present';
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true && readdirSync(folder).some((name) => isTrace(folder, name))
    ? 'missing'
    : 'new';
}

/**
 * Whether a file shows that a book was here. A failed first start or restore leaves no such file: its lock is empty, and its book has another name.
 */
function isTrace(folder: string, name: string): boolean {
  if (name === BACKUPS_FOLDER) return true;
  if (name === HOLDER_FILE || !name.startsWith('book.') || name.startsWith(MAKING) || name.startsWith(RESTORING)) return false;
  return name !== LOCK_FILE || (statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Returns why a book cannot be written where it is; null if it can, or if there is none yet. */
export function writeFault(folder: string): string | null {
  const places = ['', BOOK_FILE, `${BOOK_FILE}-wal`, `${BOOK_FILE}-shm`, LOCK_FILE].map((name) => path.join(folder, name));
  for (const place of places) {
    if (!existsSync(place)) continue;
    try {
      accessSync(place, constants.W_OK);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : '';
      return code === 'EROFS'
        ? phrase('book.bookFolder.theDiskOfIsReadOnly', { place })
        : phrase('book.bookFolder.isReadOnlyForThisUser', { place });
    }
  }
  return null;
}

/** Returns the path of a folder without links. The end of it that is not there yet stays as it is named. */
export function truePath(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    const above = path.dirname(folder);
    return above === folder ? folder : path.join(truePath(above), path.basename(folder));
  }
}

/** Whether a process with that id is running, even another user's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
