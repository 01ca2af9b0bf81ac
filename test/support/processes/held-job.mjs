import { getEnvironmentData } from 'node:worker_threads';

/** The code of jobs, once `holdJobs` lets it begin. */
const held = getEnvironmentData('held jobs');
Atomics.wait(held, 0, 1);
await import('../../../out/main/job-worker.js');
