import { present } from '../../src-shared/values/assert.ts';
import type { EngineRule } from '../domain/matching/types.ts';
import type { RunPayload } from '../jobs/protocol.ts';
import { startRun } from '../jobs/start-run.ts';
import { appendAudit } from '../store/audit.ts';
import type { WriteHandle } from '../store/database.ts';
import { hasActiveRule } from '../store/due-runs.ts';
import { jobOfRun, updateJob } from '../store/jobs.ts';
import { findReconciliation } from '../store/reconciliations.ts';
import { propertyTypesBySide } from '../store/property-definitions.ts';
import { findRun, openRun, pageRuns, type RunRow, updateRun } from '../store/runs.ts';
import { answer, missing, refuse } from './answers.ts';
import type { ServiceContext } from './context.ts';
import type { Caller, Handlers } from './handler.ts';
import { pageAnswer, pageStart } from './paging.ts';
import { checkRules, unstoredRule } from './rule-input.ts';
import { liveRunView } from './reconciliation-views.ts';

interface RunRequest {
  readonly id: number;
  readonly mode: 'commit' | 'dry_run';
  /** Rules of a rehearsal; without them the stored ones run. */
  readonly rules?: readonly EngineRule[];
}

/** A run that was about to start by itself becomes that of the person who asked for one just now: it does the same work. */
function takeOver(write: WriteHandle, caller: Caller, run: RunRow, atMs: number): void {
  const job = present(jobOfRun(write, run.id), 'job of the run');
  const payload: RunPayload = { ...(JSON.parse(job.payload) as RunPayload), actor: caller.actor };
  updateRun(write, run.id, { kind: 'batch', cause: 'manual' });
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

function enqueueRun(context: ServiceContext, caller: Caller, request: RunRequest) {
  const { database, clock } = context;
  const nowMs = clock.nowMs();
  const outcome = database.write((write) => {
    const reconciliation = findReconciliation(write, caller.environmentId, request.id);
    if (reconciliation === undefined) return missing('reconciliation', request.id);
    const started = (runId: number) => answer(present(findRun(write, reconciliation.id, runId), 'run'));
    const open = openRun(write, reconciliation.id);
    if (open !== undefined) {
      if (open.kind !== 'continuous' || open.status !== 'pending' || request.mode !== 'commit') return inProgress(open);
      takeOver(write, caller, open, nowMs);
      return started(open.id);
    }
    if (request.rules === undefined && !hasActiveRule(write, reconciliation.id)) {
      return refuse('invalid_rule', 'This reconciliation has no active rule, so a run could match nothing: add a rule first.');
    }
    const { environmentId, actor } = caller;
    const { mode, rules } = request;
    return started(
      startRun(write, {
        environmentId,
        actor,
        reconciliationId: reconciliation.id,
        kind: 'batch',
        mode,
        cause: 'manual',
        rules,
        createdAtMs: nowMs,
      }),
    );
  });
  if (!outcome.ok) return outcome;
  context.queue.kick();
  context.changed(['runs', 'reconciliations'], request.id);
  return answer(liveRunView(context, outcome.value), { location: `/v1/reconciliations/${request.id}/runs/${outcome.value.id}` });
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
