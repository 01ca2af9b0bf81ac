import { IS_LONG } from '../long.ts';
import { keepThreadsWarm } from './warm-threads.mjs';

if (!IS_LONG) keepThreadsWarm();

/** Stands for `src-main/jobs/worker/worker-entry.ts` in tests: the built worker, which starts four times as fast as one whose types are stripped. */
export function jobWorkerEntry(): URL {
  return new URL('../../../out/main/job-worker.js', import.meta.url);
}
