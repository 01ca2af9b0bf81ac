import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { findBrowser } from '../../src-main/shell/browser.ts';
import { benchFiles } from './data/data.ts';
import { quantile, rounded, run, serve } from './product.ts';

const RECORDS = 100_000;
const ROUNDS = 5;
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

async function painted(browser: Browser, url: string, selector: string, then?: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(url);
  if (then !== undefined) {
    // The window takes its secret off the address; the place behind # is said after that.
    await page.waitForURL((address) => !address.hash.includes('token'));
    await page.evaluate((hash) => void (location.hash = hash), then);
  }
  await page.locator(selector).first().waitFor({ state: 'visible', timeout: 30_000 });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.close();
}

const median = (values: readonly number[]): number => quantile(values, 0.5);

/** A page with one row from a bare server: what process, browser and paint cost by themselves. */
async function baseline(browser: Browser): Promise<number> {
  const startedMs = performance.now();
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end('<table><tr class="row"><td>1</td></tr></table>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await painted(browser, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, '.row');
  await new Promise((resolve) => server.close(resolve));
  return performance.now() - startedMs;
}

/** Process start to first rows painted, the browser already running: the book's streams, and a reconciliation's grid. */
export async function startUp(): Promise<Record<string, unknown>> {
  const executablePath = findBrowser();
  if (executablePath === null) return { bench: 'start-up', missing: 'no Chrome, Chromium or Edge here' };
  const files = benchFiles(RECORDS / 2);
  const book = path.join(files.folder, 'book');
  await run(['import', files.ledger, '--data', book, '--stream', 'ledger']);
  await run(['import', files.bank, '--data', book, '--stream', 'bank']);
  await run(['reconcile', '--data', book, '--a', 'ledger', '--b', 'bank']);
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  const times = { baseline: [] as number[], ready: [] as number[], book: [] as number[], grid: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    times.baseline.push(await baseline(browser));
    for (const target of ['book', 'grid'] as const) {
      const startedMs = performance.now();
      const served = await serve(book);
      times.ready.push(performance.now() - startedMs);
      if (target === 'book') await painted(browser, served.uiUrl, '[data-testid="book-overview"] [data-testid="reconciliation-open"]');
      else await painted(browser, served.uiUrl, '[data-testid="grid-a"] .ag-row .ag-cell', '/reconciliations/1');
      times[target].push(performance.now() - startedMs);
      await served.stop();
    }
  }
  await browser.close();
  return {
    bench: 'start-up',
    records: RECORDS,
    baseline_ms: rounded(median(times.baseline)),
    ready_ms: rounded(median(times.ready)),
    book_painted_ms: rounded(median(times.book)),
    grid_painted_ms: rounded(median(times.grid)),
    book_ratio: rounded(median(times.book) / median(times.baseline)),
    grid_ratio: rounded(median(times.grid) / median(times.baseline)),
  };
}
