import { openBook } from '../../store/book/book.ts';
import { CANCEL } from '../worker/protocol.ts';
import type { BackupsStart } from './backup-worker.ts';
import { completeRestore, prepareRestore } from './restore-book.ts';
import { writeBackup } from './write-backup.ts';

/** The worker's end of `backup-worker.ts`. */
export async function answerBackups(start: BackupsStart): Promise<unknown> {
  switch (start.kind) {
    case 'back_up': {
      const flag = new Int32Array(start.cancel);
      return writeBackup({ ...start.backsUp, isStopped: () => Atomics.load(flag, 0) !== CANCEL.none });
    }
    case 'prepare_restore':
      return prepareRestore(start.file, start.dataFolder);
    case 'complete_restore':
      return completeRestore(start.prepared, start.by);
    case 'carry_over':
      return carriedOver(start.dataFolder);
  }
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
