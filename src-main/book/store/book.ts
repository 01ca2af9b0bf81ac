import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { assert } from '../../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { Database, isDamagedFile, isStorageFull, type StatementWatch } from '../../database/database.ts';
import { noteFaults, stateContent } from '../../database/digests/whole-content.ts';
import { BOOK_VERSION, type Migration, MIGRATIONS } from '../../database/migrations/list.ts';
import { appendBookAudit } from './audit.ts';
import { backupBeforeMigration, syncToDisk } from './backup-copies.ts';
import { backupsFolder } from './backup-files.ts';
import { BOOK_FILE, isAlive, MAKING, RESTORING, stateOfFolder, writeFault } from './book-folder.ts';
import { closeToOthers, makePrivateFile, makePrivateFolder, removeDatabase } from './private-files.ts';
import { quickFault } from './quick-check.ts';
import { restoreAdvice } from './restore-advice.ts';

/** "TieO" marks a SQLite file as a book of Tieout. */
const APPLICATION_ID = 0x5469_654f;

export interface OpenFailure {
  readonly code: 'newer_version' | 'folder_unusable' | 'storage_full' | 'damaged' | 'other_program' | 'book_missing' | 'book_empty';
  readonly message: string;
  /** The fault of a restorable book, without the advice that ends the message. */
  readonly wrong?: string;
}

interface OpenOptions {
  readonly synchronous: 'FULL' | 'NORMAL';
  /** Checks the file quickly before anything else. */
  readonly isChecked?: boolean;
  /** The watch of a thread that sends heartbeats. */
  readonly watch?: StatementWatch | undefined;
}

/** Migrates a book to the newest version. Backs an older one up before, unless it is a copy itself. */
export function migrate(database: Database, isBackedUp: boolean, migrations: readonly Migration[] = MIGRATIONS): void {
  const { connection } = database;
  const version = () => Number(connection.pragma('user_version', { simple: true }));
  const found = version();
  if (found > 0 && found < migrations.length) {
    // A backup of the book as it was, before anything is changed.
    if (isBackedUp) backupBeforeMigration(connection, path.dirname(database.path));
    connection.transaction(() => noteFaults(connection)).immediate();
  }
  for (const migration of migrations.slice(found)) {
    connection
      .transaction(() => {
        // Another process may have done it while this one waited for the lock.
        if (version() >= migration.version) return;
        connection.exec(migration.sql);
        connection.pragma(`user_version = ${migration.version}`);
        connection.pragma(`application_id = ${APPLICATION_ID}`);
        if (migration.version === migrations.length) stateContent(connection, false);
      })
      .immediate();
  }
  assert(version() === migrations.length, 'the book is at its newest version');
}

/** Returns the failure of a missing, empty or damaged book, with advice for the restore. */
function lost(code: 'damaged' | 'book_missing' | 'book_empty', wrong: string, dataFolder: string): OpenFailure {
  return { code, wrong, message: `${wrong} ${restoreAdvice(dataFolder, code === 'damaged')}` };
}

/** Returns why a book cannot be opened, in words. */
export function openFailure(error: unknown, file: string): OpenFailure {
  const reason = error instanceof Error ? error.message : String(error);
  if (isStorageFull(error)) {
    return { code: 'storage_full', message: phrase('book.book.diskIsFull', { file }) };
  }
  if (isDamagedFile(error)) {
    return lost('damaged', phrase('book.book.isNotABookOfTieout', { file, reason }), path.dirname(file));
  }
  return {
    code: 'folder_unusable',
    message: phrase('book.book.dataFolderCannotBeUsed', { reason, dirname: path.dirname(file) }),
  };
}

/** Returns the failure of a missing or empty book; null if there is one, or a new one may be created. */
export function lostBook(dataFolder: string): OpenFailure | null {
  const state = stateOfFolder(dataFolder);
  const file = path.join(dataFolder, BOOK_FILE);
  if (state === 'missing') {
    const wrong = phrase('book.book.theBookOfIsGone', { dataFolder, file });
    return lost('book_missing', wrong, dataFolder);
  }
  if (state !== 'empty') return null;
  return lost('book_empty', phrase('book.book.theBookIsEmptySomething', { file }), dataFolder);
}

/** Returns why the book of a folder cannot be opened, without changing anything; null if it can, or if a new one may be created. */
export function folderFailure(dataFolder: string): OpenFailure | null {
  const lost = lostBook(dataFolder);
  if (lost !== null) return lost;
  const fault = writeFault(dataFolder);
  if (fault === null) return null;
  return {
    code: 'folder_unusable',
    message: phrase('book.book.bookInCannotBeWritten', { dataFolder, fault }),
  };
}

/** Returns why this Tieout cannot use a file as a book, without changing anything; null if it can. */
export function fileFailure(file: string, dataFolder: string, isChecked: boolean): OpenFailure | null {
  try {
    return foreignFile(file, dataFolder, isChecked);
  } catch (error) {
    return openFailure(error, file);
  }
}

/** Checks a file without changing it: neither another program's database nor a damaged book may be changed. */
function foreignFile(file: string, dataFolder: string, isChecked: boolean): OpenFailure | null {
  const connection = new SqliteDatabase(file, { readonly: true });
  try {
    const version = Number(connection.pragma('user_version', { simple: true }));
    const application = Number(connection.pragma('application_id', { simple: true }));
    // Counted last, because SQLite reads the whole schema for it.
    const isEmpty = () => Number(connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()) === 0;
    if (application !== APPLICATION_ID && !isEmpty()) {
      return {
        code: 'other_program',
        message: phrase('book.book.isADatabaseOfAnotherProgram', { file }),
      };
    }
    if (version > BOOK_VERSION) {
      return {
        code: 'newer_version',
        message: phrase('book.book.theBookInWasWritten', { dataFolder, version, bookVersion: BOOK_VERSION }),
      };
    }
    const fault = cutFault(connection, file) ?? (isChecked ? quickFault(connection) : null);
    return fault === null ? null : lost('damaged', phrase('book.book.theBookIsDamagedNothing', { file, fault }), dataFolder);
  } finally {
    connection.close();
  }
}

