import { present } from '../../src-shared/values/assert.ts';
import { appendAudit } from '../store/audit.ts';
import type { WriteHandle } from '../store/database.ts';
import { writingBatchesOfStream } from '../store/import-batches.ts';
import {
  reconciliationsOfStream,
  type StreamOperationRow,
  streamOperationById,
  updateStreamOperation,
} from '../store/stream-operations.ts';
import { type Wiped, wipeStream } from '../store/stream-wipe.ts';

/** How many ids of dissolved matches an audit entry names; the count of all of them stands beside. */
const AUDITED_MATCHES = 1_000;

export interface Flipped {
  readonly operation: StreamOperationRow;
  readonly wiped: Wiped;
}

/** Why a stream cannot be deleted now; null when it can. */
export function whyInUse(write: WriteHandle, operation: Pick<StreamOperationRow, 'stream_id' | 'stream_key'>): string | null {
  const [first, ...more] = reconciliationsOfStream(write, operation.stream_id);
  if (first === undefined) return null;
  const others = more.length === 0 ? '' : ` and ${more.length} more`;
  return `The stream ${operation.stream_key} is used by the reconciliation ${first.name}${others}: take it out there, or delete that first.`;
}

export function whyBusy(write: WriteHandle, operation: Pick<StreamOperationRow, 'stream_id' | 'stream_key'>): string | null {
  if (writingBatchesOfStream(write, operation.stream_id).length === 0) return null;
  return `An import into the stream ${operation.stream_key} is under way, or is being undone: try again when it has ended.`;
}

function audit(write: WriteHandle, operation: StreamOperationRow, wiped: Wiped, atMs: number): void {
  const entry = { environmentId: operation.environment_id, atMs, actor: operation.actor };
  const stream = operation.stream_key;
  for (const { reconciliationId, matches, proposals, others, matchIds, adjustmentIds } of wiped.lost) {
    appendAudit(write, {
      ...entry,
      action: 'matches.dissolved',
      detail: {
        reconciliation_id: reconciliationId,
        stream,
        operation_id: operation.id,
        matches,
        proposals,
        records_unreconciled: others,
        match_ids: matchIds.slice(0, AUDITED_MATCHES),
        ...(adjustmentIds.length === 0 ? {} : { adjustment_ids: adjustmentIds.slice(0, AUDITED_MATCHES) }),
      },
    });
  }
  appendAudit(write, {
    ...entry,
    action: operation.kind === 'delete' ? 'stream.deleted' : 'stream.reset',
    detail: {
      stream,
      stream_id: operation.stream_id,
      operation_id: operation.id,
      records: wiped.records,
      matches_dissolved: wiped.lost.reduce((sum, each) => sum + each.matches, 0),
    },
  });
}

/** The flip with its audit entries, or why it cannot be done; then nothing has changed. */
export function flipStream(write: WriteHandle, operationId: number, atMs: number): Flipped | string {
  const operation = present(streamOperationById(write, operationId), 'stream operation');
  if (operation.kind === 'delete') {
    const reason = whyInUse(write, operation) ?? whyBusy(write, operation);
    if (reason !== null) return reason;
  }
  const wiped = wipeStream(write, operation, atMs);
  audit(write, operation, wiped, atMs);
  updateStreamOperation(write, operation.id, {
    status: 'running',
    started_at: operation.started_at ?? atMs,
    wiped_at: atMs,
    total: wiped.rows,
  });
  return { operation: present(streamOperationById(write, operationId), 'stream operation'), wiped };
}
