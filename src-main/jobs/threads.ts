import { type ResourceLimits, Worker } from 'node:worker_threads';
import { systemClock } from '../platform/system.ts';
import type { ThreadStart } from './protocol.ts';
import { newHeartbeat, WatchedHeartbeat } from './heartbeat.ts';
import { jobWorkerEntry } from './worker-entry.ts';

/** A thread that neither gets on nor looks whether it is to stop is ended after so long. */
const SILENCE_MS = 20_000;
/** How often the thread is looked at within that time. A late look counts for at most twice its share of the time, since the whole machine may have slept. */
const LOOKS = 20;

interface WatchedOptions {
  readonly resourceLimits?: ResourceLimits;
  /** Whether somebody waits for the thread to stop: then it may take no longer than any other, whatever it said. */
  readonly isAsked?: () => boolean;
  /** Told before the thread is ended. */
  readonly onSilent: () => void;
  readonly silenceMs?: number | undefined;
  /** Told at each look: who watches is alive itself. */
  readonly onLook?: () => void;
}

/** Says how long a thread was silent, in words that end a sentence. */
export function silentFor(silenceMs: number = SILENCE_MS): string {
  return `for ${Math.max(1, Math.round(silenceMs / 1_000))} seconds it neither got on nor could be stopped`;
}

/** Starts a worker thread that nobody watches: what it does goes on within SQLite, and ends by itself. */
export function startThread(start: ThreadStart & { readonly heartbeat?: SharedArrayBuffer }, resourceLimits?: ResourceLimits): Worker {
  return new Worker(jobWorkerEntry(), { workerData: start, execArgv: [], ...(resourceLimits && { resourceLimits }) });
}

/**
 * A worker thread that is ended when it is silent, whatever the reason. It tells of itself by its heartbeat, which is in `workerData`; within SQLite it counts as
 * alive, since ending a thread there can end the process.
 */
export function watchedWorker(start: ThreadStart, options: WatchedOptions): Worker {
  const { resourceLimits, isAsked = () => false, onSilent, onLook, silenceMs = SILENCE_MS } = options;
  const shared = newHeartbeat();
  const heartbeat = new WatchedHeartbeat(shared);
  const worker = startThread({ ...start, heartbeat: shared }, resourceLimits);
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
