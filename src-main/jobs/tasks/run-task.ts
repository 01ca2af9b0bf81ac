import { WOULD_BE_MATCHES } from '../../../src-shared/contract/would-be-matches.ts';
import { assert, present } from '../../../src-shared/values/assert.ts';
import { matchColumns } from '../../domain/matching/engine.ts';
import { CANCELLED } from '../../domain/matching/cohort-fits.ts';
import type { FoundMatches } from '../../domain/matching/found-matches.ts';
import { fieldsOfRules } from '../../domain/matching/ready-rules.ts';
import { type ColumnResult, type EngineFailure, type EngineRule, type FoundMatch, separationKey } from '../../domain/matching/types.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { appendAudit } from '../../store/audit.ts';
import { query, type WriteHandle } from '../../store/database.ts';
import { updateJob } from '../../store/jobs.ts';
import { countMatchesOfRun, deleteMatch, deleteSupersededProposals, insertMatch } from '../../store/matches.ts';
import { findReconciliation, streamIdsBySide, updateReconciliation } from '../../store/reconciliations.ts';
import { propertyTypesBySide } from '../../store/property-definitions.ts';
import { listRules } from '../../store/rules.ts';
import { clearExclusions, hasExclusions, runById, updateRun } from '../../store/runs.ts';
import { separationKeys } from '../../store/separations.ts';
import { WIPED_MATCH_IDS } from '../../store/wipes.ts';
import { insertWouldBeMatches } from '../../store/would-be-matches.ts';
import { removeUnpublishedRun } from '../cleanup.ts';
import type { RunPayload } from '../protocol.ts';
import type { TaskContext, TaskEnd } from '../task.ts';
import { freeColumns } from './engine-columns.ts';
import { engineRule, signConventionOf } from './engine-input.ts';
import { explainedMatches, type RunFacts } from './explained-matches.ts';
import { wouldBeMatch } from './would-be-match.ts';

const CHUNK_MATCHES = 500;
/** A transaction ends with the match that reaches this: of pairs, 500 of them. Only a single larger match makes a longer one. */
const CHUNK_RECORDS = 1_000;

/** What a run found, and what it looked at. */
interface Found {
  readonly facts: RunFacts;
  readonly separations: ReadonlySet<string>;
  readonly totalRecords: number;
  readonly result: ColumnResult;
}

interface Tally {
  matches: number;
  proposed: number;
  matchedRecords: number;
  sideA: number;
  sideB: number;
  readonly rules: Map<number, { matches: number; records: number; proposed: number; elapsed_ms: number; gave_up?: number }>;
}

function tallyOf(rulesById: readonly number[], elapsed: ReadonlyMap<number, number>): Tally {
  return {
    matches: 0,
    proposed: 0,
    matchedRecords: 0,
    sideA: 0,
    sideB: 0,
    rules: new Map(rulesById.map((id) => [id, { matches: 0, records: 0, proposed: 0, elapsed_ms: Math.round(elapsed.get(id) ?? 0) }])),
  };
}

function count(tally: Tally, match: FoundMatch): void {
  const rule = tally.rules.get(match.ruleId);
  const records = match.aIds.length + match.bIds.length;
  if (match.status === 'matched') {
    tally.matches += 1;
    tally.matchedRecords += records;
    tally.sideA += match.aIds.length;
    tally.sideB += match.bIds.length;
    if (rule !== undefined) {
      rule.matches += 1;
      rule.records += records;
    }
  } else {
    tally.proposed += 1;
    if (rule !== undefined) rule.proposed += 1;
  }
}

/** Whether a record was matched by a person, edited, deleted or wiped since the run read it: then the pair is left alone. */
function isStale(write: WriteHandle, runId: number, reconciliationId: number, ids: readonly number[]): boolean {
  return (
    write
      .prepare<[string, number, number], unknown>(
        `SELECT 1 FROM json_each(?) j LEFT JOIN records r ON r.id = j.value
         LEFT JOIN run_exclusions x ON x.run_id = ? AND x.record_id = j.value
         LEFT JOIN match_records c ON c.record_id = j.value AND c.reconciliation_id = ? AND c.counted = 1
           AND c.match_id NOT IN (${WIPED_MATCH_IDS})
         WHERE r.id IS NULL OR r.batch_id IN (SELECT id FROM import_batches WHERE writing = 1)
           OR x.record_id IS NOT NULL OR c.record_id IS NOT NULL LIMIT 1`,
      )
      .get(JSON.stringify(ids), runId, reconciliationId) !== undefined
  );
}

/** Where the transaction that begins with a match ends (exclusive). */
export function chunkEnd(matches: Pick<FoundMatches, 'length' | 'sizeAt'>, start: number): number {
  let records = 0;
  let end = start;
  while (end < matches.length && records < CHUNK_RECORDS) {
    records += matches.sizeAt(end);
    end += 1;
  }
  return end;
}

