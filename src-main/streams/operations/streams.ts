import type { PropertyDefinition, StreamOperation } from '../../../src-shared/contract/index.ts';
import { SYNCHRONOUS_DELETE_RECORDS } from '../../../src-shared/contract/streams/stream-operations.ts';
import { BANK_FEED } from '../../../src-shared/contract/streams/streams.ts';
import { assert, present } from '../../../src-shared/values/assert.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { whenRead } from '../../close/work/figures.ts';
import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import { percent } from '../../jobs/protocol.ts';
import { insertWipe, markedMatches, updateWipe } from '../../records/store/wipes.ts';
import { publishStreamWipe, whyBusy, whyInUse } from '../../records/work/publish-stream-wipe.ts';
import { answer, missing, refuse, refuseField, timestampOf, timestampOrNull } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { partOf } from '../../service/paging.ts';
import { refusedStream } from '../../service/period-lock.ts';
import { RESERVED_KEYS, reservedStream } from '../../service/reserved-streams.ts';
import { streamView } from '../../service/views.ts';
import { clearNow, wipeNow } from '../../service/wiping-now.ts';
import { findBankAccount } from '../store/bank-accounts.ts';
import {
  deletePropertyDefinition,
  findPropertyDefinition,
  insertPropertyDefinition,
  isPropertyKeyTaken,
  listPropertyDefinitions,
  type PropertyDefinitionWithStream,
  updatePropertyDefinition,
} from '../store/property-definitions.ts';
import {
  bulkCountsOfStream,
  findStreamOperation,
  insertStreamOperation,
  openStreamOperation,
  streamFigures,
  streamOperationById,
  type StreamOperationRow,
} from '../store/stream-operations.ts';
import { insertStream, listStreams, recordCount, streamByKey, updateStream } from '../store/streams.ts';
import { insertOperationJob } from '../work/stream-operation-task.ts';
import { unknownBankAccount } from './bank-accounts.ts';

/** Returns why a stream of this type cannot have this bank account (null for none); null if it can. */
function bankAccountRefusal(read: ReadHandle, caller: Caller, type: string, bankAccountId: number | null) {
  if (bankAccountId !== null) {
    return findBankAccount(read, caller.environmentId, bankAccountId) === undefined ? unknownBankAccount(bankAccountId) : null;
  }
  if (type !== BANK_FEED) return null;
  const message = phrase('streams.streams.aStreamOfTypeNeeds', { bankFeed: BANK_FEED });
  return refuse('validation_failed', message, [{ path: 'bank_account_id', code: 'required', message }]);
}

function keyTaken(key: string) {
  const message = phrase('streams.keyTaken', { key });
  return refuseField('key_taken', 'key', message);
}

function createHandler(context: ServiceContext): Handlers['streams.create'] {
  return (caller, input) => {
    if (RESERVED_KEYS.has(input.key)) return refuseField('reserved_key', 'key', phrase('streams.reservedKey', { key: input.key }));
    const nowMs = context.clock.nowMs();
    const bankAccountId = input.bank_account_id ?? null;
    const outcome = context.database.write((write) => {
      if (streamByKey(write, caller.environmentId, input.key) !== undefined) return keyTaken(input.key);
      const refusal = bankAccountRefusal(write, caller, input.type, bankAccountId);
      if (refusal !== null) return refusal;
      insertStream(write, {
        environmentId: caller.environmentId,
        key: input.key,
        name: input.name,
        description: input.description ?? null,
        type: input.type,
        bankAccountId,
        currency: null,
        referenceField: input.reference_field ?? null,
        literalDebitCredit: false,
        readBy: input.read_by,
        batchLines: input.batch_lines,
        createdAtMs: nowMs,
      });
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: nowMs,
        actor: caller.actor,
        action: 'stream.created',
        detail: {
          key: input.key,
          name: input.name,
          type: input.type,
          bank_account_id: bankAccountId,
          ...(input.reference_field === undefined ? {} : { reference_field: input.reference_field }),
        },
      });
      return answer(present(streamByKey(write, caller.environmentId, input.key), 'stream'));
    });
    if (!outcome.ok) return outcome;
    context.changed(['streams']);
    return answer(streamView(outcome.value, context.figures.now('recordCounts', caller.environmentId)));
  };
}

function updateHandler(context: ServiceContext): Handlers['streams.update'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const found = streamByKey(write, caller.environmentId, input.key);
      if (found === undefined) return missing(phrase('streams.streams.dataStream'), input.key);
      const { key: _, ...change } = input;
      const fixed = RESERVED_KEYS.has(input.key)
        ? (['reference_field', 'bank_account_id', 'read_by', 'batch_lines'] as const).find((field) => change[field] !== undefined)
        : undefined;
      if (fixed !== undefined) return reservedStream(fixed, phrase('streams.streams.itsNameAndDescriptionCanBeChanged', { fixed }));
      if (change.bank_account_id !== undefined) {
        const refusal = bankAccountRefusal(write, caller, found.type, change.bank_account_id);
        if (refusal !== null) return refusal;
      }
      if (change.reference_field !== undefined && change.reference_field !== found.reference_field) {
        // The field is the reference of every line, and sign-offs name lines by reference.
        const closed = refusedStream(write, found.id, found.key);
        if (closed !== null) return closed;
      }
      updateStream(write, found.id, change);
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: context.clock.nowMs(),
        actor: caller.actor,
        action: 'stream.updated',
        detail: { key: input.key, change },
      });
      return answer(present(streamByKey(write, caller.environmentId, input.key), 'stream'));
    });
    if (!outcome.ok) return outcome;
    // The balances that its statements state belong to the account to which it is linked.
    context.changed(input.bank_account_id === undefined ? ['streams'] : ['streams', 'bank_accounts']);
    return answer(streamView(outcome.value, context.figures.now('recordCounts', caller.environmentId)));
  };
}

