import { firstBook } from './0001-first-book.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** A sheet link is a key of one reconciliation; null for a key of everything. */
const sheetLinks: Migration = {
  version: 2,
  name: 'sheet links',
  sql: 'ALTER TABLE api_keys ADD COLUMN reconciliation_id INTEGER',
};

/** How days and numbers were written when a period was signed: its report keeps that. Null for signatures from before a book had a notation. */
const signedNotation: Migration = {
  version: 3,
  name: 'notation of signatures',
  sql: 'ALTER TABLE sign_offs ADD COLUMN notation TEXT',
};

/** Who looks into an exception, and what they found; null for nobody and nothing. */
const exceptionWork: Migration = {
  version: 4,
  name: 'owner and comment of exceptions',
  sql: 'ALTER TABLE exceptions ADD COLUMN assignee TEXT; ALTER TABLE exceptions ADD COLUMN comment TEXT',
};

/** All migrations. Versions are contiguous from 1, and the last is the version of books that this Tieout writes. */
export const MIGRATIONS: readonly Migration[] = [firstBook, sheetLinks, signedNotation, exceptionWork];
export const BOOK_VERSION = MIGRATIONS.length;
