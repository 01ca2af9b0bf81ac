import type { Result } from '../../../src-shared/values/result.ts';
import { CANCEL, type ThreadStart } from '../../jobs/protocol.ts';
import { startThread } from '../../jobs/threads.ts';
import type { BookFacts } from '../store/backup-files.ts';
import type { OpenFailure } from '../store/book.ts';
import type { RestoreWords } from './restore-questions.ts';
import type { MoveFailure, MoveOrder } from './move-book.ts';
import type { PreparedBook, RestoreBy, RestoredBook, RestoreFailure } from './restore-book.ts';
import type { CheckedBook } from './verify-book.ts';
import type { BackupFailure, BackupRequest, WrittenBackup } from './write-backup.ts';

/** Starts a thread that makes a backup. Neither backups nor restores are jobs: during a restore there is no book to store one in. */
interface BackupStart extends ThreadStart {
  readonly kind: 'back_up';
  readonly backsUp: Omit<BackupRequest, 'isStopped' | 'onProgress'>;
  readonly cancel: SharedArrayBuffer;
}

/** Starts a thread that checks whether a backup could be restored. */
interface CheckBackupStart extends ThreadStart {
  readonly kind: 'check_backup';
  readonly file: string;
  readonly dataFolder: string;
}

/** Starts a thread that checks the open book. */
interface CheckBookStart extends ThreadStart {
  readonly kind: 'check_book';
  readonly dataFolder: string;
}

/** Starts a thread that prepares a backup to replace the book. */
interface PrepareRestoreStart extends ThreadStart {
  readonly kind: 'prepare_restore';
  readonly file: string;
  readonly dataFolder: string;
  readonly words: RestoreWords;
}

/** Starts a thread that puts a prepared book into place. */
interface CompleteRestoreStart extends ThreadStart {
  readonly kind: 'complete_restore';
  readonly prepared: PreparedBook;
  readonly by: RestoreBy;
}

/** Starts a thread that makes a WAL checkpoint and empties the log, if that would block the service's own thread for too long. */
interface CheckpointStart extends ThreadStart {
  readonly kind: 'checkpoint';
  readonly dataFolder: string;
}

/** Starts a thread that copies a closed book into another folder, and checks the copy. */
interface MoveStart extends ThreadStart {
  readonly kind: 'move_book';
  readonly order: MoveOrder;
}

export type BackupsStart =
  | MoveStart
  | BackupStart
  | CheckBackupStart
  | CheckBookStart
  | PrepareRestoreStart
  | CompleteRestoreStart
  | CheckpointStart;

/** Backs up on its own thread. Rejects if the thread fails. */
export function backUpOnThread(
  backsUp: BackupStart['backsUp'],
  cancel = new SharedArrayBuffer(4),
): Promise<Result<WrittenBackup, BackupFailure>> {
  return asked({ kind: 'back_up', backsUp, cancel });
}

export function stopBackup(cancel: SharedArrayBuffer): void {
  Atomics.store(new Int32Array(cancel), 0, CANCEL.closing);
}

export function checkBackupOnThread(file: string, dataFolder: string): Promise<Result<BookFacts, RestoreFailure>> {
  return asked({ kind: 'check_backup', file, dataFolder });
}

export function checkBookOnThread(dataFolder: string): Promise<Result<CheckedBook, OpenFailure>> {
  return asked({ kind: 'check_book', dataFolder });
}

export function prepareRestoreOnThread(
  file: string,
  dataFolder: string,
  words: RestoreWords,
): Promise<Result<PreparedBook, RestoreFailure>> {
  return asked({ kind: 'prepare_restore', file, dataFolder, words });
}

export function completeRestoreOnThread(prepared: PreparedBook, by: RestoreBy): Promise<Result<RestoredBook, RestoreFailure>> {
  return asked({ kind: 'complete_restore', prepared, by });
}

export function moveOnThread(order: MoveOrder): Promise<Result<null, MoveFailure>> {
  return asked({ kind: 'move_book', order });
}

export function checkpointOnThread(dataFolder: string): Promise<boolean> {
  return asked({ kind: 'checkpoint', dataFolder });
}

function asked<T>(start: BackupsStart): Promise<T> {
  const worker = startThread(start);
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread ended with ${code} and no answer`)));
  });
}
