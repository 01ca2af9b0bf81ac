import type { Input, RecordTotals } from '../../../src-shared/contract/index.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { possibleDuplicates } from '../../imports/work/alternative-descriptions.ts';
import { adjustmentById } from '../../matches/store/adjustments.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { whenRead } from '../../close/work/figures.ts';
import type { WriteHandle } from '../../database/database.ts';
import type { RecordWithStream } from '../../database/rows.ts';
import { keyOfExternalId } from '../../domain/statement/index.ts';
import { dissolveMatch } from '../../matches/store/dissolved-matches.ts';
import { deleteMatch, findMatch, matchesOfRecords, matchIdsHolding, memberIds } from '../../matches/store/matches.ts';
import { findBatch } from '../../imports/store/import-batches.ts';
import { noteRecordChange } from '../../runs/store/due-runs.ts';
import { findReconciliation, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { excludeFromRuns, writingRunsOfStream } from '../../runs/store/runs.ts';
import { streamByKey } from '../../streams/store/streams.ts';
import { answer, lineName, lineWords, missing, refuse, refuseField } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { withStoredReason } from '../../service/match-reasons.ts';
import { pageAnswer, pageStart } from '../../service/paging.ts';
import { refusedDay } from '../../service/period-lock.ts';
import { RESERVED_KEYS } from '../../service/reserved-streams.ts';
import { recordViews } from '../../service/views.ts';
import { findBulkRequest } from '../store/bulk-requests.ts';
import {
  deleteRecord,
  externalIdTaken,
  findRecord,
  insertRecord,
  isDedupeKeyTaken,
  isReconciled,
  type RecordChange,
  updateRecord,
  wholeSum,
} from '../store/records.ts';
import { NO_VALUE_DAY, type RecordFilter } from '../store/record-conditions.ts';
import { pageRecords, type RecordTotal } from '../store/record-pages.ts';
import { searchQuery } from '../store/record-search.ts';
import { releaseDedupeKey } from '../store/wipe-clearing.ts';
import { newRecord, recordChange, refusedStreamOfRecord } from './record-input.ts';

type ListInput = Input<'records.totals'>;
type Resolved = { readonly filter: RecordFilter; readonly reconciliationId: number | null };

/**
 * Returns the streams of a reconciliation, or of one side. If the list is of a match with an adjustment, adds the adjustment's stream, which is in no
 * side.
 */
function streamsWithin(context: ServiceContext, caller: Caller, reconciliationId: number, input: ListInput): number[] {
  const { database } = context;
  const { side, reconciliation_match_id: matchId } = input;
  const sides = streamIdsBySide(database, reconciliationId);
  const within = side === undefined ? [...sides.a, ...sides.b] : sides[side];
  const match = matchId === undefined ? undefined : findMatch(database, caller.environmentId, matchId);
  if (match === undefined || match.reconciliation_id !== reconciliationId || match.adjustment_id === null) return within;
  const own = memberIds(database, match.id).find((member) => member.record_id === match.adjustment_id);
  const adjustment = side === undefined || own?.side === side ? adjustmentById(database, match.adjustment_id) : undefined;
  return adjustment === undefined ? within : [...within, adjustment.stream_id];
}

/** Returns the first whole millisecond that is not before a timestamp; Date.parse truncates finer fractions. */
function earliestMs(timestamp: string): number {
  return Date.parse(timestamp) + (/\.\d{3}\d*[1-9]/.test(timestamp) ? 1 : 0);
}

function unknown(path: string, what: string, id: number) {
  const message = phrase('records.records.thereIsNoInThisEnvironment', { what, id });
  return refuseField('unknown_reference', path, message);
}

/** Resolves names in a filter to ids. A name that does not exist is refused, so that it does not look like an empty list. */
function resolveFilter(context: ServiceContext, caller: Caller, input: ListInput) {
  const { database } = context;
  let streamIds: number[] | undefined;
  if (input.data_stream_key !== undefined) {
    streamIds = [];
    for (const key of new Set(input.data_stream_key.split(','))) {
      const stream = streamByKey(database, caller.environmentId, key);
      if (stream === undefined) return missing(phrase('records.records.dataStream'), key);
      streamIds.push(stream.id);
    }
  }
  if (input.reconciliation_id !== undefined) {
    if (findReconciliation(database, caller.environmentId, input.reconciliation_id) === undefined) {
      return unknown('reconciliation_id', 'reconciliation', input.reconciliation_id);
    }
    const within = streamsWithin(context, caller, input.reconciliation_id, input);
    streamIds = streamIds === undefined ? within : streamIds.filter((id) => within.includes(id));
  } else if (input.side !== undefined) {
    const message = phrase('records.records.sideGoesWithReconciliationIdAdd');
    return refuse('validation_failed', message, [{ path: 'side', code: 'side_without_reconciliation', message }]);
  }
  const matchId = input.reconciliation_match_id;
  if (matchId !== undefined && findMatch(database, caller.environmentId, matchId) === undefined) {
    return unknown('reconciliation_match_id', phrase('records.records.reconciliationMatch'), matchId);
  }
  const batchId = input.import_batch_id;
  if (batchId !== undefined && findBatch(database, caller.environmentId, batchId) === undefined) {
    return unknown('import_batch_id', phrase('records.records.importBatch'), batchId);
  }
  const bulkRequestId = input.bulk_request_id;
  if (bulkRequestId !== undefined && findBulkRequest(database, caller.environmentId, bulkRequestId) === undefined) {
    return unknown('bulk_request_id', phrase('records.records.bulkRequest'), bulkRequestId);
  }
  const words = input.q === undefined ? undefined : searchQuery(input.q);
  if (words === null) {
    const message = phrase('records.records.qHasNoLetterOrDigit');
    return refuse('validation_failed', message, [{ path: 'q', code: 'no_words', message }]);
  }
  const filter: RecordFilter = {
    environmentId: caller.environmentId,
    streamIds,
    reconciliationId: input.reconciliation_id,
    matchId,
    batchId,
    bulkRequestId,
    source: input.source,
    externalId: input.external_id,
    reconciled: input.status === undefined ? undefined : input.status === 'reconciled' || input.status === 'matched',
    dayFrom: input.date_from === undefined ? undefined : present(dayFromIso(input.date_from), 'date_from'),
    dayTo: input.date_to === undefined ? undefined : present(dayFromIso(input.date_to), 'date_to'),
    valueDayFrom: input.value_date_from === undefined ? undefined : present(dayFromIso(input.value_date_from), 'value_date_from'),
    valueDayTo: input.value_date_to === undefined ? undefined : present(dayFromIso(input.value_date_to), 'value_date_to'),
    amountMin: input.amount_min,
    amountMax: input.amount_max,
    createdFrom: input.created_after === undefined ? undefined : earliestMs(input.created_after),
    createdTo: input.created_before === undefined ? undefined : Date.parse(input.created_before),
    direction: input.direction === undefined ? undefined : input.direction === 'credit' ? 1 : 0,
    currency: input.currency,
    overdue: input.overdue,
    reversal: input.reversal,
    words,
  };
  return answer<Resolved>({ filter, reconciliationId: input.reconciliation_id ?? null });
}

const SORTS = { created_at: 'created_at', date: 'day', value_date: 'value_day', amount: 'amount' } as const;

/** Drops the proposals that hold a changed or deleted record, excludes it from runs in progress, and lets continuous reconciliations look again. */
function releaseRecord(write: WriteHandle, record: RecordWithStream, caller: Caller, atMs: number): void {
  for (const held of matchesOfRecords(write, [record.id], null)) {
    const match = findMatch(write, caller.environmentId, held.match_id);
    if (held.status === 'proposed' && match !== undefined) dissolveMatch(write, withStoredReason(write, match), atMs, null);
  }
  // Includes invisible matches: those of a run in progress, and superseded proposals that are not cleared yet.
  for (const matchId of matchIdsHolding(write, record.id)) deleteMatch(write, matchId);
  excludeFromRuns(write, writingRunsOfStream(write, record.stream_id), record.id);
  noteRecordChange(write, record.stream_id);
}

function listRecords(context: ServiceContext): Handlers['records.list'] {
  return (caller, input) => {
    const resolved = resolveFilter(context, caller, input);
    if (!resolved.ok) return resolved;
    const descending = input.sort.startsWith('-');
    const sort = SORTS[input.sort.replace('-', '') as keyof typeof SORTS];
    const list = `records ${input.sort}`;
    const start = pageStart(input, list);
    if (!start.ok) return start;
    const { filter, reconciliationId } = resolved.value;
    const { database, search, reconciledDays } = context;
    const today = context.clock.today();
    const page = (isSearchable = true) =>
      database.snapshot(() =>
        pageAnswer(
          isSearchable ? pageRecords(database, filter, { ...start.value, sort, descending }, { onLongWalk: reconciledDays.want }) : [],
          start.value,
          list,
          (row) => ({ value: row[sort] ?? NO_VALUE_DAY, id: row.id }),
          (shown) => recordViews(database, shown, reconciliationId, today),
        ),
      );
    if (filter.words === undefined) return answer(page());
    return answer(search.with((reach) => ({ ...page(reach.isSearchable), not_searched: reach.notSearched })));
  };
}

/** Returns the totals of each currency at its finest scale; null if a sum exceeds 2^53-1. */
function totalsByCurrency(totals: readonly RecordTotal[]): RecordTotals[] | null {
  const all = [...Map.groupBy(totals, ({ currency }) => currency)].map(([currency, parts]) => {
    const scale = Math.max(...parts.map((part) => part.decimal_places));
    const sum = (found: readonly RecordTotal[], direction: 0 | 1) =>
      found
        .filter((part) => part.direction === direction)
        .reduce((minor, part) => minor + wholeSum(part) * 10n ** BigInt(scale - part.decimal_places), 0n);
    const of = (isPart: (part: RecordTotal) => boolean) => {
      const found = parts.filter(isPart);
      const [credit, debit] = [sum(found, 1), sum(found, 0)];
      const count = found.reduce((records, part) => records + part.records, 0);
      return { count, credit: Number(credit), debit: Number(debit), net: Number(credit - debit) };
    };
    const [credits, debits] = [of(({ direction }) => direction === 1), of(({ direction }) => direction === 0)];
    const [held, open] = [of(({ reconciled }) => reconciled === 1), of(({ reconciled }) => reconciled === 0)];
    return {
      currency,
      decimal_places: scale,
      record_count: credits.count + debits.count,
      credit_count: credits.count,
      credit_sum: credits.credit,
      debit_count: debits.count,
      debit_sum: debits.debit,
      reconciled_count: held.count,
      reconciled_net: held.net,
      unreconciled_count: open.count,
      unreconciled_net: open.net,
    };
  });
  return all.every((total) => Number.isSafeInteger(total.credit_sum) && Number.isSafeInteger(total.debit_sum)) ? all : null;
}

function totalRecords(context: ServiceContext): Handlers['records.totals'] {
  return (caller, input) => {
    const resolved = resolveFilter(context, caller, input);
    if (!resolved.ok) return resolved;
    const { filter } = resolved.value;
    const totals = (notSearched: number, isSearchable = true) =>
      whenRead(isSearchable ? context.figures.of('recordTotals', { ...filter, notSearched }) : [], totalsByCurrency);
    const outOfRange = () => refuse('total_out_of_range', phrase('records.records.totalOutOfRange'));
    if (filter.words === undefined) return whenRead(totals(0), (all) => (all === null ? outOfRange() : answer({ totals: all })));
    return context.search.with(({ isSearchable, notSearched }) =>
      whenRead(totals(notSearched, isSearchable), (all) =>
        all === null ? outOfRange() : answer({ totals: all, not_searched: notSearched }),
      ),
    );
  };
}

function createRecord(context: ServiceContext): Handlers['records.create'] {
  return (caller, input) => {
    const { database, clock } = context;
    const { data_stream_key: streamKey } = input;
    const stream = RESERVED_KEYS.has(streamKey) ? undefined : streamByKey(database, caller.environmentId, streamKey);
    if (stream === undefined) return refusedStreamOfRecord(streamKey);
    const record = newRecord(input, { environmentId: caller.environmentId, streamId: stream.id, createdAtMs: clock.nowMs() });
    if (!record.ok) return record;
    const created = database.write((write) => {
      const { external_id: externalId, dedupe_key: dedupeKey, day } = record.value;
      if (externalId !== null && externalIdTaken(write, stream.id, externalId, null)) return takenAnswer(externalId, stream.key);
      const closed = refusedDay(write, stream.id, day, phrase('records.records.aRecord'));
      if (closed !== null) return closed;
      // An imported line keeps its dedupe key when its external id is changed, so that a re-import does not add it again.
      const isFree = dedupeKey === null || !isDedupeKeyTaken(write, stream.id, dedupeKey);
      const id = insertRecord(write, isFree ? record.value : { ...record.value, dedupe_key: null });
      if (id === null) return takenAnswer(externalId ?? '', stream.key);
      noteRecordChange(write, stream.id);
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: clock.nowMs(),
        actor: caller.actor,
        action: 'record.created',
        detail: { record_id: id, stream: stream.key },
      });
      return answer(present(findRecord(write, caller.environmentId, id), 'record'));
    });
    if (!created.ok) return created;
    context.changed(['records', 'streams']);
    const { id } = created.value;
    const older = possibleDuplicates(database, caller.environmentId, [id]).get(id);
    return answer({
      ...present(recordViews(database, [created.value], null, clock.today())[0], 'record'),
      ...(older === undefined ? {} : { possible_duplicate_of: older }),
    });
  };
}

