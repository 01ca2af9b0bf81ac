import { type ResourceLimits, Worker } from 'node:worker_threads';
import { systemClock } from '../platform/system.ts';
import type { ThreadStart } from './protocol.ts';
import { newHeartbeat, WatchedHeartbeat } from './heartbeat.ts';
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
  return `for ${Math.max(1, Math.round(silenceMs / 1_000))} seconds it neither got on nor could be stopped`;
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
