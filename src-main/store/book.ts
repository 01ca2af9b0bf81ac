import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { assert } from '../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../src-shared/values/result.ts';
import { noteFaults, stateContent } from './content/whole-content.ts';
import { Database, isStorageFull } from './database.ts';
import { contentDigests } from './migrations/0031-content-digests.ts';
import { BOOK_VERSION, MIGRATIONS } from './migrations/list.ts';

/** "TieO": marks a SQLite file as a book of Tieout. */
const APPLICATION_ID = 0x5469_654f;
/** Books from this version on have digests of what they hold. */
const FIRST_WITH_DIGESTS = contentDigests.version;
export const BOOK_FILE = 'book.sqlite';

export interface OpenFailure {
  readonly code: 'newer_version' | 'folder_unusable' | 'storage_full' | 'damaged';
  readonly message: string;
}

function migrate(database: Database): void {
  const { connection } = database;
  const found = Number(connection.pragma('user_version', { simple: true }));
  if (found > 0 && found < BOOK_VERSION) {
    // A copy of the book as it was, before anything is changed.
    const backup = `${database.path}.before-version-${BOOK_VERSION}`;
    if (!existsSync(backup)) connection.prepare('VACUUM INTO ?').run(backup);
  }
  if (found >= FIRST_WITH_DIGESTS && found < BOOK_VERSION) connection.transaction(() => noteFaults(connection)).immediate();
  for (const migration of MIGRATIONS.slice(found)) {
    connection
      .transaction(() => {
        // Another process may have done it while we waited for the lock.
        if (Number(connection.pragma('user_version', { simple: true })) >= migration.version) return;
        connection.exec(migration.sql);
        connection.pragma(`user_version = ${migration.version}`);
        connection.pragma(`application_id = ${APPLICATION_ID}`);
        if (migration.version === BOOK_VERSION) stateContent(connection, false);
      })
      .immediate();
  }
  assert(connection.pragma('user_version', { simple: true }) === BOOK_VERSION, 'the book is at its newest version');
}

/** Why a book cannot be worked with, in words. */
export function openFailure(error: unknown, file: string): OpenFailure {
  const reason = error instanceof Error ? error.message : String(error);
  if (isStorageFull(error)) {
    return { code: 'storage_full', message: `The disk is full, so the book ${file} cannot be opened: free some space and start again.` };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') {
    return {
      code: 'damaged',
      message: `${file} is not a book of Tieout or is damaged (${reason}): restore it from a backup, or choose another data folder.`,
    };
  }
  return {
    code: 'folder_unusable',
    message: `The data folder cannot be used (${reason}): choose a folder where you may write, ${path.dirname(file)} is not one.`,
  };
}

/** Looks at a file without changing it: another program's database must stay as it is. */
function foreignFile(file: string, dataFolder: string): OpenFailure | null {
  if (!existsSync(file)) return null;
  const connection = new SqliteDatabase(file, { readonly: true });
  try {
    const version = Number(connection.pragma('user_version', { simple: true }));
    const application = Number(connection.pragma('application_id', { simple: true }));
    const tables = Number(connection.prepare('SELECT count(*) FROM sqlite_schema').pluck().get());
    if (application !== APPLICATION_ID && tables > 0) {
      return { code: 'damaged', message: `${file} is a database of another program: choose another data folder. Nothing was changed.` };
    }
    if (version <= BOOK_VERSION) return null;
    return {
      code: 'newer_version',
      message: `The book in ${dataFolder} was written by a newer Tieout (book version ${version}, this one reads up to ${BOOK_VERSION}): update Tieout, or choose another data folder. Nothing was changed.`,
    };
  } finally {
    connection.close();
  }
}

/** Opens the book of a data folder, makes it when missing, and brings it to the newest version. */
export function openBook(
  dataFolder: string,
  options: { readonly synchronous: 'FULL' | 'NORMAL' } = { synchronous: 'FULL' },
): Result<Database, OpenFailure> {
  const file = path.join(dataFolder, BOOK_FILE);
  let database: Database | undefined;
  try {
    mkdirSync(dataFolder, { recursive: true });
    const foreign = foreignFile(file, dataFolder);
    if (foreign !== null) return failed(foreign);
    database = new Database(file, options);
    migrate(database);
    database.keepContent();
    return success(database);
  } catch (error) {
    database?.close();
    return failed(openFailure(error, file));
  }
}
