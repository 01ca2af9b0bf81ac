import type { Rule } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { ruleShape } from '../../domain/matching/index.ts';
import {
  type KnownMatch,
  nothingFound,
  planSample,
  type Proposal,
  PROPOSAL_LIMITS,
  type ProposalInput,
  type Proposals,
  proposeEvidenceFirst,
  reasoningOf,
} from '../../domain/proposals/index.ts';
import type { EngineRecord } from '../../domain/records/record.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import { updateJob } from '../../book/store/jobs.ts';
import { propertyTypesBySide } from '../../streams/store/property-definitions.ts';
import { findReconciliation, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { runById, updateRun } from '../../runs/store/runs.ts';
import { returnedLines } from '../../records/store/reversals.ts';
import { separationKeys } from '../../matches/store/separations.ts';
import { removeUnpublishedRun } from '../../records/work/cleanup.ts';
import type { RunPayload, TaskContext, TaskEnd } from '../../jobs/protocol.ts';
import { engineRule, freeDays, freeRecordsOfSample, recordsOfStreams, signConventionOf } from '../../records/work/engine-input.ts';
import { matchesOfPeople, noteSearchStep, type SearchStep, searchNotes, searchResult } from '../store/proposals.ts';
import {
  dismissedShapes,
  insertRule,
  isUntouchedProposal,
  listRules,
  nextPriority,
  removeRule,
  type RuleRow,
  updateRule,
  isInUse,
} from '../store/rules.ts';

/** The newest matches of people from which a search learns, and the most records of one. */
const KNOWN = { matches: 1_000, records: 50 } as const;

function shapeOf(row: RuleRow): string {
  const { filters, groupBy } = engineRule(row);
  const method = row.method as Rule['method'];
  const rollup = storedJson('rules.rollup', row.rollup, row.id);
  return ruleShape({ filters, cardinality: row.cardinality as Rule['cardinality'], group_by: [...groupBy], rollup, method });
}

/** Returns the shapes that must not be proposed: those of rules that a person made, edited or activated, and dismissed ones. */
function excludedShapes(read: ReadHandle, reconciliationId: number, rules: readonly RuleRow[]): Set<string> {
  const kept = rules.filter((rule) => !isUntouchedProposal(rule));
  return new Set([...kept.map(shapeOf), ...dismissedShapes(read, reconciliationId)]);
}

/** Returns the sampled free records of both sides, and the records of people's matches. */
function readSides(read: ReadHandle, reconciliationId: number): Pick<ProposalInput, 'sideA' | 'sideB' | 'known'> {
  const streams = streamIdsBySide(read, reconciliationId);
  const plan = planSample(freeDays(read, reconciliationId, streams.a), freeDays(read, reconciliationId, streams.b), PROPOSAL_LIMITS.sample);
  const people = matchesOfPeople(read, reconciliationId, KNOWN.matches, KNOWN.records);
  const side = (name: 'a' | 'b'): { readonly records: EngineRecord[]; readonly known: ReadonlySet<number> } => {
    const ids = people.flatMap((match) => (name === 'a' ? match.aIds : match.bIds));
    const known = recordsOfStreams(read, streams[name], ids);
    const free = plan.windows.flatMap(({ firstDay, lastDay }) =>
      freeRecordsOfSample(read, reconciliationId, streams[name], { firstDay, lastDay, amountClasses: plan.amountClasses }),
    );
    return { records: [...free, ...known], known: new Set(known.map(({ id }) => id)) };
  };
  const [a, b] = [side('a'), side('b')];
  // An adjustment is in no stream of the sides; what it balanced is the difference to learn.
  const known = people.map(({ aIds, bIds }): KnownMatch => ({
    aIds: aIds.filter((id) => a.known.has(id)),
    bIds: bIds.filter((id) => b.known.has(id)),
  }));
  return { sideA: a.records, sideB: b.records, known: known.filter(({ aIds, bIds }) => aIds.length > 0 && bIds.length > 0) };
}

function readInput(context: TaskContext, reconciliationId: number): ProposalInput {
  const { database, job } = context;
  return database.snapshot(() => {
    const reconciliation = present(findReconciliation(database, job.environment_id, reconciliationId), 'reconciliation');
    const rules = listRules(database, reconciliation.id);
    const streams = streamIdsBySide(database, reconciliation.id);
    return {
      ...readSides(database, reconciliation.id),
      active: rules.filter(isInUse).map(engineRule),
      signConvention: signConventionOf(reconciliation.sign_convention),
      types: propertyTypesBySide(database, reconciliation.id),
      separations: new Set(separationKeys(database, reconciliation.id)),
      returned: returnedLines(database, [...streams.a, ...streams.b]),
      excludedShapes: excludedShapes(database, reconciliation.id, rules),
    };
  });
}

/** Returns the columns of a proposed rule. */
function columnsOf({ body, confidence, matched, sampled }: Proposal) {
  return {
    filters: JSON.stringify(body.filters),
    description: body.description,
    outcome: body.outcome,
    commit_certainty: JSON.stringify(body.commit_certainty),
    cardinality: body.cardinality,
    group_by: JSON.stringify(body.group_by),
    rollup: body.rollup === null ? null : JSON.stringify(body.rollup),
    method: body.method ?? 'conditions',
    budget: body.budget ?? null,
    confidence,
    sample_match_rate: `${matched}/${sampled}`,
  };
}

interface Stored {
  /** Rules that now wait for a review. */
  readonly ruleIds: readonly number[];
  readonly kept: readonly Proposal[];
  /** Earlier proposals that were deleted. */
  readonly replacedIds: readonly number[];
}

/**
 * Stores proposals in place of earlier ones that no person edited; one that is found again keeps its id. Leaves out those that became rules or were
 * dismissed since the search began.
 */
function storeProposals(write: WriteHandle, reconciliationId: number, found: Proposals, atMs: number): Stored {
  const rules = listRules(write, reconciliationId);
  const excluded = excludedShapes(write, reconciliationId, rules);
  const untouched = new Map(rules.filter(isUntouchedProposal).map((rule) => [shapeOf(rule), rule]));
  const ruleIds: number[] = [];
  const kept: Proposal[] = [];
  for (const proposal of found.proposals) {
    const shape = ruleShape(proposal.body);
    if (excluded.has(shape)) continue;
    kept.push(proposal);
    const priority = nextPriority(write, reconciliationId);
    const earlier = untouched.get(shape);
    untouched.delete(shape);
    if (earlier !== undefined) {
      updateRule(write, earlier.id, { ...columnsOf(proposal), priority });
      ruleIds.push(earlier.id);
      continue;
    }
    const place = { reconciliation_id: reconciliationId, priority, source: 'ai', status: 'proposed', created_at: atMs };
    ruleIds.push(insertRule(write, { ...columnsOf(proposal), ...place }));
  }
  for (const rule of untouched.values()) removeRule(write, rule, atMs);
  return { ruleIds, kept, replacedIds: [...untouched.values()].map(({ id }) => id) };
}

/** Runs the publish step: stores the proposals for review and completes the run, in one transaction. */
function publish(context: TaskContext, payload: RunPayload, found: Proposals): void {
  const atMs = context.clock.nowMs();
  const { reconciliationId, runId, actor } = payload;
  const records = found.sampled.a + found.sampled.b;
  context.database.write((write) => {
    const { ruleIds, kept, replacedIds } = storeProposals(write, reconciliationId, found, atMs);
    const wereExcluded = found.proposals.length - ruleIds.length;
    const nothing = ruleIds.length > 0 ? null : (found.nothing ?? nothingFound({ counts: found.sampled, wereExcluded, isContrary: false }));
    updateRun(write, runId, {
      status: 'completed',
      completed_at: atMs,
      total_records: records,
      processed_records: records,
      proposals: searchResult(write, runId, { rules: ruleIds.length, nothing, reasoning: reasoningOf(found, kept, nothing) }),
    });
    appendAudit(write, {
      environmentId: context.job.environment_id,
      atMs,
      actor,
      action: 'rules.proposed',
      detail: { run_id: runId, reconciliation_id: reconciliationId, rule_ids: ruleIds, replaced_rule_ids: replacedIds, nothing },
    });
    updateJob(write, context.job.id, { status: 'completed', completed_at: atMs });
  });
}

/** Notes the first steps of a run that begins, or begins again after Tieout was stopped. */
function beginSearch({ database, clock }: TaskContext, runId: number): void {
  const atMs = clock.nowMs();
  const reading: SearchStep = { step: 'reading', message: phrase('rules.proposeTask.readingTheOpenRecordsOfBoth'), atMs };
  database.write((write) => {
    const { steps } = searchNotes(present(runById(write, runId), 'run'));
    updateRun(write, runId, { status: 'running', started_at: atMs });
    const resumed = { step: 'resumed', message: phrase('rules.proposeTask.tieoutWasStoppedInTheMiddle'), atMs } as const;
    if (steps.length > 0) noteSearchStep(write, runId, resumed, { isFirst: true });
    noteSearchStep(write, runId, reading);
  });
}

/** Proposes rules from the records of a reconciliation. Matches nothing, and nothing is visible before its end. */
export function proposeTask(context: TaskContext, payload: RunPayload): TaskEnd {
  const { database, clock } = context;
  beginSearch(context, payload.runId);
  context.report({ phase: 'reading', processed: 0, total: 0 });
  const input = readInput(context, payload.reconciliationId);
  const records = input.sideA.length + input.sideB.length;
  const found = proposeEvidenceFirst(input, {
    onProgress: (done, total) => {
      context.report({ phase: 'proposing', processed: Math.floor((done / Math.max(1, total)) * records), total: records });
    },
    onStep: (step, message) => database.write((write) => noteSearchStep(write, payload.runId, { step, message, atMs: clock.nowMs() })),
    isCancelled: context.isCancelled,
  });
  if (found === null || context.isCancelled()) {
    removeUnpublishedRun(database, payload.runId, { status: 'cancelled', message: null, atMs: clock.nowMs() });
    return { end: 'cancelled' };
  }
  publish(context, payload, found);
  return { end: 'completed' };
}
