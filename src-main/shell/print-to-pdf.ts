import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { failed, type Result, success } from '../../src-shared/values/result.ts';
import type { Printer } from '../platform/ports.ts';
import { findBrowser, sandboxArguments } from './browser.ts';
import { say } from '../../src-shared/words/say.ts';

/** Time limit of a print, longer than any report takes. */
const TIME_LIMIT_MS = 120_000;
/** Printing uses its own session in memory, because that of the window refuses files. The policy of the printed page blocks all requests. */
const PRINT_SESSION = 'tieout-print';
const NO_PRINTER = say('shell.printToPdf.aPdfNeedsElectron');

export interface PrintFault {
  readonly code: 'no_printer' | 'print_failed';
  readonly message: string;
}

/** Returns the PDF of a page that Electron prints in a hidden window without scripts. */
async function printedByElectron(page: string): Promise<Uint8Array> {
  const { BrowserWindow } = await import('electron');
  const window = new BrowserWindow({
    show: false,
    webPreferences: { javascript: false, sandbox: true, contextIsolation: true, partition: PRINT_SESSION },
  });
  try {
    await window.loadURL(pathToFileURL(page).href);
    return await window.webContents.printToPDF({ printBackground: true, preferCSSPageSize: true });
  } finally {
    window.destroy();
  }
}

/** Prints a page in a headless browser. Returns the exit code, null when the browser did not start or was stopped. */
function runBrowser(browser: string, folder: string, page: string, out: string): Promise<number | null> {
  const child = spawn(
    browser,
    [
      '--headless',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      `--user-data-dir=${path.join(folder, 'profile')}`,
      '--no-pdf-header-footer',
      `--print-to-pdf=${out}`,
      ...sandboxArguments(),
      pathToFileURL(page).href,
    ],
    { stdio: 'ignore', timeout: TIME_LIMIT_MS },
  );
  return new Promise((resolve) => {
    child.once('error', () => resolve(null));
    child.once('close', (code) => resolve(code));
  });
}

/** The programs that can print. `browser` is a program as `findBrowser` returns it. */
interface Printers {
  readonly hasElectron: boolean;
  readonly browser: string | null;
}

/**
 * Returns the PDF of a page, printed by Electron where this process is its main thread, else by the installed browser. The page is written to a
 * temporary folder, which is removed afterwards.
 */
export async function printToPdf(
  html: string,
  printers: Printers = { hasElectron: process.versions['electron'] !== undefined && process.type === 'browser', browser: findBrowser() },
): Promise<Result<Uint8Array, PrintFault>> {
  const { hasElectron, browser } = printers;
  if (!hasElectron && browser === null) return failed({ code: 'no_printer', message: NO_PRINTER });
  const folder = await fs.promises.mkdtemp(path.join(os.tmpdir(), 'tieout-print-'));
  try {
    const page = path.join(folder, 'report.html');
    const printed = path.join(folder, 'report.pdf');
    await fs.promises.writeFile(page, html, { mode: 0o600 });
    if (hasElectron) await fs.promises.writeFile(printed, await printedByElectron(page));
    else if (browser !== null) await runBrowser(browser, folder, page, printed);
    const bytes = await fs.promises.readFile(printed).catch(() => null);
    if (bytes === null || bytes.subarray(0, 5).toString('latin1') !== '%PDF-') {
      return failed({
        code: 'print_failed',
        message: say('shell.printToPdf.reportWasNotPrinted', { browser: hasElectron ? 'Electron' : String(browser) }),
      });
    }
    return success(bytes);
  } finally {
    await fs.promises.rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The printer of this process. */
export const processPrinter: Printer = {
  pdfOf: async (html) => {
    const printed = await printToPdf(html);
    return printed.ok ? printed : failed(printed.error.message);
  },
};
