import type { ExceptionAggregates, Input, ReconciliationException } from '../../../src-shared/contract/index.ts';
import type { AgeBucket } from '../../../src-shared/contract/records/exceptions.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso, isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { WriteHandle } from '../../database/database.ts';
import type { RecordWithStream } from '../../database/rows.ts';
import type { CurrencyTotal } from '../../imports/work/figures.ts';
import { matchesOfRecords } from '../../matches/store/matches.ts';
import { findReconciliation, sideStreams } from '../../reconciliations/store/reconciliations.ts';
import { answer, lineName, missing, refuse, refuseField, timestampOf, timestampOrNull } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { pageAnswer, pageStart } from '../../service/paging.ts';
import { recordViews } from '../../service/views.ts';
import { streamsById } from '../../streams/store/streams.ts';
import {
  clearOverdue,
  deleteException,
  type ExceptionChange,
  type ExceptionRow,
  findException,
  hasOpenException,
  insertException,
  markOverdue,
  overdueFigures,
  type OverdueFigures,
  type OverdueFilter,
  pageExceptions,
  updateException,
} from '../store/exceptions.ts';
import { findRecord, wholeSum } from '../store/records.ts';

/** The age in days at which each bucket starts (inclusive) and ends (exclusive). */
const BUCKETS: Readonly<Record<AgeBucket, readonly [number, number]>> = {
  lt_7d: [-Infinity, 7],
  '7_30d': [7, 30],
  '30_90d': [30, 90],
  gt_90d: [90, Infinity],
};

interface RecordFilterInput {
  readonly amount_min?: number | undefined;
  readonly amount_max?: number | undefined;
  readonly date_from?: string | undefined;
  readonly date_to?: string | undefined;
  readonly direction?: 'credit' | 'debit' | undefined;
  readonly counterparty?: string | undefined;
  readonly age_bucket?: AgeBucket | undefined;
}

const dayOf = (date: string | undefined) => (date === undefined ? null : present(dayFromIso(date), 'date'));
const finite = (day: number) => (Number.isFinite(day) ? day : undefined);

/** Returns the record filter of a list; undefined if it has none. A bucket becomes a range of days as of `today`. */
function overdueFilter(input: RecordFilterInput, today: number): OverdueFilter | undefined {
  const [youngest, oldest] = input.age_bucket === undefined ? [-Infinity, Infinity] : BUCKETS[input.age_bucket];
  const filter: OverdueFilter = {
    amountMin: input.amount_min,
    amountMax: input.amount_max,
    dayFrom: finite(Math.max(dayOf(input.date_from) ?? -Infinity, today - oldest + 1)),
    dayTo: finite(Math.min(dayOf(input.date_to) ?? Infinity, today - youngest)),
    direction: input.direction === undefined ? undefined : input.direction === 'credit' ? 1 : 0,
    counterparty: input.counterparty,
  };
  return Object.values(filter).some((value) => value !== undefined) ? filter : undefined;
}

/** Returns the sums of each currency in its finest scale; null if one exceeds 2^53-1. */
function totalsOf(figures: readonly OverdueFigures[]): CurrencyTotal[] | null {
  const totals = [...Map.groupBy(figures, (part) => part.currency)].map(([currency, parts]) => {
    const scale = Math.max(...parts.map((part) => part.decimal_places));
    const sum = (direction: 0 | 1) =>
      parts
        .filter((part) => part.direction === direction)
        .reduce((minor, part) => minor + wholeSum(part) * 10n ** BigInt(scale - part.decimal_places), 0n);
    return { currency, decimal_places: scale, credits: Number(sum(1)), debits: Number(sum(0)) };
  });
  return totals.every((total) => Number.isSafeInteger(total.credits) && Number.isSafeInteger(total.debits)) ? totals : null;
}

const midnight = (day: number) => `${isoFromDay(day)}T00:00:00.000Z`;

