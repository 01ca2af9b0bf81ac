import type { OpenItemNote } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso, isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { ReadHandle } from '../../database/database.ts';
import { closedPeriodOf } from '../../domain/ledger/index.ts';
import { findReconciliation, sideStreams } from '../../reconciliations/store/reconciliations.ts';
import { findRecord } from '../../records/store/records.ts';
import { answer, missing, refuse, timestampOrNull } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { pageAnswer, pageStart } from '../../service/paging.ts';
import { findNote, type OpenItemNoteRow, putNote } from '../store/open-item-notes.ts';
import { findPeriod, periodsOf } from '../store/periods.ts';
import { whenRead } from '../work/figures.ts';
import { nameOf, spanOf } from './period-views.ts';
import { noSuchCurrency } from './periods.ts';
import { openItemView, proposedOf } from './statement-view.ts';

type Handled = 'periods.open_items' | 'open_items.get' | 'open_items.put';

const LIST = 'open items date';

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
  if (!sideStreams(read, [id]).some((link) => link.stream_id === record.stream_id)) {
    const message = `Record ${recordId} is of the stream ${record.data_stream_key}, which is on no side of reconciliation ${id}.`;
    return refuse('stream_not_in_reconciliation', message);
  }
  return answer(record);
}

/** Returns whether a status moves an item to the side that has the error, and so changes a figure. */
const isError = (status: OpenItemNoteRow['status'] | undefined): boolean => status === 'bank_error' || status === 'book_error';

function putHandler(context: ServiceContext): Handlers['open_items.put'] {
  return (caller, { id, record_id: recordId, ...note }) => {
    const outcome = context.database.write((write) => {
      const record = recordOf(write, caller, id, recordId);
      if (!record.ok) return record;
      const before = findNote(write, id, recordId);
      const isMoved = before?.status !== note.status && (isError(before?.status) || isError(note.status));
      const periods = periodsOf(write, id).map((row) => ({ ...row, ...spanOf(row) }));
      const closed = isMoved ? closedPeriodOf(record.value.day, periods) : null;
      if (closed !== null) {
        const message = `${nameOf(closed)} is closed, and this mark would change its figures: reopen it with a reason first.`;
        return refuse('period_closed', message);
      }
      const { status, owner, comment, expected_on: expected } = note;
      const atMs = context.clock.nowMs();
      putNote(write, {
        reconciliation_id: id,
        record_id: recordId,
        status,
        owner,
        comment,
        expected_on: expected === null ? null : present(dayFromIso(expected), 'date'),
        updated_at: atMs,
        updated_by: caller.actor,
      });
      const detail = { reconciliation_id: id, record_id: recordId, ...note };
      appendAudit(write, { environmentId: caller.environmentId, atMs, actor: caller.actor, action: 'open_item.noted', detail });
      return answer(noteView(id, recordId, findNote(write, id, recordId)));
    });
    if (outcome.ok) context.changed(['reconciliations'], id);
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
  };
}
