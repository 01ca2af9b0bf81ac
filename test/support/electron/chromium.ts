import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { findBrowser, sandboxArguments } from '../../../src-main/shell/browser.ts';
import { present } from '../../../src-shared/values/assert.ts';

/** Flags of every browser test: no background traffic and no questions. */
export const QUIET_FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-gpu',
  ...sandboxArguments(),
] as const;

/** Chromium without windows, in the package of Debian. */
const HEADLESS = '/usr/bin/chromium-headless-shell';

/**
 * Returns the browser for tests: the one without windows where it is installed, which draws the same and takes a fifth less of the processor (27 to
 * 21 s for four tests of bank accounts). `TIEOUT_BROWSER` overrides it.
 */
export function browserOfTests(): string {
  const isNamed = (process.env['TIEOUT_BROWSER'] ?? '') !== '';
  return !isNamed && fs.existsSync(HEADLESS) ? HEADLESS : present(findBrowser(), 'An installed Chrome, Chromium or Edge');
}

export interface RunningChromium {
  readonly context: BrowserContext;
  /** Port for a test that drives the same pages. */
  readonly debuggingPort: number;
  readonly close: () => Promise<void>;
}

/** Starts real Chromium, the part of Electron that shows pages. */
export async function launchChromium(): Promise<RunningChromium> {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-standin-'));
  const context = await chromium.launchPersistentContext(profile, {
    // The browser without windows opens none for `window.open`, of which the application must be notified.
    executablePath: present(findBrowser(), 'a browser'),
    args: [...QUIET_FLAGS, '--remote-debugging-port=0'],
    viewport: { width: 1280, height: 840 },
    // The application handles signals, as in Electron; playwright would close the browser first.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const [port] = fs.readFileSync(path.join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
  return {
    context,
    debuggingPort: Number(port),
    close: async () => {
      await context.close();
      fs.rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
