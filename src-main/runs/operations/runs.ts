import { present } from '../../../src-shared/values/assert.ts';
import type { EngineRule } from '../../domain/matching/index.ts';
import type { RunPayload } from '../../jobs/protocol.ts';
import { appendAudit } from '../../book/store/audit.ts';
import type { WriteHandle } from '../../database/database.ts';
import { jobOfRun, updateJob } from '../../book/store/jobs.ts';
import { findReconciliation, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { propertyTypesBySide } from '../../streams/store/property-definitions.ts';
import { countRecordsUpTo } from '../../rules/store/proposals.ts';
import { answer, missing, refuse } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { pageAnswer, pageStart } from '../../service/paging.ts';
import { checkRules, unstoredRule } from '../../rules/operations/rule-input.ts';
import { liveRunView } from '../../service/reconciliation-views.ts';
import { startRun } from '../work/start-run.ts';
import { hasActiveRule } from '../store/due-runs.ts';
import { findRun, NOTHING_PROPOSED_YET, openRun, pageRuns, type RunRow, updateRun } from '../store/runs.ts';

interface RunRequest {
  readonly id: number;
  readonly mode: 'commit' | 'dry_run';
  /** Rules of a rehearsal; without them the stored ones run. */
  readonly rules?: readonly EngineRule[];
}

/** Gives a waiting automatic run to the person who has just asked for a run, since it will do the same work. */
function takeOver(write: WriteHandle, caller: Caller, run: RunRow, proposes: boolean, atMs: number): void {
  const job = present(jobOfRun(write, run.id), 'job of the run');
  const { proposes: _, ...given } = JSON.parse(job.payload) as RunPayload;
  const payload: RunPayload = { ...given, actor: caller.actor, ...(proposes ? { proposes } : {}) };
  updateRun(write, run.id, { kind: 'batch', cause: 'manual', proposals: proposes ? NOTHING_PROPOSED_YET : null });
  updateJob(write, job.id, { payload: JSON.stringify(payload) });
  appendAudit(write, {
    environmentId: caller.environmentId,
    atMs,
    actor: caller.actor,
    action: 'run.taken_over',
    detail: { run_id: run.id, reconciliation_id: run.reconciliation_id },
  });
}

function inProgress(run: RunRow) {
  const started = run.kind === 'continuous' ? 'started by itself and is in progress' : 'is in progress';
  return refuse('run_in_progress', `Run ${run.id} of this reconciliation ${started}: wait for it, or cancel it first.`);
}

const NO_RULE = 'This reconciliation has no active rule, so a run could match nothing: add a rule first.';

/** Without an active rule a run proposes some, as long as both sides have records to look at. */
function canPropose(write: WriteHandle, { id, mode, rules }: RunRequest): boolean {
  if (mode !== 'commit' || rules !== undefined) return false;
  const sides = streamIdsBySide(write, id);
  return [sides.a, sides.b].every((streamIds) => countRecordsUpTo(write, streamIds, 1) > 0);
}

/** A new run, or the one that was about to start by itself. */
function placeRun(write: WriteHandle, caller: Caller, request: RunRequest & { readonly proposes: boolean }, atMs: number) {
  const { id, mode, rules, proposes } = request;
  if (findReconciliation(write, caller.environmentId, id) === undefined) return missing('reconciliation', id);
  const placed = (runId: number) => answer(present(findRun(write, id, runId), 'run'));
  const open = openRun(write, id);
  if (open !== undefined) {
    const isWaiting = open.kind === 'continuous' && open.status === 'pending' && mode === 'commit';
    // A waiting run that would match is not turned into a search for rules: the matching would be lost.
    if (!isWaiting || (proposes && open.proposals === null && hasActiveRule(write, id))) return inProgress(open);
    takeOver(write, caller, open, proposes, atMs);
    return placed(open.id);
  }
  const { environmentId, actor } = caller;
  const start = {
    environmentId,
    actor,
    reconciliationId: id,
    kind: 'batch',
    mode,
    cause: 'manual',
    rules,
    proposes,
    createdAtMs: atMs,
  } as const;
  return placed(startRun(write, start));
}

function told(context: ServiceContext, run: RunRow) {
  context.queue.kick();
  context.changed(['runs', 'reconciliations'], run.reconciliation_id);
  return answer(liveRunView(context, run), { location: `/v1/reconciliations/${run.reconciliation_id}/runs/${run.id}` });
}

/** A run matches by its rules; without one it proposes some where it can, and is refused where it cannot. */
function enqueueRun(context: ServiceContext, caller: Caller, request: RunRequest) {
  const outcome = context.database.write((write) => {
    const isIdle = request.rules === undefined && !hasActiveRule(write, request.id);
    const proposes = isIdle && canPropose(write, request);
    const isThere = findReconciliation(write, caller.environmentId, request.id) !== undefined;
    if (isThere && isIdle && !proposes && openRun(write, request.id) === undefined) return refuse('invalid_rule', NO_RULE);
    return placeRun(write, caller, { ...request, proposes }, context.clock.nowMs());
  });
  return outcome.ok ? told(context, outcome.value) : outcome;
}

/** Puts a run into the queue that proposes rules, whether any is active or not. */
export function enqueueProposals(context: ServiceContext, caller: Caller, id: number) {
  const request = { id, mode: 'commit', proposes: true } as const;
  const outcome = context.database.write((write) => placeRun(write, caller, request, context.clock.nowMs()));
  return outcome.ok ? told(context, outcome.value) : outcome;
}

function rehearse(context: ServiceContext): Handlers['runs.rehearse'] {
  return (caller, input) => {
    if (findReconciliation(context.database, caller.environmentId, input.id) === undefined) return missing('reconciliation', input.id);
    const faults = checkRules(input.rules, propertyTypesBySide(context.database, input.id));
    if (faults !== null) return faults;
    return enqueueRun(context, caller, { id: input.id, mode: 'dry_run', rules: input.rules.map(unstoredRule) });
  };
}

export function runHandlers(
  context: ServiceContext,
): Pick<Handlers, 'runs.start' | 'runs.rehearse' | 'runs.list' | 'runs.get' | 'runs.cancel'> {
  const { database } = context;
  return {
    'runs.start': (caller, input) => enqueueRun(context, caller, input),
    'runs.rehearse': rehearse(context),
    'runs.list': (caller, input) => {
      if (findReconciliation(database, caller.environmentId, input.id) === undefined) return missing('reconciliation', input.id);
      const start = pageStart(input, 'runs -id');
      if (!start.ok) return start;
      const rows = pageRuns(database, input.id, start.value);
      return answer(
        pageAnswer(
          rows,
          start.value,
          'runs -id',
          (row) => ({ value: row.id, id: row.id }),
          (shown) => shown.map((row) => liveRunView(context, row)),
        ),
      );
    },
    'runs.get': (caller, input) => {
      if (findReconciliation(database, caller.environmentId, input.id) === undefined) return missing('reconciliation', input.id);
      const run = findRun(database, input.id, input.run_id);
      return run === undefined ? missing('run', input.run_id) : answer(liveRunView(context, run));
    },
    'runs.cancel': (caller, input) => {
      if (findReconciliation(database, caller.environmentId, input.id) === undefined) return missing('reconciliation', input.id);
      const run = findRun(database, input.id, input.run_id);
      if (run === undefined) return missing('run', input.run_id);
      const job = jobOfRun(database, run.id);
      if (job === undefined || !context.queue.cancel(job.id)) {
        return refuse('conflict', `Run ${run.id} is ${run.status}, so there is nothing to cancel.`);
      }
      return answer(liveRunView(context, present(findRun(database, input.id, input.run_id), 'run')));
    },
  };
}
