import type { Database, ReadHandle } from '../database.ts';
import { digestOf } from './chunk-digest.ts';
import { ChunkReader } from './chunks.ts';
import { PendingRows, type StoredDigest } from './content-rows.ts';
import { coveredTables } from './covered.ts';

/** The number of chunks whose digests one transaction writes. */
const CHUNKS_AT_ONCE = 128;

/** Whether a large write left something to digest. */
export function isAnythingPending(read: ReadHandle): boolean {
  return read.prepare<[], unknown>('SELECT 1 FROM content_pending LIMIT 1').get() !== undefined;
}

/**
 * Writes the digests that large writes left. Reading and computing need no lock; writing takes some milliseconds. A transaction that changes such a
 * chunk meanwhile writes its digest first. Returns whether everything is done.
 */
export function sealPending(database: Database, isStopped: () => boolean): boolean {
  const { connection } = database;
  const tables = coveredTables(connection, 'main');
  const pending = new PendingRows(connection, 'main');
  for (const table of tables) {
    let reader: ChunkReader | undefined;
    for (let stretch = pending.all().find(({ tab }) => tab === table.name); stretch !== undefined;) {
      if (isStopped()) return false;
      reader ??= new ChunkReader(connection, 'main', table);
      const through = Math.min(stretch.last, stretch.first + CHUNKS_AT_ONCE - 1);
      const digests: StoredDigest[] = [];
      for (let chunk = stretch.first; chunk <= through; chunk += 1) {
        const rows = reader.rows(chunk);
        if (rows !== null) digests.push({ chunk, ...digestOf(rows, table), fault: null });
      }
      const sealed = { stretch, through, digests };
      database.write((write) => write.stateChunks(sealed));
      stretch = pending.all().find(({ tab }) => tab === table.name);
    }
  }
  return true;
}
