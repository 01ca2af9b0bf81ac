import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { Database, isStorageFull } from '../../database/database.ts';
import { appendBookAudit } from '../store/audit.ts';
import { AnchorKeeper, anchorOf, setAnchor } from '../store/audit-anchor.ts';
import { BOOK_FILE, HOLDER_FILE, LOCK_FILE, UPLOADS_FOLDER } from '../store/book-folder.ts';
import { openBook } from '../store/book.ts';
import { isOwn, makePrivateFolder } from '../store/private-files.ts';
import { bookInstance } from '../store/settings.ts';
import { takeOverConnections } from '../../sync/store/runs.ts';
import { anchorCheck, checkBook, CHECKS } from './verify-book.ts';

export interface MoveOrder {
  readonly from: string;
  readonly to: string;
  readonly atMs: number;
  readonly actor: string;
}

export interface MoveFailure {
  readonly code: 'backup_failed' | 'storage_full';
  readonly message: string;
}

/** What is no part of a book: who holds the folder, and files on their way into it. */
const NOT_MOVED: ReadonlySet<string> = new Set([LOCK_FILE, HOLDER_FILE, UPLOADS_FOLDER]);

/**
 * Copies a closed book with its backups into a folder that is locked for it, and makes the checks of `tieout verify` on the copy. The old folder stays
 * as it is; where anything fails, the new one is emptied again.
 */
export function moveBook(order: MoveOrder): Result<null, MoveFailure> {
  const names = readdirSync(order.from).filter((name) => isOwn(name) && !NOT_MOVED.has(name));
  const takeAway = (): void => {
    for (const name of names) rmSync(path.join(order.to, name), { recursive: true, force: true });
  };
  try {
    makePrivateFolder(order.to);
    for (const name of names) {
      cpSync(path.join(order.from, name), path.join(order.to, name), {
        recursive: true,
        preserveTimestamps: true,
        errorOnExist: true,
        force: false,
      });
    }
    const fault = faultOfCopy(order);
    if (fault === null) return success(null);
    takeAway();
    return failed({ code: 'backup_failed', message: phrase('book.books.theCopyIsNotSound', { folder: order.to, fault }) });
  } catch (error) {
    takeAway();
    if (isStorageFull(error)) return failed({ code: 'storage_full', message: phrase('book.books.noRoomThere', { folder: order.to }) });
    if (!(error instanceof Error && 'code' in error)) throw error;
    return failed({ code: 'backup_failed', message: phrase('book.books.couldNotBeCopied', { folder: order.to, reason: error.message }) });
  }
}

/** Returns the first fault of the copy. A sound one takes over the place of the old book in its connections, and notes the move. */
function faultOfCopy({ from, to, atMs, actor }: MoveOrder): string | null {
  const old = instanceAt(from);
  const opened = openBook(to, { synchronous: 'FULL', isChecked: true });
  if (!opened.ok) return opened.error.message;
  const copy = opened.value;
  try {
    const keeper = new AnchorKeeper(to, copy);
    const fault = checkBook(copy, [...CHECKS, anchorCheck(keeper.fault)], () => {})
      .flatMap(({ findings }) => findings)
      // What is rebuilt by itself is no reason to stay.
      .find(({ mend }) => mend === undefined);
    if (fault !== undefined) return fault.message;
    const own = bookInstance(copy).instanceId;
    copy.write((write) => {
      takeOverConnections(write, { old, own });
      appendBookAudit(write, { atMs, actor, action: 'book.moved', detail: { from, to } });
    });
    setAnchor(to, anchorOf(copy));
    copy.checkpointAll();
    return null;
  } finally {
    copy.close();
  }
}

function instanceAt(folder: string): string {
  const book = new Database(path.join(folder, BOOK_FILE), { synchronous: 'FULL', isReadOnly: true });
  try {
    return bookInstance(book).instanceId;
  } finally {
    book.close();
  }
}
