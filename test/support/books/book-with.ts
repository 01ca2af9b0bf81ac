import type { Database } from '../../../src-main/database/database.ts';
import { folderWithNewBook } from './backend.ts';
import { openTestDatabase } from './quiet-book.ts';

/** Returns a new book with rows that `sql` wrote without Tieout; closed after the test. */
export function bookWith(sql = ''): Database {
  const database = openTestDatabase(folderWithNewBook());
  database.connection.exec(sql);
  return database;
}
