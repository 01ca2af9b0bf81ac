import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { phrase } from '../../../src-shared/words/say.ts';
import { faultWords } from './quick-check.ts';
import { makePrivateFile, makePrivateFolder, removeDatabase } from './private-files.ts';
import { backupsFolder, type BookFacts, newBackupFile, noteFile, noteOf, pruneBackups, writingName } from './backup-files.ts';

/** A copy that is damaged, or differs from the book from which it was made. */
export class UnsoundCopy extends Error {
  override readonly name = 'UnsoundCopy';
}

const IS_VISIBLE = 'batch_id IS NULL OR batch_id NOT IN (SELECT id FROM import_batches WHERE writing = 1)';

/** Returns the facts of a book of any version. */
export function bookFacts(connection: SqliteDatabase.Database): BookFacts {
  const count = (from: string): number => Number(connection.prepare(`SELECT count(*) FROM ${from}`).pluck().get());
  const head = connection.prepare('SELECT hash FROM audit_log ORDER BY id DESC LIMIT 1').pluck().get() as string | undefined;
  return { records: count(`records WHERE ${IS_VISIBLE}`), audit_entries: count('audit_log'), head: head ?? null };
}

/** Returns what SQLite finds wrong with a file, in its own words; null if nothing. */
export function faultOfFile(connection: SqliteDatabase.Database): string | null {
  const found = String(connection.prepare('PRAGMA integrity_check(1)').pluck().get());
  return found === 'ok' ? null : faultWords(found);
}

/** A book from which a copy is made. The caller must close it. */
interface CopySource {
  /** The content of the copy. */
  readonly facts: BookFacts;
  readonly version: number;
  /** Copies step by step, with a turn of the event loop in between. An error of `onStep` ends it. */
  readonly copyTo: (temporary: string, onStep: (donePages: number, totalPages: number) => void) => Promise<unknown>;
  readonly close: () => void;
}

/** Pages of one step, about a megabyte. */
const STEP_PAGES = 256;

/** Opens a snapshot of a book. Writers continue, and the copy has the state of this moment, however long it takes. */
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

/** Creates the empty file of a copy, readable only by its owner. */
export function beginCopy(target: string): string {
  makePrivateFolder(path.dirname(target));
  const temporary = writingName(target);
  removeDatabase(temporary);
  makePrivateFile(temporary);
  return temporary;
}

/** Deletes items of bulk requests that are being stored: in a restored copy nothing would accept them. An older book has no such items. */
function clearStrayItems(connection: SqliteDatabase.Database): void {
  const hasBodies = connection.prepare("SELECT 1 FROM pragma_table_info('bulk_items') WHERE name = 'body_id'").get();
  if (hasBodies === undefined) return;
  connection.prepare('DELETE FROM bulk_items WHERE body_id NOT IN (SELECT body_id FROM bulk_requests)').run();
}

/** Makes a copy a single file without a log, and checks that it is sound and has the expected content. */
export function checkCopy(temporary: string, facts: BookFacts): void {
  const connection = new SqliteDatabase(temporary);
  try {
    connection.pragma('journal_mode = DELETE');
    const fault = faultOfFile(connection);
    if (fault !== null) throw new UnsoundCopy(phrase('book.backupCopies.copyIsDamaged', { fault }));
    clearStrayItems(connection);
    const found = bookFacts(connection);
    if (found.records !== facts.records || found.audit_entries !== facts.audit_entries || found.head !== facts.head) {
      throw new UnsoundCopy(phrase('book.backupCopies.theCopyDoesNotHold'));
    }
  } finally {
    connection.close();
  }
}

interface KeptCopy {
  readonly bytes: number;
  readonly sha256: string;
}

/** Flushes a checked copy to the disk and gives it its name in one step. Notes its content and digest beside it. */
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

/** Returns the SHA-256 of a file in hexadecimal; the file may be larger than memory. It must not be open as a database. */
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
  // Windows cannot open folders, and stores new names safely by itself.
  if (process.platform === 'win32' && statSync(place).isDirectory()) return;
  const descriptor = openSync(place, process.platform === 'win32' ? 'r+' : 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Backs up a book before a migration, while no other process has it open. Returns the path. */
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
