import { COMPARED_MATCHES } from '../../../src-shared/contract/runs/runs.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { EngineRule } from '../../domain/matching/index.ts';
import type { RunPayload } from '../../jobs/protocol.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { WriteHandle } from '../../database/database.ts';
import { jobOfRun, updateJob } from '../../book/store/jobs.ts';
import { findReconciliation, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { propertyTypesBySide } from '../../streams/store/property-definitions.ts';
import { countRecordsUpTo } from '../../rules/store/proposals.ts';
import { answer, missing, refuse, refuseField } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Caller, Handlers } from '../../service/handler.ts';
import { pageAnswer, pageStart } from '../../service/paging.ts';
import { checkRules, unstoredRule } from '../../rules/operations/rule-input.ts';
import { liveRunView, recordViews } from '../../service/views.ts';
import { whenRead } from '../../close/work/figures.ts';
import { recordsById } from '../../records/store/records.ts';
import { startRun } from '../work/continuous-runs.ts';
import { deleteMatch, matchesById } from '../../matches/store/matches.ts';
import { isMatchClosed, refusedReconciliation } from '../../service/period-lock.ts';
import { hasActiveRule } from '../store/due-runs.ts';
import { deleteRunBases } from '../store/run-bases.ts';
import { keepUndone, remainsOfRun, ruleMatchesOfRun } from '../store/run-matches.ts';
import { findRun, NOTHING_PROPOSED_YET, openRun, pageRuns, type RunRow, updateRun } from '../store/runs.ts';

interface RunRequest {
  readonly id: number;
  readonly mode: 'commit' | 'dry_run';
  /** The rules of a rehearsal; without them the stored rules run. */
  readonly rules?: readonly EngineRule[];
}

/** Gives a waiting automatic run to the person who asks for a run, because it will do the same work. */
function takeOver(write: WriteHandle, caller: Caller, run: RunRow, proposes: boolean, atMs: number): void {
  const job = present(jobOfRun(write, run.id), 'job of the run');
  const { proposes: _, ...given } = storedJson('jobs.payload:run', job.payload, job.id);
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
  const started = run.kind === 'continuous' ? phrase('runs.runs.startedByItselfAndIsInProgress') : phrase('runs.runs.isInProgress');
  return refuse('run_in_progress', phrase('runs.runs.runOfThisReconciliationWait', { id: run.id, started }));
}

const NO_RULE = phrase('runs.refusals.thisReconciliationHasNoActiveRule');

/** Whether a run proposes rules: if none is active and both sides have records. */
function canPropose(write: WriteHandle, { id, mode, rules }: RunRequest): boolean {
  if (mode !== 'commit' || rules !== undefined) return false;
  const sides = streamIdsBySide(write, id);
  return [sides.a, sides.b].every((streamIds) => countRecordsUpTo(write, streamIds, 1) > 0);
}

