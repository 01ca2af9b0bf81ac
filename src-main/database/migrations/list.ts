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

/** All migrations. Versions are contiguous from 1, and the last is the version of books that this Tieout writes. */
export const MIGRATIONS: readonly Migration[] = [firstBook, sheetLinks];
export const BOOK_VERSION = MIGRATIONS.length;
