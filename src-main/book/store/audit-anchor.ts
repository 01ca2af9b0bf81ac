import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import { isDamage } from '../../database/book-errors.ts';
import type { ReadHandle } from '../../database/database.ts';
import { ANCHOR_FILE } from './book-folder.ts';
import { setting } from './settings.ts';

/**
 * What is remembered of the audit log outside the book, in a small file beside it: so that a log that was cut, emptied or worked out anew, or an older
 * book put in its place, is found. The same three figures belong into whatever leaves the book.
 */
export interface AuditAnchor {
  /** Entries of the log. */
  readonly length: number;
  /** The hash of the last one; empty without entries. */
  readonly head: string;
  /** Transactions so far, also those without an entry. */
  readonly writes: number;
  /** The identity of the book; absent from an anchor that does not say. */
  readonly book?: string;
}

const BOOK_WAL = 'book.sqlite-wal';

/** What the book says of itself at the moment. */
export function anchorOf(read: ReadHandle): AuditAnchor {
  const state = read.prepare<[], AuditAnchor>('SELECT entries AS length, head, writes FROM content_state WHERE id = 1').get();
  const book = setting(read, 'book_id');
  return { ...(state ?? { length: 0, head: '', writes: 0 }), ...(book === null ? {} : { book }) };
}

/** The anchor beside a book, or in any other file: null where there is none, `unreadable` where the file is something else. */
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
    // Not a file that Tieout wrote.
  }
  return 'unreadable';
}

/**
 * Writes the anchor of a book. If this is interrupted, the file holds either the old or the new anchor. What the anchor says has to be on
 * the disk before it is, so the book's log is taken there first. Also for a restore, which puts another book in place with good reason.
 */
export function setAnchor(folder: string, anchor: AuditAnchor): void {
  toDisk(path.join(folder, BOOK_WAL));
  const file = path.join(folder, ANCHOR_FILE);
  // Another Tieout may write it beside this one.
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
    // There is no log: all of it is in the book, and on the disk.
    return;
  }
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** In words, why a book is not the one that an anchor was taken of, or a later state of it; null where it is. */
export function anchorFault(read: ReadHandle, anchor: AuditAnchor | 'unreadable' | null): string | null {
  if (anchor === null) return null;
  if (anchor === 'unreadable')
    return `The file ${ANCHOR_FILE} beside the book cannot be read, so it does not tell whether the audit log is whole`;
  const now = anchorOf(read);
  const last = read.prepare<[], { id: number }>('SELECT coalesce(max(id), 0) AS id FROM audit_log').get()?.id ?? 0;
  if (last < anchor.length) {
    return last === 0
      ? `The audit log is empty, and had ${anchor.length} entries: it was emptied, or another book was put in place of this one`
      : `The audit log ends with entry ${last}, and had ${anchor.length} entries: its end was cut off, or an older book was put in place of this one`;
  }
  const there =
    anchor.length === 0 ? '' : read.prepare<[number], { hash: string }>('SELECT hash FROM audit_log WHERE id = ?').get(anchor.length)?.hash;
  if (there !== anchor.head) {
    return `Entry ${anchor.length} of the audit log is not the one that Tieout wrote: the log was worked out anew, or another book was put in place of this one`;
  }
  if (anchor.book !== undefined && now.book !== anchor.book)
    return 'The book is another one than the one that Tieout wrote here last: another book was put in its place';
  if (now.writes < anchor.writes) return `The book is older than the one that Tieout wrote last: an older book was put in its place`;
  return null;
}

/** Keeps the anchor of a book up to date, unless the book is not the one that it was taken of: then it stays what it is until somebody accepts the book. */
export class AnchorKeeper {
  readonly #folder: string;
  readonly #read: ReadHandle;
  #known = -1;
  /** Of a damaged book nothing is remembered. */
  #isDamaged = false;
  /** Why the anchor is left as it is; null where it is not. */
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

  /** Writes the anchor where the book has gone on. */
  keep(): void {
    if (this.fault !== null || this.#isDamaged) return;
    const anchor = anchorOf(this.#read);
    if (anchor.writes === this.#known) return;
    setAnchor(this.#folder, anchor);
    this.#known = anchor.writes;
  }
}
