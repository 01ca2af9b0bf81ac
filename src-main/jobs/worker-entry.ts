/**
 * Where the job worker's code is: beside this file when run from source (Node strips the types), else in the built
 * output, whose shared chunks lie one folder below the entries.
 */
export function jobWorkerEntry(): URL {
  if (import.meta.url.endsWith('.ts')) return new URL('../backend/job-worker.ts', import.meta.url);
  return new URL(import.meta.url.includes('/chunks/') ? '../job-worker.js' : './job-worker.js', import.meta.url);
}
