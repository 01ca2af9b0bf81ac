import path from 'node:path';
import { defineConfig } from '@playwright/test';
import { present } from '../src-shared/values/assert.ts';
import { findBrowser } from '../src-main/shell/browser.ts';
import { QUIET_FLAGS } from './support/electron/chromium.ts';

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
  use: {
    launchOptions: { executablePath: present(findBrowser(), 'An installed Chrome, Chromium or Edge'), args: [...QUIET_FLAGS] },
    viewport: { width: 1280, height: 840 },
    screenshot: 'only-on-failure',
  },
});
