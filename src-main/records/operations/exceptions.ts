import type { ReconciliationException } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { WriteHandle } from '../../database/database.ts';
import { findReconciliation, sideStreams } from '../../reconciliations/store/reconciliations.ts';
import { streamsById } from '../../streams/store/streams.ts';
import { answer, missing, refuse, refuseField, timestampOf, timestampOrNull } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { pageAnswer, pageStart } from '../../service/paging.ts';
import {
  deleteException,
  type ExceptionChange,
  type ExceptionRow,
  findException,
  hasOpenException,
  insertException,
  type OverdueFilter,
  overdueFigures,
  pageExceptions,
  updateException,
} from '../store/exceptions.ts';
import { aggregatesOf, overdueFilter } from './exception-figures.ts';

type Status = ReconciliationException['status'];
type Handled = 'exceptions.list' | 'exceptions.create' | 'exceptions.get' | 'exceptions.update' | 'exceptions.remove';

const isOpen = (status: Status) => status === 'open' || status === 'investigating';

/** An exception with its figures; null when one of them is beyond 2^53-1. */
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
    assignees: [],
    decimal_places: figures.decimalPlaces,
    aggregates: figures.aggregates,
    filtered_aggregates: filtered?.aggregates ?? null,
    comments: [],
  };
}

function outOfRange(id: number) {
  return refuse('total_out_of_range', `A total of exception ${id} is beyond 2^53-1 minor units, so it cannot be shown exactly.`);
}

function shown(context: ServiceContext, row: ExceptionRow) {
  const view = exceptionView(context, row, undefined);
  return view === null ? outOfRange(row.id) : answer(view);
}

function unknown(path: string, what: string, id: number) {
  const message = `There is no ${what} ${id} in this environment.`;
  return refuseField('unknown_reference', path, message);
}

function alreadyOpen(streamName: string) {
  return refuse(
    'exception_open',
    `An exception for the stream ${streamName} in this reconciliation is open already: work on that one, or close it first.`,
  );
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
      return unknown('data_stream_id', 'data stream', input.data_stream_id);
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
      if (stream === undefined) return unknown('data_stream_id', 'data stream', input.data_stream_id);
      if (!sideStreams(write, [reconciliation.id]).some((link) => link.stream_id === stream.id)) {
        const message = `The stream ${stream.key} is on no side of reconciliation ${reconciliation.id}.`;
        return refuseField('stream_not_in_reconciliation', 'data_stream_id', message);
      }
      if (isOpen(input.status) && hasOpenException(write, stream.id, reconciliation.id, null)) return alreadyOpen(stream.name);
      const id = insertException(write, {
        environment_id: caller.environmentId,
        reconciliation_id: reconciliation.id,
        stream_id: stream.id,
        title: input.title ?? `${stream.name} overdue records`,
        description: input.description ?? null,
        status: input.status,
        created_at: nowMs,
        updated_at: nowMs,
        opened_at: nowMs,
        closed_at: isOpen(input.status) ? null : nowMs,
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

/** What a change of the status means for when an exception was opened and closed. */
function turned(row: ExceptionRow, status: Status | undefined, nowMs: number): ExceptionChange {
  if (status === undefined || isOpen(status) === isOpen(row.status)) return {};
  return isOpen(status) ? { opened_at: nowMs, closed_at: null } : { closed_at: nowMs };
}

function changeException(context: ServiceContext): Handlers['exceptions.update'] {
  return (caller, input) => {
    const nowMs = context.clock.nowMs();
    const outcome = context.database.write((write) => {
      const row = findException(write, caller.environmentId, input.id);
      if (row === undefined) return missing('reconciliation exception', input.id);
      const { id: _, ...change } = input;
      if (input.status !== undefined && isOpen(input.status) && hasOpenException(write, row.stream_id, row.reconciliation_id, row.id)) {
        return alreadyOpen(row.stream_name);
      }
      updateException(write, row.id, { ...change, ...turned(row, input.status, nowMs), updated_at: nowMs });
      audit(write, context, caller, 'exception.updated', row, { change });
      return answer(present(findException(write, caller.environmentId, row.id), 'exception'));
    });
    if (!outcome.ok) return outcome;
    context.changed(['exceptions'], outcome.value.reconciliation_id);
    return shown(context, outcome.value);
  };
}

export function exceptionHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  return {
    'exceptions.list': listExceptions(context),
    'exceptions.create': createException(context),
    'exceptions.get': (caller, input) => {
      const row = findException(context.database, caller.environmentId, input.id);
      return row === undefined ? missing('reconciliation exception', input.id) : shown(context, row);
    },
    'exceptions.update': changeException(context),
    'exceptions.remove': (caller, input) => {
      const removed = context.database.write((write) => {
        const row = findException(write, caller.environmentId, input.id);
        if (row === undefined) return null;
        deleteException(write, row.id);
        audit(write, context, caller, 'exception.deleted', row, { title: row.title });
        return row;
      });
      if (removed === null) return missing('reconciliation exception', input.id);
      context.changed(['exceptions'], removed.reconciliation_id);
      return answer(null);
    },
  };
}
