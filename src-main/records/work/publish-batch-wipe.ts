import { appendAudit } from '../../book/store/audit.ts';
import type { WriteHandle } from '../../database/database.ts';
import { findBatch, type ImportBatchRow } from '../../imports/store/import-batches.ts';
import { publishWipe } from '../store/wipe-clearing.ts';
import { insertWipe, type WipeRow } from '../store/wipes.ts';
import { isPrepared } from './wiping.ts';

/** Inserts the wipe of one batch; it has to be prepared next. */
export function openBatchWipe(write: WriteHandle, batch: ImportBatchRow, actor: string): WipeRow {
  return insertWipe(write, {
    environment_id: batch.environment_id,
    stream_id: batch.stream_id,
    stream_key: batch.data_stream_key,
    batch_id: batch.id,
    operation_id: null,
    actor,
  });
}

/**
 * Runs the publish step of an undone import, with its audit entry. Returns `gone` if the batch no longer exists, and `unprepared` if too many records
 * came in since the preparation.
 */
export function publishBatchWipe(
  write: WriteHandle,
  wipe: WipeRow,
  balances: { readonly removed: number; readonly kept: number },
  atMs: number,
): 'published' | 'gone' | 'unprepared' {
  const batch = wipe.batch_id === null ? undefined : findBatch(write, wipe.environment_id, wipe.batch_id);
  if (batch === undefined) return 'gone';
  if (!isPrepared(write, wipe, atMs)) return 'unprepared';
  publishWipe(write, wipe, atMs);
  appendAudit(write, {
    environmentId: wipe.environment_id,
    atMs,
    actor: wipe.actor,
    action: 'import_batch.undone',
    detail: {
      import_batch_id: batch.id,
      filename: batch.filename,
      stream: batch.data_stream_key,
      sha256: batch.sha256,
      balances_removed: balances.removed,
      balances_kept: balances.kept,
    },
  });
  return 'published';
}
