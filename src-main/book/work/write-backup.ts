import path from 'node:path';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { isDamagedFile, isStorageFull } from '../../database/database.ts';
import { BOOK_VERSION } from '../../database/migrations/list.ts';
import { appendBookAudit } from '../store/audit.ts';
import { beginCopy, checkCopy, keepCopy, openCopySource, UnsoundCopy } from '../store/backup-copies.ts';
import { type BackupKind, type BookFacts, clearLeftOvers, newBackupFile, pruneBackups } from '../store/backup-files.ts';
import { fileFailure, openBook, type OpenFailure } from '../store/book.ts';
import { BOOK_FILE } from '../store/book-folder.ts';
import { removeDatabase } from '../store/private-files.ts';

export interface BackupRequest {
  readonly dataFolder: string;
  readonly kind: BackupKind;
  readonly atMs: number;
  /** The target path; without it the backup is stored among those of the book. */
  readonly out?: string;
  /** The actor for the audit log. */
  readonly actor: string;
  readonly isStopped?: () => boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface WrittenBackup extends BookFacts {
  readonly file: string;
  readonly bytes: number;
  /** The SHA-256 of the file in hexadecimal, which is noted beside it. */
  readonly sha256: string;
}

export interface BackupFailure {
  readonly code: 'unsound' | 'storage_full' | 'newer_version' | 'not_written' | 'stopped';
  readonly message: string;
}

class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * Backs up a book, even while others write to it. The copy has the state at its beginning, is checked after it was written, and only then gets its
 * name. A process that dies leaves a file that does not look like a backup.
 */
export async function writeBackup(request: BackupRequest): Promise<Result<WrittenBackup, BackupFailure>> {
  const { dataFolder, kind, atMs, out } = request;
  const book = path.join(dataFolder, BOOK_FILE);
  let temporary: string | null = null;
  try {
    const failure = fileFailure(book, dataFolder, false);
    if (failure !== null) return failed(ofBook(failure));
    const target = out ?? newBackupFile(dataFolder, kind, atMs);
    clearLeftOvers(path.dirname(target), atMs, out === undefined);
    temporary = beginCopy(target);
    const { facts, version } = await copied(book, temporary, request);
    checkCopy(temporary, facts);
    const kept = keepCopy(temporary, target, facts);
    // The audit log of the restored book will name the backup made before a restore.
    if (version === BOOK_VERSION && kind !== 'before_restore') note(request, { file: target, ...facts });
    if (out === undefined) pruneBackups(dataFolder, atMs);
    return success({ file: target, ...kept, ...facts });
  } catch (error) {
    return failed(failureOf(error, book));
  } finally {
    if (temporary !== null) removeDatabase(temporary);
  }
}

function ofBook({ code, message }: OpenFailure): BackupFailure {
  if (code === 'newer_version' || code === 'storage_full') return { code, message };
  return { code: code === 'damaged' || code === 'other_program' ? 'unsound' : 'not_written', message };
}

async function copied(
  book: string,
  temporary: string,
  { isStopped, onProgress }: BackupRequest,
): Promise<{ facts: BookFacts; version: number }> {
  const source = openCopySource(book);
  try {
    await source.copyTo(temporary, (done, total) => {
      if (isStopped?.() === true) throw new Stopped();
      onProgress?.(done, total);
    });
    return source;
  } finally {
    source.close();
  }
}

/** Notes the backup in the audit log. The backup is good even if that fails. */
function note({ dataFolder, kind, atMs, actor }: BackupRequest, { file, ...facts }: { file: string } & BookFacts): void {
  const book = openBook(dataFolder);
  if (!book.ok) return;
  try {
    const { records, audit_entries, head } = facts;
    const detail = { file: path.basename(file), kind, records, audit_entries, head };
    book.value.write((write) => appendBookAudit(write, { atMs, actor, action: BACKED_UP, detail }));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  } finally {
    book.value.close();
  }
}

export const BACKED_UP = 'book.backed_up';

function failureOf(error: unknown, book: string): BackupFailure {
  if (error instanceof Stopped) return { code: 'stopped', message: phrase('book.writeBackup.backupWasStopped') };
  if (error instanceof UnsoundCopy) return { code: 'unsound', message: error.message };
  if (isStorageFull(error)) {
    return {
      code: 'storage_full',
      message: phrase('book.writeBackup.diskIsFull'),
    };
  }
  if (!(error instanceof Error && 'code' in error)) throw error;
  if (isDamagedFile(error)) {
    return {
      code: 'unsound',
      message: phrase('book.writeBackup.bookIsDamaged', { book, error: error.message }),
    };
  }
  return { code: 'not_written', message: phrase('book.writeBackup.backupCouldNotBeWritten', { error: error.message }) };
}
