import type { StreamOperation } from '../../../src-shared/contract/index.ts';
import { SYNCHRONOUS_DELETE_RECORDS } from '../../../src-shared/contract/streams/stream-operations.ts';
import { assert, present } from '../../../src-shared/values/assert.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { WriteHandle } from '../../database/database.ts';
import { percent } from '../../jobs/protocol.ts';
import { insertWipe, markedMatches, updateWipe } from '../../records/store/wipes.ts';
import { publishStreamWipe, whyBusy, whyInUse } from '../../records/work/publish-stream-wipe.ts';
import { answer, missing, refuse, timestampOf, timestampOrNull } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { refusedStream } from '../../service/period-lock.ts';
import { RESERVED_KEYS } from '../../service/reserved-streams.ts';
import { clearNow, wipeNow } from '../../service/wiping-now.ts';
import {
  bulkCountsOfStream,
  findStreamOperation,
  insertStreamOperation,
  openStreamOperation,
  type StreamOperationRow,
  streamFigures,
  streamOperationById,
} from '../store/stream-operations.ts';
import { recordCount, streamByKey } from '../store/streams.ts';
import { insertOperationJob } from '../work/stream-operation-jobs.ts';

function operationView(row: StreamOperationRow): StreamOperation {
  return {
    id: row.id,
    data_stream_id: row.stream_id,
    data_stream_key: row.stream_key,
    kind: row.kind,
    status: row.status,
    // Only the last step makes it 100.
    progress: row.status === 'completed' ? 100 : Math.min(99, percent(row.processed, row.total)),
    error_message: row.error_message,
    started_at: timestampOrNull(row.started_at),
    completed_at: timestampOrNull(row.completed_at),
    created_at: timestampOf(row.created_at),
    requested_by_user_id: null,
  };
}

/** Returns a stream that may be wiped, or a refusal. */
function wipeable(write: WriteHandle, caller: Caller, key: string) {
  if (RESERVED_KEYS.has(key)) return refuse('reserved_key', phrase('streams.own', { key, why: phrase('streams.notDeleted') }));
  const stream = streamByKey(write, caller.environmentId, key);
  if (stream === undefined) return missing('data stream', key);
  const open = openStreamOperation(write, stream.id);
  if (open !== undefined) {
    return refuse(
      'conflict',
      phrase(open.kind === 'delete' ? 'streams.deletionGoesOn' : 'streams.resetGoesOn', { key, id: String(open.id) }),
    );
  }
  return answer({ stream_id: stream.id, stream_key: key });
}

type Wipeable = { readonly stream_id: number; readonly stream_key: string };

function deletable(write: WriteHandle, caller: Caller, key: string) {
  const stream = wipeable(write, caller, key);
  const inUse = stream.ok ? whyInUse(write, stream.value) : null;
  return inUse === null ? stream : refuse('stream_in_use', inUse);
}

/** Returns a stream that may be deleted within a request, or a refusal. */
function deletableNow(write: WriteHandle, caller: Caller, key: string) {
  const stream = deletable(write, caller, key);
  if (!stream.ok) return stream;
  const records = recordCount(write, stream.value.stream_id);
  if (records > SYNCHRONOUS_DELETE_RECORDS) {
    return refuse(
      'async_required',
      phrase('streams.tooManyRecords', { key, records: String(records), most: String(SYNCHRONOUS_DELETE_RECORDS) }),
    );
  }
  const busy = whyBusy(write, stream.value);
  return busy === null ? stream : refuse('conflict', busy);
}

function insertOperation(write: WriteHandle, context: ServiceContext, caller: Caller, kind: 'delete' | 'reset', stream: Wipeable) {
  const id = insertStreamOperation(write, {
    environmentId: caller.environmentId,
    streamId: stream.stream_id,
    streamKey: stream.stream_key,
    kind,
    actor: caller.actor,
    createdAtMs: context.clock.nowMs(),
  });
  return present(streamOperationById(write, id), 'stream operation');
}