/** Returns the total of the currency that most records have. */
function mainOf(figures: readonly OverdueFigures[], totals: readonly CurrencyTotal[]): CurrencyTotal | null {
  const records = (currency: string): number => figures.reduce((count, part) => count + (part.currency === currency ? part.records : 0), 0);
  return totals.toSorted((left, right) => records(right.currency) - records(left.currency))[0] ?? null;
}

interface Aggregated {
  readonly aggregates: ExceptionAggregates;
  readonly decimalPlaces: number;
}

/**
 * Returns the aggregates and the scale of their sums; null if a sum exceeds 2^53-1. Age is in days since the record's date, at least 0. `whole` are
 * the aggregates of all records if `figures` covers only some.
 */
function aggregatesOf(figures: readonly OverdueFigures[], today: number, whole?: Aggregated): Aggregated | null {
  const totals = totalsOf(figures);
  if (totals === null) return null;
  const total =
    whole === undefined ? mainOf(figures, totals) : (totals.find(({ currency }) => currency === whole.aggregates.currency) ?? null);
  const decimalPlaces = whole?.decimalPlaces ?? total?.decimal_places ?? 2;
  const factor = 10 ** (decimalPlaces - (total?.decimal_places ?? decimalPlaces));
  const [credits, debits] = [(total?.credits ?? 0) * factor, (total?.debits ?? 0) * factor];
  const count = (direction: 0 | 1) => figures.filter((part) => part.direction === direction).reduce((sum, part) => sum + part.records, 0);
  const records = count(0) + count(1);
  const days = figures.reduce((sum, part) => sum + part.days, 0);
  const aggregates: ExceptionAggregates = {
    record_count: records,
    total_amount: credits - debits,
    debit_count: count(0),
    debit_sum: debits,
    credit_count: count(1),
    credit_sum: credits,
    currency: whole === undefined ? (total?.currency ?? null) : whole.aggregates.currency,
    avg_age_days: records === 0 ? null : Math.max(0, Math.round((today - days / records) * 10) / 10),
    oldest_at: records === 0 ? null : midnight(Math.min(...figures.map((part) => part.first_day))),
    newest_at: records === 0 ? null : midnight(Math.max(...figures.map((part) => part.last_day))),
    totals,
  };
  return { aggregates, decimalPlaces };
}

type Status = ReconciliationException['status'];
type Handled =
  | 'exceptions.list'
  | 'exceptions.create'
  | 'exceptions.get'
  | 'exceptions.update'
  | 'exceptions.update_many'
  | 'exceptions.remove';

const isOpen = (status: Status) => status === 'open' || status === 'investigating';

/** Returns an exception with its figures; null if a figure exceeds 2^53-1. */
function exceptionView(context: ServiceContext, row: ExceptionRow, filter: OverdueFilter | undefined): ReconciliationException | null {
  const { database, clock } = context;
  const today = clock.today();
  const figures = aggregatesOf(overdueFigures(database, row.id, {}), today);
  if (figures === null) return null;
  const filtered = filter === undefined ? undefined : aggregatesOf(overdueFigures(database, row.id, filter), today, figures);
  if (filtered === null) return null;
  return {
    id: row.id,
    reconciliation_id: row.reconciliation_id,
    reconciliation_name: row.reconciliation_name,
    data_stream_id: row.stream_id,
    data_stream_name: row.stream_name,
    data_stream_key: row.stream_key,
    title: row.title,
    description: row.description,
    status: row.status,
    created_at: timestampOf(row.created_at),
    updated_at: timestampOf(row.updated_at),
    opened_at: timestampOf(row.opened_at),
    closed_at: timestampOrNull(row.closed_at),
    assignees: row.assignee === null ? [] : [row.assignee],
    decimal_places: figures.decimalPlaces,
    aggregates: figures.aggregates,
    filtered_aggregates: filtered?.aggregates ?? null,
    comments: row.comment === null ? [] : [row.comment],
  };
}

function outOfRange(id: number) {
  return refuse('total_out_of_range', phrase('records.exceptions.totalOfExceptionIsBeyond2531Minor', { id }));
}

