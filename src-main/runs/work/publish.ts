import type { Run } from '../../../src-shared/contract/index.ts';
import { WOULD_BE_MATCHES } from '../../../src-shared/contract/matches/would-be-matches.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { counted } from '../../../src-shared/values/english.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { updateJob } from '../../book/store/jobs.ts';
import { noteOwnChange } from '../../book/store/undo-entries.ts';
import type { WriteHandle } from '../../database/database.ts';
import { outcomeWords } from '../../domain/evidence/explain-evidence.ts';
import type { BudgetFigures } from '../../domain/evidence/model/link.ts';
import { PARAMETERS_FORMAT } from '../../domain/evidence/model/parameters.ts';
import type { ColumnResult } from '../../domain/matching/index.ts';
import type { RunPayload, TaskContext } from '../../jobs/protocol.ts';
import { insertWouldBeMatches } from '../../matches/store/matches.ts';
import { updateReconciliation } from '../../reconciliations/store/reconciliations.ts';
import { replaceReviews } from '../../rules/store/evidence-reviews.ts';
import { insertLearned } from '../../rules/store/evidence.ts';
import { explainedMatches, wouldBeMatch } from '../../rules/work/explained-matches.ts';
import { deleteProposals, deleteRunBases, forgetChangedSeparations } from '../store/run-bases.ts';
import { countMatchesOfRun, takenFromRun } from '../store/run-matches.ts';
import { clearNotes, hasExclusions, runById, updateRun } from '../store/runs.ts';
import { dropNewlySeparated } from './member-writer.ts';
import type { EvidenceOfRun } from './run-evidence.ts';
import type { RunInput, StoredFacts } from './run-input.ts';
import { countAnew, type Tally } from './run-tally.ts';

/**
 * If people take matches from the run after they were counted, the count is repeated outside of the publish step up to this many times. Then the
 * publish step counts itself.
 */
const MOST_COUNTS = 5;

/** The result of a run, and its input. */
export interface Found {
  readonly facts: StoredFacts;
  readonly separations: ReadonlySet<string>;
  readonly input: RunInput;
  readonly result: ColumnResult;
  /** The milliseconds that each rule took, by rule id. */
  readonly elapsed: ReadonlyMap<number, number>;
  /** The currencies of both sides if they share none; else null. */
  readonly noShared: Run['no_shared_currency'];
  /** The value of `takenFromRun` when the run read its input. */
  readonly taken: string;
  /** The evidence of rules of evidence; missing if there are none. */
  readonly evidence?: EvidenceOfRun | undefined;
}

/** Publishes the result of the run in place of the proposals that it computed anew. */
function publishProposals(write: WriteHandle, { runId, reconciliationId }: RunPayload, { replaced, separationsThrough }: RunInput): void {
  updateReconciliation(write, reconciliationId, {
    published_run_id: runId,
    ...(replaced === null ? { proposals_since: runId } : {}),
  });
  if (replaced !== null) deleteProposals(write, replaced);
  // If anything was noted for the run, its records changed meanwhile and its base may be wrong: the next run examines everything.
  deleteRunBases(write, reconciliationId, hasExclusions(write, runId) ? null : runId);
  forgetChangedSeparations(write, reconciliationId, separationsThrough);
}