function takenAnswer(externalId: string, streamKey: string) {
  const message = phrase('records.records.externalIdExistsAlreadyInTheStream', { externalId, streamKey });
  return refuseField('key_taken', 'external_id', message);
}

function reconciledAnswer(record: RecordWithStream) {
  return refuse('record_reconciled', phrase('records.records.recordIsReconciled', { line: lineName(record) }));
}

/**
 * Returns the new dedupe key after a change of the external id. A record made by hand has its external id as key. An imported record keeps its key,
 * and has precedence if both would have the same.
 */
function followingDedupeKey(write: WriteHandle, record: RecordWithStream, externalId: string | null | undefined): RecordChange {
  if (externalId === undefined || externalId === record.external_id || record.batch_id !== null) return {};
  if (externalId === null) return { dedupe_key: null };
  const key = keyOfExternalId(externalId);
  if (isDedupeKeyTaken(write, record.stream_id, key)) return { dedupe_key: null };
  // A wiped record that is not cleared yet may still have the key.
  releaseDedupeKey(write, record.stream_id, key);
  return { dedupe_key: key };
}

/** The columns that an amount is read by, and their sort of values in an audit entry. */
const MONEY_COLUMNS = ['amount', 'direction', 'currency', 'decimal_places'] as const;

/** Returns the values before and after a change for the audit log: an amount with all that it is read by, and no metadata, which may be long. */
function auditedChange(record: RecordWithStream, all: RecordChange) {
  const change: RecordChange = { ...all };
  delete change.metadata;
  const changed = Object.keys(change) as (keyof RecordChange)[];
  const isMoney = MONEY_COLUMNS.some((column) => changed.includes(column));
  const columns = new Set([...changed, ...(isMoney ? MONEY_COLUMNS : [])]);
  const before = Object.fromEntries([...columns].map((column) => [column, record[column]]));
  return { before, after: { ...before, ...change } };
}

