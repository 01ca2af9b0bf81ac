import path from 'node:path';
import { defineConfig } from 'vitest/config';

/** Everything but the browser tests. `npm test` runs all of it; the sample table joins in where the samples are. */
export default defineConfig({
  root: path.resolve(import.meta.dirname, '..'),
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: ['test/e2e/**', 'node_modules/**', 'out/**'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 2,
    fileParallelism: true,
  },
});