/** Runs the publish step: makes everything that the run found visible and completes the run, in one transaction. */
function publishNow(write: WriteHandle, context: TaskContext, payload: RunPayload, tally: Tally, found: Found): void {
  const { facts, result, input } = found;
  const { totalRecords, examinedRecords } = input;
  const nowMs = context.clock.nowMs();
  const run = present(runById(write, payload.runId), 'run');
  const committed = run.mode === 'commit';
  const learned = committed ? keepLearned(write, payload, found, nowMs) : [];
  tellLearned(tally, found, learned);
  if (committed) {
    keepReviews(write, payload, found, nowMs);
    publishProposals(write, payload, input);
  } else {
    const first = explainedMatches(write, facts, result.matches.slice(0, WOULD_BE_MATCHES));
    const kept = first.map((match) => JSON.stringify(wouldBeMatch(match, match.ruleId)));
    insertWouldBeMatches(write, payload.runId, kept);
  }
  clearNotes(write, payload.runId);
  updateRun(write, payload.runId, {
    writing: 0,
    status: 'completed',
    completed_at: nowMs,
    total_records: totalRecords,
    examined_records: examinedRecords,
    processed_records: totalRecords,
    matched_records: tally.matchedRecords,
    matches: tally.matches,
    matched_side_a: tally.sideA,
    matched_side_b: tally.sideB,
    proposed_matches: tally.proposed,
    rule_summary: JSON.stringify(Object.fromEntries(tally.rules)),
    no_shared_currency: found.noShared === null ? null : JSON.stringify(found.noShared),
  });
  if (committed) {
    appendAudit(write, {
      environmentId: context.job.environment_id,
      atMs: nowMs,
      actor: payload.actor,
      action: 'run.completed',
      detail: {
        run_id: payload.runId,
        reconciliation_id: payload.reconciliationId,
        matches: tally.matches,
        proposed: tally.proposed,
        ...(learned.length === 0 ? {} : { learned }),
      },
    });
  }
  if (committed && tally.matches > 0 && run.kind === 'batch') noteUndoOfRun(write, context, payload, tally.matches, nowMs);
  updateJob(write, context.job.id, { status: 'completed', completed_at: nowMs });
}

/** Makes a run that a person asked for in the window or on the command line undoable as one change. */
function noteUndoOfRun(
  write: WriteHandle,
  { job }: TaskContext,
  { runId, reconciliationId, actor }: RunPayload,
  matches: number,
  atMs: number,
): void {
  noteOwnChange(
    write,
    { environmentId: job.environment_id, actor, atMs },
    {
      label: `Run ${runId} matched ${counted(matches, 'group')} of lines`,
      steps: [{ operation: 'runs.undo', input: { id: reconciliationId, run_id: runId } }],
      reconciliationId,
    },
  );
}

/**
 * Makes the result of the run visible. Matches that people took from it meanwhile are counted before the publish step, without the write lock; the
 * publish step only checks whether more were taken since.
 */
export function publish(context: TaskContext, payload: RunPayload, tally: Tally, found: Found): void {
  const { database } = context;
  let counted = found.taken;
  const isPublishedNow = (isLast: boolean): boolean =>
    database.write((write) => {
      const committed = present(runById(write, payload.runId), 'run').mode === 'commit';
      if (committed) {
        const dropped = dropNewlySeparated(write, payload, found.separations);
        const isOutdated = dropped || takenFromRun(write, payload.runId) !== counted;
        if (isOutdated && !isLast) return false;
        if (isOutdated) countAnew(tally, countMatchesOfRun(write, payload.runId));
      }
      publishNow(write, context, payload, tally, found);
      return true;
    });
  for (let counts = 0; !isPublishedNow(counts === MOST_COUNTS); counts += 1) {
    database.snapshot(() => {
      counted = takenFromRun(database, payload.runId);
      countAnew(tally, countMatchesOfRun(database, payload.runId));
    });
  }
}

/** The audit entry of a learned version, without its body, which has its own row. */
interface LearnedVersion {
  readonly rule_id: number;
  readonly version: number;
  readonly sha256: string;
}

/** The parts of a run's result that concern evidence. */
interface Weighed {
  readonly evidence?: EvidenceOfRun | undefined;
  readonly facts: StoredFacts;
  readonly result: ColumnResult;
}

/** Keeps what rules of evidence learned in a run, unless they used an earlier version. */
function keepLearned(write: WriteHandle, { runId, reconciliationId }: RunPayload, found: Weighed, atMs: number): LearnedVersion[] {
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

/** Notes the matches of earlier runs whose evidence changed, for a person to review, in place of those that earlier runs noted. */
function keepReviews(write: WriteHandle, { runId, reconciliationId }: RunPayload, { result, evidence }: Weighed, atMs: number): void {
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

/** Adds to each rule of evidence what it expects of its committed matches. */
function tellLearned(tally: Tally, { result, evidence }: Weighed, learned: readonly LearnedVersion[]): void {
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
