import { present } from '../../../src-shared/values/assert.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { matchesOfRecords } from '../../matches/store/matches.ts';
import { findReconciliation, sideStreams } from '../../reconciliations/store/reconciliations.ts';
import { answer, missing, refuse, refuseField, timestampOf } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { recordViews } from '../../service/views.ts';
import { markOverdue } from '../store/overdue.ts';
import { findRecord } from '../store/records.ts';

interface Mark {
  readonly recordId: number;
  readonly reconciliationId: number;
  readonly overdueAt: string | undefined;
}

/** Marks a record of an existing reconciliation as overdue. */
function mark(context: ServiceContext, caller: Caller, { recordId, reconciliationId, overdueAt }: Mark) {
  const { database, clock } = context;
  const nowMs = clock.nowMs();
  const overdueAtMs = overdueAt === undefined ? nowMs : Date.parse(overdueAt);
  const outcome = database.write((write) => {
    const record = findRecord(write, caller.environmentId, recordId);
    if (record === undefined) return missing('record', recordId);
    if (!sideStreams(write, [reconciliationId]).some((link) => link.stream_id === record.stream_id)) {
      return refuse(
        'stream_not_in_reconciliation',
        `Record ${recordId} is of the stream ${record.data_stream_key}, which is on no side of reconciliation ${reconciliationId}.`,
      );
    }
    const held = matchesOfRecords(write, [recordId], reconciliationId).find((match) => match.status === 'matched');
    if (held !== undefined) {
      const message = `Record ${recordId} is matched in reconciliation ${reconciliationId}, in match ${held.match_id}, so it is not overdue there.`;
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
    return answer(record);
  });
  if (!outcome.ok) return outcome;
  context.changed(['records'], reconciliationId);
  return answer(present(recordViews(database, [outcome.value], null, clock.today())[0], 'record'));
}

export function overdueHandlers(context: ServiceContext): Pick<Handlers, 'records.mark_overdue' | 'reconciliations.mark_overdue'> {
  const { database } = context;
  return {
    'records.mark_overdue': (caller, input) => {
      if (findRecord(database, caller.environmentId, input.id) === undefined) return missing('record', input.id);
      if (findReconciliation(database, caller.environmentId, input.reconciliation_id) === undefined) {
        const message = `There is no reconciliation ${input.reconciliation_id} in this environment.`;
        return refuseField('unknown_reference', 'reconciliation_id', message);
      }
      return mark(context, caller, { recordId: input.id, reconciliationId: input.reconciliation_id, overdueAt: input.overdue_at });
    },
    'reconciliations.mark_overdue': (caller, input) => {
      if (findReconciliation(database, caller.environmentId, input.rid) === undefined) return missing('reconciliation', input.rid);
      if (input.reconciliation_id !== undefined && input.reconciliation_id !== input.rid) {
        const message = `reconciliation_id is ${input.reconciliation_id}, but the address names reconciliation ${input.rid}: leave it out.`;
        return refuse('validation_failed', message, [{ path: 'reconciliation_id', code: 'disagrees', message }]);
      }
      return mark(context, caller, { recordId: input.id, reconciliationId: input.rid, overdueAt: input.overdue_at });
    },
  };
}
