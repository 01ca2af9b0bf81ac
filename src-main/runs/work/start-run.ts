import { appendAudit } from '../../book/store/audit.ts';
import { insertJob } from '../../book/store/jobs.ts';
import type { WriteHandle } from '../../database/database.ts';
import type { EngineRule } from '../../domain/matching/index.ts';
import type { RunPayload } from '../../jobs/protocol.ts';
import { clearDueRun, hasActiveRule } from '../store/due-runs.ts';
import { insertRun, type NewRun } from '../store/runs.ts';

interface RunStart extends NewRun {
  readonly environmentId: number;
  readonly actor: string;
  /** The rules of a rehearsal; without them the stored rules run. */
  readonly rules?: readonly EngineRule[] | undefined;
}

/**
 * Puts a run into the queue and returns its id. Clears what was due, unless the run is dry or leaves active rules out. Kick the queue after the
 * commit.
 */
export function startRun(write: WriteHandle, start: RunStart): number {
  const { environmentId, reconciliationId, actor, rules, proposes, createdAtMs } = start;
  const runId = insertRun(write, start);
  const payload: RunPayload = {
    reconciliationId,
    runId,
    actor,
    ...(rules === undefined ? {} : { rules }),
    ...(proposes === true ? { proposes } : {}),
  };
  insertJob(write, { environmentId, kind: 'run', payload: JSON.stringify(payload), runId, createdAtMs });
  if (start.mode === 'commit' && !(proposes === true && hasActiveRule(write, reconciliationId))) clearDueRun(write, reconciliationId);
  appendAudit(write, {
    environmentId,
    atMs: createdAtMs,
    actor,
    action: 'run.started',
    detail: {
      run_id: runId,
      reconciliation_id: reconciliationId,
      mode: start.mode,
      kind: start.kind,
      trigger: start.cause,
      proposes: proposes === true,
    },
  });
  return runId;
}
