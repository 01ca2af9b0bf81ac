import { present } from '../../../src-shared/values/assert.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { WriteHandle } from '../../database/database.ts';
import { findBatch, type ImportBatchRow, writingBatchesOfStream } from '../../imports/store/import-batches.ts';
import {
  reconciliationsOfStream,
  streamOperationById,
  type StreamOperationRow,
  updateStreamOperation,
} from '../../streams/store/stream-operations.ts';
import { publishWipe, removeStream } from '../store/wipe-clearing.ts';
import { insertWipe, type WipeRow } from '../store/wipes.ts';
import { isPrepared } from './wiping.ts';

/** Returns why a stream cannot be deleted now; null if it can. */
export function whyInUse(write: WriteHandle, operation: Pick<StreamOperationRow, 'stream_id' | 'stream_key'>): string | null {
  const [first, ...more] = reconciliationsOfStream(write, operation.stream_id);
  if (first === undefined) return null;
  return phrase('streams.inUse', { key: operation.stream_key, name: first.name, more: more.length });
}

export function whyBusy(write: WriteHandle, operation: Pick<StreamOperationRow, 'stream_id' | 'stream_key'>): string | null {
  if (writingBatchesOfStream(write, operation.stream_id).length === 0) return null;
  return phrase('streams.importGoesOn', { key: operation.stream_key });
}

/**
 * The outcome of a publish step. `refused` has changed nothing; after `unprepared` the records that came in since the preparation must be gathered
 * first.
 */
export type StreamWipeEnd =
  | { readonly end: 'published'; readonly operation: StreamOperationRow }
  | { readonly end: 'refused'; readonly reason: string }
  | { readonly end: 'unprepared' };

/** Runs the publish step of an operation, with its audit entry. `rows` is about the number of rows to clear. */
export function publishStreamWipe(write: WriteHandle, operationId: number, wipe: WipeRow, rows: number, atMs: number): StreamWipeEnd {
  const operation = present(streamOperationById(write, operationId), 'stream operation');
  const isDelete = operation.kind === 'delete';
  const reason = isDelete ? (whyInUse(write, operation) ?? whyBusy(write, operation)) : null;
  if (reason !== null) return { end: 'refused', reason };
  if (!isPrepared(write, wipe, atMs)) return { end: 'unprepared' };
  publishWipe(write, wipe, atMs);
  if (isDelete) removeStream(write, operation.stream_id);
  appendAudit(write, {
    environmentId: operation.environment_id,
    atMs,
    actor: operation.actor,
    action: isDelete ? 'stream.deleted' : 'stream.reset',
    detail: { stream: operation.stream_key, stream_id: operation.stream_id, operation_id: operation.id },
  });
  updateStreamOperation(write, operation.id, {
    status: 'running',
    started_at: operation.started_at ?? atMs,
    wiped_at: atMs,
    // The preparation counts as the first half.
    processed: rows,
    total: 2 * rows,
  });
  return { end: 'published', operation: present(streamOperationById(write, operationId), 'stream operation') };
}

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
