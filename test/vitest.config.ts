import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';

const root = path.resolve(import.meta.dirname, '..');
/** A book writes days and numbers as its computer does, until a person chooses: every test runs on a British one. */
process.env['LC_ALL'] = 'en_GB.UTF-8';
/** `npm test` sets nothing and runs what one runs while working; `rest` is the other quick tests, `long` the long ones, `every` all quick ones, `spark` those on a cluster. */
const part = process.env['TIEOUT_TESTS'];
const isLong = part === 'long';

const EVERY = ['test/**/*.test.ts', 'test/**/*.test.tsx'];
/** Rooms that answer within seconds what a change broke, and a journey of each kind through the rest. */
const WHILE_WORKING = [
  'test/{architecture,contract,property,unit}/**/*.test.{ts,tsx}',
  'test/backend/**/*.test.ts',
  'test/cli/{close,verify}.test.ts',
  'test/security/http-window.test.ts',
  'test/service/core/operations.test.ts',
  'test/service/imports/imports.test.ts',
  'test/service/matches/matches.test.ts',
  'test/service/periods/periods.test.ts',
  'test/service/runs/runs.test.ts',
  'test/store/book/book.test.ts',
  'test/sync/first-sync.test.ts',
];

/** It starts a cluster, which takes all of a machine: `TIEOUT_TESTS=spark` runs it and nothing else. */
const WITH_SPARK = 'test/cli/warehouse-spark.test.ts';
const isWithSpark = part === 'spark';
const NEVER = ['test/e2e/**', '**/node_modules/**', 'out/**', ...(isWithSpark ? [] : [WITH_SPARK])];
/** Files that watch modules while these load, so they have to be the first that load them. */
const ALONE = ['test/architecture/expressions.test.ts', 'test/security/constant-time.test.ts'];

/**
 * Files of which `npm test` runs nothing: they kill processes, fill disks or wait for threads, seconds each. Of their kind it runs
 * `killed-service`, `full-disk` and `stopped-after-each-transaction`.
 */
const ONLY_LONG = [
  'test/cli/killed-reconcile.test.ts',
  'test/cli/sync-waits.test.ts',
  'test/contract/clients-of-other-languages.test.ts',
  'test/contract/generated-clients.test.ts',
  'test/faults/killed-backup.test.ts',
  'test/faults/killed-import.test.ts',
  'test/faults/killed-sync.test.ts',
  'test/faults/killed-then-command.test.ts',
  'test/faults/silent-worker.test.ts',
  'test/service/evidence/evidence-ten-imports.test.ts',
  'test/service/imports/jobs/import-progress.test.ts',
  'test/store/book/held-lock.test.ts',
  'test/sync/full-disk.test.ts',
];

/** Files of which `npm test` runs a part, or in a shorter way: they take their cases from `support/long.ts`. */
function filesWithMore(): string[] {
  const all = globSync('test/**/*.test.{ts,tsx}', { cwd: root, exclude: ['test/e2e/**', '**/node_modules/**'] });
  return all.filter((file) => /support\/long\.ts'/.test(readFileSync(path.join(root, file), 'utf8')));
}

function included(): string[] {
  if (isWithSpark) return [WITH_SPARK];
  if (isLong) return [...new Set([...filesWithMore(), ...ONLY_LONG])];
  return part === 'rest' || part === 'every' ? EVERY : WHILE_WORKING;
}

/** Everything but the browser tests; the sample table joins in where the samples are. */
export default defineConfig({
  root,
  // Workers start from the build, which is never stale here.
  resolve: {
    alias: [
      {
        find: /^(?:\.{1,2}\/)+(?:worker\/)?worker-entry\.ts$/,
        replacement: path.resolve(import.meta.dirname, 'support/processes/built-worker.ts'),
      },
    ],
  },
  test: {
    testTimeout: isLong ? 120_000 : 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // V8 of Node 24 now and then ends a process of many threads on processors with memory protection keys ("jit_page.has_value()").
    // Most of what tests make lives shortly: with more room for it, it is looked through less often.
    execArgv: ['--no-memory-protection-keys', '--max-semi-space-size=32'],
    globalSetup: path.resolve(import.meta.dirname, 'support/books/test-folder.ts'),
    setupFiles: [path.resolve(import.meta.dirname, 'support/property-seed.ts')],
    maxWorkers: 2,
    fileParallelism: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: included(),
          exclude: [...NEVER, ...ALONE, ...(isLong ? [] : ONLY_LONG), ...(part === 'rest' ? WHILE_WORKING : [])],
          // Files share a process, since to start one and load what it tests took a third of the time: a test that changes what others see puts it back.
          isolate: false,
        },
      },
      ...(isLong || isWithSpark || part === 'rest'
        ? []
        : [{ extends: true as const, test: { name: 'alone', include: ALONE, isolate: true } }]),
    ],
  },
});