function updateRecordHandler(context: ServiceContext): Handlers['records.update'] {
  return (caller, input) => {
    const { database, clock } = context;
    const outcome = database.write((write) => {
      const record = findRecord(write, caller.environmentId, input.id);
      if (record === undefined) return missing('record', input.id);
      if (isReconciled(write, record.id)) return reconciledAnswer(record);
      const change = recordChange(input, record);
      if (!change.ok) return change;
      const externalId = change.value.external_id;
      if (typeof externalId === 'string' && externalIdTaken(write, record.stream_id, externalId, record.id)) {
        return takenAnswer(externalId, record.data_stream_key);
      }
      const closed =
        refusedDay(write, record.stream_id, record.day, lineWords(record)) ??
        refusedDay(write, record.stream_id, change.value.day ?? record.day, lineWords(record));
      if (closed !== null) return closed;
      releaseRecord(write, record, caller, clock.nowMs());
      updateRecord(write, record.id, { ...change.value, ...followingDedupeKey(write, record, externalId) });
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: clock.nowMs(),
        actor: caller.actor,
        action: 'record.updated',
        detail: { record_id: record.id, fields: Object.keys(change.value), ...auditedChange(record, change.value) },
      });
      return answer(present(findRecord(write, caller.environmentId, record.id), 'record'));
    });
    if (!outcome.ok) return outcome;
    context.changed(['records', 'matches']);
    return answer(present(recordViews(database, [outcome.value], null, clock.today())[0], 'record'));
  };
}

