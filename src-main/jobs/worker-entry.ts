/**
 * Returns where the code of the job worker is: beside this file when run from source (Node strips the types), otherwise in the built output, whose
 * shared chunks are one folder below the entries.
 */
export function jobWorkerEntry(): URL {
  if (import.meta.url.endsWith('.ts')) return new URL('../backend/job-worker.ts', import.meta.url);
  return new URL(import.meta.url.includes('/chunks/') ? '../job-worker.js' : './job-worker.js', import.meta.url);
}
