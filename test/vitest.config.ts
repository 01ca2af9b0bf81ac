import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** Everything but the browser tests. `npm test` runs all of it; the sample table joins in where the samples are. */
export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  // Workers start from the build, which is never stale here.
  resolve: { alias: [{ find: /^\.{1,2}\/worker-entry\.ts$/, replacement: path.resolve(import.meta.dirname, 'support/built-worker.ts') }] },
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: ['test/e2e/**', 'node_modules/**', 'out/**'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    // V8 of Node 24 now and then ends a process of many threads on processors with memory protection keys ("jit_page.has_value()").
    execArgv: ['--no-memory-protection-keys'],
    maxWorkers: 2,
    fileParallelism: true,
  },
});