function shown(context: ServiceContext, row: ExceptionRow) {
  const view = exceptionView(context, row, undefined);
  return view === null ? outOfRange(row.id) : answer(view);
}

function unknown(path: string, what: string, id: number) {
  const message = phrase('records.exceptions.thereIsNoInThisEnvironment', { what, id });
  return refuseField('unknown_reference', path, message);
}

function alreadyOpen(streamName: string) {
  return refuse('exception_open', phrase('records.exceptions.openAlready', { account: streamName }));
}

function audit(write: WriteHandle, context: ServiceContext, caller: Caller, action: string, row: ExceptionRow, more: object = {}): void {
  appendAudit(write, {
    environmentId: caller.environmentId,
    atMs: context.clock.nowMs(),
    actor: caller.actor,
    action,
    detail: { exception_id: row.id, reconciliation_id: row.reconciliation_id, stream: row.stream_key, ...more },
  });
}

function listExceptions(context: ServiceContext): Handlers['exceptions.list'] {
  return (caller, input) => {
    const { database } = context;
    const { environmentId } = caller;
    if (input.reconciliation_id !== undefined && findReconciliation(database, environmentId, input.reconciliation_id) === undefined) {
      return unknown('reconciliation_id', 'reconciliation', input.reconciliation_id);
    }
    if (input.data_stream_id !== undefined && streamsById(database, environmentId, [input.data_stream_id]).length === 0) {
      return unknown('data_stream_id', phrase('records.exceptions.dataStream'), input.data_stream_id);
    }
    const list = 'exceptions -created_at';
    const start = pageStart(input, list);
    if (!start.ok) return start;
    const records = overdueFilter(input, context.clock.today());
    const filter = {
      environmentId,
      reconciliationId: input.reconciliation_id,
      streamId: input.data_stream_id,
      status: input.status,
      records,
    };
    const page = database.snapshot(() =>
      pageAnswer(
        pageExceptions(database, filter, start.value),
        start.value,
        list,
        (row) => ({ value: row.created_at, id: row.id }),
        (rows) => rows.map((row) => exceptionView(context, row, records) ?? row.id),
      ),
    );
    const data: ReconciliationException[] = [];
    for (const view of page.data) {
      if (typeof view === 'number') return outOfRange(view);
      data.push(view);
    }
    return answer({ ...page, data });
  };
}

function createException(context: ServiceContext): Handlers['exceptions.create'] {
  return (caller, input) => {
    const { database, clock } = context;
    const nowMs = clock.nowMs();
    const outcome = database.write((write) => {
      const reconciliation = findReconciliation(write, caller.environmentId, input.reconciliation_id);
      if (reconciliation === undefined) return unknown('reconciliation_id', 'reconciliation', input.reconciliation_id);
      const [stream] = streamsById(write, caller.environmentId, [input.data_stream_id]);
      if (stream === undefined) return unknown('data_stream_id', phrase('records.exceptions.dataStream'), input.data_stream_id);
      if (!sideStreams(write, [reconciliation.id]).some((link) => link.stream_id === stream.id)) {
        const message = phrase('records.exceptions.onNoSide', { key: stream.key, id: String(reconciliation.id) });
        return refuseField('stream_not_in_reconciliation', 'data_stream_id', message);
      }
      if (isOpen(input.status) && hasOpenException(write, stream.id, reconciliation.id, null)) return alreadyOpen(stream.name);
      const id = insertException(write, {
        environment_id: caller.environmentId,
        reconciliation_id: reconciliation.id,
        stream_id: stream.id,
        title: input.title ?? phrase('records.exceptions.overdueRecords', { name: stream.name }),
        description: input.description ?? null,
        status: input.status,
        created_at: nowMs,
        updated_at: nowMs,
        opened_at: nowMs,
        closed_at: isOpen(input.status) ? null : nowMs,
        assignee: null,
        comment: null,
      });
      const row = present(findException(write, caller.environmentId, id), 'exception');
      audit(write, context, caller, 'exception.created', row, { status: row.status });
      return answer(row);
    });
    if (!outcome.ok) return outcome;
    context.changed(['exceptions'], outcome.value.reconciliation_id);
    return shown(context, outcome.value);
  };
}

