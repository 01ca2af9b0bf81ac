import { present } from '../../../src-shared/values/assert.ts';
import { separationKey } from '../../domain/matching/index.ts';
import { signConventionOf } from '../../records/work/engine-input.ts';
import type { WriteHandle } from '../../database/database.ts';
import { findReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { recordsById } from '../../records/store/records.ts';
import { answer, missing, refuse } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { refusedLines, refusedMatch } from '../../service/period-lock.ts';
import { matchDifference } from '../../service/match-balance.ts';
import { stillOnTheirSides } from '../../reconciliations/operations/reconciliation-sides.ts';
import { withReason, withStoredReason } from '../../service/match-reasons.ts';
import { matchView } from '../../service/views.ts';
import { type DissolvedMatch, displacedBy, dissolveMatch, findDissolved, restoreMatch } from '../store/dissolved-matches.ts';
import { deleteMatch, findMatch, matchesOfRecords } from '../store/matches.ts';
import { addSeparation, clearSeparationOf } from '../store/separations.ts';
import { takeFromRuns } from './manual-match.ts';
import { unconfirm } from './match-confirmation.ts';
import { auditMatch, idsOf } from './match-entries.ts';

/** Takes a match apart, or rejects a proposal, and remembers that a person wanted these records apart. */
export function removeMatch(context: ServiceContext): Handlers['matches.remove'] {
  return (caller, input) => {
    const atMs = context.clock.nowMs();
    const outcome = context.database.write((write) => {
      const match = findMatch(write, caller.environmentId, input.id);
      if (match === undefined) return missing('reconciliation match', input.id);
      const closed = match.status === 'matched' ? refusedMatch(write, match) : null;
      if (closed !== null) return closed;
      addSeparation(write, match.reconciliation_id, separationKey(idsOf(write, match)), atMs);
      dissolveMatch(write, withStoredReason(write, match), atMs, null);
      auditMatch(write, context, caller, match.status === 'matched' ? 'match.removed' : 'match.rejected', match);
      return answer(match);
    });
    if (!outcome.ok) return outcome;
    context.changed(['matches', 'records'], outcome.value.reconciliation_id);
    return answer(null);
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
  const closed =
    dissolved.match.status === 'matched' ? refusedLines(write, reconciliation.id, records, `match ${dissolved.match.id}`) : null;
  if (closed !== null) return closed;
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
      auditMatch(write, context, caller, 'match.restored', restored.value);
      return restored;
    });
    if (!outcome.ok) return outcome;
    context.changed(['matches', 'records'], outcome.value.reconciliation_id);
    return answer(matchView(withReason(context.database, outcome.value)));
  };
}

/** Undo of what a person did: a manual match goes and what it pushed aside comes back; a confirmed one is a proposal again. */
export function undoMatch(context: ServiceContext): Handlers['matches.undo_create'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const match = findMatch(write, caller.environmentId, input.id);
      if (match === undefined) return missing('reconciliation match', input.id);
      const reconciliation = present(findReconciliation(write, caller.environmentId, match.reconciliation_id), 'reconciliation');
      const closed = refusedMatch(write, match);
      if (closed !== null) return closed;
      const restored: number[] = [];
      if (match.origin === 'manual') {
        deleteMatch(write, match.id);
        for (const displaced of displacedBy(write, match.id)) {
          if (restoreDissolved(write, caller, displaced).ok) restored.push(displaced.match.id);
        }
      } else if (match.confirmed_at !== null) {
        unconfirm(write, match, reconciliation);
      } else {
        return refuse('conflict', `Match ${match.id} was made by a rule, so there is nothing of yours to undo: take it apart instead.`);
      }
      auditMatch(write, context, caller, 'match.undone', match);
      return answer({ match_id: match.id, restored_match_ids: restored, reconciliationId: reconciliation.id });
    });
    if (!outcome.ok) return outcome;
    const { reconciliationId, ...value } = outcome.value;
    context.changed(['matches', 'records'], reconciliationId);
    return answer(value);
  };
}
