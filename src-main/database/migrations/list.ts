import { firstBook } from './0001-first-book.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** All migrations. Versions are contiguous from 1, and the last is the version of books that this Tieout writes. */
export const MIGRATIONS: readonly Migration[] = [firstBook];
export const BOOK_VERSION = MIGRATIONS.length;
