import path from 'node:path';
import { defineConfig } from '@playwright/test';

/** The browser tests: both shells in real Chromium, and the true Electron runtime where it is present. */
export default defineConfig({
  testDir: path.join(import.meta.dirname, 'e2e'),
  testMatch: '**/*.spec.ts',
  outputDir: path.resolve(import.meta.dirname, '../test-results'),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  // A start of the product waits for its build; two at once would only wait for each other.
  workers: 1,
  forbidOnly: true,
  retries: 0,
  reporter: [['list']],
});
