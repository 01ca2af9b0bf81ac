import { existsSync, linkSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { assert } from '../../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { isDamagedFile } from '../../database/book-errors.ts';
import { Database, isStorageFull } from '../../database/database.ts';
import { noteFaults, stateContent } from '../../database/digests/whole-content.ts';
import { BOOK_VERSION, type Migration, MIGRATIONS } from '../../database/migrations/list.ts';
import type { StatementWatch } from '../../database/statement-watch.ts';
import { backupBeforeMigration, syncToDisk } from './backup-copies.ts';
import { backupsFolder } from './backup-files.ts';
import { BOOK_FILE, isAlive, MAKING, RESTORING, stateOfFolder, writeFault } from './book-folder.ts';
import { closeToOthers, makePrivateFile, makePrivateFolder, removeDatabase } from './private-files.ts';
import { quickFault } from './quick-check.ts';
import { restoreAdvice } from './restore-advice.ts';

/** "TieO": marks a SQLite file as a book of Tieout. */
const APPLICATION_ID = 0x5469_654f;

export interface OpenFailure {
  readonly code: 'newer_version' | 'folder_unusable' | 'storage_full' | 'damaged' | 'other_program' | 'book_missing' | 'book_empty';
  readonly message: string;
  /** Of a book that can be restored: what is wrong, without what to do, which ends the message. */
  readonly wrong?: string;
}

interface OpenOptions {
  readonly synchronous: 'FULL' | 'NORMAL';
  /** The file is checked quickly before anything else is done with it. */
  readonly isChecked?: boolean;
  /** Of a thread that is watched. */
  readonly watch?: StatementWatch | undefined;
}

/** Brings a book to the newest version; an older one is backed up before, unless it is a copy itself. */
export function migrate(database: Database, isBackedUp: boolean, migrations: readonly Migration[] = MIGRATIONS): void {
  const { connection } = database;
  const version = () => Number(connection.pragma('user_version', { simple: true }));
  const found = version();
  if (found > 0 && found < migrations.length) {
    // The book as it was, before anything is changed.
    if (isBackedUp) backupBeforeMigration(connection, path.dirname(database.path));
    connection.transaction(() => noteFaults(connection)).immediate();
  }
  for (const migration of migrations.slice(found)) {
    connection
      .transaction(() => {
        // Another process may have done it while we waited for the lock.
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

/** A book that is gone, empty or damaged: what is wrong, and how to go back. */
function lost(code: 'damaged' | 'book_missing' | 'book_empty', wrong: string, dataFolder: string): OpenFailure {
  return { code, wrong, message: `${wrong} ${restoreAdvice(dataFolder, code === 'damaged')}` };
}

/** Why a book cannot be worked with, in words. */
export function openFailure(error: unknown, file: string): OpenFailure {
  const reason = error instanceof Error ? error.message : String(error);
  if (isStorageFull(error)) {
    return { code: 'storage_full', message: `The disk is full, so the book ${file} cannot be opened: free some space and start again.` };
  }
  if (isDamagedFile(error)) {
    return lost('damaged', `${file} is not a book of Tieout or is damaged (${reason}). Nothing was changed.`, path.dirname(file));
  }
  return {
    code: 'folder_unusable',
    message: `The data folder cannot be used (${reason}): choose a folder where you may write, ${path.dirname(file)} is not one.`,
  };
}

/** Says that a book is gone, or holds nothing; null where there is one, or a new one may be made. */
export function lostBook(dataFolder: string): OpenFailure | null {
  const state = stateOfFolder(dataFolder);
  const file = path.join(dataFolder, BOOK_FILE);
  if (state === 'missing') {
    const wrong = `The book of ${dataFolder} is gone: there was one, and ${file} is not there any more. Nothing was changed. If it was moved, put it back.`;
    return lost('book_missing', wrong, dataFolder);
  }
  if (state !== 'empty') return null;
  return lost('book_empty', `The book ${file} is empty: something has cut it off. Nothing was changed.`, dataFolder);
}

/** Why the book of a folder cannot be opened as it lies there, before anything is done with it; null where it can, or a new one may be made. */
export function folderFailure(dataFolder: string): OpenFailure | null {
  const lost = lostBook(dataFolder);
  if (lost !== null) return lost;
  const fault = writeFault(dataFolder);
  if (fault === null) return null;
  return {
    code: 'folder_unusable',
    message: `The book in ${dataFolder} cannot be written: ${fault}. Make it writable, or restore a backup of it into another folder. Nothing was changed.`,
  };
}

/** Why a file is no book that this Tieout can work with, before anything is done with it; null where it is one. */
export function fileFailure(file: string, dataFolder: string, isChecked: boolean): OpenFailure | null {
  try {
    return foreignFile(file, dataFolder, isChecked);
  } catch (error) {
    return openFailure(error, file);
  }
}

/** Looks at a file without changing it: another program's database must stay as it is, and so must a damaged book. */
function foreignFile(file: string, dataFolder: string, isChecked: boolean): OpenFailure | null {
  const connection = new SqliteDatabase(file, { readonly: true });
  try {
    const version = Number(connection.pragma('user_version', { simple: true }));
    const application = Number(connection.pragma('application_id', { simple: true }));
    // Counted last, since for that SQLite reads the whole schema.
    const isEmpty = () => Number(connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()) === 0;
    if (application !== APPLICATION_ID && !isEmpty()) {
      return {
        code: 'other_program',
        message: `${file} is a database of another program: choose another data folder. Nothing was changed.`,
      };
    }
    if (version > BOOK_VERSION) {
      return {
        code: 'newer_version',
        message: `The book in ${dataFolder} was written by a newer Tieout (book version ${version}, this one reads up to ${BOOK_VERSION}): update Tieout, or choose another data folder. Nothing was changed.`,
      };
    }
    const fault = cutFault(connection, file) ?? (isChecked ? quickFault(connection) : null);
    return fault === null ? null : lost('damaged', `The book ${file} is damaged (${fault}). Nothing was changed.`, dataFolder);
  } finally {
    connection.close();
  }
}

/** A file that ends within a page: SQLite reads zeros for what is missing. While there is a log, the last page may be in that. */
function cutFault(connection: SqliteDatabase.Database, file: string): string | null {
  const pageBytes = Number(connection.pragma('page_size', { simple: true }));
  const hasLog = (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
  return hasLog || statSync(file).size % pageBytes === 0 ? null : 'it ends in the middle of a page';
}

/** Makes the book of a folder under another name, and gives it its own once it is whole: half a book is never taken for one. */
function makeBook(dataFolder: string, options: OpenOptions): void {
  const file = path.join(dataFolder, BOOK_FILE);
  clearUnfinished(dataFolder);
  const making = path.join(dataFolder, `${MAKING}${process.pid}`);
  makePrivateFile(making);
  try {
    const database = new Database(making, options);
    try {
      // If this stops halfway, nothing is left behind. So it waits for the disk only once, at the end.
      database.connection.pragma('synchronous = OFF');
      migrate(database, false);
      // On a full disk, closing would leave the rest in the log without an error, and the book would be half a book.
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

/** Makes a new book where there was one before; what was left of that is out of the way. */
export function makeAnew(dataFolder: string): void {
  makePrivateFolder(dataFolder);
  makeBook(dataFolder, { synchronous: 'FULL' });
}

/** Gives a new book its name. If another process has made the book meanwhile, that one is kept. */
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

/** Removes what a process left that died while it made or restored a book. */
export function clearUnfinished(dataFolder: string): void {
  for (const name of readdirSync(dataFolder)) {
    const [, pid] = /\.(?:making|restoring)-(\d+)(?:-\w+)?$/.exec(name) ?? [];
    const isOurs = name.startsWith(MAKING) || name.startsWith(RESTORING);
    if (isOurs && pid !== undefined && (Number(pid) === process.pid || !isAlive(Number(pid))))
      rmSync(path.join(dataFolder, name), { force: true });
  }
}

/** Opens a damaged book for reading alone; null where not even its first tables can be read, or where it would have to be changed first. */
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

/** Opens the book of a data folder, makes it when there never was one, and brings it to the newest version. */
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

/** The runs on which another process that holds the book works now; none where that cannot be seen. Changes nothing. */
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
