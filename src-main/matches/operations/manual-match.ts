import type { DifferenceReason, FieldError, Output } from '../../../src-shared/contract/index.ts';
import { assert, present } from '../../../src-shared/values/assert.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import type { MatchRow, ReconciliationRow } from '../../database/rows.ts';
import { findReconciliation, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { recordsById } from '../../records/store/records.ts';
import { signConventionOf } from '../../records/work/engine-input.ts';
import { excludeFromRuns, openRun } from '../../runs/store/runs.ts';
import { answer, lineName, refuse, refuseField } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import { differenceSaid, reasonColumns, reasonWithoutDifference } from '../../service/difference-reasons.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { matchDifference } from '../../../src-shared/values/balancing.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { withReason, withStoredReason } from '../../service/match-reasons.ts';
import { refusedLines } from '../../service/period-lock.ts';
import { matchView } from '../../service/views.ts';
import { dissolveMatch } from '../store/dissolved-matches.ts';
import { deleteMatch, findMatch, insertMatch, matchesOfRecords, unpublishedMatchesOf } from '../store/matches.ts';
import { addAdjustment, adjustmentSentence, auditedAdjustment, type Sided, type SidedAdjustment } from './adjustments.ts';

/** Returns records with their sides if each can be matched, or a refusal that names each wrong one by its place in `given`. */
export function freeRecordsOnSides(read: ReadHandle, caller: Caller, reconciliation: ReconciliationRow, given: readonly number[]) {
  const positions = new Map<number, number>();
  for (const [position, id] of given.entries()) if (!positions.has(id)) positions.set(id, position);
  const ids = [...positions.keys()];
  const found = new Map(recordsById(read, caller.environmentId, ids).map((row) => [row.id, row]));
  const sides = streamIdsBySide(read, reconciliation.id);
  const taken = new Set(
    matchesOfRecords(read, ids, reconciliation.id)
      .filter((held) => held.status === 'matched')
      .map((held) => held.record_id),
  );
  const records: Sided[] = [];
  const errors: FieldError[] = [];
  for (const [id, position] of positions) {
    const path = `record_ids.${position}`;
    const record = found.get(id);
    const side = record === undefined ? null : sides.a.includes(record.stream_id) ? 'a' : sides.b.includes(record.stream_id) ? 'b' : null;
    if (record === undefined) errors.push({ path, code: 'record_not_found', message: phrase('matches.refusals.thereIsNoRecord', { id }) });
    else if (side === null) {
      errors.push({
        path,
        code: 'record_of_other_stream',
        message: phrase('matches.onNoSide', { line: lineName(record), key: record.data_stream_key }),
      });
    } else if (taken.has(id)) {
      errors.push({
        path,
        code: 'record_matched',
        message: phrase('matches.refusals.recordIsMatchedAlreadyInMatch', { line: lineName(record) }),
      });
    } else records.push({ ...record, side });
  }
  if (errors.length > 0)
    return refuse(
      'records_not_matchable',
      errors
        .slice(0, 5)
        .map((error) => error.message)
        .join(' '),
      errors,
    );
  return answer(records);
}

/** Returns the records of a manual match, which have one currency, or a refusal. */
export function matchableRecords(read: ReadHandle, caller: Caller, reconciliation: ReconciliationRow, given: readonly number[]) {
  const records = freeRecordsOnSides(read, caller, reconciliation, given);
  if (!records.ok) return records;
  const currencies = [...new Set(records.value.map((record) => record.currency))].toSorted();
  if (currencies.length > 1) {
    return refuseField(
      'mixed_currencies',
      'record_ids',
      phrase('matches.refusals.theRecordsAreInMatchRecords', { currencies: currencies.join(' and ') }),
    );
  }
  return records;
}

/** Deletes the matches of these records that a run in progress has written: people take precedence over runs. */
export function takeFromRuns(write: WriteHandle, reconciliationId: number, ids: readonly number[]): void {
  for (const matchId of unpublishedMatchesOf(write, ids, reconciliationId)) deleteMatch(write, matchId);
  const run = openRun(write, reconciliationId);
  if (run !== undefined) for (const id of ids) excludeFromRuns(write, [run.id], id);
}

/** Dissolves proposals that hold any of the records; `by` is the match that displaces them, so that undo can restore them. */
function displaceProposals(
  write: WriteHandle,
  caller: Caller,
  reconciliationId: number,
  ids: readonly number[],
  by: number,
  atMs: number,
): void {
  const proposals = new Set(
    matchesOfRecords(write, ids, reconciliationId)
      .filter((held) => held.status === 'proposed')
      .map((held) => held.match_id),
  );
  for (const id of proposals) {
    const match = findMatch(write, caller.environmentId, id);
    if (match !== undefined) dissolveMatch(write, withStoredReason(write, match), atMs, by);
  }
}

interface ManualMatch {
  readonly reconciliation: ReconciliationRow;
  readonly records: readonly Sided[];
  readonly adjustment: SidedAdjustment | null;
  readonly reason: DifferenceReason | null;
  readonly atMs: number;
}

function insertManual(write: WriteHandle, caller: Caller, made: ManualMatch): MatchRow {
  const { reconciliation, records, adjustment, reason, atMs } = made;
  const all = adjustment === null ? records : [...records, adjustment];
  const difference = matchDifference(all, signConventionOf(reconciliation.sign_convention));
  assert(difference !== null, 'the sum of safe amounts of a bounded match is safe or refused before');
  takeFromRuns(
    write,
    reconciliation.id,
    records.map((record) => record.id),
  );
  const manual = {
    reconciliation_id: reconciliation.id,
    run_id: null,
    rule_id: null,
    status: 'matched' as const,
    origin: 'manual',
    certainty: null,
    difference,
    group_key: null,
    explanation: JSON.stringify([
      phrase('matches.manualMatch.matchedByHand'),
      ...(adjustment === null ? [] : [adjustmentSentence(adjustment)]),
    ]),
    confirmed_at: null,
    adjustment_id: adjustment?.id ?? null,
    ...reasonColumns(reason),
    created_at: atMs,
  };
  const id = insertMatch(
    write,
    manual,
    all.map((record) => ({ recordId: record.id, side: record.side })),
  );
  displaceProposals(
    write,
    caller,
    reconciliation.id,
    records.map((record) => record.id),
    id,
    atMs,
  );
  return present(findMatch(write, caller.environmentId, id), 'match');
}

export function createMatch(context: ServiceContext): Handlers['matches.create'] {
  return (caller, input) => {
    const { database, clock } = context;
    const ids = [...new Set(input.record_ids)];
    if (ids.length < 2) {
      const message = phrase('matches.refusals.aMatchNeedsAtLeastTwo');
      return refuse('validation_failed', message, [{ path: 'record_ids', code: 'too_few_records', message }]);
    }
    const said = differenceSaid(input);
    if (!said.ok) return said;
    const { isAdjusted, words, reason } = said.value;
    const outcome = database.write((write) => {
      const reconciliation = findReconciliation(write, caller.environmentId, input.reconciliation_id);
      if (reconciliation === undefined) {
        const message = phrase('matches.refusals.thereIsNoReconciliationInThisEnvironment', { reconciliationId: input.reconciliation_id });
        return refuseField('unknown_reference', 'reconciliation_id', message);
      }
      const records = matchableRecords(write, caller, reconciliation, input.record_ids);
      if (!records.ok) return records;
      const convention = signConventionOf(reconciliation.sign_convention);
      const difference = matchDifference(records.value, convention);
      if (difference === null) {
        return refuseField('total_out_of_range', 'record_ids', phrase('matches.refusals.netOfTheseRecordsIsBeyond'));
      }
      if (difference === 0 && reason !== null) return reasonWithoutDifference();
      const closed = refusedLines(write, reconciliation.id, records.value, phrase('matches.manualMatch.thisMatch'));
      if (closed !== null) return closed;
      const atMs = clock.nowMs();
      const unbalanced = { records: records.value, convention, words, code: reason?.code ?? null, atMs };
      const adjustment = isAdjusted ? addAdjustment(write, caller, unbalanced) : null;
      const match = insertManual(write, caller, { reconciliation, records: records.value, adjustment, reason, atMs });
      appendAudit(write, {
        environmentId: caller.environmentId,
        atMs,
        actor: caller.actor,
        action: 'match.created',
        detail: {
          match_id: match.id,
          reconciliation_id: reconciliation.id,
          record_ids: ids,
          difference: match.difference,
          ...(reason === null ? {} : { difference_reason: reason }),
          ...(adjustment === null ? {} : { adjustment: auditedAdjustment(adjustment) }),
        },
      });
      return answer(match);
    });
    if (!outcome.ok) return outcome;
    const made = outcome.value.adjustment_id === null ? [] : (['streams'] as const);
    context.changed(['matches', 'records', ...made], outcome.value.reconciliation_id);
    const view: Output<'matches.create'> = matchView(withReason(database, outcome.value));
    return answer(view);
  };
}