export function streamHandlers(
  context: ServiceContext,
): Pick<Handlers, 'streams.create' | 'streams.list' | 'streams.get' | 'streams.update'> {
  const { database, figures } = context;
  return {
    'streams.create': createHandler(context),
    'streams.list': (caller, input) =>
      whenRead(figures.of('recordCounts', caller.environmentId), (records) =>
        answer(partOf(listStreams(database, caller.environmentId), input).map((row) => streamView(row, records))),
      ),
    'streams.get': (caller, input) =>
      whenRead(figures.of('recordCounts', caller.environmentId), (records) => {
        const found = streamByKey(database, caller.environmentId, input.key);
        return found === undefined ? missing(phrase('streams.streams.dataStream'), input.key) : answer(streamView(found, records));
      }),
    'streams.update': updateHandler(context),
  };
}

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
  if (stream === undefined) return missing(phrase('streams.streams.dataStream'), key);
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
      return found === undefined
        ? missing(phrase('streams.streams.operationOfTheDataStream', { key: input.key }), input.id)
        : answer(operationView(found));
    },
    'streams.health': (caller, input) => {
      const stream = streamByKey(database, caller.environmentId, input.key);
      if (stream === undefined) return missing(phrase('streams.streams.dataStream'), input.key);
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

type Handled =
  | 'property_definitions.create'
  | 'property_definitions.list'
  | 'property_definitions.get'
  | 'property_definitions.update'
  | 'property_definitions.remove';

function propertyDefinitionView(row: PropertyDefinitionWithStream): PropertyDefinition {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    type: row.type as PropertyDefinition['type'],
    optional: row.optional === 1,
    data_stream_key: row.data_stream_key,
  };
}

function createProperty(context: ServiceContext): Handlers['property_definitions.create'] {
  return (caller, input) => {
    const nowMs = context.clock.nowMs();
    const { data_stream_key: streamKey, ...fields } = input;
    if (RESERVED_KEYS.has(streamKey)) return reservedStream('data_stream_key', phrase('streams.streams.itsRecordsHaveNoMetadata'));
    const outcome = context.database.write((write) => {
      const stream = streamByKey(write, caller.environmentId, streamKey);
      if (stream === undefined) {
        const message = phrase('streams.streams.thereIsNoDataStream', { streamKey });
        return refuseField('unknown_reference', 'data_stream_key', message);
      }
      if (isPropertyKeyTaken(write, stream.id, fields.key)) {
        const message = phrase('streams.streams.dataStreamHasAProperty', { streamKey, key: fields.key });
        return refuseField('key_taken', 'key', message);
      }
      const id = insertPropertyDefinition(write, { stream_id: stream.id, ...fields, optional: fields.optional ? 1 : 0, created_at: nowMs });
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: nowMs,
        actor: caller.actor,
        action: 'property_definition.created',
        detail: { property_definition_id: id, ...input },
      });
      return answer(propertyDefinitionView(present(findPropertyDefinition(write, caller.environmentId, id), 'property definition')));
    });
    if (outcome.ok) context.changed(['streams']);
    return outcome;
  };
}

function updateProperty(context: ServiceContext): Handlers['property_definitions.update'] {
  return (caller, input) => {
    const { id, name, optional } = input;
    const isChange = name !== undefined || optional !== undefined;
    const outcome = context.database.write((write) => {
      const found = findPropertyDefinition(write, caller.environmentId, id);
      if (found === undefined) return missing(phrase('streams.streams.propertyDefinition'), id);
      if (!isChange) return answer(propertyDefinitionView(found));
      updatePropertyDefinition(write, id, {
        ...(name === undefined ? {} : { name }),
        ...(optional === undefined ? {} : { optional: optional ? 1 : 0 }),
      });
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: context.clock.nowMs(),
        actor: caller.actor,
        action: 'property_definition.updated',
        detail: { property_definition_id: id, change: { name, optional } },
      });
      return answer(propertyDefinitionView(present(findPropertyDefinition(write, caller.environmentId, id), 'property definition')));
    });
    if (outcome.ok && isChange) context.changed(['streams']);
    return outcome;
  };
}

function removeHandler(context: ServiceContext): Handlers['property_definitions.remove'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const found = findPropertyDefinition(write, caller.environmentId, input.id);
      if (found === undefined) return missing(phrase('streams.streams.propertyDefinition'), input.id);
      deletePropertyDefinition(write, found.id);
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: context.clock.nowMs(),
        actor: caller.actor,
        action: 'property_definition.deleted',
        detail: { property_definition_id: found.id, data_stream_key: found.data_stream_key, key: found.key, type: found.type },
      });
      return answer(null);
    });
    if (outcome.ok) context.changed(['streams']);
    return outcome;
  };
}

export function propertyDefinitionHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  const { database } = context;
  return {
    'property_definitions.create': createProperty(context),
    'property_definitions.list': (caller, input) => {
      const key = input.data_stream_key;
      const stream = key === undefined ? null : streamByKey(database, caller.environmentId, key);
      if (stream === undefined) return missing(phrase('streams.streams.dataStream'), key ?? '');
      return answer(partOf(listPropertyDefinitions(database, caller.environmentId, stream?.id ?? null), input).map(propertyDefinitionView));
    },
    'property_definitions.get': (caller, input) => {
      const found = findPropertyDefinition(database, caller.environmentId, input.id);
      return found === undefined ? missing(phrase('streams.streams.propertyDefinition'), input.id) : answer(propertyDefinitionView(found));
    },
    'property_definitions.update': updateProperty(context),
    'property_definitions.remove': removeHandler(context),
  };
}
