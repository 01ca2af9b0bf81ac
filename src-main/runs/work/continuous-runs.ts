import { appendAudit } from '../../book/store/audit.ts';
import { insertJob, openJobs } from '../../book/store/jobs.ts';
import type { Database, WriteHandle } from '../../database/database.ts';
import type { EngineRule } from '../../domain/matching/index.ts';
import { PROPOSAL_LIMITS } from '../../domain/proposals/index.ts';
import type { RunPayload } from '../../jobs/protocol.ts';
import type { Alarm, Clock, Log } from '../../platform/ports.ts';
import { reconciliationById, streamIdsBySide } from '../../reconciliations/store/reconciliations.ts';
import { countRecordsUpTo, lastProposals } from '../../rules/store/proposals.ts';
import { listRules } from '../../rules/store/rules.ts';
import { clearDueRun, type DueRunRow, dueRuns, forgetDueRun, hasActiveRule, type LookedAt, lookForFreeRecord } from '../store/due-runs.ts';
import { insertRun, type NewRun, openRun } from '../store/runs.ts';

interface ContinuousRunsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly log: Log;
  /** Called once a run is in the queue. */
  readonly onStarted: (reconciliationId: number) => void;
}

/** Changes come in bursts, so a run waits until nothing has changed for this long. */
export const QUIET_MS = 2_000;
/** A run starts at the latest this long after the first change. */
export const LONGEST_WAIT_MS = 20_000;
/** Records that are examined before other work gets its turn. */
const LOOK_RECORDS = 5_000;
const BREATH_MS = 4;
/** The actor of these runs in the audit log. */
export const CONTINUOUS_ACTOR = 'tieout';

interface Waiting {
  row: DueRunRow;
  isDue: boolean;
  stopQuiet: () => void;
  readonly stopLongest: () => void;
}

/**
 * Starts the runs of continuous reconciliations. What is due is in the book, so a stop loses nothing; the waiting times are only in memory, so after
 * a start of Tieout the wait begins again. Runs one at a time, and none while a person's job is open. A run clears what was due however it ends: a
 * failed or cancelled one is repeated only after another change.
 */
export class ContinuousRuns {
  readonly #options: ContinuousRunsOptions;
  readonly #waiting = new Map<number, Waiting>();
  #isLooking = false;
  #isClosed = false;

  constructor(options: ContinuousRunsOptions) {
    this.#options = options;
  }

  /** Checks what is due. Call it after every change, after every end of a job, and at the start. */
  kick(): void {
    if (this.#isClosed) return;
    if (this.#options.database.connection.inTransaction) {
      // Transactions are synchronous, so this one has ended when the microtask runs.
      queueMicrotask(() => this.kick());
      return;
    }
    const rows = new Map(dueRuns(this.#options.database).map((row) => [row.reconciliation_id, row]));
    for (const id of this.#waiting.keys()) if (!rows.has(id)) this.#forget(id);
    for (const row of rows.values()) this.#wait(row);
    this.#startNext();
  }

  close(): void {
    this.#isClosed = true;
    for (const id of this.#waiting.keys()) this.#forget(id);
  }

  #wait(row: DueRunRow): void {
    const id = row.reconciliation_id;
    const known = this.#waiting.get(id);
    if (known === undefined) {
      this.#waiting.set(id, {
        row,
        isDue: false,
        stopQuiet: this.#dueAfter(id, QUIET_MS),
        stopLongest: this.#dueAfter(id, LONGEST_WAIT_MS),
      });
    } else if (known.row.changes !== row.changes) {
      known.row = row;
      known.stopQuiet();
      if (!known.isDue) known.stopQuiet = this.#dueAfter(id, QUIET_MS);
    }
  }

  #dueAfter(id: number, delayMs: number): () => void {
    return this.#options.alarm.after(delayMs, () => {
      const known = this.#waiting.get(id);
      if (known === undefined) return;
      known.isDue = true;
      this.#startNext();
    });
  }

  #forget(id: number): void {
    const known = this.#waiting.get(id);
    known?.stopQuiet();
    known?.stopLongest();
    this.#waiting.delete(id);
  }

  /** Runs work that no caller waits for. A failure, such as a full disk, is logged; the run stays due and is tried again after the next change. */
  #guarded(id: number, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#isLooking = false;
      this.#forget(id);
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#options.log.error('a run could not start by itself', { reconciliation: id, error: reason });
    }
  }

  #startNext(): void {
    if (this.#isClosed || this.#isLooking) return;
    const next = [...this.#waiting].find(([, waiting]) => waiting.isDue);
    if (next === undefined || openJobs(this.#options.database).length > 0) return;
    this.#isLooking = true;
    this.#look(next[1].row, this.#looks(next[0]));
  }

  /** Continues a search, with a pause for other work after each part. */
  #look(row: DueRunRow, looks: Iterator<undefined, boolean>): void {
    if (this.#isClosed) return;
    this.#guarded(row.reconciliation_id, () => {
      const step = looks.next();
      if (step.done !== true) {
        this.#options.alarm.after(BREATH_MS, () => this.#look(row, looks));
        return;
      }
      this.#isLooking = false;
      if (step.value) this.#start(row.reconciliation_id);
      else {
        this.#forget(row.reconciliation_id);
        this.#options.database.write((write) => forgetDueRun(write, row));
        this.kick();
      }
    });
  }

  /**
   * Whether to propose rules: only while there are none of any kind and none were found before. A search without result is repeated once there are
   * twice as many records.
   */
  #proposes(id: number): boolean {
    const { database } = this.#options;
    if (listRules(database, id).length > 0) return false;
    const last = lastProposals(database, id);
    if (last === null) return true;
    if (last.status === 'cancelled' || last.rules > 0 || last.records > PROPOSAL_LIMITS.sample) return false;
    const sides = streamIdsBySide(database, id);
    const wanted = Math.max(1, 2 * last.records);
    return countRecordsUpTo(database, [...sides.a, ...sides.b], wanted) >= wanted;
  }

  /** Whether a run could match or propose anything: it has rules or may propose some, and both sides have a free record. */
  *#looks(id: number): Generator<undefined, boolean> {
    const { database } = this.#options;
    if (!hasActiveRule(database, id) && !this.#proposes(id)) return false;
    const sides = streamIdsBySide(database, id);
    for (const streamIds of [sides.a, sides.b]) {
      let isFound = false;
      for (const streamId of streamIds) {
        let after: LookedAt | null = null;
        do {
          const looked = lookForFreeRecord(database, id, streamId, after, LOOK_RECORDS);
          isFound = looked.isFound;
          after = looked.next;
          if (!isFound && after !== null) yield undefined;
        } while (!isFound && after !== null);
        if (isFound) break;
      }
      if (!isFound) return false;
    }
    return true;
  }

  #start(id: number): void {
    const { database, clock, onStarted } = this.#options;
    const isStarted = database.write((write) => {
      const reconciliation = reconciliationById(write, id);
      const row = dueRuns(write).find((due) => due.reconciliation_id === id);
      // A person has begun something meanwhile, or nothing is due any more.
      if (reconciliation === undefined || row === undefined || openRun(write, id) !== undefined || openJobs(write).length > 0) return false;
      startRun(write, {
        environmentId: reconciliation.environment_id,
        reconciliationId: id,
        kind: 'continuous',
        mode: 'commit',
        cause: row.cause,
        createdAtMs: clock.nowMs(),
        actor: CONTINUOUS_ACTOR,
        proposes: !hasActiveRule(write, id),
      });
      return true;
    });
    if (!isStarted) return;
    this.#forget(id);
    onStarted(id);
  }
}

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
