import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { serveBook, type ServedBook, tieout } from './served-book.ts';
import { byFileInput, goToBook, gridRows } from './window-steps.ts';

const ROWS = 40_000;
/** The longest time for an answer while a job runs. The window's own reads are queued with ours when a run has ended. */
const ANSWER_LIMIT_MS = 3_000;
/** The longest time that the window may go without painting. */
const PAINT_LIMIT_MS = 1_000;

let folder = '';
let book: ServedBook;

/** Returns the lines of an invented month. `offset` moves the references, so that two files share all but a few. */
function statement(name: string, offset: number): string {
  const lines = ['Date,Description,Amount,Reference'];
  for (let index = 0; index < ROWS; index += 1) {
    const number = index + offset;
    const day = String((number % 28) + 1).padStart(2, '0');
    lines.push(`2026-06-${day},Order ${number},${1 + (number % 977)}.${String(number % 100).padStart(2, '0')},R${number}`);
  }
  const file = path.join(folder, name);
  fs.writeFileSync(file, lines.join('\n'));
  return file;
}

test.beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-load-'));
  const data = path.join(folder, 'book');
  const imported = await tieout('import', statement('ledger.csv', 0), '--data', data, '--stream', 'ledger', '--currency', 'GBP');
  expect(imported.code, imported.stderr).toBe(0);
  book = await serveBook(data);
});
test.afterAll(async () => {
  await book.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});

interface Probe {
  readonly answersMs: number[];
  readonly gapsMs: number[];
  isOver: boolean;
}

/** Measures from now on how long the service takes to answer this page, and how long the page goes without painting. */
async function beginProbe(page: Page): Promise<void> {
  await page.evaluate(() => {
    const probe: Probe = { answersMs: [], gapsMs: [], isOver: false };
    (globalThis as unknown as { probe: Probe }).probe = probe;
    let paintedAt = performance.now();
    const paint = (): void => {
      const now = performance.now();
      probe.gapsMs.push(now - paintedAt);
      paintedAt = now;
      if (!probe.isOver) requestAnimationFrame(paint);
    };
    requestAnimationFrame(paint);
    const ask = async (): Promise<void> => {
      const begun = performance.now();
      await fetch('/app/book', { headers: { 'x-tieout-window': sessionStorage.getItem('tieout-window') ?? '' } });
      probe.answersMs.push(performance.now() - begun);
      if (!probe.isOver) setTimeout(() => void ask(), 20);
    };
    void ask();
  });
}

async function endProbe(page: Page, what: string): Promise<void> {
  const { answersMs, gapsMs } = await page.evaluate(() => {
    const { probe } = globalThis as unknown as { probe: Probe };
    probe.isOver = true;
    return probe;
  });
  const slowestMs = Math.round(Math.max(...answersMs));
  const longestGapMs = Math.round(Math.max(...gapsMs));
  test.info().annotations.push({
    type: 'measured',
    description: `${what}: slowest of ${answersMs.length} answers ${slowestMs} ms, longest gap in painting ${longestGapMs} ms`,
  });
  // Fewer answers would mean that the job was over before it could delay them.
  expect(answersMs.length, what).toBeGreaterThan(5);
  expect(slowestMs, `${what}: an answer of the service`).toBeLessThan(ANSWER_LIMIT_MS);
  expect(longestGapMs, `${what}: without painting`).toBeLessThan(PAINT_LIMIT_MS);
}

test('the window responds during an import and a run', async ({ page }) => {
  await page.goto(book.served.ui_url);
  await page.getByTestId('import-button').first().click();
  await byFileInput(page, statement('bank.csv', 500));
  await expect(page.getByTestId('import-preview')).toBeVisible({ timeout: 30_000 });
  await page.getByTestId('stream-mode').getByText('New account').click();
  await page.getByTestId('stream-key').fill('bank');
  await page.getByTestId('stream-key').blur();
  await page.getByTestId('import-currency').fill('GBP');
  await page.getByTestId('import-currency').blur();

  await beginProbe(page);
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-progress')).toBeVisible();
  await goToBook(page);
  await expect(page.getByTestId('first-stream').getByText('Imported 40,000 lines')).toHaveCount(2, { timeout: 50_000 });
  await endProbe(page, 'import');

  const { code, stderr } = await setUp(page);
  expect(code, stderr).toBe(201);
  await page.getByTestId('reconciliation-open').click();
  await expect(gridRows(page, 'grid-a').first()).toBeVisible();
  await beginProbe(page);
  await page.getByTestId('run-button').click();
  await expect(page.getByTestId('run-progress')).toBeVisible();
  // The lines can be scrolled meanwhile.
  await page.getByTestId('grid-a').hover();
  await page.mouse.wheel(0, 4_000);
  await expect(page.getByTestId('last-run')).not.toHaveText('Not run yet.', { timeout: 50_000 });
  await endProbe(page, 'run');
});

/** Creates a reconciliation of the two streams, as the dialog would. */
function setUp(page: Page): Promise<{ readonly code: number; readonly stderr: string }> {
  return page.evaluate(async () => {
    const answer = await fetch('/app/reconciliations/set_up', {
      method: 'POST',
      headers: { 'x-tieout-window': sessionStorage.getItem('tieout-window') ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ledger / Bank', side_a_keys: ['ledger'], side_b_keys: ['bank'] }),
    });
    return { code: answer.status, stderr: await answer.text() };
  });
}
