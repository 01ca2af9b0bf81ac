import type { Result } from '../../../src-shared/values/result.ts';
import { CANCEL, type ThreadStart } from '../worker/protocol.ts';
import { startThread } from '../worker/threads.ts';
import type { PreparedBook, RestoreBy, RestoredBook, RestoreFailure } from './restore-book.ts';
import type { BackupFailure, BackupRequest, WrittenBackup } from './write-backup.ts';

/** Of a thread that backs up. No job's row knows of it, nor of a restore, which has no book to write one in. */
interface BackupStart extends ThreadStart {
  readonly kind: 'back_up';
  readonly backsUp: Omit<BackupRequest, 'isStopped' | 'onProgress'>;
  readonly cancel: SharedArrayBuffer;
}

/** Of a thread that makes a backup ready to take the place of the book. */
interface PrepareRestoreStart extends ThreadStart {
  readonly kind: 'prepare_restore';
  readonly file: string;
  readonly dataFolder: string;
}

/** Of a thread that puts a book that is ready in its place. */
interface CompleteRestoreStart extends ThreadStart {
  readonly kind: 'complete_restore';
  readonly prepared: PreparedBook;
  readonly by: RestoreBy;
}

/** Makes a WAL checkpoint and empties the log; for a log that would hold the service's own thread too long. */
interface CheckpointStart extends ThreadStart {
  readonly kind: 'checkpoint';
  readonly dataFolder: string;
}

export type BackupsStart = BackupStart | PrepareRestoreStart | CompleteRestoreStart | CheckpointStart;

/** Backs up on a thread of its own. A thread that breaks rejects. */
export function backUpOnThread(
  backsUp: BackupStart['backsUp'],
  cancel = new SharedArrayBuffer(4),
): Promise<Result<WrittenBackup, BackupFailure>> {
  return asked({ kind: 'back_up', backsUp, cancel });
}

export function stopBackup(cancel: SharedArrayBuffer): void {
  Atomics.store(new Int32Array(cancel), 0, CANCEL.closing);
}

export function prepareRestoreOnThread(file: string, dataFolder: string): Promise<Result<PreparedBook, RestoreFailure>> {
  return asked({ kind: 'prepare_restore', file, dataFolder });
}

export function completeRestoreOnThread(prepared: PreparedBook, by: RestoreBy): Promise<Result<RestoredBook, RestoreFailure>> {
  return asked({ kind: 'complete_restore', prepared, by });
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