function wrongPart(message: string) {
  return refuse('validation_failed', message, [{ path: 'amount', code: 'not_a_part', message }]);
}

/**
 * Splits a part off a record. The part is of the same import, so that its undo takes both along, and the record keeps its key, so that the file
 * imported again adds nothing.
 */
function splitRecord(context: ServiceContext): Handlers['records.split'] {
  return (caller, { id, amount, description }) => {
    const { database, clock } = context;
    const atMs = clock.nowMs();
    const outcome = database.write((write) => {
      const record = findRecord(write, caller.environmentId, id);
      if (record === undefined) return missing('record', id);
      if (RESERVED_KEYS.has(record.data_stream_key)) return wrongPart(phrase('records.records.adjustmentGoesWithItsMatch'));
      if (isReconciled(write, id)) return reconciledAnswer(record);
      const closed = refusedDay(write, record.stream_id, record.day, lineWords(record));
      if (closed !== null) return closed;
      if (amount >= record.amount) return wrongPart(phrase('records.records.aPartMustBeLess', { line: lineName(record) }));
      releaseRecord(write, record, caller, atMs);
      const rest = { amount: record.amount - amount };
      updateRecord(write, id, rest);
      const part = { ...record, amount, description: description === undefined ? record.description : description };
      const partId = present(insertRecord(write, { ...part, external_id: null, dedupe_key: null, created_at: atMs }), 'part');
      const entry = { environmentId: caller.environmentId, atMs, actor: caller.actor };
      const edited = { record_id: id, fields: ['amount'], ...auditedChange(record, rest) };
      appendAudit(write, { ...entry, action: 'record.updated', detail: edited });
      appendAudit(write, { ...entry, action: 'record.split', detail: { record_ids: [id, partId], stream: record.data_stream_key } });
      return answer([id, partId].map((each) => present(findRecord(write, caller.environmentId, each), 'record')));
    });
    if (!outcome.ok) return outcome;
    context.changed(['records', 'streams', 'matches']);
    const [rest, part] = recordViews(database, outcome.value, null, clock.today());
    return answer({ rest: present(rest, 'rest'), part: present(part, 'part') });
  };
}

