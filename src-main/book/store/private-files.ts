import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { BACKUPS_FOLDER, SYNC_KEYS_FILE, UPLOADS_FOLDER } from './book-folder.ts';

/** On Windows a folder's own permissions apply to its content; there is nothing to set. */
const HAS_MODES = process.platform !== 'win32';
const OWNER_FOLDER = 0o700;
const OWNER_FILE = 0o600;
const OTHERS = 0o077;

/**
 * Creates a folder that only its owner can use, and those above it, if they are missing. They are made one by one, since `recursive` tries for ever
 * where a file system such as that of `/proc` says that the folder above is not there.
 */
export function makePrivateFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = path.dirname(folder);
  if (above !== folder) makePrivateFolder(above);
  try {
    mkdirSync(folder, { mode: OWNER_FOLDER });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!existsSync(folder)) throw error;
  }
}

/** Creates an empty file that only its owner can use; SQLite gives a database's companions the same mode. Returns false if the file exists. */
export function makePrivateFile(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', OWNER_FILE));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** The suffixes of files that SQLite may create beside a database. */
export const BESIDE = ['-journal', '-wal', '-shm'] as const;

/** Removes a database that no process has open, with its companions. */
export function removeDatabase(file: string): void {
  for (const beside of ['', ...BESIDE]) rmSync(`${file}${beside}`, { force: true });
}

/**
 * Removes other users' permissions on the files of a book, and on its folder if it contains nothing else; a folder with other content is for its
 * owner to protect. Ignores systems that do not allow it.
 */
export function closeToOthers(folder: string): void {
  if (!HAS_MODES) return;
  const names = readdirSync(folder);
  for (const name of names.filter(isOwn)) tighten(path.join(folder, name));
  if (names.every(isOwn)) tighten(folder);
}

/** Whether a file or folder of a data folder is of the book, by its name. */
export function isOwn(name: string): boolean {
  return (
    name === BACKUPS_FOLDER ||
    name === UPLOADS_FOLDER ||
    name === SYNC_KEYS_FILE ||
    name.startsWith('book.') ||
    name.startsWith('tieout-reading-')
  );
}

/** Uses the path only: opening and closing a file of SQLite would lose the locks that this process holds on it. */
export function tighten(place: string): void {
  const found = statSync(place, { throwIfNoEntry: false });
  if (!HAS_MODES || found === undefined || (found.mode & OTHERS) === 0) return;
  try {
    chmodSync(place, found.isDirectory() ? OWNER_FOLDER : OWNER_FILE);
  } catch {
    // The file belongs to another user, or the disk has no modes.
  }
}
