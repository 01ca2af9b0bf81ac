import { CANCEL } from '../../jobs/protocol.ts';
import { openBook } from '../store/book.ts';
import type { BackupsStart } from './backup-worker.ts';
import { moveBook } from './move-book.ts';
import { checkBackup, completeRestore, prepareRestore } from './restore-book.ts';
import { verifyOpenBook } from './verify-book.ts';
import { writeBackup } from './write-backup.ts';

/** Runs the work of a thread that `backup-worker.ts` starts. */
export async function answerBackups(start: BackupsStart): Promise<unknown> {
  switch (start.kind) {
    case 'back_up': {
      const flag = new Int32Array(start.cancel);
      return writeBackup({ ...start.backsUp, isStopped: () => Atomics.load(flag, 0) !== CANCEL.none });
    }
    case 'check_backup':
      return checkBackup(start.file, start.dataFolder);
    case 'check_book':
      return verifyOpenBook(start.dataFolder);
    case 'prepare_restore':
      return prepareRestore(start.file, start.dataFolder, start.words);
    case 'complete_restore':
      return completeRestore(start.prepared, start.by);
    case 'move_book':
      return moveBook(start.order);
    case 'checkpoint':
      return isCheckpointed(start.dataFolder);
  }
}

/** The first checkpoint copies most of a long log while others write. Only the second, which empties the log, makes them wait for a moment. */
function isCheckpointed(dataFolder: string): boolean {
  const book = openBook(dataFolder);
  if (!book.ok) return false;
  try {
    book.value.checkpoint();
    return book.value.checkpointAll();
  } finally {
    book.value.close();
  }
}
