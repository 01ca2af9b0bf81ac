import type { Run } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import type { BudgetFigures } from '../../domain/evidence/model/link.ts';
import { outcomeWords } from '../../domain/evidence/outcome-words.ts';
import { PARAMETERS_FORMAT } from '../../domain/evidence/model/parameters.ts';
import type { ColumnResult } from '../../domain/matching/index.ts';
import type { WriteHandle } from '../../database/database.ts';
import { replaceReviews } from '../../rules/store/evidence-reviews.ts';
import { insertLearned } from '../../rules/store/evidence.ts';
import type { RunPayload } from '../../jobs/protocol.ts';
import type { EvidenceOfRun } from './run-evidence.ts';
import type { StoredFacts } from './run-facts.ts';
import type { Tally } from './run-tally.ts';

/** What the audit log says of a version that was learned: not its body, which stands in its own row. */
interface LearnedVersion {
  readonly rule_id: number;
  readonly version: number;
  readonly sha256: string;
}

/** Of what a run found. */
interface Weighed {
  readonly evidence?: EvidenceOfRun | undefined;
  readonly facts: StoredFacts;
  readonly result: ColumnResult;
}

/** Keeps what rules of evidence learned in a run, where they did not go by an earlier version. */
export function keepLearned(write: WriteHandle, { runId, reconciliationId }: RunPayload, found: Weighed, atMs: number): LearnedVersion[] {
  const { evidence, facts, result } = found;
  if (evidence === undefined) return [];
  return result.rules.flatMap(({ ruleId, evidence: weighed }) => {
    if (weighed === undefined || evidence.versionOf(ruleId) !== null) return [];
    const rule = present(
      facts.rules.find(({ id }) => id === ruleId),
      'rule of the run',
    );
    const kept = insertLearned(write, {
      reconciliation_id: reconciliationId,
      rule_id: ruleId,
      run_id: runId,
      format: PARAMETERS_FORMAT,
      terms: evidence.termsOf(rule),
      body: JSON.stringify(weighed.parameters),
      lines: evidence.lines,
      decisions: evidence.decisions,
      created_at: atMs,
    });
    return [{ rule_id: ruleId, ...kept }];
  });
}

/** Notes the matches of earlier runs whose evidence changed, for a person to look at: what earlier runs noted gives way to it. */
export function keepReviews(
  write: WriteHandle,
  { runId, reconciliationId }: RunPayload,
  { result, evidence }: Weighed,
  atMs: number,
): void {
  if (evidence === undefined) return;
  const changed = new Map(
    result.rules.flatMap(({ evidence: weighed }) => (weighed?.changed ?? []).map((pair) => [pair.matchId, pair] as const)),
  );
  const rows = [...changed.values()].map(({ matchId, before, now, otherIds }) => ({
    match_id: matchId,
    reconciliation_id: reconciliationId,
    run_id: runId,
    likelihood_before: before,
    likelihood_now: now,
    other_record_ids: JSON.stringify(otherIds),
    created_at: atMs,
  }));
  replaceReviews(write, reconciliationId, rows);
}

type Told = NonNullable<Run['rule_summary'][string]['evidence']>;

/** Tells with each rule of evidence what it expects of what it committed. */
export function tellLearned(tally: Tally, { result, evidence }: Weighed, learned: readonly LearnedVersion[]): void {
  for (const { ruleId, evidence: weighed } of result.rules) {
    if (weighed === undefined) continue;
    const { committed, atBudgets, leansOnPrior, cappedLines } = weighed.outcome;
    const version = learned.find(({ rule_id: id }) => id === ruleId)?.version ?? evidence?.versionOf(ruleId) ?? null;
    const told: Told = {
      words: outcomeWords(weighed.outcome),
      expected_wrong: committed.expectedWrong,
      upper_bound: committed.upperBound,
      at_budgets: atBudgets.map(budgetView),
      leans_on_prior: leansOnPrior,
      capped_lines: cappedLines,
      learned_version: version,
      reviews: weighed.changed.length,
    };
    present(tally.rules.get(ruleId), 'rule of the run').evidence = told;
  }
}

function budgetView({ budget, committed, expectedWrong, upperBound }: BudgetFigures): Told['at_budgets'][number] {
  return { budget, committed, expected_wrong: expectedWrong, upper_bound: upperBound };
}
