import { assert, present } from '../../../src-shared/values/assert.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { WriteHandle } from '../../database/database.ts';
import type { MatchRow, ReconciliationRow } from '../../database/rows.ts';
import { findReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { findRecord } from '../../records/store/records.ts';
import { signConventionOf } from '../../records/work/engine-input.ts';
import { answer, lineName, missing, refuse } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import { type DifferenceSaid, differenceSaid, reasonColumns, reasonWithoutDifference } from '../../service/difference-reasons.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { matchDifference } from '../../../src-shared/values/balancing.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { withReason, withStoredReason } from '../../service/match-reasons.ts';
import { refusedMatch } from '../../service/period-lock.ts';
import { matchView } from '../../service/views.ts';
import { deleteMatch, findMatch, insertMatch, matchesOfRecords, membersOf, setMatchStatus } from '../store/matches.ts';
import { addAdjustment, adjustmentSentence, auditedAdjustment, type Sided, type SidedAdjustment } from './adjustments.ts';
import { takeFromRuns } from './manual-match.ts';
import { auditMatch, idsOf, membersOfEntry } from './match-entries.ts';

const membersOfMatch = (write: WriteHandle, id: number) => membersOf(write, [id], Number.MAX_SAFE_INTEGER);

/** Writes a match again under its own id, because it now holds other records. */
function rewrite(write: WriteHandle, match: MatchRow, members: readonly Pick<Sided, 'id' | 'side'>[]): void {
  const { record_count: _, ...row } = match;
  deleteMatch(write, match.id);
  insertMatch(
    write,
    row,
    members.map(({ id, side }) => ({ recordId: id, side })),
    match.id,
  );
}

export interface Confirmation {
  readonly caller: Caller;
  readonly reconciliation: ReconciliationRow;
  readonly said: DifferenceSaid;
  readonly atMs: number;
}

/** Confirms a proposal, with an adjustment if one is asked for. Returns the adjustment, or null. */
export function confirmProposal(
  write: WriteHandle,
  match: MatchRow,
  { caller, reconciliation, said, atMs }: Confirmation,
): SidedAdjustment | null {
  const confirmed = { ...match, status: 'matched' as const, confirmed_at: atMs, confirmed_by: caller.actor, ...reasonColumns(said.reason) };
  if (!said.isAdjusted || match.difference === 0) {
    setMatchStatus(write, confirmed);
    return null;
  }
  const records = membersOfMatch(write, match.id);
  const convention = signConventionOf(reconciliation.sign_convention);
  const unbalanced = { records, convention, words: said.words, code: said.reason?.code ?? null, atMs };
  const adjustment = present(addAdjustment(write, caller, unbalanced), 'adjustment of a match that differs');
  // The explanation concerns only the lines, so it is made before the adjustment is added.
  const { group_key, explanation } = withReason(write, match);
  const sentences = JSON.stringify([...explanation, adjustmentSentence(adjustment)]);
  const balanced = { ...confirmed, group_key, difference: 0, explanation: sentences, adjustment_id: adjustment.id };
  rewrite(write, balanced, [...records, adjustment]);
  return adjustment;
}

/** Turns a confirmed match back into a proposal, and removes the reason given for its difference. */
export function unconfirm(write: WriteHandle, match: MatchRow, reconciliation: ReconciliationRow): void {
  const proposal = {
    ...withStoredReason(write, match),
    status: 'proposed' as const,
    confirmed_at: null,
    confirmed_by: null,
    confirmed_in_bulk: 0,
    run_id: reconciliation.published_run_id,
    ...reasonColumns(null),
  };
  if (match.adjustment_id === null) {
    setMatchStatus(write, proposal);
    return;
  }
  const members = membersOfMatch(write, match.id);
  const records = members.filter((member) => member.id !== match.adjustment_id);
  const adjustment = present(
    members.find((member) => member.id === match.adjustment_id),
    'adjustment among the members',
  );
  const difference = matchDifference(records, signConventionOf(reconciliation.sign_convention));
  assert(difference !== null, 'the lines of a match that was adjusted have a difference in range');
  const said = adjustmentSentence(adjustment);
  const sentences = storedJson('matches.explanation', proposal.explanation, proposal.id).filter((sentence) => sentence !== said);
  rewrite(write, { ...proposal, difference, explanation: JSON.stringify(sentences), adjustment_id: null }, records);
}

export function confirmMatch(context: ServiceContext): Handlers['matches.confirm'] {
  return (caller, input) => {
    const said = differenceSaid(input);
    if (!said.ok) return said;
    const outcome = context.database.write((write) => {
      const match = findMatch(write, caller.environmentId, input.id);
      if (match === undefined) return missing(phrase('matches.matchConfirmation.reconciliationMatch'), input.id);
      if (match.status === 'matched') return refuse('conflict', phrase('matches.refusals.matchIsMatchedAlready'));
      const ids = idsOf(write, match);
      const taken = matchesOfRecords(write, ids, match.reconciliation_id).find((held) => held.status === 'matched');
      if (taken !== undefined) {
        return refuse(
          'records_not_matchable',
          phrase('matches.refusals.recordIsMatchedAlreadyInMatch', {
            line: lineName(present(findRecord(write, caller.environmentId, taken.record_id), 'record of a match')),
          }),
        );
      }
      if (match.difference === 0 && said.value.reason !== null) return reasonWithoutDifference();
      const closed = refusedMatch(write, match);
      if (closed !== null) return closed;
      const reconciliation = present(findReconciliation(write, caller.environmentId, match.reconciliation_id), 'reconciliation');
      takeFromRuns(write, match.reconciliation_id, ids);
      const adjustment = confirmProposal(write, match, { caller, reconciliation, said: said.value, atMs: context.clock.nowMs() });
      const confirmed = present(findMatch(write, caller.environmentId, match.id), 'match');
      const made = { ...membersOfEntry(ids), ...(adjustment === null ? {} : { adjustment: auditedAdjustment(adjustment) }) };
      auditMatch(write, context, caller, 'match.confirmed', { ...confirmed, status: match.status }, made);
      return answer(confirmed);
    });
    if (!outcome.ok) return outcome;
    const made = outcome.value.adjustment_id === null ? [] : (['streams'] as const);
    context.changed(['matches', 'records', ...made], outcome.value.reconciliation_id);
    return answer(matchView(withReason(context.database, outcome.value)));
  };
}
