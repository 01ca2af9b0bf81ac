import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';
import { findBrowser, sandboxArguments } from '../../../src-main/shell/browser.ts';
import { present } from '../../../src-shared/values/assert.ts';

/** Flags that every browser test uses: nothing speaks to the network, nothing asks questions. */
export const QUIET_FLAGS = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-gpu',
  ...sandboxArguments(),
] as const;

/** Chromium without windows, as Debian packages it beside the whole browser. */
const HEADLESS = '/usr/bin/chromium-headless-shell';

/**
 * The browser that shows pages to tests: where it is installed the one without windows, which draws the same and takes a fifth less of the processor
 * (27 to 21 s for four tests of bank accounts). `TIEOUT_BROWSER` goes before it.
 */
export function browserOfTests(): string {
  const isNamed = (process.env['TIEOUT_BROWSER'] ?? '') !== '';
  return !isNamed && fs.existsSync(HEADLESS) ? HEADLESS : present(findBrowser(), 'An installed Chrome, Chromium or Edge');
}

export interface RunningChromium {
  readonly context: BrowserContext;
  /** Port on which a test drives the same pages. */
  readonly debuggingPort: number;
  readonly close: () => Promise<void>;
}

/** Real Chromium, the part of Electron that shows pages. */
export async function launchChromium(): Promise<RunningChromium> {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-standin-'));
  const context = await chromium.launchPersistentContext(profile, {
    // The one without windows opens none for `window.open`, which the application must hear of.
    executablePath: present(findBrowser(), 'a browser'),
    args: [...QUIET_FLAGS, '--remote-debugging-port=0'],
    viewport: { width: 1280, height: 840 },
    // A signal is the application's to answer, as in Electron; playwright would close the browser under its hands.
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