/** Returns the times of opening and closing that a change of status sets. */
function turned(row: ExceptionRow, status: Status | undefined, nowMs: number): ExceptionChange {
  if (status === undefined || isOpen(status) === isOpen(row.status)) return {};
  return isOpen(status) ? { opened_at: nowMs, closed_at: null } : { closed_at: nowMs };
}

/** Writes a change of one exception; the answer is its row afterwards. */
function writeChange(write: WriteHandle, context: ServiceContext, caller: Caller, { id, ...change }: Input<'exceptions.update'>) {
  const nowMs = context.clock.nowMs();
  const row = findException(write, caller.environmentId, id);
  if (row === undefined) return missing(phrase('records.exceptions.reconciliationException'), id);
  if (change.status !== undefined && isOpen(change.status) && hasOpenException(write, row.stream_id, row.reconciliation_id, row.id)) {
    return alreadyOpen(row.stream_name);
  }
  updateException(write, row.id, { ...change, ...turned(row, change.status, nowMs), updated_at: nowMs });
  audit(write, context, caller, 'exception.updated', row, { change });
  return answer(present(findException(write, caller.environmentId, row.id), 'exception'));
}

function changeException(context: ServiceContext): Handlers['exceptions.update'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => writeChange(write, context, caller, input));
    if (!outcome.ok) return outcome;
    context.changed(['exceptions'], outcome.value.reconciliation_id);
    return shown(context, outcome.value);
  };
}

function changeExceptions(context: ServiceContext): Handlers['exceptions.update_many'] {
  return (caller, { ids, ...change }) => {
    const outcomes = context.database.write((write) =>
      [...new Set(ids)].map((id) => ({ id, outcome: writeChange(write, context, caller, { id, ...change }) })),
    );
    context.changed(['exceptions']);
    return answer({
      updated: outcomes.flatMap(({ id, outcome }) => (outcome.ok ? [id] : [])),
      refused: outcomes.flatMap(({ id, outcome }) =>
        outcome.ok ? [] : [{ id, code: outcome.error.code, message: outcome.error.message }],
      ),
    });
  };
}

export function exceptionHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  return {
    'exceptions.list': listExceptions(context),
    'exceptions.create': createException(context),
    'exceptions.get': (caller, input) => {
      const row = findException(context.database, caller.environmentId, input.id);
      return row === undefined ? missing(phrase('records.exceptions.reconciliationException'), input.id) : shown(context, row);
    },
    'exceptions.update': changeException(context),
    'exceptions.update_many': changeExceptions(context),
    'exceptions.remove': (caller, input) => {
      const removed = context.database.write((write) => {
        const row = findException(write, caller.environmentId, input.id);
        if (row === undefined) return null;
        deleteException(write, row.id);
        audit(write, context, caller, 'exception.deleted', row, { title: row.title });
        return row;
      });
      if (removed === null) return missing(phrase('records.exceptions.reconciliationException'), input.id);
      context.changed(['exceptions'], removed.reconciliation_id);
      return answer(null);
    },
  };
}

interface Mark {
  readonly recordId: number;
  readonly reconciliationId: number;
  readonly overdueAt: string | undefined;
}

/** Returns the record if its stream is on a side of the reconciliation, else a refusal. */
function recordOnASide(write: WriteHandle, caller: Caller, recordId: number, reconciliationId: number) {
  const record = findRecord(write, caller.environmentId, recordId);
  if (record === undefined) return missing('record', recordId);
  if (sideStreams(write, [reconciliationId]).some((link) => link.stream_id === record.stream_id)) return answer(record);
  return refuse('stream_not_in_reconciliation', phrase('records.onNoSide', { line: lineName(record), key: record.data_stream_key }));
}

