import type { Input } from '../../../src-shared/contract/index.ts';
import { MOST_DECIDED } from '../../../src-shared/contract/matches/matches.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { WriteHandle } from '../../database/database.ts';
import { leastLogOdds, probabilityOf } from '../../domain/evidence/model/weight.ts';
import { findReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { answer, missing } from '../../service/answers.ts';
import { inOneTransaction, type ServiceContext } from '../../service/context.ts';
import { type DifferenceSaid, differenceSaid, reasonWithoutDifference } from '../../service/difference-reasons.ts';
import type { Handlers } from '../../service/handler.ts';
import { isMatchClosed, refusedMatch } from '../../service/period-lock.ts';
import { findDissolved } from '../store/dissolved-matches.ts';
import { chosenProposals, type FoundProposal, type MatchSearch, type ProposalChoice } from '../store/match-search.ts';
import { findMatch, matchesById, matchesOfRecords } from '../store/matches.ts';
import { takeFromRuns } from './manual-match.ts';
import { type Confirmation, confirmProposal, unconfirm } from './match-confirmation.ts';
import { idsOf } from './match-entries.ts';
import { bringBack, takeApart } from './matches.ts';
import { withMatchSearch } from './match-search.ts';

/** The most proposals that are counted; a person never confirms more at once. */
const MOST_COUNTED = 1_000_000;

/** Returns how many proposals there are, and how many of them are wrong by expectation. */
function figuresOf(proposals: readonly FoundProposal[]) {
  const rated = proposals.map(({ likelihood }) => likelihood).filter((likelihood) => likelihood !== null);
  return {
    count: proposals.length,
    differing: proposals.filter(({ difference }) => difference !== 0).length,
    rated: rated.length,
    expected_wrong: rated.reduce((sum, likelihood) => sum + 1 - probabilityOf(likelihood), 0),
  };
}

function choiceOf(input: Input<'confirmations.expect'>, matchIds: readonly number[] | null, search: MatchSearch | null): ProposalChoice {
  return {
    reconciliationId: input.id,
    leastLogOdds: input.least_likelihood === undefined ? null : leastLogOdds(input.least_likelihood),
    ruleId: input.rule_id ?? null,
    matchIds,
    mostDifference: input.most_difference,
    search,
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
    const confirm = (search: MatchSearch | null) => (write: WriteHandle) => {
      const reconciliation = findReconciliation(write, caller.environmentId, input.id);
      if (reconciliation === undefined) return missing('reconciliation', input.id);
      const found = chosenProposals(write, choiceOf(input, input.match_ids ?? null, search), MOST_DECIDED + 1);
      const confirmation = { caller, reconciliation, said: said.value, atMs };
      const confirmed = found.slice(0, MOST_DECIDED).filter(({ id }) => confirmOne(write, id, confirmation));
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
            ...searched(input.search),
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
      const isMore = found.length > MOST_DECIDED && ids.length > 0;
      return answer({ ...figures, match_ids: ids, is_more: isMore });
    };
    const asked = { reconciliationId: input.id, status: 'proposed', text: input.search } as const;
    const outcome = withMatchSearch(context, asked, (search) => context.database.write(confirm(search)));
    if (outcome.ok && outcome.value.count > 0) {
      const isAdjusted = said.value.isAdjusted && outcome.value.differing > 0;
      context.changed(['matches', 'records', ...(isAdjusted ? (['streams'] as const) : [])], input.id);
    }
    return outcome;
  };
}

/** The description of a search in an audit entry. */
const searched = (search: string | undefined) => (search === undefined || search.trim() === '' ? {} : { search });

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

/** Rejects the proposals of a choice that belong to no closed period, and remembers that the records of each stay separate. */
function rejectMany(context: ServiceContext): Handlers['rejections.create'] {
  return (caller, input) => {
    const atMs = context.clock.nowMs();
    const reject = (search: MatchSearch | null) => (write: WriteHandle) => {
      if (findReconciliation(write, caller.environmentId, input.id) === undefined) return missing('reconciliation', input.id);
      const choice = { reconciliationId: input.id, leastLogOdds: null, ruleId: null, mostDifference: null };
      const found = chosenProposals(write, { ...choice, matchIds: input.match_ids ?? null, search }, MOST_DECIDED + 1);
      const proposals = matchesById(
        write,
        found.slice(0, MOST_DECIDED).map(({ id }) => id),
      );
      const rejected = proposals.filter((match) => !isMatchClosed(write, match));
      for (const match of rejected) takeApart(write, match, atMs);
      const ids = rejected.map(({ id }) => id);
      if (ids.length > 0) {
        const detail = { reconciliation_id: input.id, ...searched(input.search), match_ids: ids };
        appendAudit(write, { environmentId: caller.environmentId, atMs, actor: caller.actor, action: 'matches.rejected_in_bulk', detail });
      }
      return answer({ count: ids.length, match_ids: ids, is_more: found.length > MOST_DECIDED && ids.length > 0 });
    };
    const asked = { reconciliationId: input.id, status: 'proposed', text: input.search } as const;
    const outcome = withMatchSearch(context, asked, (search) => context.database.write(reject(search)));
    if (outcome.ok && outcome.value.count > 0) context.changed(['matches', 'records'], input.id);
    return outcome;
  };
}

/** Ends a transaction that took a part of a change back when the next part was refused. */
class Refused extends Error {}

/** Brings back all of the proposals, or none where one of them cannot come back. */
function undoRejections(context: ServiceContext): Handlers['rejections.undo'] {
  return (caller, input) => {
    const atMs = context.clock.nowMs();
    if (findReconciliation(context.database, caller.environmentId, input.id) === undefined) return missing('reconciliation', input.id);
    const refusals: Extract<ReturnType<typeof bringBack>, { ok: false }>[] = [];
    const bringAllBack = (write: WriteHandle) => {
      const dissolved = input.match_ids.map((id) => findDissolved(write, caller.environmentId, id)).filter((found) => found !== undefined);
      const rejected = dissolved.filter(({ match }) => match.reconciliation_id === input.id && match.status === 'proposed');
      for (const each of rejected) {
        const restored = bringBack(write, caller, each, atMs);
        if (restored.ok) continue;
        refusals.push(restored);
        throw new Refused();
      }
      const detail = { reconciliation_id: input.id, match_ids: rejected.map(({ match }) => match.id) };
      if (rejected.length > 0) {
        appendAudit(write, { environmentId: caller.environmentId, atMs, actor: caller.actor, action: 'matches.restored_in_bulk', detail });
      }
      return { count: rejected.length };
    };
    try {
      const value = inOneTransaction(context, bringAllBack);
      if (value.count > 0) context.changed(['matches', 'records'], input.id);
      return answer(value);
    } catch (error) {
      const [refusal] = refusals;
      if (!(error instanceof Refused) || refusal === undefined) throw error;
      return refusal;
    }
  };
}

type Handled = 'confirmations.expect' | 'confirmations.create' | 'confirmations.undo' | 'rejections.create' | 'rejections.undo';

export function confirmationHandlers(context: ServiceContext): Pick<Handlers, Handled> {
  return {
    'confirmations.expect': (caller, input) => {
      if (findReconciliation(context.database, caller.environmentId, input.id) === undefined) return missing('reconciliation', input.id);
      return withMatchSearch(context, { reconciliationId: input.id, status: 'proposed', text: input.search }, (search) =>
        answer(figuresOf(chosenProposals(context.database, choiceOf(input, null, search), MOST_COUNTED))),
      );
    },
    'confirmations.create': confirmMany(context),
    'confirmations.undo': undoMany(context),
    'rejections.create': rejectMany(context),
    'rejections.undo': undoRejections(context),
  };
}