/** Returns the operation whose job was just stored, and where to poll it. */
function started(context: ServiceContext, operation: StreamOperationRow) {
  context.queue.kick();
  const location = `/v1/data_streams/${encodeURIComponent(operation.stream_key)}/operations/${operation.id}`;
  return answer(operationView(operation), { location });
}

function startWith(write: WriteHandle, context: ServiceContext, caller: Caller, kind: 'delete' | 'reset', stream: Wipeable) {
  const operation = insertOperation(write, context, caller, kind, stream);
  insertOperationJob(write, operation);
  return answer(operation);
}

function startDelete(context: ServiceContext, caller: Caller, key: string) {
  const stored = context.database.write((write) => {
    const stream = deletable(write, caller, key);
    return stream.ok ? startWith(write, context, caller, 'delete', stream.value) : stream;
  });
  return stored.ok ? started(context, stored.value) : stored;
}

function startReset(context: ServiceContext, caller: Caller, key: string) {
  const stored = context.database.write((write) => {
    const stream = wipeable(write, caller, key);
    if (!stream.ok) return stream;
    return refusedStream(write, stream.value.stream_id, key) ?? startWith(write, context, caller, 'reset', stream.value);
  });
  return stored.ok ? started(context, stored.value) : stored;
}

/** Deletes a small stream within the request: prepares, publishes and clears the wipe. A start after a crash completes it. */
async function deleteNow(context: ServiceContext, caller: Caller, key: string) {
  const { database, clock } = context;
  const opened = database.write((write) => {
    const stream = deletableNow(write, caller, key);
    const wiped = { environment_id: caller.environmentId, batch_id: null, operation_id: null, actor: caller.actor };
    return stream.ok ? answer(insertWipe(write, { ...wiped, ...stream.value })) : stream;
  });
  if (!opened.ok) return opened;
  const wipe = opened.value;
  const published = await wipeNow(context, wipe, (write) => {
    const stream = deletableNow(write, caller, key);
    if (!stream.ok) return stream;
    const { id } = insertOperation(write, context, caller, 'delete', stream.value);
    updateWipe(write, wipe.id, { operation_id: id });
    const rows = recordCount(write, wipe.stream_id) + markedMatches(write, wipe.id);
    const wiped = publishStreamWipe(write, id, wipe, rows, clock.nowMs());
    assert(wiped.end !== 'refused', 'what was checked in the same transaction holds');
    return wiped.end === 'published' ? answer(wiped.operation) : null;
  });
  if (!published.ok) return published;
  context.changed(['streams', 'records', 'imports', 'matches']);
  await clearNow(context, wipe.id, published.value);
  return answer(null);
}

/** A bulk request that is still open this long after it began counts as stuck. */
const STUCK_AFTER_MS = 15 * 60_000;

export function streamOperationHandlers(
  context: ServiceContext,
): Pick<Handlers, 'streams.remove' | 'streams.reset' | 'streams.operation' | 'streams.health'> {
  const { database } = context;
  return {
    'streams.remove': (caller, input) => (input.async ? startDelete(context, caller, input.key) : deleteNow(context, caller, input.key)),
    'streams.reset': (caller, input) => startReset(context, caller, input.key),
    'streams.operation': (caller, input) => {
      const found = findStreamOperation(database, caller.environmentId, input.key, input.id);
      return found === undefined ? missing(`operation of the data stream ${input.key}:`, input.id) : answer(operationView(found));
    },
    'streams.health': (caller, input) => {
      const stream = streamByKey(database, caller.environmentId, input.key);
      if (stream === undefined) return missing('data stream', input.key);
      const figures = streamFigures(database, stream.id);
      return answer({
        records_count: figures.records,
        import_batches_count: figures.batches,
        import_batches_record_sum: figures.records - figures.orphans,
        orphan_records_count: figures.orphans,
        bulk_requests: bulkCountsOfStream(database, stream.id, context.clock.nowMs() - STUCK_AFTER_MS),
        last_ingestion_at: timestampOrNull(figures.lastIngestionAt),
      });
    },
  };
}