/** Marks a record of an existing reconciliation as overdue. */
function mark(context: ServiceContext, caller: Caller, { recordId, reconciliationId, overdueAt }: Mark) {
  const { database, clock } = context;
  const nowMs = clock.nowMs();
  const overdueAtMs = overdueAt === undefined ? nowMs : Date.parse(overdueAt);
  const outcome = database.write((write) => {
    const record = recordOnASide(write, caller, recordId, reconciliationId);
    if (!record.ok) return record;
    const held = matchesOfRecords(write, [recordId], reconciliationId).find((match) => match.status === 'matched');
    if (held !== undefined) {
      const message = phrase('records.exceptions.recordIsMatchedInReconciliation', { line: lineName(record.value) });
      return refuse('record_reconciled', message);
    }
    markOverdue(write, { record_id: recordId, reconciliation_id: reconciliationId, overdue_at: overdueAtMs });
    appendAudit(write, {
      environmentId: caller.environmentId,
      atMs: nowMs,
      actor: caller.actor,
      action: 'record.marked_overdue',
      detail: { record_id: recordId, reconciliation_id: reconciliationId, overdue_at: timestampOf(overdueAtMs) },
    });
    return record;
  });
  return outcome.ok ? remarked(context, reconciliationId, outcome.value) : outcome;
}

/** Answers a record whose mark was changed. */
function remarked({ database, clock, changed }: ServiceContext, reconciliationId: number, record: RecordWithStream) {
  changed(['records'], reconciliationId);
  return answer(present(recordViews(database, [record], null, clock.today())[0], 'record'));
}

/** Takes the mark of a record away. */
function unmark(context: ServiceContext, caller: Caller, { recordId, reconciliationId }: Omit<Mark, 'overdueAt'>) {
  const { database, clock } = context;
  const outcome = database.write((write) => {
    const record = recordOnASide(write, caller, recordId, reconciliationId);
    if (!record.ok) return record;
    clearOverdue(write, { record_id: recordId, reconciliation_id: reconciliationId });
    appendAudit(write, {
      environmentId: caller.environmentId,
      atMs: clock.nowMs(),
      actor: caller.actor,
      action: 'record.cleared_overdue',
      detail: { record_id: recordId, reconciliation_id: reconciliationId },
    });
    return record;
  });
  return outcome.ok ? remarked(context, reconciliationId, outcome.value) : outcome;
}

type OverdueHandled = 'records.mark_overdue' | 'records.clear_overdue' | 'reconciliations.mark_overdue';

export function overdueHandlers(context: ServiceContext): Pick<Handlers, OverdueHandled> {
  const { database } = context;
  const unknownToRecord = (caller: Caller, id: number, reconciliationId: number) => {
    if (findRecord(database, caller.environmentId, id) === undefined) return missing('record', id);
    return findReconciliation(database, caller.environmentId, reconciliationId) === undefined
      ? unknown('reconciliation_id', 'reconciliation', reconciliationId)
      : null;
  };
  return {
    'records.mark_overdue': (caller, { id, reconciliation_id: reconciliationId, overdue_at: overdueAt }) =>
      unknownToRecord(caller, id, reconciliationId) ?? mark(context, caller, { recordId: id, reconciliationId, overdueAt }),
    'records.clear_overdue': (caller, { id, reconciliation_id: reconciliationId }) =>
      unknownToRecord(caller, id, reconciliationId) ?? unmark(context, caller, { recordId: id, reconciliationId }),
    'reconciliations.mark_overdue': (caller, input) => {
      if (findReconciliation(database, caller.environmentId, input.rid) === undefined) return missing('reconciliation', input.rid);
      if (input.reconciliation_id !== undefined && input.reconciliation_id !== input.rid) {
        const message = phrase('records.exceptions.reconciliationIdIsButTheAddress', {
          reconciliation_id: input.reconciliation_id,
          rid: input.rid,
        });
        return refuse('validation_failed', message, [{ path: 'reconciliation_id', code: 'disagrees', message }]);
      }
      return mark(context, caller, { recordId: input.id, reconciliationId: input.rid, overdueAt: input.overdue_at });
    },
  };
}
