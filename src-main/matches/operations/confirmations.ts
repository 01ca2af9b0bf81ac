import type { Input } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { WriteHandle } from '../../database/database.ts';
import { leastLogOdds, probabilityOf } from '../../domain/evidence/model/weight.ts';
import { findReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { likelyProposals, type LikelyProposal, type ProposalChoice } from '../../rules/store/likely-proposals.ts';
import { answer, missing } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import { type DifferenceSaid, differenceSaid, reasonWithoutDifference } from '../../service/difference-reasons.ts';
import type { Handlers } from '../../service/handler.ts';
import { isMatchClosed, refusedMatch } from '../../service/period-lock.ts';
import { findMatch, matchesById, matchesOfRecords } from '../store/matches.ts';
import { takeFromRuns } from './manual-match.ts';
import { type Confirmation, confirmProposal, unconfirm } from './match-confirmation.ts';
import { idsOf } from './match-entries.ts';

/** The number of proposals confirmed in one transaction. */
const MOST_AT_ONCE = 1_000;
/** The most proposals that are counted; a person never confirms more at once. */
const MOST_COUNTED = 1_000_000;

/** Returns how many proposals there are, and how many of them are wrong by expectation. */
function figuresOf(proposals: readonly LikelyProposal[]) {
  const rated = proposals.map(({ likelihood }) => likelihood).filter((likelihood) => likelihood !== null);
  return {
    count: proposals.length,
    differing: proposals.filter(({ difference }) => difference !== 0).length,
    rated: rated.length,
    expected_wrong: rated.reduce((sum, likelihood) => sum + 1 - probabilityOf(likelihood), 0),
  };
}

function choiceOf(input: Input<'confirmations.expect'>, matchIds: readonly number[] | null): ProposalChoice {
  return {
    reconciliationId: input.id,
    leastLogOdds: input.least_likelihood === undefined ? null : leastLogOdds(input.least_likelihood),
    ruleId: input.rule_id ?? null,
    matchIds,
    mostDifference: input.most_difference,
  };
}

const NOTHING_SAID: DifferenceSaid = { isAdjusted: false, words: null, reason: null };

/** Confirms a proposal, unless one of its records was matched meanwhile or its period is closed. Returns whether it did. */
function confirmOne(write: WriteHandle, id: number, confirmation: Confirmation): boolean {
  const match = present(findMatch(write, confirmation.caller.environmentId, id), 'proposal');
  const ids = idsOf(write, match);
  if (matchesOfRecords(write, ids, match.reconciliation_id).some(({ status }) => status === 'matched')) return false;
  if (isMatchClosed(write, match)) return false;
  takeFromRuns(write, match.reconciliation_id, ids);
  const said = match.difference === 0 ? NOTHING_SAID : confirmation.said;
  confirmProposal(write, { ...match, confirmed_in_bulk: 1 }, { ...confirmation, said });
  return true;
}

function confirmMany(context: ServiceContext): Handlers['confirmations.create'] {
  return (caller, input) => {
    const said = differenceSaid(input);
    if (!said.ok) return said;
    if (said.value.reason !== null && input.most_difference === 0) return reasonWithoutDifference();
    const atMs = context.clock.nowMs();
    const outcome = context.database.write((write) => {
      const reconciliation = findReconciliation(write, caller.environmentId, input.id);
      if (reconciliation === undefined) return missing('reconciliation', input.id);
      const found = likelyProposals(write, choiceOf(input, input.match_ids ?? null), MOST_AT_ONCE + 1);
      const confirmation = { caller, reconciliation, said: said.value, atMs };
      const confirmed = found.slice(0, MOST_AT_ONCE).filter(({ id }) => confirmOne(write, id, confirmation));
      const ids = confirmed.map(({ id }) => id);
      const figures = figuresOf(confirmed);
      if (ids.length > 0) {
        appendAudit(write, {
          environmentId: caller.environmentId,
          atMs,
          actor: caller.actor,
          action: 'matches.confirmed_in_bulk',
          detail: {
            reconciliation_id: input.id,
            ...(input.least_likelihood === undefined ? {} : { least_likelihood: input.least_likelihood }),
            ...(input.rule_id === undefined ? {} : { rule_id: input.rule_id }),
            ...(figures.differing === 0 ? {} : { most_difference: input.most_difference, adjusted: said.value.isAdjusted }),
            ...(figures.differing === 0 || said.value.reason === null ? {} : { difference_reason: said.value.reason }),
            expected_wrong: figures.expected_wrong,
            match_ids: ids,
          },
        });
      }
      // If none could be confirmed, another call would find the same ones.
      const isMore = found.length > MOST_AT_ONCE && ids.length > 0;
      return answer({ ...figures, match_ids: ids, is_more: isMore });
    });
    if (outcome.ok && outcome.value.count > 0) {
      const isAdjusted = said.value.isAdjusted && outcome.value.differing > 0;
      context.changed(['matches', 'records', ...(isAdjusted ? (['streams'] as const) : [])], input.id);
    }
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
      return answer(figuresOf(likelyProposals(context.database, choiceOf(input, null), MOST_COUNTED)));
    },
    'confirmations.create': confirmMany(context),
    'confirmations.undo': undoMany(context),
  };
}
