import { firstBook } from './0001-first-book.ts';

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/** Contiguous from 1; the last one's version is the version of a book that this Tieout writes. */
export const MIGRATIONS: readonly Migration[] = [firstBook];
export const BOOK_VERSION = MIGRATIONS.length;
