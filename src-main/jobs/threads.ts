import { type ResourceLimits, Worker } from 'node:worker_threads';
import { phrase } from '../../src-shared/words/say.ts';
import { systemClock } from '../platform/system.ts';
import { newHeartbeat, WatchedHeartbeat } from './heartbeat.ts';
import { CANCEL, type JobMessage, type JobStart, type ThreadStart } from './protocol.ts';
import { jobWorkerEntry } from './worker-entry.ts';

/** A thread that neither sends a heartbeat nor checks for cancellation is terminated after this long. */
const SILENCE_MS = 20_000;
/** The number of checks within that time. A late check counts at most twice its share, because the whole machine may have slept. */
const LOOKS = 20;

interface WatchedOptions {
  readonly resourceLimits?: ResourceLimits;
  /** Whether the thread was asked to stop: it then gets no more time than any other, whatever it announced. */
  readonly isAsked?: () => boolean;
  /** Whether what libraries of the thread print is left out. */
  readonly isMute?: boolean;
  /** Called before the thread is terminated. */
  readonly onSilent: () => void;
  readonly silenceMs?: number | undefined;
  /** Called at each check, as the heartbeat of the watching thread. */
  readonly onLook?: () => void;
}

/** Returns how long a thread was silent, in words that end a sentence. */
export function silentFor(silenceMs: number = SILENCE_MS): string {
  return phrase('book.jobs.silence', { seconds: Math.max(1, Math.round(silenceMs / 1_000)) });
}

/** Starts a worker thread without a watchdog: its work runs within SQLite and always ends. */
export function startThread(
  start: ThreadStart & { readonly heartbeat?: SharedArrayBuffer },
  resourceLimits?: ResourceLimits,
  isMute = false,
): Worker {
  const output = isMute ? { stdout: true, stderr: true } : {};
  return new Worker(jobWorkerEntry(), { workerData: start, execArgv: [], ...output, ...(resourceLimits && { resourceLimits }) });
}

/**
 * Starts a worker thread that is terminated when its heartbeat stops, for whatever reason. The heartbeat's memory is in `workerData`. Within SQLite
 * the thread counts as alive, because terminating it there can end the process.
 */
export function watchedWorker(start: ThreadStart, options: WatchedOptions): Worker {
  const { resourceLimits, isAsked = () => false, onSilent, onLook, silenceMs = SILENCE_MS } = options;
  const shared = newHeartbeat();
  const heartbeat = new WatchedHeartbeat(shared);
  const worker = startThread({ ...start, heartbeat: shared }, resourceLimits, options.isMute);
  const lookMs = silenceMs / LOOKS;
  let lookedAtMs = systemClock.monotonicMs();
  let silentMs = 0;
  const looking = setInterval(() => {
    const nowMs = systemClock.monotonicMs();
    const sinceMs = Math.min(nowMs - lookedAtMs, lookMs * 2);
    lookedAtMs = nowMs;
    onLook?.();
    silentMs = heartbeat.hasBeaten() ? 0 : silentMs + sinceMs;
    if (silentMs < (isAsked() ? silenceMs : Math.max(silenceMs, heartbeat.patienceMs))) return;
    clearInterval(looking);
    onSilent();
    void worker.terminate();
  }, lookMs);
  looking.unref();
  worker.once('exit', () => clearInterval(looking));
  return worker;
}

/** A job on a thread, and the callbacks for it. */
interface JobOnThread {
  readonly start: JobStart;
  readonly onMessage: (message: JobMessage) => void;
  readonly onSilent: () => void;
  readonly onError: (error: unknown) => void;
  /** Called once: the job has ended and its thread waits for the next one (true), or its thread is gone (false). */
  readonly onEnded: (isThreadThere: boolean) => void;
}

interface ThreadOptions {
  readonly resourceLimits: ResourceLimits;
  readonly silenceMs: number | undefined;
}

/** A thread that works on one job, or on several in turn if the jobs say that it waits for the next one (`waits`). */
export class JobThread {
  readonly #worker: Worker;
  #job: JobOnThread | null;
  /** Resolves when the thread is gone. */
  readonly gone: Promise<void>;

  constructor(first: JobOnThread, { resourceLimits, silenceMs }: ThreadOptions) {
    this.#job = first;
    this.#worker = watchedWorker(first.start, {
      resourceLimits,
      isAsked: () => this.#job !== null && Atomics.load(new Int32Array(this.#job.start.cancel), 0) !== CANCEL.none,
      onSilent: () => this.#job?.onSilent(),
      silenceMs,
    });
    this.#worker.on('message', (message: JobMessage | 'ended') => {
      if (message === 'ended') this.#end(true);
      else this.#job?.onMessage(message);
    });
    this.#worker.on('error', (error) => this.#job?.onError(error));
    this.gone = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.#end(false);
        resolve();
      });
    });
  }

  #end(isThreadThere: boolean): void {
    const job = this.#job;
    this.#job = null;
    // An idle thread does not keep the process alive.
    this.#worker.unref();
    job?.onEnded(isThreadThere);
  }

  /** Gives the next job to a waiting thread. */
  take(job: JobOnThread): void {
    this.#job = job;
    this.#worker.ref();
    this.#worker.postMessage(job.start);
  }

  /** Ends a waiting thread. */
  dismiss(): void {
    this.#worker.ref();
    this.#worker.postMessage('end');
  }

  /** Terminates the thread, whatever it does. */
  terminate(): void {
    void this.#worker.terminate();
  }
}
