import { present } from '../../src-shared/values/assert.ts';
import type { EngineRule } from '../domain/matching/types.ts';
import type { RunPayload } from '../jobs/protocol.ts';
import { appendAudit } from '../store/audit.ts';
import { insertJob, jobOfRun } from '../store/jobs.ts';
import { findReconciliation } from '../store/reconciliations.ts';
import { propertyTypesBySide } from '../store/property-definitions.ts';
import { listRules } from '../store/rules.ts';
import { findRun, insertRun, openRun, pageRuns } from '../store/runs.ts';
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

function enqueueRun(context: ServiceContext, caller: Caller, request: RunRequest) {
  const { database, clock } = context;
  const nowMs = clock.nowMs();
  const outcome = database.write((write) => {
    const reconciliation = findReconciliation(write, caller.environmentId, request.id);
    if (reconciliation === undefined) return missing('reconciliation', request.id);
    const open = openRun(write, reconciliation.id);
    if (open !== undefined) {
      return refuse('run_in_progress', `Run ${open.id} of this reconciliation is in progress: wait for it, or cancel it first.`);
    }
    if (request.rules === undefined && !listRules(write, reconciliation.id).some((rule) => rule.status === 'active')) {
      return refuse('invalid_rule', 'This reconciliation has no active rule, so a run could match nothing: add a rule first.');
    }
    const runId = insertRun(write, {
      reconciliationId: reconciliation.id,
      kind: 'batch',
      mode: request.mode,
      cause: 'manual',
      createdAtMs: nowMs,
    });
    const payload: RunPayload = {
      reconciliationId: reconciliation.id,
      runId,
      actor: caller.actor,
      ...(request.rules === undefined ? {} : { rules: request.rules }),
    };
    insertJob(write, { environmentId: caller.environmentId, kind: 'run', payload: JSON.stringify(payload), runId, createdAtMs: nowMs });
    appendAudit(write, {
      environmentId: caller.environmentId,
      atMs: nowMs,
      actor: caller.actor,
      action: 'run.started',
      detail: { run_id: runId, reconciliation_id: reconciliation.id, mode: request.mode },
    });
    return answer(present(findRun(write, reconciliation.id, runId), 'run'));
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
