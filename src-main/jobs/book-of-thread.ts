import { openBook } from '../book/store/book.ts';
import type { Database } from '../database/database.ts';
import { inSqlite } from '../database/statement-watch.ts';
import { heartbeat } from './heartbeat.ts';

/**
 * Opens the book for a thread with a heartbeat. The thread counts as alive while the book is opened and within every statement. Throws if the book
 * cannot be opened.
 */
export function bookOfThread(dataFolder: string): Database {
  const watch = heartbeat.statements;
  const opened = inSqlite(watch, () => openBook(dataFolder, { synchronous: 'FULL', watch }));
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}
