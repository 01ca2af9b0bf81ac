import { present } from '../../../src-shared/values/assert.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { WriteHandle } from '../../database/database.ts';
import { leastLogOdds, probabilityOf } from '../../domain/evidence/model/weight.ts';
import { findReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { type LikelyProposal, likelyProposals } from '../../rules/store/likely-proposals.ts';
import { answer, missing } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { isMatchClosed, refusedMatch } from '../../service/period-lock.ts';
import { findMatch, matchesById, matchesOfRecords, setMatchStatus } from '../store/matches.ts';
import { takeFromRuns } from './manual-match.ts';
import { unconfirm } from './match-confirmation.ts';
import { idsOf } from './match-entries.ts';

/** The number of proposals confirmed in one transaction. */
const MOST_AT_ONCE = 1_000;
/** The most proposals that are counted; a person never confirms more at once. */
const MOST_COUNTED = 1_000_000;

function expectedWrong(proposals: readonly LikelyProposal[]): number {
  return proposals.reduce((sum, { likelihood }) => sum + 1 - probabilityOf(likelihood), 0);
}

/** Confirms a proposal, unless one of its records was matched meanwhile or its period is closed. Returns whether it did. */
function confirmOne(write: WriteHandle, caller: Caller, id: number, atMs: number): boolean {
  const match = present(findMatch(write, caller.environmentId, id), 'proposal');
  const ids = idsOf(write, match);
  if (matchesOfRecords(write, ids, match.reconciliation_id).some(({ status }) => status === 'matched')) return false;
  if (isMatchClosed(write, match)) return false;
  takeFromRuns(write, match.reconciliation_id, ids);
  setMatchStatus(write, { ...match, status: 'matched', confirmed_at: atMs, confirmed_by: caller.actor, confirmed_in_bulk: 1 });
  return true;
}

function confirmMany(context: ServiceContext): Handlers['confirmations.create'] {
  return (caller, input) => {
    const atMs = context.clock.nowMs();
    const outcome = context.database.write((write) => {
      if (findReconciliation(write, caller.environmentId, input.id) === undefined) return missing('reconciliation', input.id);
      const found = likelyProposals(write, input.id, leastLogOdds(input.least_likelihood), MOST_AT_ONCE + 1);
      const confirmed = found.slice(0, MOST_AT_ONCE).filter(({ id }) => confirmOne(write, caller, id, atMs));
      const ids = confirmed.map(({ id }) => id);
      const wrong = expectedWrong(confirmed);
      if (ids.length > 0) {
        appendAudit(write, {
          environmentId: caller.environmentId,
          atMs,
          actor: caller.actor,
          action: 'matches.confirmed_in_bulk',
          detail: { reconciliation_id: input.id, least_likelihood: input.least_likelihood, expected_wrong: wrong, match_ids: ids },
        });
      }
      // If none could be confirmed, another call would find the same ones.
      const isMore = found.length > MOST_AT_ONCE && ids.length > 0;
      return answer({ count: ids.length, expected_wrong: wrong, match_ids: ids, is_more: isMore });
    });
    if (outcome.ok && outcome.value.count > 0) context.changed(['matches', 'records'], input.id);
    return outcome;
  };
}

function undoMany(context: ServiceContext): Handlers['confirmations.undo'] {
  return (caller, input) => {
    const outcome = context.database.write((write) => {
      const reconciliation = findReconciliation(write, caller.environmentId, input.id);
      if (reconciliation === undefined) return missing('reconciliation', input.id);
      const confirmed = matchesById(write, input.match_ids).filter(
        (match) => match.reconciliation_id === input.id && match.status === 'matched' && match.confirmed_in_bulk === 1,
      );
      for (const match of confirmed) {
        const closed = refusedMatch(write, match);
        if (closed !== null) return closed;
      }
      for (const match of confirmed) unconfirm(write, match, reconciliation);
      if (confirmed.length > 0) {
        appendAudit(write, {
          environmentId: caller.environmentId,
          atMs: context.clock.nowMs(),
          actor: caller.actor,
          action: 'matches.unconfirmed_in_bulk',
          detail: { reconciliation_id: input.id, match_ids: confirmed.map(({ id }) => id) },
        });
      }
      return answer({ count: confirmed.length });
    });
    if (outcome.ok && outcome.value.count > 0) context.changed(['matches', 'records'], input.id);
    return outcome;
  };
}

export function confirmationHandlers(
  context: ServiceContext,
): Pick<Handlers, 'confirmations.expect' | 'confirmations.create' | 'confirmations.undo'> {
  return {
    'confirmations.expect': (caller, input) => {
      if (findReconciliation(context.database, caller.environmentId, input.id) === undefined) return missing('reconciliation', input.id);
      const found = likelyProposals(context.database, input.id, leastLogOdds(input.least_likelihood), MOST_COUNTED);
      return answer({ count: found.length, expected_wrong: expectedWrong(found) });
    },
    'confirmations.create': confirmMany(context),
    'confirmations.undo': undoMany(context),
  };
}
