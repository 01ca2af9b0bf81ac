import type { Database } from '../store/database.ts';
import { insertJob, type JobRow, openJobs, updateJob } from '../store/jobs.ts';
import { openStreamOperations, type StreamOperationRow, updateStreamOperation } from '../store/stream-operations.ts';
import { deleteWipe, deleteWipedRows } from '../store/stream-wipe.ts';
import type { StreamOperationPayload } from './protocol.ts';
import { CHUNK_ROWS } from './task.ts';

/** Clears up to one bounded transaction of a wiped stream's rows; answers the operation's count so far, or null when none are left. */
export function clearSome(database: Database, operation: StreamOperationRow, processed: number): number | null {
  return database.write((write) => {
    const gone = deleteWipedRows(write, operation, CHUNK_ROWS);
    if (gone === 0) return null;
    updateStreamOperation(write, operation.id, { processed: processed + gone });
    return processed + gone;
  });
}

/** The last transaction: nothing of the wipe is left, the operation has completed, and so has its job, if it has one. */
export function completeOperation(database: Database, operation: StreamOperationRow, atMs: number, jobId: number | null): void {
  database.write((write) => {
    deleteWipe(write, operation);
    updateStreamOperation(write, operation.id, { status: 'completed', completed_at: atMs });
    if (jobId !== null) updateJob(write, jobId, { status: 'completed', completed_at: atMs });
  });
}

/**
 * An operation whose job will not go on. Before the flip nothing has happened: it fails, and the stream is as it was. After it
 * the rest is clearing away, which the next start resumes.
 */
export function failOperation(database: Database, operation: StreamOperationRow, message: string, atMs: number): void {
  if (operation.wiped_at !== null || operation.status === 'completed' || operation.status === 'failed') return;
  database.write((write) => updateStreamOperation(write, operation.id, { status: 'failed', error_message: message, completed_at: atMs }));
}

export function operationIdOf(job: Pick<JobRow, 'kind' | 'payload'>): number | null {
  return job.kind === 'stream_operation' ? (JSON.parse(job.payload) as StreamOperationPayload).operationId : null;
}

/** After a start: an operation that has not ended and has no job gets one, so that it goes on in the background. */
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
