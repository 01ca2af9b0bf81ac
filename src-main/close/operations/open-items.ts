import type { OpenItemNote } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso, isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import type { RecordWithStream } from '../../database/rows.ts';
import { closedPeriodOf } from '../../domain/ledger/index.ts';
import { findReconciliation, sideStreams } from '../../reconciliations/store/reconciliations.ts';
import { findRecord } from '../../records/store/records.ts';
import { answer, lineName, lineWords, missing, refuse, timestampOrNull } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { pageAnswer, pageStart } from '../../service/paging.ts';
import { findNote, type OpenItemNoteRow, putNote } from '../store/open-item-notes.ts';
import { findPeriod, periodsOf } from '../store/periods.ts';
import { whenRead } from '../work/figures.ts';
import { nameOf, spanOf } from './period-views.ts';
import { noSuchCurrency } from './periods.ts';
import { openItemView, proposedOf } from './statement-view.ts';

type Handled = 'periods.open_items' | 'open_items.get' | 'open_items.put' | 'open_items.put_many';

const LIST = phrase('close.openItems.openItemsDate');

function listOpenItems({ database, figures }: ServiceContext): Handlers['periods.open_items'] {
  return (caller, input) => {
    const { id, currency } = input;
    const period = findPeriod(database, caller.environmentId, id);
    if (period === undefined) return missing('period', id);
    const start = pageStart(input, LIST);
    if (!start.ok) return start;
    return whenRead(figures.of('close', id, currency ?? null), (read) => {
      if (!read.ok) return refuse('total_out_of_range', read.error.message);
      if (read.value === null) return noSuchCurrency(currency, nameOf(period));
      const reading = read.value;
      const { openItems } = reading;
      const { after, offset, limit } = start.value;
      const placed = openItems.map((item, place) => ({ item, place }));
      const first = after === undefined ? offset : after.value + 1;
      const page = pageAnswer(
        placed.slice(first, first + limit + 1),
        start.value,
        LIST,
        ({ item, place }) => ({ value: place, id: item.record.id }),
        (shown) => shown.map(({ item }) => openItemView(item, period.first_day, reading)),
      );
      return answer({ ...page, total_count: openItems.length, proposed_count: proposedOf(openItems) });
    });
  };
}

function noteView(reconciliationId: number, recordId: number, row: OpenItemNoteRow | undefined): OpenItemNote {
  return {
    reconciliation_id: reconciliationId,
    record_id: recordId,
    status: row?.status ?? 'open',
    owner: row?.owner ?? null,
    comment: row?.comment ?? null,
    expected_on: row?.expected_on === null || row === undefined ? null : isoFromDay(row.expected_on),
    at: timestampOrNull(row?.updated_at ?? null),
    by: row?.updated_by ?? null,
  };
}

/** Returns the record if its stream is on a side of the reconciliation, else a refusal. */
function recordOf(read: ReadHandle, caller: Caller, id: number, recordId: number) {
  if (findReconciliation(read, caller.environmentId, id) === undefined) return missing('reconciliation', id);
  const record = findRecord(read, caller.environmentId, recordId);
  if (record === undefined) return missing('record', recordId);
  return sideStreams(read, [id]).some((link) => link.stream_id === record.stream_id) ? answer(record) : onNoSide(record);
}

function onNoSide(record: RecordWithStream) {
  const message = phrase('records.onNoSide', { line: lineName(record), key: record.data_stream_key });
  return refuse('stream_not_in_reconciliation', message);
}

/** Returns whether a status moves an item to the side that has the error, and so changes a figure. */
const isError = (status: OpenItemNoteRow['status'] | undefined): boolean => status === 'bank_error' || status === 'book_error';

/** The part of a note that people write. */
type Written = Pick<OpenItemNote, 'status' | 'owner' | 'comment' | 'expected_on'>;

const MEMBERS = ['status', 'owner', 'comment', 'expected_on'] as const satisfies readonly (keyof Written)[];

function writtenOf({ status, owner, comment, expected_on: expected }: Written): Written {
  return { status, owner, comment, expected_on: expected };
}

/** Returns the members of a change that are given. */
export function givenOf(change: Partial<{ readonly [K in keyof Written]: Written[K] | undefined }>): Partial<Written> {
  return Object.fromEntries(MEMBERS.flatMap((name) => (change[name] === undefined ? [] : [[name, change[name]]])));
}

/** A note before and after a change. */
interface Rewritten {
  readonly recordId: number;
  readonly before: Written;
  readonly after: Written;
}

interface Wanted {
  readonly recordId: number;
  readonly given: Partial<Written>;
}

