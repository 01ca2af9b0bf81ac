import { insertJob, type JobRow, openJobs } from '../../book/store/jobs.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { Database } from '../../database/database.ts';
import type { StreamOperationPayload } from '../../jobs/protocol.ts';
import { wipeOfOperation } from '../../records/store/wipes.ts';
import { abandonWipe, toEnd } from '../../records/work/wiping.ts';
import { openStreamOperations, type StreamOperationRow, updateStreamOperation } from '../store/stream-operations.ts';

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
