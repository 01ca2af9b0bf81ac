import { BACKTEST_LIMITS } from '../../../src-shared/contract/rules/backtests.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import type { Database, ReadHandle } from '../../database/database.ts';
import type { ReconciliationRow } from '../../database/rows.ts';
import { History, shareOf, summaryOf, type Tally, tallyOf, type Verdicts } from '../../domain/backtest/index.ts';
import {
  CANCELLED,
  type ColumnResult,
  type EngineFailure,
  type EngineRule,
  fieldsOfRules,
  matchColumns,
} from '../../domain/matching/index.ts';
import { idAt, pickRows, type RecordColumns, rowsWhere } from '../../domain/records/record-columns.ts';
import type { BacktestFound, BacktestRequest, PreviewEnd } from '../../jobs/protocol.ts';
import { matchedHistory } from '../../matches/store/matches.ts';
import { separationKeys } from '../../matches/store/separations.ts';
import { findReconciliation, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { returnedLines } from '../../records/store/reversals.ts';
import { freeColumns } from '../../records/work/engine-columns.ts';
import { engineRule, signConventionOf } from '../../records/work/engine-input.ts';
import { propertyTypesBySide } from '../../streams/store/property-definitions.ts';
import { explainedMatches, type RunFacts, wouldBeMatch } from './explained-matches.ts';

interface Sides {
  readonly a: RecordColumns;
  readonly b: RecordColumns;
}

const MATCHES_PER_LOOK = 1 << 14;

/** Returns the records within the period. */
function withinPeriod(columns: RecordColumns, { firstDay, lastDay }: BacktestRequest): RecordColumns {
  if (firstDay === null && lastDay === null) return columns;
  const isWithin = columns.days.map((day) => (day >= (firstDay ?? day) && day <= (lastDay ?? day) ? 1 : 0));
  return pickRows(columns, rowsWhere(Uint8Array.from(isWithin), 1));
}

/** Returns the ids of the examined records. */
function idsOf({ a, b }: Sides): Set<number> {
  const ids = new Set<number>();
  for (const side of [a, b]) for (let row = 0; row < side.count; row += 1) ids.add(idAt(side, row));
  return ids;
}

/** Returns what was matched and taken apart before; null when cancelled. */
function readHistory(read: ReadHandle, request: BacktestRequest, sides: Sides, isCancelled: () => boolean): History | null {
  const { reconciliationId, firstDay, lastDay } = request;
  const history = new History(new Set(separationKeys(read, reconciliationId)));
  // Without a period, every record of a match is examined.
  const seen = firstDay === null && lastDay === null ? null : idsOf(sides);
  let count = 0;
  for (const { id, isJudged, recordIds } of matchedHistory(read, reconciliationId)) {
    if (count % MATCHES_PER_LOOK === 0 && isCancelled()) return null;
    count += 1;
    history.add({ id, isJudged, recordIds, isWhole: seen === null || recordIds.every((recordId) => seen.has(recordId)) });
  }
  return history;
}

/** Returns the counts of verdicts as they are reported. */
function countsOf(verdicts: Verdicts) {
  const contradictions = verdicts.tied_otherwise + verdicts.taken_apart;
  const unjudged = verdicts.same_as_automatic + verdicts.differs_from_automatic + verdicts.outside_period + verdicts.new;
  return {
    matches: verdicts.agreement + verdicts.partial_agreement + contradictions + unjudged,
    agreements: verdicts.agreement,
    partial_agreements: verdicts.partial_agreement,
    contradictions,
    tied_otherwise: verdicts.tied_otherwise,
    taken_apart: verdicts.taken_apart,
    unjudged,
    same_as_automatic: verdicts.same_as_automatic,
    differs_from_automatic: verdicts.differs_from_automatic,
    outside_period: verdicts.outside_period,
  };
}

function figuresOf(tally: Tally, history: History) {
  const counts = countsOf(tally.verdicts);
  const { whole: judged, outside: judgedOutside } = history.judged;
  const shares = {
    precision: shareOf(counts.agreements, counts.agreements + counts.contradictions),
    recall: shareOf(counts.agreements, judged),
  };
  const { agreements, contradictions, taken_apart: takenApart, matches } = counts;
  return {
    summary: summaryOf({ agreements, contradictions, takenApart, judged, judgedOutside, matches, ...shares }),
    ...counts,
    waiting: tally.waiting,
    judged,
    judged_outside: judgedOutside,
    ...shares,
    by_certainty: tally.byCertainty.map(({ certainty, waiting, verdicts }) => ({ certainty, waiting, ...countsOf(verdicts) })),
  };
}

function examplesOf(read: ReadHandle, facts: RunFacts, result: ColumnResult, tally: Tally, history: History, ruleId: number | null) {
  const shown = tally.examples.map(({ verdict, place }) => ({ verdict, match: result.matches.at(place) }));
  const reasons = explainedMatches(
    read,
    facts,
    shown.map(({ match }) => match),
  );
  return reasons.flatMap((match, index) => {
    const verdict = shown[index]?.verdict;
    if (verdict === undefined) return [];
    const against = history.heldBy(match).slice(0, BACKTEST_LIMITS.against);
    return [{ ...wouldBeMatch(match, ruleId), verdict, against_match_ids: against }];
  });
}

/** Runs the rule alone on all records, and compares the result with the history. The caller must hold a snapshot. */
function judged(
  database: Database,
  request: BacktestRequest,
  reconciliation: ReconciliationRow,
  rule: EngineRule,
  isCancelled: () => boolean,
): Result<BacktestFound, EngineFailure> {
  const facts: RunFacts = {
    rules: [rule],
    signConvention: signConventionOf(reconciliation.sign_convention),
    types: propertyTypesBySide(database, reconciliation.id),
  };
  // A backtest writes nothing, so a damaged pack is left to the next run.
  const control = { onProgress: () => {}, isCancelled, onDoubt: () => {} };
  const streams = streamIdsBySide(database, reconciliation.id);
  const fields = fieldsOfRules(facts.rules, facts.types, facts.signConvention);
  const all = freeColumns(database, { reconciliationId: null, streams, fields }, control);
  if (all === null) return failed(CANCELLED);
  const sides = { a: withinPeriod(all.a, request), b: withinPeriod(all.b, request) };
  const returned = returnedLines(database, [...streams.a, ...streams.b]);
  const result = matchColumns({ ...facts, separations: new Set(), returned, sideA: sides.a, sideB: sides.b }, control);
  if (!result.ok) return result;
  const history = readHistory(database, request, sides, isCancelled);
  if (history === null) return failed(CANCELLED);
  const limits = { examples: request.examples, records: BACKTEST_LIMITS.exampleRecords };
  const tally = tallyOf(result.value.matches, history, rule.outcome === 'propose', limits, isCancelled);
  if (tally === null) return failed(CANCELLED);
  const [outcome] = result.value.rules;
  return success({
    ...figuresOf(tally, history),
    records_a: sides.a.count,
    records_b: sides.b.count,
    outside_window: outcome?.outsideWindow ?? 0,
    gave_up: outcome?.gaveUp ?? 0,
    examples: examplesOf(database, facts, result.value, tally, history, request.ruleId),
  });
}

/** Returns what a rule alone would have matched among all records, compared with people's decisions. Reads one snapshot and writes nothing. */
export function backtestRule(database: Database, request: BacktestRequest, isCancelled: () => boolean): PreviewEnd<BacktestFound> {
  const id = request.ruleId ?? 1;
  const rule = engineRule({ ...request.rule, id, edited: 0, confidence: null, sample_match_rate: null });
  const found = database.snapshot(() => {
    const reconciliation = findReconciliation(database, request.environmentId, request.reconciliationId);
    return reconciliation === undefined ? null : judged(database, request, reconciliation, rule, isCancelled);
  });
  if (found === null) return { end: 'missing' };
  if (found.ok) return { end: 'completed', found: found.value };
  const { code, message, path = 'filters' } = found.error;
  if (code === 'cancelled') return { end: 'cancelled' };
  return { end: 'failed', code, message: message.replace(`Rule ${id} `, 'The rule '), ruleId: null, path };
}
