import { openBook } from '../../store/book/book.ts';
import { CANCEL } from '../worker/protocol.ts';
import type { BackupStart, CarryStart, RestoreStart } from './backup-worker.ts';
import { completeRestore, prepareRestore } from './restore-book.ts';
import { writeBackup } from './write-backup.ts';

/** The worker's end of `backup-worker.ts`. */
export async function answerBackups(start: BackupStart | RestoreStart | CarryStart): Promise<unknown> {
  if ('backsUp' in start) {
    const flag = new Int32Array(start.cancel);
    return writeBackup({ ...start.backsUp, isStopped: () => Atomics.load(flag, 0) !== CANCEL.none });
  }
  if ('carriesOver' in start) return carriedOver(start.carriesOver);
  const { restores } = start;
  return 'prepared' in restores ? completeRestore(restores.prepared, restores.by) : prepareRestore(restores.file, restores.dataFolder);
}

/** Most of a long log is carried over while others write; only the rest, and starting over, keeps them waiting for a moment. */
function carriedOver(dataFolder: string): boolean {
  const book = openBook(dataFolder);
  if (!book.ok) return false;
  try {
    book.value.carryOver();
    return book.value.carryOverAll();
  } finally {
    book.value.close();
  }
}