function removeRecord(context: ServiceContext): Handlers['records.remove'] {
  return (caller, input) => {
    const { database, clock } = context;
    const outcome = database.write((write) => {
      const record = findRecord(write, caller.environmentId, input.id);
      if (record === undefined) return missing('record', input.id);
      if (isReconciled(write, record.id)) return reconciledAnswer(record);
      const closed = refusedDay(write, record.stream_id, record.day, lineWords(record));
      if (closed !== null) return closed;
      releaseRecord(write, record, caller, clock.nowMs());
      deleteRecord(write, record.id);
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: clock.nowMs(),
        actor: caller.actor,
        action: 'record.deleted',
        detail: { record_id: record.id, stream: record.data_stream_key, amount: record.amount, day: record.day },
      });
      return answer(null);
    });
    if (outcome.ok) context.changed(['records', 'streams', 'matches']);
    return outcome;
  };
}

export function recordHandlers(
  context: ServiceContext,
): Pick<
  Handlers,
  'records.list' | 'records.totals' | 'records.create' | 'records.get' | 'records.update' | 'records.split' | 'records.remove'
> {
  return {
    'records.list': listRecords(context),
    'records.totals': totalRecords(context),
    'records.create': createRecord(context),
    'records.get': (caller, input) => {
      const found = findRecord(context.database, caller.environmentId, input.id);
      if (found === undefined) return missing('record', input.id);
      return answer(present(recordViews(context.database, [found], null, context.clock.today())[0], 'record'));
    },
    'records.update': updateRecordHandler(context),
    'records.split': splitRecord(context),
    'records.remove': removeRecord(context),
  };
}
