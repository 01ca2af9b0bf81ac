import { openBook } from '../book/store/book.ts';
import type { Database } from '../database/database.ts';
import { inSqlite } from '../database/statement-watch.ts';
import { heartbeat } from './heartbeat.ts';

/** The book, for a thread that is watched: while it is opened, and within every statement, the thread counts as alive. Throws what keeps it from being opened. */
export function bookOfThread(dataFolder: string): Database {
  const watch = heartbeat.statements;
  const opened = inSqlite(watch, () => openBook(dataFolder, { synchronous: 'FULL', watch }));
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}
