import { present } from '../../src-shared/values/assert.ts';
import { separationKey } from '../domain/matching/types.ts';
import { signConventionOf } from '../jobs/tasks/engine-input.ts';
import { appendAudit } from '../store/audit.ts';
import type { ReadHandle, WriteHandle } from '../store/database.ts';
import { type DissolvedMatch, displacedBy, dissolveMatch, findDissolved, restoreMatch } from '../store/dissolved-matches.ts';
import { deleteMatch, findMatch, matchesOfRecords, type MatchRow, memberIds, setMatchStatus } from '../store/matches.ts';
import { findReconciliation } from '../store/reconciliations.ts';
import { recordsById } from '../store/records.ts';
import { addSeparation, clearSeparationOf } from '../store/separations.ts';
import { answer, missing, refuse } from './answers.ts';
import type { ServiceContext } from './context.ts';
import type { Caller, Handlers } from './handler.ts';
import { takeFromRuns } from './manual-match.ts';
import { matchDifference } from './match-balance.ts';
import { stillOnTheirSides } from './reconciliation-sides.ts';
import { withReason, withStoredReason } from './match-reasons.ts';
import { matchView } from './views.ts';

function audited(write: WriteHandle, context: ServiceContext, caller: Caller, action: string, match: MatchRow): void {
  appendAudit(write, {
    environmentId: caller.environmentId,
    atMs: context.clock.nowMs(),
    actor: caller.actor,
    action,
    detail: {
      match_id: match.id,
      reconciliation_id: match.reconciliation_id,
      status: match.status,
      origin: match.origin,
      ...(match.adjustment_id === null ? {} : { adjustment_record_id: match.adjustment_id }),
    },
  });
}

/** What a match ties; its adjustment is nothing that could be tied without it. */
export const idsOf = (read: ReadHandle, match: MatchRow) =>
  memberIds(read, match.id)
    .map((member) => member.record_id)
    .filter((id) => id !== match.adjustment_id);

/** Takes a match apart, or rejects a proposal, and remembers that a person wanted these records apart. */
export function removeMatch(context: ServiceContext): Handlers['matches.remove'] {
  return (caller, input) => {
    const atMs = context.clock.nowMs();
    const removed = context.database.write((write) => {
      const match = findMatch(write, caller.environmentId, input.id);
      if (match === undefined) return null;
      addSeparation(write, match.reconciliation_id, separationKey(idsOf(write, match)), atMs);
      dissolveMatch(write, withStoredReason(write, match), atMs, null);
      audited(write, context, caller, match.status === 'matched' ? 'match.removed' : 'match.rejected', match);
      return match;
    });
    if (removed === null) return missing('reconciliation match', input.id);
    context.changed(['matches', 'records'], removed.reconciliation_id);
    return answer(null);
  };
}

export function confirmMatch(context: ServiceContext): Handlers['matches.confirm'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const match = findMatch(write, caller.environmentId, input.id);
      if (match === undefined) return missing('reconciliation match', input.id);
      if (match.status === 'matched') return refuse('conflict', `Match ${match.id} is matched already, so there is nothing to confirm.`);
      const ids = idsOf(write, match);
      const taken = matchesOfRecords(write, ids, match.reconciliation_id).find((held) => held.status === 'matched');
      if (taken !== undefined) {
        return refuse(
          'records_not_matchable',
          `Record ${taken.record_id} is matched already, in match ${taken.match_id}: take that apart first.`,
        );
      }
      takeFromRuns(write, match.reconciliation_id, ids);
      setMatchStatus(write, { ...match, status: 'matched', confirmed_at: context.clock.nowMs(), confirmed_by: caller.actor });
      audited(write, context, caller, 'match.confirmed', match);
      return answer(present(findMatch(write, caller.environmentId, match.id), 'match'));
    });
    if (!outcome.ok) return outcome;
    context.changed(['matches', 'records'], outcome.value.reconciliation_id);
    return answer(matchView(withReason(context.database, outcome.value)));
  };
}

