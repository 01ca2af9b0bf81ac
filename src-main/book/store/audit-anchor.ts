import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import { phrase } from '../../../src-shared/words/say.ts';
import { isDamage, type ReadHandle } from '../../database/database.ts';
import { ANCHOR_FILE } from './book-folder.ts';
import { setting } from './settings.ts';

/**
 * The state of the audit log, kept in a small file beside the book. It reveals a log that was cut, emptied or rebuilt, and an older book in this
 * one's place. Anything that leaves the book should carry the same figures.
 */
export interface AuditAnchor {
  /** The number of entries. */
  readonly length: number;
  /** The hash of the last entry; empty without entries. */
  readonly head: string;
  /** The number of transactions, including those without an entry. */
  readonly writes: number;
  /** The identity of the book; missing in an older anchor. */
  readonly book?: string;
}

const BOOK_WAL = 'book.sqlite-wal';

/** Returns the current state of the book. */
export function anchorOf(read: ReadHandle): AuditAnchor {
  const state = read.prepare<[], AuditAnchor>('SELECT entries AS length, head, writes FROM content_state WHERE id = 1').get();
  const book = setting(read, 'book_id');
  return { ...(state ?? { length: 0, head: '', writes: 0 }), ...(book === null ? {} : { book }) };
}

/** Returns the anchor beside a book or in another file: null if there is none, `unreadable` if the file is something else. */
export function readAnchor(folder: string, file = path.join(folder, ANCHOR_FILE)): AuditAnchor | 'unreadable' | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    return 'unreadable';
  }
  try {
    const { length, head, writes, book } = JSON.parse(text) as Partial<AuditAnchor>;
    if (Number.isSafeInteger(length) && typeof head === 'string' && Number.isSafeInteger(writes))
      return { length, head, writes, ...(typeof book === 'string' ? { book } : {}) } as AuditAnchor;
  } catch {
    // Tieout did not write the file.
  }
  return 'unreadable';
}

/**
 * Writes the anchor of a book. If it is interrupted, the file holds the old or the new anchor. Flushes the book's log first, because the anchor must
 * not be ahead of the disk. Also used by a restore, which replaces the book legitimately.
 */
export function setAnchor(folder: string, anchor: AuditAnchor): void {
  toDisk(path.join(folder, BOOK_WAL));
  const file = path.join(folder, ANCHOR_FILE);
  // Another Tieout may write the anchor at the same time.
  const written = `${file}.${process.pid}`;
  const handle = openSync(written, 'w', 0o600);
  try {
    writeSync(handle, `${JSON.stringify(anchor)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(written, file);
}

function toDisk(file: string): void {
  let handle: number;
  try {
    handle = openSync(file, 'r+');
  } catch {
    // Without a log, everything is in the book and on the disk.
    return;
  }
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Returns in words why a book is neither the one of an anchor nor a later state of it; null if it is. */
export function anchorFault(read: ReadHandle, anchor: AuditAnchor | 'unreadable' | null): string | null {
  if (anchor === null) return null;
  if (anchor === 'unreadable') return phrase('book.auditAnchor.theFileBesideTheBook', { anchorFile: ANCHOR_FILE });
  const now = anchorOf(read);
  const last = read.prepare<[], { id: number }>('SELECT coalesce(max(id), 0) AS id FROM audit_log').get()?.id ?? 0;
  if (last < anchor.length) {
    return last === 0
      ? phrase('book.auditAnchor.theAuditLogIsEmpty', { anchor: anchor.length })
      : phrase('book.auditAnchor.auditLogEndsWithEntry', { last, anchor: anchor.length });
  }
  const there =
    anchor.length === 0 ? '' : read.prepare<[number], { hash: string }>('SELECT hash FROM audit_log WHERE id = ?').get(anchor.length)?.hash;
  if (there !== anchor.head) {
    return phrase('book.auditAnchor.entryOfTheAuditLog', { anchor: anchor.length });
  }
  if (anchor.book !== undefined && now.book !== anchor.book) return phrase('book.auditAnchor.theBookIsAnotherOne');
  if (now.writes < anchor.writes) return phrase('book.auditAnchor.bookIsOlderThanTheOne');
  return null;
}

/** Keeps the anchor of a book up to date. If the book is not the anchor's, the anchor stays until a person accepts the book. */
export class AnchorKeeper {
  readonly #folder: string;
  readonly #read: ReadHandle;
  #known = -1;
  /** The anchor of a damaged book is not updated. */
  #isDamaged = false;
  /** Why the anchor is not updated; null if it is. */
  readonly fault: string | null;

  constructor(folder: string, read: ReadHandle) {
    this.#folder = folder;
    this.#read = read;
    const anchor = readAnchor(folder);
    this.fault = this.#faultOf(anchor);
    if (anchor !== null && anchor !== 'unreadable') this.#known = anchor.writes;
  }

  #faultOf(anchor: AuditAnchor | 'unreadable' | null): string | null {
    try {
      return anchorFault(this.#read, anchor);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.#isDamaged = true;
      return null;
    }
  }

  /** Writes the anchor if the book has changed. */
  keep(): void {
    if (this.fault !== null || this.#isDamaged) return;
    const anchor = anchorOf(this.#read);
    if (anchor.writes === this.#known) return;
    setAnchor(this.#folder, anchor);
    this.#known = anchor.writes;
  }
}
