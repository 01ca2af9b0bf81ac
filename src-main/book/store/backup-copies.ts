import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { faultWords } from './quick-check.ts';
import { makePrivateFile, makePrivateFolder, removeDatabase } from './private-files.ts';
import { backupsFolder, type BookFacts, newBackupFile, noteFile, noteOf, pruneBackups, writingName } from './backup-files.ts';

/** A copy that is damaged, or differs from the book that it was made of. */
export class UnsoundCopy extends Error {
  override readonly name = 'UnsoundCopy';
}

const IS_VISIBLE = 'batch_id IS NULL OR batch_id NOT IN (SELECT id FROM import_batches WHERE writing = 1)';

/** What a book of any version holds. */
export function bookFacts(connection: SqliteDatabase.Database): BookFacts {
  const count = (from: string): number => Number(connection.prepare(`SELECT count(*) FROM ${from}`).pluck().get());
  const head = connection.prepare('SELECT hash FROM audit_log ORDER BY id DESC LIMIT 1').pluck().get() as string | undefined;
  return { records: count(`records WHERE ${IS_VISIBLE}`), audit_entries: count('audit_log'), head: head ?? null };
}

/** What SQLite finds wrong with a file, in its own words; null for nothing. */
export function faultOfFile(connection: SqliteDatabase.Database): string | null {
  const found = String(connection.prepare('PRAGMA integrity_check(1)').pluck().get());
  return found === 'ok' ? null : faultWords(found);
}

/** A book from which a copy is made. To be closed. */
interface CopySource {
  /** What the copy will hold. */
  readonly facts: BookFacts;
  readonly version: number;
  /** Copies step by step, with a turn of the event loop between them; what `onStep` throws ends it. */
  readonly copyTo: (temporary: string, onStep: (donePages: number, totalPages: number) => void) => Promise<unknown>;
  readonly close: () => void;
}

/** Pages of one step, about a megabyte. */
const STEP_PAGES = 256;

/** Holds a book as it is at this moment: writers go on, and the copy is of this moment, however long it takes. */
export function openCopySource(book: string): CopySource {
  const connection = new SqliteDatabase(book, { fileMustExist: true });
  try {
    const version = Number(connection.pragma('user_version', { simple: true }));
    connection.exec('BEGIN');
    const facts = bookFacts(connection);
    return {
      facts,
      version,
      copyTo: (temporary, onStep) =>
        connection.backup(temporary, {
          progress: ({ totalPages, remainingPages }) => {
            onStep(totalPages - remainingPages, totalPages);
            return STEP_PAGES;
          },
        }),
      close: () => connection.close(),
    };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Makes the empty file that will become a copy. Only its owner can read it. */
export function beginCopy(target: string): string {
  makePrivateFolder(path.dirname(target));
  const temporary = writingName(target);
  removeDatabase(temporary);
  makePrivateFile(temporary);
  return temporary;
}

/** Deletes items of a bulk request that is stored just now: where the copy is restored, nobody accepts them any more. An older book has no such items. */
function clearStrayItems(connection: SqliteDatabase.Database): void {
  const hasBodies = connection.prepare("SELECT 1 FROM pragma_table_info('bulk_items') WHERE name = 'body_id'").get();
  if (hasBodies === undefined) return;
  connection.prepare('DELETE FROM bulk_items WHERE body_id NOT IN (SELECT body_id FROM bulk_requests)').run();
}

/** Makes a copy a single file that needs no log beside it, and checks that it is sound and holds what it should. */
export function checkCopy(temporary: string, facts: BookFacts): void {
  const connection = new SqliteDatabase(temporary);
  try {
    connection.pragma('journal_mode = DELETE');
    const fault = faultOfFile(connection);
    if (fault !== null) throw new UnsoundCopy(`The copy is damaged (${fault}), so it was not kept: look at the disk that it is on.`);
    clearStrayItems(connection);
    const found = bookFacts(connection);
    if (found.records !== facts.records || found.audit_entries !== facts.audit_entries || found.head !== facts.head) {
      throw new UnsoundCopy('The copy does not hold what the book holds, so it was not kept: try again.');
    }
  } finally {
    connection.close();
  }
}

interface KeptCopy {
  readonly bytes: number;
  readonly sha256: string;
}

/** Writes a checked copy to the disk and gives it its name in one step. What it holds, and the digest of its file, are noted beside it. */
export function keepCopy(temporary: string, target: string, facts: BookFacts): KeptCopy {
  syncToDisk(temporary);
  const kept = { bytes: statSync(temporary).size, sha256: digestOfFile(temporary) };
  makePrivateFile(noteFile(target));
  writeFileSync(noteFile(target), noteOf(facts, kept));
  syncToDisk(noteFile(target));
  renameSync(temporary, target);
  syncToDisk(path.dirname(target));
  return kept;
}

const READ_BYTES = 1_048_576;

/** SHA-256 of a file, in hexadecimal; it may be larger than memory. Nobody may have it open as a database. */
export function digestOfFile(file: string): string {
  const hash = createHash('sha256');
  const bytes = Buffer.alloc(READ_BYTES);
  const descriptor = openSync(file, 'r');
  try {
    for (let count = readSync(descriptor, bytes); count > 0; count = readSync(descriptor, bytes)) hash.update(bytes.subarray(0, count));
  } finally {
    closeSync(descriptor);
  }
  return hash.digest('hex');
}

export function syncToDisk(place: string): void {
  // Windows opens no folders, and names new files safely by itself.
  if (process.platform === 'win32' && statSync(place).isDirectory()) return;
  const descriptor = openSync(place, process.platform === 'win32' ? 'r+' : 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Before a book is brought to another version: a backup of it as it is, while nobody else is in it. Answers its path. */
export function backupBeforeMigration(connection: SqliteDatabase.Database, dataFolder: string): string {
  const facts = bookFacts(connection);
  makePrivateFolder(backupsFolder(dataFolder));
  const temporary = beginCopy(path.join(backupsFolder(dataFolder), 'book'));
  try {
    connection.prepare('VACUUM INTO ?').run(temporary);
    checkCopy(temporary, facts);
    const madeAtMs = statSync(temporary).mtimeMs;
    const target = newBackupFile(dataFolder, 'before_migration', madeAtMs);
    keepCopy(temporary, target, facts);
    pruneBackups(dataFolder, madeAtMs);
    return target;
  } finally {
    removeDatabase(temporary);
  }
}
