import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { phrase } from '../../../src-shared/words/say.ts';
import { type Database, query, type ReadHandle, type WriteHandle } from '../../database/database.ts';

type SettingKey =
  | 'book_id'
  | 'book_created_at'
  | 'book_name'
  | 'is_sample'
  | 'local_port'
  | 'notation'
  | 'status_explains'
  | 'temporary_reconciliation';

export function setting(read: ReadHandle, key: SettingKey): string | null {
  return read.first(query.selectFrom('settings').select('value').where('key', '=', key))?.value ?? null;
}

/** Returns the name of a book; that of one which nobody named. */
export function bookName(read: ReadHandle): string {
  return setting(read, 'book_name') ?? phrase('imports.imports.myBook');
}

export function setSetting(write: WriteHandle, key: SettingKey, value: string): void {
  write.run(
    query
      .insertInto('settings')
      .values({ key, value })
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ value })),
  );
}

export function forgetSetting(write: WriteHandle, key: SettingKey): void {
  write.run(query.deleteFrom('settings').where('key', '=', key));
}

/** The identity of a book, and of its copy. */
interface BookInstance {
  /** Shared by copies and backups. */
  readonly bookId: string;
  /** The identity of this file: a copy or a restored book has another, and a renamed folder keeps it. */
  readonly instanceId: string;
  readonly createdAtMs: number;
}

const ID_LENGTH = 32;

/** Returns the identity, computed from the book and its inode, so that nothing copied with the book can make the copy look like the book. */
export function bookInstance(database: Pick<Database, 'path'> & ReadHandle): BookInstance {
  const bookId = setting(database, 'book_id') ?? '';
  const file = statSync(database.path, { bigint: true, throwIfNoEntry: false })?.ino ?? 0n;
  const instanceId = createHash('sha256').update(`${bookId} ${file}`).digest('hex').slice(0, ID_LENGTH);
  return { bookId, instanceId, createdAtMs: Number(setting(database, 'book_created_at') ?? 0) };
}

/** The state of an audit log. */
interface HistoryMark {
  readonly entries: number;
  readonly head: string | null;
}

export function historyMark(read: ReadHandle): HistoryMark {
  const last = read.prepare<[], { id: number; hash: string }>('SELECT id, hash FROM audit_log ORDER BY id DESC LIMIT 1').get();
  return { entries: last?.id ?? 0, head: last?.hash ?? null };
}

/** Returns the hash of an entry; null if the log is shorter. */
export function hashOfEntry(read: ReadHandle, entry: number): string | null {
  return read.prepare<[number], { hash: string }>('SELECT hash FROM audit_log WHERE id = ?').get(entry)?.hash ?? null;
}
