import { closeSync, openSync, writeSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';

/** Returns the pages of a book's trees, except those of the schema, with the table or index of each. */
export function pagesOfTrees(file: string): Map<number, string> {
  const database = new SqliteDatabase(file, { readonly: true });
  const pages = database
    .prepare("SELECT pageno, name FROM dbstat WHERE name <> 'sqlite_schema' AND pagetype <> 'overflow' ORDER BY pageno")
    .raw()
    .all() as [number, string][];
  database.close();
  return new Map(pages);
}

/** Overwrites pages of 4,096 bytes with zeros. */
export function destroyPages(file: string, pages: readonly number[]): void {
  const handle = openSync(file, 'r+');
  for (const page of pages) writeSync(handle, Buffer.alloc(4_096), 0, 4_096, (page - 1) * 4_096);
  closeSync(handle);
}
