import type { ResourceLimits } from 'node:worker_threads';
import type { BookEvent } from '../../src-shared/contract/index.ts';
import { phrase } from '../../src-shared/words/say.ts';
import { jobById, type JobKind, type JobRow, pendingJobs, updateJob } from '../book/store/jobs.ts';
import type { Database } from '../database/database.ts';
import { storedJson } from '../database/json-columns.ts';
import { CANCEL, fileView, furthered, type JobStart, NOT_STARTED, type ToldProgress } from '../jobs/protocol.ts';
import { JobThread, silentFor } from '../jobs/threads.ts';
import type { Clock, Log } from '../platform/ports.ts';
import { recoverJob } from './recover.ts';

type JobEvent = Omit<Extract<BookEvent, { kind: 'job' }>, 'revision'>;

interface QueueOptions {
  readonly database: Database;
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Called for every step of a job; the caller numbers the event and passes it on. */
  readonly onEvent: (event: JobEvent) => void;
  /** Called once a job has ended and its row says how. */
  readonly onEnded: (job: JobRow) => void;
  /** Milliseconds before a write that failed (a full disk) is retried. */
  readonly retryAfterMs?: number;
  /** A worker without a heartbeat for this many milliseconds is ended; `SILENCE_MS` by default. */
  readonly silenceMs?: number | undefined;
}

interface Running {
  readonly thread: JobThread;
  readonly cancel: Int32Array;
  readonly lane: 'files' | 'runs';
  progress: ToldProgress;
  /** Why the worker gave up, if it could not store that itself. */
  lastWords: string;
}

/** Terminating a thread during a call of better-sqlite3 can end the whole process, so it is the last resort for a thread that does not react. */
const TERMINATE_AFTER_MS = 60_000;
const RETRY_AFTER_MS = 2_000;
const DIED = phrase('book.jobs.died');

/** Returns why a job failed whose worker had no heartbeat. */
function silentWords(kind: string, silenceMs: number | undefined): string {
  const silence = silentFor(silenceMs);
  return readsFile(kind) ? phrase('book.jobs.silentFile', { silence }) : phrase('book.jobs.silentJob', { silence });
}

const ENDED: ToldProgress = { phase: 'ended', processed: 1, total: 1, percent: 100 };

function laneOf(kind: string): 'files' | 'runs' {
  return kind === 'run' ? 'runs' : 'files';
}

/** Reading a file creates millions of short-lived texts. A small nursery keeps them from filling hundreds of megabytes before they are collected. */
const NURSERY_MB = 12;

/** Starting a thread takes longer than reading a small file, so a thread that read one waits a while for the next. Others free their memory. */
const KEPT_MS = 5_000;
const SMALL_FILE_MS = 2_000;

function readsFile(kind: string): boolean {
  return kind === 'import' || kind === 'import_preview';
}

function limitsOf(kind: string): ResourceLimits {
  return kind === 'stream_operation' ? {} : { maxYoungGenerationSizeMb: NURSERY_MB };
}

/**
 * The stored queue: jobs are rows, and each runs on a worker thread with its own connection. There is one lane for files and one for runs, each in
 * order, so that an import never waits for a long run.
 */
export class JobQueue {
  readonly #options: QueueOptions;
  readonly #running = new Map<number, Running>();
  /** Passwords of locked files, until their jobs start. */
  readonly #passwords = new Map<number, string>();
  /** Messages of jobs that have ended while a full disk keeps their rows from saying so. */
  readonly #unstoredEnds = new Map<number, string>();
  /** The thread that waits for the next file. */
  #kept: { readonly thread: JobThread; readonly dismissal: NodeJS.Timeout } | null = null;
  readonly #threads = new Set<JobThread>();
  #closing = false;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** Starts the jobs that can start. Call it after a job's row was inserted. */
  kick(): void {
    if (this.#options.database.connection.inTransaction) {
      // The job's row is not committed yet. Transactions are synchronous, so this one has ended when the microtask runs.
      queueMicrotask(() => this.kick());
      return;
    }
    this.#withRetry('a job could not be started', () => this.#startPending());
  }

