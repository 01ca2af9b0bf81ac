import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { BACKUPS_FOLDER, SYNC_KEYS_FILE, UPLOADS_FOLDER } from './book-folder.ts';

/** On Windows a folder's own rights hold for what is in it; nothing is to be set. */
const HAS_MODES = process.platform !== 'win32';
const OWNER_FOLDER = 0o700;
const OWNER_FILE = 0o600;
const OTHERS = 0o077;

/** Makes a folder that is its owner's alone, where there is none. */
export function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: OWNER_FOLDER });
}

/** Makes an empty file that is its owner's alone; what SQLite lays beside a database has the mode of the database. Answers false where there is a file already. */
export function makePrivateFile(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', OWNER_FILE));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** What SQLite may lay beside a database. */
export const BESIDE = ['-journal', '-wal', '-shm'] as const;

/** Removes a database that nobody has open, with what lies beside it, as far as it is there. */
export function removeDatabase(file: string): void {
  for (const beside of ['', ...BESIDE]) rmSync(`${file}${beside}`, { force: true });
}

/**
 * Takes away what others may do with the files of a book, and with its folder where nothing but the book lies in it: a folder that holds other
 * things as well is its owner's to close. Where the system does not allow it, all stays as it is.
 */
export function closeToOthers(folder: string): void {
  if (!HAS_MODES) return;
  const names = readdirSync(folder);
  for (const name of names.filter(isOwn)) tighten(path.join(folder, name));
  if (names.every(isOwn)) tighten(folder);
}

function isOwn(name: string): boolean {
  return (
    name === BACKUPS_FOLDER ||
    name === UPLOADS_FOLDER ||
    name === SYNC_KEYS_FILE ||
    name.startsWith('book.') ||
    name.startsWith('tieout-reading-')
  );
}

/** By the name alone: to open a file of SQLite, and close it again, would lose the locks that this process holds on it. */
export function tighten(place: string): void {
  const found = statSync(place, { throwIfNoEntry: false });
  if (!HAS_MODES || found === undefined || (found.mode & OTHERS) === 0) return;
  try {
    chmodSync(place, found.isDirectory() ? OWNER_FOLDER : OWNER_FILE);
  } catch {
    // The file belongs to another user, or the disk has no modes.
  }
}