/** Detects a file that ends within a page, for which SQLite would read zeros. With a log, the last page may be there. */
function cutFault(connection: SqliteDatabase.Database, file: string): string | null {
  const pageBytes = Number(connection.pragma('page_size', { simple: true }));
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  return hasLog || statSync(file).size % pageBytes === 0 ? null : phrase('book.book.itEndsInTheMiddle');
}

/** Creates the book of a folder under another name, and renames it once it is complete, so that a partial book is never taken for one. */
function makeBook(dataFolder: string, options: OpenOptions): void {
  const file = path.join(dataFolder, BOOK_FILE);
  clearUnfinished(dataFolder);
  const making = path.join(dataFolder, `${MAKING}${process.pid}`);
  makePrivateFile(making);
  try {
    const database = new Database(making, options);
    try {
      // An interrupted creation leaves nothing, so it waits for the disk only once, at the end.
      database.connection.pragma('synchronous = OFF');
      migrate(database, false);
      // On a full disk, closing would leave the rest in the log without an error, and the book would be incomplete.
      if (!database.checkpointAll()) throw Object.assign(new Error('there is no room for a new book'), { code: 'SQLITE_FULL' });
    } finally {
      database.close();
    }
    syncToDisk(making);
    giveName(making, file);
    syncToDisk(dataFolder);
  } finally {
    removeDatabase(making);
  }
}

/** Creates a new book in place of a lost one, whose rest must have been moved away. */
export function makeAnew(dataFolder: string): void {
  makePrivateFolder(dataFolder);
  makeBook(dataFolder, { synchronous: 'FULL' });
}

/** Gives a new book its name. If another process has created the book meanwhile, that one is kept. */
function giveName(making: string, file: string): void {
  try {
    linkSync(making, file);
  } catch (error) {
    if (existsSync(file)) return;
    // The disk has no hard links.
    if (!(error instanceof Error && 'code' in error)) throw error;
    renameSync(making, file);
  }
}

/** Removes what a process left that died while it created or restored a book. */
export function clearUnfinished(dataFolder: string): void {
  for (const name of readdirSync(dataFolder)) {
    const [, pid] = /\.(?:making|restoring)-(\d+)(?:-\w+)?$/.exec(name) ?? [];
    const isOurs = name.startsWith(MAKING) || name.startsWith(RESTORING);
    if (isOurs && pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid))))
      rmSync(path.join(dataFolder, name), { force: true });
  }
}

/** Opens a damaged book read-only. Returns null if its first tables are unreadable, or if it would need a migration. */
export function openDamagedBook(dataFolder: string): Database | null {
  let database: Database | undefined;
  try {
    database = new Database(path.join(dataFolder, BOOK_FILE), { synchronous: 'FULL', isReadOnly: true });
    const { connection } = database;
    if (connection.pragma('user_version', { simple: true }) !== BOOK_VERSION) throw new Error('an older book is changed when it is opened');
    for (const table of ['settings', 'streams', 'reconciliations', 'audit_log']) connection.prepare(`SELECT * FROM ${table} LIMIT 1`).get();
    return database;
  } catch {
    database?.close();
    return null;
  }
}

/** Opens the book of a data folder, creates it if there never was one, and migrates it to the newest version. */
export function openBook(dataFolder: string, options: OpenOptions = { synchronous: 'FULL' }): Result<Database, OpenFailure> {
  const file = path.join(dataFolder, BOOK_FILE);
  let database: Database | undefined;
  try {
    const failure = folderFailure(dataFolder);
    if (failure !== null) return failed(failure);
    makePrivateFolder(dataFolder);
    if (!existsSync(file)) makeBook(dataFolder, options);
    const foreign = foreignFile(file, dataFolder, options.isChecked === true);
    if (foreign !== null) return failed(foreign);
    makePrivateFolder(backupsFolder(dataFolder));
    closeToOthers(dataFolder);
    database = new Database(file, options);
    migrate(database, true);
    database.keepContent();
    return success(database);
  } catch (error) {
    database?.close();
    return failed(openFailure(error, file));
  }
}

interface RunUnderWay {
  readonly id: number;
  readonly reconciliation: string;
}

/** Returns the runs on which the process that holds the book is working; empty if that is unknown. Changes nothing. */
export function runsUnderWay(dataFolder: string): RunUnderWay[] {
  let connection: SqliteDatabase.Database | undefined;
  try {
    connection = new SqliteDatabase(path.join(dataFolder, BOOK_FILE), { readonly: true });
    return connection
      .prepare<[], RunUnderWay>(
        "SELECT r.id, c.name AS reconciliation FROM runs r JOIN reconciliations c ON c.id = r.reconciliation_id WHERE r.status = 'running' ORDER BY r.id",
      )
      .all();
  } catch {
    return [];
  } finally {
    connection?.close();
  }
}

/** Accepts the content of a book, whatever wrote it: forgets the faults found so far, and notes that in the audit log. */
export function acceptBook(database: Database, atMs: number, actor: string): void {
  database.write((write) => {
    stateContent(database.connection, true);
    appendBookAudit(write, { atMs, actor, action: 'book.accepted', detail: {} });
  });
}
