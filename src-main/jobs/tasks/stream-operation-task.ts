import { present } from '../../../src-shared/values/assert.ts';
import { streamOperationById, type StreamOperationRow, updateStreamOperation } from '../../store/stream-operations.ts';
import type { StreamOperationPayload } from '../protocol.ts';
import { clearSome, completeOperation, failOperation } from '../stream-clearing.ts';
import { flipStream } from '../stream-flip.ts';
import type { TaskContext, TaskEnd } from '../task.ts';

/** The operation once its stream is out of sight; text when that cannot be. One that was interrupted after the flip goes on. */
function flipped(context: TaskContext, operation: StreamOperationRow): StreamOperationRow | string {
  if (operation.wiped_at !== null) return operation;
  const { database, clock } = context;
  database.write((write) => updateStreamOperation(write, operation.id, { status: 'running', started_at: clock.nowMs() }));
  const done = database.write((write) => flipStream(write, operation.id, clock.nowMs()));
  return typeof done === 'string' ? done : done.operation;
}

/** Deletes or resets a stream: one flip takes all of it out of sight, then its rows go in bounded transactions. */
export function streamOperationTask(context: TaskContext, payload: StreamOperationPayload): TaskEnd {
  const { database, clock, job } = context;
  const stored = present(streamOperationById(database, payload.operationId), 'stream operation');
  if (context.isCancelled()) return { end: 'cancelled' };
  context.report({ phase: 'hiding', processed: 0, total: 0 });
  const operation = flipped(context, stored);
  if (typeof operation === 'string') {
    failOperation(database, stored, operation, clock.nowMs());
    return { end: 'failed', message: operation };
  }
  let processed: number | null = operation.processed;
  while (processed !== null) {
    // Only the closing book stops it: the next start goes on from here.
    if (context.isCancelled()) return { end: 'cancelled' };
    context.report({ phase: 'clearing', processed, total: operation.total });
    processed = clearSome(database, operation, processed);
  }
  completeOperation(database, operation, clock.nowMs(), job.id);
  return { end: 'completed' };
}
