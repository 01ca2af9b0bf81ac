import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import type { Database, ReadHandle } from '../../database/database.ts';
import { setting } from './settings.ts';

/** Which book this is, and which of its copies. */
export interface BookInstance {
  /** Kept by copies and backups. */
  readonly bookId: string;
  /** Of this file: a copy and a restored book have another one, and a folder that is renamed keeps it. */
  readonly instanceId: string;
  readonly createdAtMs: number;
}

const ID_LENGTH = 32;

/** Worked out of the book and its file, so nothing that is copied with the book can say that the copy is the book. */
export function bookInstance(database: Pick<Database, 'path'> & ReadHandle): BookInstance {
  const bookId = setting(database, 'book_id') ?? '';
  const file = statSync(database.path, { bigint: true, throwIfNoEntry: false })?.ino ?? 0n;
  const instanceId = createHash('sha256').update(`${bookId} ${file}`).digest('hex').slice(0, ID_LENGTH);
  return { bookId, instanceId, createdAtMs: Number(setting(database, 'book_created_at') ?? 0) };
}

/** How far an audit log has come. */
export interface HistoryMark {
  readonly entries: number;
  readonly head: string | null;
}

export function historyMark(read: ReadHandle): HistoryMark {
  const last = read.prepare<[], { id: number; hash: string }>('SELECT id, hash FROM audit_log ORDER BY id DESC LIMIT 1').get();
  return { entries: last?.id ?? 0, head: last?.hash ?? null };
}

/** The hash of an entry by its number; null where the log is not so long. */
export function hashOfEntry(read: ReadHandle, entry: number): string | null {
  return read.prepare<[number], { hash: string }>('SELECT hash FROM audit_log WHERE id = ?').get(entry)?.hash ?? null;
}
