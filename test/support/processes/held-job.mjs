import { getEnvironmentData } from 'node:worker_threads';

/** Loads the code of jobs once `holdJobs` releases it. */
const held = getEnvironmentData('held jobs');
Atomics.wait(held, 0, 1);
await import('../../../out/main/job-worker.js');
