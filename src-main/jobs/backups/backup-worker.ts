import { Worker } from 'node:worker_threads';
import type { Result } from '../../../src-shared/values/result.ts';
import { CANCEL } from '../worker/protocol.ts';
import { jobWorkerEntry } from '../worker/worker-entry.ts';
import type { PreparedBook, RestoreBy, RestoredBook, RestoreFailure } from './restore-book.ts';
import type { BackupFailure, BackupRequest, WrittenBackup } from './write-backup.ts';

/** What a worker is started with that backs up, or restores. No job's row knows of it: a restore has no book to write one in. */
export interface BackupStart {
  readonly backsUp: Omit<BackupRequest, 'isStopped' | 'onProgress'>;
  readonly cancel: SharedArrayBuffer;
}

export interface RestoreStart {
  readonly restores: { readonly file: string; readonly dataFolder: string } | { readonly prepared: PreparedBook; readonly by: RestoreBy };
}

/** Starts the log over once it was carried into the book; for a log that would hold the service's own thread too long. */
export interface CarryStart {
  readonly carriesOver: string;
}

/** Backs up on a thread of its own. A thread that breaks rejects. */
export function backUpAside(
  backsUp: BackupStart['backsUp'],
  cancel = new SharedArrayBuffer(4),
): Promise<Result<WrittenBackup, BackupFailure>> {
  return asked({ backsUp, cancel });
}

export function stopBackup(cancel: SharedArrayBuffer): void {
  Atomics.store(new Int32Array(cancel), 0, CANCEL.closing);
}

export function prepareRestoreAside(file: string, dataFolder: string): Promise<Result<PreparedBook, RestoreFailure>> {
  return asked({ restores: { file, dataFolder } });
}

export function completeRestoreAside(prepared: PreparedBook, by: RestoreBy): Promise<Result<RestoredBook, RestoreFailure>> {
  return asked({ restores: { prepared, by } });
}

export function carryOverAside(dataFolder: string): Promise<boolean> {
  return asked({ carriesOver: dataFolder });
}

function asked<T>(start: BackupStart | RestoreStart | CarryStart): Promise<T> {
  const worker = new Worker(jobWorkerEntry(), { workerData: start, execArgv: [] });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`the thread ended with ${code} and no answer`)));
  });
}
