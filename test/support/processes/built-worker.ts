import { setEnvironmentData } from 'node:worker_threads';
import { IS_LONG } from '../long.ts';
import { keepThreadsWarm } from './warm-threads.mjs';

if (!IS_LONG) keepThreadsWarm();

const held = new Int32Array(new SharedArrayBuffer(4));
// Every thread inherits it at its start.
setEnvironmentData('held jobs', held);

/**
 * Makes the threads of jobs wait before they do anything, until the returned function is called. So a job is in progress however fast the machine is.
 */
export function holdJobs(): () => void {
  Atomics.store(held, 0, 1);
  return () => {
    Atomics.store(held, 0, 0);
    Atomics.notify(held, 0);
  };
}

/** Replaces `src-main/jobs/worker-entry.ts` in tests by the built worker, which starts four times as fast as one whose types are stripped. */
export function jobWorkerEntry(): URL {
  if (Atomics.load(held, 0) === 1) return new URL('held-job.mjs', import.meta.url);
  return new URL('../../../out/main/job-worker.js', import.meta.url);
}
