import { SEPARATED_RECORDS } from '../../../src-shared/contract/matches/separations.ts';
import type { Separation } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { separationKey } from '../../domain/matching/index.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import type { MatchRow } from '../../database/rows.ts';
import { noteDueRun } from '../../runs/store/due-runs.ts';
import { findReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { answer, missing, refuse, timestampOf } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { pageAnswer, pageStart } from '../../service/paging.ts';
import { recordViews } from '../../service/views.ts';
import { findMatch, matchesOfRecords } from '../store/matches.ts';
import {
  countSeparations,
  findSeparation,
  pageSeparations,
  recordsOfSeparations,
  type SeparationRow,
  setSeparationCleared,
} from '../store/separations.ts';
import { idsOf } from './match-entries.ts';

const LIST = 'separations -created_at';

const recordIdsOf = (row: SeparationRow): number[] => row.record_key.split(',').map(Number);

/** Returns the match that now holds exactly the records of each separation, by separation id. All must belong to one reconciliation. */
function tyingMatches(read: ReadHandle, caller: Caller, rows: readonly SeparationRow[]): Map<number, MatchRow> {
  const byFirst = Map.groupBy(rows, (row) => recordIdsOf(row)[0]);
  const held = matchesOfRecords(
    read,
    [...byFirst.keys()].filter((id) => id !== undefined),
    rows[0]?.reconciliation_id ?? null,
  );
  const found = new Map<number, MatchRow>();
  for (const { record_id: recordId, match_id: matchId } of held) {
    const match = present(findMatch(read, caller.environmentId, matchId), 'match');
    const key = separationKey(idsOf(read, match));
    for (const row of byFirst.get(recordId) ?? []) if (row.record_key === key) found.set(row.id, match);
  }
  return found;
}

/** Returns the separations of one reconciliation in the form of the contract. */
function separationViews(context: ServiceContext, read: ReadHandle, caller: Caller, rows: readonly SeparationRow[]): Separation[] {
  const [first] = rows;
  if (first === undefined) return [];
  const found = recordsOfSeparations(
    read,
    rows.map((row) => row.id),
    SEPARATED_RECORDS,
  );
  const views = recordViews(read, found, first.reconciliation_id, context.clock.today());
  const bySeparation = Map.groupBy(
    found.map((record, position) => {
      const { matched_records: _, matched_records_total: __, ...view } = present(views[position], 'record');
      return { of: record.separation_id, there: record.present, view: { ...view, side: record.side } };
    }),
    (entry) => entry.of,
  );
  const ties = tyingMatches(read, caller, rows);
  return rows.map((row) => {
    const entries = bySeparation.get(row.id) ?? [];
    const count = recordIdsOf(row).length;
    return {
      id: row.id,
      reconciliation_id: row.reconciliation_id,
      separated_at: timestampOf(row.created_at),
      record_count: count,
      gone_count: count - (entries[0]?.there ?? 0),
      match_id: ties.get(row.id)?.id ?? null,
      records: entries.map((entry) => entry.view),
    };
  });
}

function listSeparations(context: ServiceContext): Handlers['separations.list'] {
  return (caller, input) => {
    const { database } = context;
    const { reconciliation_id: reconciliationId } = input;
    if (findReconciliation(database, caller.environmentId, reconciliationId) === undefined)
      return missing('reconciliation', reconciliationId);
    const start = pageStart(input, LIST);
    if (!start.ok) return start;
    const { limit, offset, after } = start.value;
    const page = pageAnswer(
      pageSeparations(database, reconciliationId, { limit: limit + 1, offset, after }),
      start.value,
      LIST,
      (row) => ({ value: row.created_at, id: row.id }),
      (shown) => separationViews(context, database, caller, shown),
    );
    return answer({ ...page, total_count: countSeparations(database, reconciliationId) });
  };
}

function audited(write: WriteHandle, context: ServiceContext, caller: Caller, action: string, row: SeparationRow): void {
  appendAudit(write, {
    environmentId: caller.environmentId,
    atMs: context.clock.nowMs(),
    actor: caller.actor,
    action,
    detail: { separation_id: row.id, reconciliation_id: row.reconciliation_id, record_ids: recordIdsOf(row) },
  });
}

const viewOf = (context: ServiceContext, write: WriteHandle, caller: Caller, row: SeparationRow): Separation =>
  present(separationViews(context, write, caller, [row])[0], 'separation');

/** Lets runs match the records again. Deleted records make no difference. */
function clearSeparation(context: ServiceContext): Handlers['separations.clear'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const found = findSeparation(write, caller.environmentId, input.id);
      if (found === undefined) return missing('separation', input.id);
      if (found.cleared_at !== null) {
        return refuse('conflict', phrase('matches.refusals.recordsOfSeparationMayBeMatched', { id: found.id }));
      }
      setSeparationCleared(write, found.id, context.clock.nowMs());
      noteDueRun(write, found.reconciliation_id);
      audited(write, context, caller, 'separation.cleared', found);
      return answer(viewOf(context, write, caller, found));
    });
    if (outcome.ok) context.changed(['matches'], outcome.value.reconciliation_id);
    return outcome;
  };
}

/** Undoes a clear. A match that a run has made since is not taken apart: a person has to see and do that. */
function restoreSeparation(context: ServiceContext): Handlers['separations.restore'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const found = findSeparation(write, caller.environmentId, input.id);
      if (found === undefined) return missing('separation', input.id);
      if (found.cleared_at === null) {
        return refuse('conflict', phrase('matches.refusals.theRecordsOfSeparationAreKept', { id: found.id }));
      }
      const tie = tyingMatches(write, caller, [found]).get(found.id);
      if (tie !== undefined) {
        const words =
          tie.status === 'matched' ? phrase('matches.separations.areMatchedAgain') : phrase('matches.separations.areProposedAgain');
        const deed = tie.status === 'matched' ? phrase('matches.separations.takeThatApart') : phrase('matches.separations.rejectThat');
        return refuse('conflict', phrase('matches.separations.recordsOfSeparation', { id: found.id, words, id2: tie.id, deed }));
      }
      setSeparationCleared(write, found.id, null);
      audited(write, context, caller, 'separation.restored', found);
      return answer(viewOf(context, write, caller, found));
    });
    if (outcome.ok) context.changed(['matches'], outcome.value.reconciliation_id);
    return outcome;
  };
}

/** Returns the handlers that list separations, clear them and restore them. */
export function separationHandlers(
  context: ServiceContext,
): Pick<Handlers, 'separations.list' | 'separations.clear' | 'separations.restore'> {
  return {
    'separations.list': listSeparations(context),
    'separations.clear': clearSeparation(context),
    'separations.restore': restoreSeparation(context),
  };
}