/** A dissolved match brought back, or why it cannot come back: its records must exist, be free and be of one currency. */
function restoreDissolved(write: WriteHandle, caller: Caller, dissolved: DissolvedMatch) {
  const ids = dissolved.members.map((member) => member.recordId);
  const sides = new Map(dissolved.members.map((member) => [member.recordId, member.side]));
  const records = recordsById(write, caller.environmentId, ids);
  const reconciliation = findReconciliation(write, caller.environmentId, dissolved.match.reconciliation_id);
  if (records.length < ids.length || reconciliation === undefined) {
    return refuse('conflict', `Match ${dissolved.match.id} cannot be brought back: some of its records are gone.`);
  }
  const taken = matchesOfRecords(write, ids, dissolved.match.reconciliation_id)[0];
  if (taken !== undefined) {
    return refuse(
      'records_not_matchable',
      `Match ${dissolved.match.id} cannot be brought back: record ${taken.record_id} is now in match ${taken.match_id}.`,
    );
  }
  const members = records.map((record) => ({ ...record, side: present(sides.get(record.id), 'side') }));
  if (!stillOnTheirSides(write, reconciliation.id, members)) {
    const words = 'the stream of some of its records has left its side of the reconciliation. Put it back first.';
    return refuse('conflict', `Match ${dissolved.match.id} cannot be brought back: ${words}`);
  }
  const { adjustment = null } = dissolved;
  const currencies = [...new Set([...records, ...(adjustment === null ? [] : [adjustment])].map((record) => record.currency))].toSorted();
  if (currencies.length > 1) {
    const words = `its records are in ${currencies.join(' and ')} now. Match records of one currency.`;
    return refuse('conflict', `Match ${dissolved.match.id} cannot be brought back: ${words}`);
  }
  // Its records may have been edited meanwhile, so the difference is worked out anew.
  const difference = matchDifference(
    adjustment === null ? members : [...members, adjustment],
    signConventionOf(reconciliation.sign_convention),
  );
  if (difference === null) {
    return refuse('conflict', `Match ${dissolved.match.id} cannot be brought back: the net of its records is beyond 2^53-1 minor units.`);
  }
  takeFromRuns(write, reconciliation.id, ids);
  return answer(present(restoreMatch(write, dissolved, difference), 'restored match'));
}

export function restoreRemovedMatch(context: ServiceContext): Handlers['matches.restore'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const dissolved = findDissolved(write, caller.environmentId, input.id);
      if (dissolved === undefined) return missing('dissolved match', input.id);
      const restored = restoreDissolved(write, caller, dissolved);
      if (!restored.ok) return restored;
      const key = separationKey(dissolved.members.map((member) => member.recordId));
      clearSeparationOf(write, dissolved.match.reconciliation_id, key, context.clock.nowMs());
      audited(write, context, caller, 'match.restored', restored.value);
      return restored;
    });
    if (!outcome.ok) return outcome;
    context.changed(['matches', 'records'], outcome.value.reconciliation_id);
    return answer(matchView(withReason(context.database, outcome.value)));
  };
}

/** A match that a person confirmed, as the proposal that it was: one of the run published last, else nobody would see it. Its reason is stored with it. */
export function unconfirmed(match: MatchRow, publishedRunId: number | null): MatchRow {
  return { ...match, status: 'proposed', confirmed_at: null, confirmed_by: null, confirmed_in_bulk: 0, run_id: publishedRunId };
}

/** Undo of what a person did: a manual match goes and what it pushed aside comes back; a confirmed one is a proposal again. */
export function undoMatch(context: ServiceContext): Handlers['matches.undo_create'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const match = findMatch(write, caller.environmentId, input.id);
      if (match === undefined) return missing('reconciliation match', input.id);
      const reconciliation = present(findReconciliation(write, caller.environmentId, match.reconciliation_id), 'reconciliation');
      const restored: number[] = [];
      if (match.origin === 'manual') {
        deleteMatch(write, match.id);
        for (const displaced of displacedBy(write, match.id)) {
          if (restoreDissolved(write, caller, displaced).ok) restored.push(displaced.match.id);
        }
      } else if (match.confirmed_at !== null) {
        const proposal = withStoredReason(write, match);
        setMatchStatus(write, unconfirmed(proposal, reconciliation.published_run_id));
      } else {
        return refuse('conflict', `Match ${match.id} was made by a rule, so there is nothing of yours to undo: take it apart instead.`);
      }
      audited(write, context, caller, 'match.undone', match);
      return answer({ match_id: match.id, restored_match_ids: restored, reconciliationId: reconciliation.id });
    });
    if (!outcome.ok) return outcome;
    const { reconciliationId, ...value } = outcome.value;
    context.changed(['matches', 'records'], reconciliationId);
    return answer(value);
  };
}
