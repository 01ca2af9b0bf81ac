import { present } from '../../../src-shared/values/assert.ts';
import { insertJob, type JobRow, openJobs } from '../../book/store/jobs.ts';
import type { Database } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { StreamOperationPayload, TaskContext, TaskEnd } from '../../jobs/protocol.ts';
import { rest } from '../../jobs/write-slices.ts';
import { insertWipe, markedMatches, wipeOfOperation, type WipeRow } from '../../records/store/wipes.ts';
import { publishStreamWipe, type StreamWipeEnd } from '../../records/work/publish-stream-wipe.ts';
import { abandonWipe, clearWipe, prepareWipe, toEnd } from '../../records/work/wiping.ts';
import {
  countStreamRecords,
  openStreamOperations,
  streamOperationById,
  type StreamOperationRow,
  updateStreamOperation,
} from '../store/stream-operations.ts';

/** Returns the wipe of the operation: one from before a restart, or a new one. */
function wipeOf(context: TaskContext, operation: StreamOperationRow, records: number): WipeRow {
  const { database, clock } = context;
  return database.write((write) => {
    updateStreamOperation(write, operation.id, {
      status: 'running',
      started_at: operation.started_at ?? clock.nowMs(),
      total: 2 * records,
    });
    const { environment_id, stream_id, stream_key, actor } = operation;
    return (
      wipeOfOperation(write, operation.id) ??
      insertWipe(write, { environment_id, stream_id, stream_key, batch_id: null, operation_id: operation.id, actor })
    );
  });
}

const TELL_EVERY_RECORDS = 20_000;

/** Stores the progress of the preparation, for clients that poll the operation. Returns the progress stored last. */
function tellProgress({ database }: TaskContext, operationId: number, seen: number, told: number): number {
  if (seen - told < TELL_EVERY_RECORDS) return told;
  database.write((write) => updateStreamOperation(write, operationId, { processed: seen }));
  return seen;
}

/** Prepares and publishes the wipe; returns null if it was told to stop. */
function publishedWipe(context: TaskContext, operation: StreamOperationRow): Exclude<StreamWipeEnd, { end: 'unprepared' }> | null {
  const { database, clock } = context;
  const records = countStreamRecords(database, operation.stream_id);
  const wipe = wipeOf(context, operation, records);
  let told = 0;
  for (;;) {
    for (const seen of prepareWipe(database, clock, wipe)) {
      if (context.isCancelled()) return null;
      context.report({ phase: 'preparing', processed: seen, total: 2 * records });
      told = tellProgress(context, operation.id, seen, told);
      rest();
    }
    const rows = records + markedMatches(database, wipe.id);
    const end = database.write((write) => publishStreamWipe(write, operation.id, wipe, rows, clock.nowMs()));
    if (end.end !== 'unprepared') return end;
  }
}

/** Deletes or resets a stream: prepares in short transactions, hides it in one publish step, and clears in short transactions. */
export function streamOperationTask(context: TaskContext, payload: StreamOperationPayload): TaskEnd {
  const { database, clock, job } = context;
  let operation = present(streamOperationById(database, payload.operationId), 'stream operation');
  if (context.isCancelled()) return { end: 'cancelled' };
  if (operation.wiped_at === null) {
    const end = publishedWipe(context, operation);
    if (end === null) return { end: 'cancelled' };
    if (end.end === 'refused') {
      failOperation(database, operation, end.reason, clock.nowMs());
      return { end: 'failed', message: end.reason };
    }
    operation = end.operation;
  }
  const { processed, total } = operation;
  const wipeId = present(wipeOfOperation(database, operation.id), 'wipe').id;
  context.report({ phase: 'clearing', processed, total });
  for (const cleared of clearWipe({ database, clock, wipeId, operation, jobId: job.id })) {
    // Only closing the book stops it; the next start continues.
    if (context.isCancelled()) return { end: 'cancelled' };
    context.report({ phase: 'clearing', processed: processed + cleared, total });
    rest();
  }
  return { end: 'completed' };
}

/**
 * Ends an operation whose job will not continue. Before the publish step nothing has happened, so it fails and the stream is unchanged. After it only
 * clearing is left, which the next start resumes.
 */
export function failOperation(database: Database, operation: StreamOperationRow, message: string, atMs: number): void {
  if (operation.wiped_at !== null || operation.status === 'completed' || operation.status === 'failed') return;
  const wipe = wipeOfOperation(database, operation.id);
  if (wipe !== undefined) toEnd(abandonWipe(database, wipe));
  database.write((write) =>
    updateStreamOperation(write, operation.id, { status: 'failed', processed: 0, error_message: message, completed_at: atMs }),
  );
}

export function operationIdOf(job: Pick<JobRow, 'id' | 'kind' | 'payload'>): number | null {
  return job.kind === 'stream_operation' ? storedJson('jobs.payload:stream_operation', job.payload, job.id).operationId : null;
}

/** Gives a job to every operation that has not ended and has none, so that it continues in the background; call it after a start. */
export function resumeStreamOperations(database: Database): void {
  const working = new Set(openJobs(database).map(operationIdOf));
  for (const operation of openStreamOperations(database)) {
    if (!working.has(operation.id)) database.write((write) => insertOperationJob(write, operation));
  }
}

export function insertOperationJob(
  write: Parameters<typeof insertJob>[0],
  operation: Pick<StreamOperationRow, 'id' | 'environment_id' | 'created_at'>,
): number {
  const payload: StreamOperationPayload = { operationId: operation.id };
  return insertJob(write, {
    environmentId: operation.environment_id,
    kind: 'stream_operation',
    payload: JSON.stringify(payload),
    runId: null,
    createdAtMs: operation.created_at,
  });
}
