import type { Database } from '../../../src-main/database/database.ts';
import { folderWithNewBook } from './backend.ts';
import { openTestDatabase } from './quiet-book.ts';

/** A new book with rows that were written past Tieout, closed after the test. */
export function bookWith(sql = ''): Database {
  const database = openTestDatabase(folderWithNewBook());
  database.connection.exec(sql);
  return database;
}