/** Returns a new run, or the automatic one that was about to start. */
function placeRun(write: WriteHandle, caller: Caller, request: RunRequest & { readonly proposes: boolean }, atMs: number) {
  const { id, mode, rules, proposes } = request;
  if (findReconciliation(write, caller.environmentId, id) === undefined) return missing('reconciliation', id);
  const placed = (runId: number) => answer(present(findRun(write, id, runId), 'run'));
  const open = openRun(write, id);
  if (open !== undefined) {
    const isWaiting = open.kind === 'continuous' && open.status === 'pending' && mode === 'commit';
    // A waiting run that would match does not become a search for rules: the matching would be lost.
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

/** Puts a run into the queue. It matches by the active rules; without any it proposes some if it can, and is refused otherwise. */
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

/** Puts a run that proposes rules into the queue, whether any is active or not. */
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

/** The duration of one transaction of an undo, short enough not to delay others. */
const UNDO_MS = 40;
/** Matches that are examined together. */
const UNDO_MATCHES = 200;

/** Takes apart, for up to `UNDO_MS`, what a run matched, after a match id. Returns the last match examined, null at the end. */
function undoSome(
  write: WriteHandle,
  { clock }: ServiceContext,
  run: RunRow,
  after: number,
): { last: number | null; gone: number; kept: number } {
  const endMs = clock.monotonicMs() + UNDO_MS;
  const hasClosed = refusedReconciliation(write, run.reconciliation_id, 'close.lock.signed') !== null;
  let [last, gone, kept] = [after, 0, 0];
  while (clock.monotonicMs() < endMs) {
    const ids = ruleMatchesOfRun(write, run, last, UNDO_MATCHES);
    if (ids.length === 0) return { last: null, gone, kept };
    const closed = hasClosed ? matchesById(write, ids).filter((match) => isMatchClosed(write, match)) : [];
    const stay = new Set(closed.map(({ id }) => id));
    const going = ids.filter((id) => !stay.has(id));
    keepUndone(write, going);
    for (const id of going) deleteMatch(write, id);
    last = ids.at(-1) as number;
    gone += ids.length - stay.size;
    kept += stay.size;
  }
  return { last, gone, kept };
}

/**
 * Takes apart what a run matched, in short transactions. If it is interrupted, the next call finds the remaining matches. The last transaction notes
 * the undo in the audit log, and in the run unless matches of closed periods stay: once such a period is open again, the run can be undone once more.
 */
async function undoWhole(context: ServiceContext, caller: Caller, run: RunRow) {
  const { database, clock } = context;
  let [last, gone, kept]: [number | null, number, number] = [0, 0, 0];
  while (last !== null) {
    const from: number = last;
    const some = database.write((write) => undoSome(write, context, run, from));
    [last, gone, kept] = [some.last, gone + some.gone, kept + some.kept];
    await new Promise((resolve) => setImmediate(resolve));
  }
  const atMs = clock.nowMs();
  database.write((write) => {
    if (kept === 0) updateRun(write, run.id, { undone_at: atMs });
    deleteRunBases(write, run.reconciliation_id, null);
    appendAudit(write, {
      environmentId: caller.environmentId,
      atMs,
      actor: caller.actor,
      action: 'run.undone',
      detail: { run_id: run.id, reconciliation_id: run.reconciliation_id, matches: gone, kept },
    });
  });
  context.changed(['runs', 'matches', 'records', 'reconciliations'], run.reconciliation_id);
  return answer({ run_id: run.id, matches: gone, kept });
}

/** Returns a run whose matches can be taken apart or planned to be; otherwise why not. */
function undoable({ database }: ServiceContext, caller: Caller, input: { readonly id: number; readonly run_id: number }) {
  if (findReconciliation(database, caller.environmentId, input.id) === undefined) return missing('reconciliation', input.id);
  const run = findRun(database, input.id, input.run_id);
  if (run === undefined) return missing('run', input.run_id);
  if (run.status !== 'completed' || run.mode !== 'commit' || run.proposals !== null) {
    return refuse('conflict', phrase('runs.refusals.runMatchedNothing', { id: run.id }));
  }
  if (run.undone_at !== null) return refuse('conflict', phrase('runs.refusals.runWasTakenBackAlready', { id: run.id }));
  return answer(run);
}

function planUndo(context: ServiceContext): Handlers['runs.undo_plan'] {
  const { database } = context;
  return async (caller, input) => {
    const found = undoable(context, caller, input);
    if (!found.ok) return found;
    const run = found.value;
    const { matches, records, confirmed, proposals } = remainsOfRun(database, run);
    let [closed, closedRecords, last] = [0, 0, 0];
    const hasClosed = refusedReconciliation(database, run.reconciliation_id, 'close.lock.signed') !== null;
    for (let ids = hasClosed ? ruleMatchesOfRun(database, run, last, UNDO_MATCHES) : []; ids.length > 0;) {
      const kept = matchesById(database, ids).filter((match) => isMatchClosed(database, match));
      closed += kept.length;
      closedRecords += kept.reduce((sum, match) => sum + match.record_count, 0);
      last = ids.at(-1) as number;
      await new Promise((resolve) => setImmediate(resolve));
      ids = ruleMatchesOfRun(database, run, last, UNDO_MATCHES);
    }
    return answer({
      matches: matches - closed,
      records: records - closedRecords,
      closed,
      confirmed,
      proposals,
      gone: Math.max(0, run.matches - matches),
    });
  };
}

/** The lines of a compared match that are shown. */
const SHOWN_LINES = 20;

function compare(context: ServiceContext): Handlers['runs.compare'] {
  const { database, figures, clock } = context;
  return (caller, input) => {
    if (findReconciliation(database, caller.environmentId, input.id) === undefined) return missing('reconciliation', input.id);
    const run = findRun(database, input.id, input.run_id);
    if (run === undefined) return missing('run', input.run_id);
    const other = findRun(database, input.id, input.with_run_id);
    if (other === undefined) {
      return refuseField(
        'unknown_reference',
        'with_run_id',
        phrase('runs.runs.thereIsNoRunOfThisReconciliation', { with_run_id: input.with_run_id }),
      );
    }
    const unfit = [run, other].find(({ status, proposals }) => status !== 'completed' || proposals !== null);
    if (unfit !== undefined) return refuse('conflict', phrase('runs.runs.runMatchedNothingSoIt', { id: unfit.id }));
    const page = { most: COMPARED_MATCHES, part: input.part, ruleId: input.rule_id, offset: input.offset, limit: input.limit };
    return whenRead(figures.of('compareRuns', run, other, page), ({ data, ...counts }) => {
      const shown = data.map(({ members }) => members.toSorted((one, two) => two - one).slice(0, SHOWN_LINES));
      const rows = recordsById(database, caller.environmentId, [...new Set(shown.flat().map(Math.abs))]);
      const views = new Map(recordViews(database, rows, input.id, clock.today()).map((view) => [view.id, view]));
      return answer({
        ...counts,
        data: data.map(({ members, ...match }, place) => ({
          ...match,
          record_count: members.length,
          records: (shown[place] ?? []).flatMap((member) => {
            const view = views.get(Math.abs(member));
            return view === undefined ? [] : [{ ...view, side: member > 0 ? ('a' as const) : ('b' as const) }];
          }),
        })),
      });
    });
  };
}

function undoRun(context: ServiceContext): Handlers['runs.undo'] {
  const { database } = context;
  return (caller, input) => {
    const found = undoable(context, caller, input);
    if (!found.ok) return found;
    const open = openRun(database, input.id);
    if (open !== undefined) return inProgress(open);
    return undoWhole(context, caller, found.value);
  };
}

export function runHandlers(
  context: ServiceContext,
): Pick<
  Handlers,
  'runs.start' | 'runs.rehearse' | 'runs.list' | 'runs.get' | 'runs.cancel' | 'runs.undo' | 'runs.undo_plan' | 'runs.compare'
> {
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
    'runs.undo': undoRun(context),
    'runs.undo_plan': planUndo(context),
    'runs.compare': compare(context),
    'runs.cancel': (caller, input) => {
      if (findReconciliation(database, caller.environmentId, input.id) === undefined) return missing('reconciliation', input.id);
      const run = findRun(database, input.id, input.run_id);
      if (run === undefined) return missing('run', input.run_id);
      const job = jobOfRun(database, run.id);
      if (job === undefined || !context.queue.cancel(job.id)) {
        return refuse('conflict', phrase('runs.refusals.runIsSoThereIsNothing', { id: run.id, status: run.status }));
      }
      return answer(liveRunView(context, present(findRun(database, input.id, input.run_id), 'run')));
    },
  };
}