function writeMatches(context: TaskContext, payload: RunPayload, { facts, result }: Found, tally: Tally): boolean {
  const nowMs = context.clock.nowMs();
  let end = 0;
  for (let start = 0; start < result.matches.length; start = end) {
    if (context.isCancelled()) return false;
    end = chunkEnd(result.matches, start);
    const chunk = explainedMatches(context.database, facts, result.matches.slice(start, end));
    context.database.write((write) => {
      for (const match of chunk) {
        if (isStale(write, payload.runId, payload.reconciliationId, [...match.aIds, ...match.bIds])) continue;
        count(tally, match);
        insertMatch(
          write,
          {
            reconciliation_id: payload.reconciliationId,
            run_id: payload.runId,
            rule_id: match.ruleId,
            status: match.status,
            origin: 'rule',
            certainty: match.certainty,
            difference: match.differenceMinor,
            group_key: match.groupKey,
            explanation: JSON.stringify(match.explanation),
            record_count: match.aIds.length + match.bIds.length,
            confirmed_at: null,
            created_at: nowMs,
          },
          [
            ...match.aIds.map((recordId) => ({ recordId, side: 'a' as const })),
            ...match.bIds.map((recordId) => ({ recordId, side: 'b' as const })),
          ],
        );
      }
    });
    context.report({ phase: 'writing', processed: end, total: result.matches.length });
  }
  return true;
}

/** Proposals that a person rejected while the run worked do not come back with it; answers whether any went. */
function dropNewlySeparated(write: WriteHandle, payload: RunPayload, known: ReadonlySet<string>): boolean {
  let dropped = false;
  for (const key of separationKeys(write, payload.reconciliationId)) {
    if (known.has(key)) continue;
    const first = Number(key.split(',')[0]);
    const candidates = write.all(
      query
        .selectFrom('match_records as mr')
        .innerJoin('matches as m', 'm.id', 'mr.match_id')
        .select('m.id')
        .where('mr.record_id', '=', first)
        .where('m.run_id', '=', payload.runId),
    );
    for (const { id } of candidates) {
      const ids = write.all(query.selectFrom('match_records').select('record_id').where('match_id', '=', id));
      if (separationKey(ids.map((row) => row.record_id)) !== key) continue;
      deleteMatch(write, id);
      dropped = true;
    }
  }
  return dropped;
}

/** Counts anew what is left of a run after people took from it. */
function recount(write: WriteHandle, runId: number, tally: Tally): void {
  Object.assign(tally, { matches: 0, proposed: 0, matchedRecords: 0, sideA: 0, sideB: 0 });
  for (const rule of tally.rules.values()) Object.assign(rule, { matches: 0, records: 0, proposed: 0 });
  for (const found of countMatchesOfRun(write, runId)) {
    const rule = tally.rules.get(found.rule_id);
    if (found.status === 'proposed') {
      tally.proposed += found.matches;
      if (rule !== undefined) rule.proposed += found.matches;
      continue;
    }
    tally.matches += found.matches;
    tally.matchedRecords += found.records;
    tally.sideA += found.side_a;
    tally.sideB += found.records - found.side_a;
    if (rule !== undefined) {
      rule.matches += found.matches;
      rule.records += found.records;
    }
  }
}

/** The flip: everything the run found becomes visible, and the run is complete, in one transaction. */
function publish(context: TaskContext, payload: RunPayload, tally: Tally, found: Found): void {
  const nowMs = context.clock.nowMs();
  const { facts, result, totalRecords } = found;
  context.database.write((write) => {
    const run = present(runById(write, payload.runId), 'run');
    const committed = run.mode === 'commit';
    if (committed) {
      const dropped = dropNewlySeparated(write, payload, found.separations);
      if (dropped || hasExclusions(write, payload.runId)) recount(write, payload.runId, tally);
      updateReconciliation(write, payload.reconciliationId, { published_run_id: payload.runId });
    } else {
      const first = explainedMatches(write, facts, result.matches.slice(0, WOULD_BE_MATCHES));
      const kept = first.map((match) => JSON.stringify(wouldBeMatch(match, match.ruleId)));
      insertWouldBeMatches(write, payload.runId, kept);
    }
    clearExclusions(write, payload.runId);
    updateRun(write, payload.runId, {
      writing: 0,
      status: 'completed',
      completed_at: nowMs,
      total_records: totalRecords,
      processed_records: totalRecords,
      matched_records: tally.matchedRecords,
      matches: tally.matches,
      matched_side_a: tally.sideA,
      matched_side_b: tally.sideB,
      proposed_matches: tally.proposed,
      rule_summary: JSON.stringify(Object.fromEntries(tally.rules)),
    });
    if (committed) {
      appendAudit(write, {
        environmentId: context.job.environment_id,
        atMs: nowMs,
        actor: payload.actor,
        action: 'run.completed',
        detail: { run_id: payload.runId, reconciliation_id: payload.reconciliationId, matches: tally.matches, proposed: tally.proposed },
      });
    }
    updateJob(write, context.job.id, { status: 'completed', completed_at: nowMs });
  });
}