  /** Keeps the password of the file of a job that is about to start. It is never stored. */
  keepPassword(jobId: number, password: string): void {
    this.#passwords.set(jobId, password);
  }

  /** Runs work that no caller waits for. Logs a failure, such as a full disk, and retries later. */
  #withRetry(what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      // The next start repairs what could not be stored.
      if (this.#closing) return;
      this.#options.log.error(what, { error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
      const again = () => {
        if (!this.#closing) this.#withRetry(what, work);
      };
      setTimeout(again, this.#options.retryAfterMs ?? RETRY_AFTER_MS).unref();
    }
  }

  #startPending(): void {
    if (this.#closing) return;
    for (const job of pendingJobs(this.#options.database)) {
      if (this.#running.has(job.id)) continue;
      const lane = laneOf(job.kind);
      if ([...this.#running.values()].some((other) => other.lane === lane)) continue;
      this.#start(job, lane);
    }
  }

  #start(job: JobRow, lane: 'files' | 'runs'): void {
    const { database, dataFolder } = this.#options;
    database.write((write) => updateJob(write, job.id, { status: 'running' }));
    const cancel = new SharedArrayBuffer(4);
    const keeps = readsFile(job.kind);
    const start: JobStart = { kind: 'job', dataFolder, jobId: job.id, cancel, password: this.#passwords.get(job.id), waits: keeps };
    this.#passwords.delete(job.id);
    const { silenceMs, log, clock } = this.#options;
    const startedMs = clock.monotonicMs();
    // An import grows the log far beyond what a commit of the service's thread should checkpoint.
    const checkpointAgain = job.kind === 'import' ? database.withoutCheckpoints() : () => undefined;
    const thread = this.#threadFor(keeps, limitsOf(job.kind), {
      start,
      onMessage: (message) => {
        if ('lastWords' in message) running.lastWords = message.lastWords;
        else {
          running.progress = furthered(job.kind, running.progress, message);
          this.#tell({ ...job, status: 'running' }, running.progress);
        }
      },
      onSilent: () => {
        running.lastWords = silentWords(job.kind, silenceMs);
        log.error('a job worker was silent and is ended', { job: job.id, kind: job.kind });
      },
      onError: (error) =>
        log.error('a job worker broke', { job: job.id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
      onEnded: (isThreadThere) => {
        checkpointAgain();
        this.#running.delete(job.id);
        if (isThreadThere) this.#keep(thread, clock.monotonicMs() - startedMs);
        this.#afterEnd(job.id, running.lastWords);
      },
    });
    const running: Running = { thread, cancel: new Int32Array(cancel), lane, progress: NOT_STARTED, lastWords: DIED };
    this.#running.set(job.id, running);
    this.#tell({ ...job, status: 'running' }, running.progress);
  }

  /** Returns the waiting thread, or a new one. */
  #threadFor(keeps: boolean, resourceLimits: ResourceLimits, first: ConstructorParameters<typeof JobThread>[0]): JobThread {
    if (keeps && this.#kept !== null) {
      const { thread, dismissal } = this.#kept;
      this.#kept = null;
      clearTimeout(dismissal);
      thread.take(first);
      return thread;
    }
    const thread = new JobThread(first, { resourceLimits, silenceMs: this.#options.silenceMs });
    this.#threads.add(thread);
    void this.#forgetWhenGone(thread);
    return thread;
  }

  async #forgetWhenGone(thread: JobThread): Promise<void> {
    await thread.gone;
    this.#threads.delete(thread);
    if (this.#kept?.thread === thread) this.#dismissKept();
  }

  #keep(thread: JobThread, tookMs: number): void {
    this.#kept = { thread, dismissal: setTimeout(() => this.#dismissKept(), KEPT_MS).unref() };
    if (this.#closing || tookMs > SMALL_FILE_MS) this.#dismissKept();
  }

  #dismissKept(): void {
    if (this.#kept === null) return;
    clearTimeout(this.#kept.dismissal);
    this.#kept.thread.dismiss();
    this.#kept = null;
  }

  #afterEnd(jobId: number, lastWords: string): void {
    this.#withRetry('the end of a job could not be stored', () => {
      try {
        this.#settle(jobId, lastWords);
        this.#unstoredEnds.delete(jobId);
      } catch (error) {
        this.#tellUnstored(jobId, lastWords);
        throw error;
      }
    });
    this.kick();
  }

  /** Reports the end of a job at once, and not only when there is room to store it. */
  #tellUnstored(jobId: number, lastWords: string): void {
    const job = jobById(this.#options.database, jobId);
    if (job === undefined || this.#unstoredEnds.has(jobId)) return;
    this.#unstoredEnds.set(jobId, lastWords);
    this.#tell({ ...job, status: 'failed' }, ENDED);
  }

  /** Returns why a job failed whose row cannot say so yet; null for every other job. */
  unstoredEnd(jobId: number): string | null {
    return this.#unstoredEnds.get(jobId) ?? null;
  }

  #settle(jobId: number, lastWords: string): void {
    const { database, clock } = this.#options;
    let job = jobById(database, jobId);
    if (job === undefined) return;
    if (job.status === 'running' && !this.#closing) {
      // The worker could not store its end: revert what it wrote, and end the job with a message.
      recoverJob(database, job, { status: 'failed', message: lastWords, atMs: clock.nowMs() });
      job = jobById(database, jobId) ?? job;
    }
    this.#tell(job, ENDED);
    if (job.status !== 'pending') this.#options.onEnded(job);
  }

  #tell(job: JobRow, progress: ToldProgress): void {
    const payload = job.kind === 'run' ? storedJson('jobs.payload:run', job.payload, job.id) : null;
    this.#options.onEvent({
      kind: 'job',
      job_id: job.id,
      job_kind: job.kind as JobKind,
      status: job.status as JobEvent['status'],
      phase: progress.phase,
      progress: job.status === 'completed' ? 100 : progress.percent,
      processed: progress.processed,
      total: progress.total,
      file: fileView(progress),
      run_id: job.run_id,
      reconciliation_id: payload?.reconciliationId ?? null,
    });
  }

  /** Returns the progress of a running job; null if it is not running. */
  progressOf(jobId: number): ToldProgress | null {
    return this.#running.get(jobId)?.progress ?? null;
  }

  /** Asks a job to stop; a pending one ends at once. Returns whether there was anything to stop. */
  cancel(jobId: number): boolean {
    const running = this.#running.get(jobId);
    if (running !== undefined) {
      Atomics.store(running.cancel, 0, CANCEL.byPerson);
      return true;
    }
    const { database, clock } = this.#options;
    const job = jobById(database, jobId);
    if (job === undefined || job.status !== 'pending') return false;
    this.#passwords.delete(jobId);
    recoverJob(database, job, { status: 'cancelled', message: null, atMs: clock.nowMs() });
    const ended = jobById(database, jobId) ?? job;
    this.#tell(ended, { ...NOT_STARTED, phase: 'ended' });
    this.#options.onEnded(ended);
    return true;
  }

  /** Stops every worker; runs continue at the next start. */
  async close(): Promise<void> {
    this.#closing = true;
    for (const job of this.#running.values()) Atomics.store(job.cancel, 0, CANCEL.closing);
    this.#dismissKept();
    const threads = [...this.#threads];
    const timer = setTimeout(() => {
      for (const thread of threads) thread.terminate();
    }, TERMINATE_AFTER_MS);
    await Promise.all(threads.map((thread) => thread.gone));
    clearTimeout(timer);
  }
}