/** Returns the notes that a change writes, or why it may not be made. Nothing is written yet. */
function rewritten(write: WriteHandle, caller: Caller, id: number, wanted: readonly Wanted[]) {
  if (findReconciliation(write, caller.environmentId, id) === undefined) return missing('reconciliation', id);
  const streams = new Set(sideStreams(write, [id]).map((link) => link.stream_id));
  const periods = periodsOf(write, id).map((row) => ({ ...row, ...spanOf(row) }));
  const notes = new Map<number, Rewritten>();
  for (const { recordId, given } of wanted) {
    const record = findRecord(write, caller.environmentId, recordId);
    if (record === undefined) return missing('record', recordId);
    if (!streams.has(record.stream_id)) return onNoSide(record);
    const earlier = notes.get(recordId);
    const before = earlier?.before ?? writtenOf(noteView(id, recordId, findNote(write, id, recordId)));
    const after = { ...(earlier?.after ?? before), ...given };
    const isMoved = before.status !== after.status && (isError(before.status) || isError(after.status));
    const closed = isMoved ? closedPeriodOf(record.day, periods) : null;
    if (closed !== null) {
      const name = lineWords(record);
      const mark =
        wanted.length === 1
          ? phrase('close.openItems.thisMark')
          : phrase('close.openItems.theMarkOnOf', { name, day: isoFromDay(record.day) });
      return refuse('period_closed', phrase('close.refusals.isClosedAndWouldChange', { closed: nameOf(closed), mark }));
    }
    notes.set(recordId, { recordId, before, after });
  }
  return answer([...notes.values()]);
}

function storeNotes({ clock }: ServiceContext, write: WriteHandle, caller: Caller, id: number, notes: readonly Rewritten[]): void {
  const atMs = clock.nowMs();
  for (const { recordId, after } of notes) {
    putNote(write, {
      reconciliation_id: id,
      record_id: recordId,
      status: after.status,
      owner: after.owner,
      comment: after.comment,
      expected_on: after.expected_on === null ? null : present(dayFromIso(after.expected_on), 'date'),
      updated_at: atMs,
      updated_by: caller.actor,
    });
  }
}

function putHandler(context: ServiceContext): Handlers['open_items.put'] {
  return (caller, { id, record_id: recordId, ...note }) => {
    const outcome = context.database.write((write) => {
      const notes = rewritten(write, caller, id, [{ recordId, given: note }]);
      if (!notes.ok) return notes;
      storeNotes(context, write, caller, id, notes.value);
      const detail = { reconciliation_id: id, record_id: recordId, ...note, before: notes.value[0]?.before };
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs: context.clock.nowMs(),
        actor: caller.actor,
        action: 'open_item.noted',
        detail,
      });
      return answer(noteView(id, recordId, findNote(write, id, recordId)));
    });
    if (outcome.ok) context.changed(['reconciliations'], id);
    return outcome;
  };
}

/** Returns the notes by what they were and what they are, so that the log says each change once with its records. */
function alike(notes: readonly Rewritten[]) {
  return [...Map.groupBy(notes, ({ before, after }) => JSON.stringify([before, after])).values()].flatMap((group) =>
    group[0] === undefined ? [] : [{ record_ids: group.map(({ recordId }) => recordId), ...group[0].after, before: group[0].before }],
  );
}

const isChanged = ({ before, after }: Rewritten): boolean => MEMBERS.some((name) => before[name] !== after[name]);

function putManyHandler(context: ServiceContext): Handlers['open_items.put_many'] {
  return (caller, { id, changes }) => {
    const wanted = changes.flatMap((change) => change.record_ids.map((recordId) => ({ recordId, given: givenOf(change) })));
    const outcome = context.database.write((write) => {
      const notes = rewritten(write, caller, id, wanted);
      if (!notes.ok) return notes;
      const changed = notes.value.filter(isChanged);
      if (changed.length > 0) {
        storeNotes(context, write, caller, id, changed);
        appendAudit(write, {
          environmentId: caller.environmentId,
          atMs: context.clock.nowMs(),
          actor: caller.actor,
          action: 'open_items.noted',
          detail: { reconciliation_id: id, changes: alike(changed) },
        });
      }
      return answer({ reconciliation_id: id, record_count: changed.length });
    });
    if (outcome.ok && outcome.value.record_count > 0) context.changed(['reconciliations'], id);
    return outcome;
  };
}

export function openItemHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  const { database } = context;
  return {
    'periods.open_items': listOpenItems(context),
    'open_items.get': (caller, { id, record_id: recordId }) => {
      const record = recordOf(database, caller, id, recordId);
      return record.ok ? answer(noteView(id, recordId, findNote(database, id, recordId))) : record;
    },
    'open_items.put': putHandler(context),
    'open_items.put_many': putManyHandler(context),
  };
}