/** Proposals that this run worked out anew are invisible since the flip; here their rows go. */
function clearSuperseded(context: TaskContext, payload: RunPayload): void {
  try {
    while (context.database.write((write) => deleteSupersededProposals(write, payload.reconciliationId, payload.runId, CHUNK_MATCHES)) > 0);
  } catch {
    // The run is complete all the same: the next run or the next start clears what is left.
  }
}

/** Reads the free records of the reconciliation and runs the engine over them, all in the snapshot that the caller holds. */
function match(context: TaskContext, payload: RunPayload, elapsed: Map<number, number>): Result<Found, EngineFailure> {
  const { database, clock, isCancelled } = context;
  const reconciliation = present(findReconciliation(database, context.job.environment_id, payload.reconciliationId), 'reconciliation');
  const stored = (): EngineRule[] =>
    listRules(database, reconciliation.id)
      .filter((rule) => rule.status === 'active')
      .map(engineRule);
  const facts: RunFacts = {
    rules: payload.rules ?? stored(),
    signConvention: signConventionOf(reconciliation.sign_convention),
    types: propertyTypesBySide(database, reconciliation.id),
  };
  const separations = new Set(separationKeys(database, reconciliation.id));
  const sides = freeColumns(
    database,
    {
      reconciliationId: reconciliation.id,
      streams: streamIdsBySide(database, reconciliation.id),
      fields: fieldsOfRules(facts.rules, facts.types, facts.signConvention),
    },
    { onProgress: (processed, total) => context.report({ phase: 'reading', processed, total }), isCancelled },
  );
  if (sides === null) return failed(CANCELLED);
  const totalRecords = sides.a.count + sides.b.count;
  let tick = clock.monotonicMs();
  const result = matchColumns(
    { ...facts, separations, sideA: sides.a, sideB: sides.b },
    {
      onProgress: (processed, total, ruleId) => {
        const now = clock.monotonicMs();
        elapsed.set(ruleId, (elapsed.get(ruleId) ?? 0) + now - tick);
        tick = now;
        // The engine counts its steps, several a record; people are told records.
        context.report({ phase: 'matching', processed: Math.floor((processed / Math.max(1, total)) * totalRecords), total: totalRecords });
      },
      isCancelled,
    },
  );
  return result.ok ? success({ facts, separations, totalRecords, result: result.value }) : result;
}

/** Runs the engine over the free records of a reconciliation and writes what it found under the run's id. */
export function runTask(context: TaskContext, payload: RunPayload): TaskEnd {
  const { database, clock } = context;
  const startedAtMs = clock.nowMs();
  const run = present(runById(database, payload.runId), 'run');
  database.write((write) =>
    updateRun(write, run.id, { status: 'running', writing: run.mode === 'commit' ? 1 : 0, started_at: startedAtMs }),
  );
  const cancelled = (): TaskEnd => {
    removeUnpublishedRun(database, run.id, { status: 'cancelled', message: null, atMs: clock.nowMs() });
    return { end: 'cancelled' };
  };
  context.report({ phase: 'reading', processed: 0, total: 0 });
  const elapsed = new Map<number, number>();
  const matched = database.snapshot(() => match(context, payload, elapsed));
  if (!matched.ok) {
    if (matched.error.code === 'cancelled') return cancelled();
    removeUnpublishedRun(database, run.id, { status: 'failed', message: matched.error.message, atMs: clock.nowMs() });
    return { end: 'failed', message: matched.error.message };
  }
  const found = matched.value;
  const tally = tallyOf(
    found.facts.rules.map((rule) => rule.id),
    elapsed,
  );
  for (const { ruleId, gaveUp } of found.result.rules) {
    if (gaveUp !== null) Object.assign(present(tally.rules.get(ruleId), 'rule of the run'), { gave_up: gaveUp });
  }
  if (run.mode === 'dry_run') for (const match of found.result.matches) count(tally, match);
  else if (!writeMatches(context, payload, found, tally)) return cancelled();
  assert(tally.matchedRecords <= found.totalRecords, 'no record is used twice');
  publish(context, payload, tally, found);
  if (run.mode === 'commit') clearSuperseded(context, payload);
  return { end: 'completed' };
}
