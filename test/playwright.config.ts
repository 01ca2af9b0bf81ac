import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { browserOfTests, QUIET_FLAGS } from './support/electron/chromium.ts';

const results = path.resolve(import.meta.dirname, '../test-results');
const ALONE = '**/under-load.spec.ts';

// A book writes days and numbers as its computer does, until a person chooses: every test runs on a British one.
process.env['LC_ALL'] = 'en_GB.UTF-8';
// The list of books that windows had open is that of the run, not the user's.
process.env['XDG_DATA_HOME'] = path.join(results, 'user');
process.env['APPDATA'] = path.join(results, 'user');
// What the processes of the product load is compiled once for the run.
process.env['NODE_COMPILE_CACHE'] ??= path.join(results, 'compiled');

/** The browser tests: both shells in real Chromium, and the true Electron runtime where it is present. */
export default defineConfig({
  testDir: path.join(import.meta.dirname, 'e2e'),
  outputDir: results,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  // One for each core of a small machine: the product is built once before, so no start waits for another.
  workers: 2,
  projects: [
    { name: 'together', testMatch: '**/*.spec.ts', testIgnore: ALONE },
    // It measures, so it comes last: the others have ended when it does.
    { name: 'alone', testMatch: ALONE },
  ],
  forbidOnly: true,
  // A wait that a loaded machine overruns gets a second attempt in the whole check, which names each test that needed it.
  retries: process.env['CI'] ? 1 : 0,
  reporter: [['list']],
  use: {
    launchOptions: { executablePath: browserOfTests(), args: [...QUIET_FLAGS] },
    viewport: { width: 1280, height: 840 },
    screenshot: 'only-on-failure',
  },
});
