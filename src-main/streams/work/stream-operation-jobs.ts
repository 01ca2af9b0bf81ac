import { insertJob, type JobRow, openJobs } from '../../book/store/jobs.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { Database } from '../../database/database.ts';
import type { StreamOperationPayload } from '../../jobs/protocol.ts';
import { wipeOfOperation } from '../../records/store/wipes.ts';
import { abandonWipe, toEnd } from '../../records/work/wiping.ts';
import { openStreamOperations, type StreamOperationRow, updateStreamOperation } from '../store/stream-operations.ts';

/**
 * An operation whose job will not go on. Before the publish step nothing has happened: it fails, and the stream is as it was. After it
 * the rest is clearing away, which the next start resumes.
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
