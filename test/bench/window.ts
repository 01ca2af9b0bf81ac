import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { browserOfTests, QUIET_FLAGS } from '../support/electron/chromium.ts';
import { benchFiles } from './data/data.ts';
import { ask, quantile, rounded, run, serve, type Served, settled } from './product.ts';

const LINES = Number(process.env['TIEOUT_BENCH_ROWS'] ?? 1_000_000);
const ROUNDS = 12;
const PROPOSALS = 40;

/** What is measured: its aim in milliseconds. */
const AIMS = {
  'arrow key to the next line': 100,
  'Space to the sum of the selection': 100,
  'F6 to the other side': 100,
  'C to the next proposal': 100,
  'a word to what it finds': 500,
  'an amount to what it finds': 500,
  'C to the counts of the tabs': 300,
  'lines to proposals': 150,
  'reconciliation to home': 150,
  'home to reconciliation': 150,
  'reconciliation to records': 150,
} as const;
type Measured = keyof typeof AIMS;

interface TraceEvent {
  readonly name: string;
  readonly cat: string;
  readonly ph: string;
  readonly ts: number;
  readonly id?: string;
  readonly id2?: { readonly local?: string };
}

/**
 * Begins to measure at the next key press or click in the page, which the browser dates by when it came in, and ends with the frame that shows what
 * `seen` returns true for. `seen` gets what it returned before the press.
 */
async function expectEffect(page: Page, name: Measured, seen: string): Promise<void> {
  await page.evaluate(
    ({ mark, source }) => {
      const look = new Function(`return (${source})()`) as () => string;
      const before = look();
      const begin = ({ timeStamp }: Event): void => {
        removeEventListener('keydown', begin, { capture: true });
        removeEventListener('mousedown', begin, { capture: true });
        const until = (): void => {
          if (look() === before) {
            requestAnimationFrame(until);
            return;
          }
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.addEventListener('message', () => {
              performance.measure(mark, { start: timeStamp });
              Object.assign(globalThis, { isMeasured: true });
            });
            port1.start();
            port2.postMessage(null);
          });
        };
        requestAnimationFrame(until);
      };
      Object.assign(globalThis, { isMeasured: false });
      addEventListener('keydown', begin, { capture: true });
      addEventListener('mousedown', begin, { capture: true });
    },
    { mark: `tieout ${name}`, source: seen },
  );
}

const isMeasured = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => (globalThis as { isMeasured?: boolean }).isMeasured === true, undefined, { timeout: 60_000, polling: 20 });

async function effectOf(page: Page, name: Measured, seen: string, act: () => Promise<void>): Promise<void> {
  await expectEffect(page, name, seen);
  await act();
  await isMeasured(page);
}

const textOf = (testId: string): string => `() => document.querySelector('[data-testid="${testId}"]')?.textContent ?? ''`;
/** The number of the row that has the focus. */
const FOCUSED = `() => document.activeElement?.closest('.ag-row')?.getAttribute('row-index') ?? ''`;
const SIDE = `() => document.activeElement?.closest('[data-testid^="grid-"]')?.getAttribute('data-testid') ?? ''`;
const SELECTED = `() => String(document.querySelectorAll('[data-testid="grid-a"] .ag-row-selected').length)`;
const DETAIL = textOf('group-detail');
/** The first line of a side, with the number of those found. */
const FOUND = `() => document.querySelector('[data-testid="grid-a"] .ag-row[row-index="0"] .ag-cell[col-id="description"]')?.textContent ?? ''`;
const hasRows = (testId: string): string =>
  `() => String([...document.querySelectorAll('[data-testid="${testId}"] .ag-row[row-id]')].some((row) => /\\d/.test(row.textContent) && row.checkVisibility()))`;

async function seen(page: Page, testId: string): Promise<void> {
  await page.waitForFunction(new Function(`return (${hasRows(testId)})() === 'true'`) as () => boolean, undefined, { timeout: 60_000 });
}

/** Makes a book of open lines and some proposals. */
async function makeBook(): Promise<string> {
  const files = benchFiles(LINES);
  const book = path.join(files.folder, 'book');
  await run(['import', files.ledger, '--data', book, '--stream', 'ledger']);
  await run(['import', files.bank, '--data', book, '--stream', 'bank']);
  return book;
}

async function propose(served: Served): Promise<void> {
  for (let at = 0; at < PROPOSALS; at += 1) {
    for (const key of ['ledger', 'bank']) {
      const line = {
        data_stream_key: key,
        date: '2025-12-30',
        currency: 'GBP',
        amount: 900_000 + at,
        external_id: `${key}-proposed-${at}`,
      };
      await ask(served, 'POST', '/records', { ...line, description: `Proposed ${at}`, metadata: { invoice: `INV-${at}` } });
    }
  }
  const sides = { side_a_stream_ids: ['1'], side_b_stream_ids: ['2'], sign_convention: 'same', run_type: 'batch' };
  await ask(served, 'POST', '/reconciliations', { name: 'Ledger and bank', ...sides });
  const filters = { rules: [{ key: 'metadata.invoice', value: 'metadata.invoice', operand: 'eq' }] };
  await ask(served, 'POST', '/reconciliation_rules', { reconciliation_id: '1', outcome: 'propose', filters });
}

async function measureLines(page: Page): Promise<void> {
  await page.locator('[data-testid="grid-a"] .ag-row[row-index="0"] .ag-cell[col-id="description"]').click();
  for (let round = 0; round < ROUNDS; round += 1) {
    await effectOf(page, 'arrow key to the next line', FOCUSED, () => page.keyboard.press('ArrowDown'));
    await effectOf(page, 'Space to the sum of the selection', SELECTED, () => page.keyboard.press('Space'));
    await effectOf(page, 'F6 to the other side', SIDE, () => page.keyboard.press('F6'));
    await page.keyboard.press('F6');
  }
  await page.keyboard.press('Escape');
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, text] of [
      ['a word to what it finds', `${LINES - 1 - round * 7}`],
      ['an amount to what it finds', `>${900 + round}`],
    ] as const) {
      await page.getByTestId('search-a').fill('');
      await page.getByTestId('search-a').press('Enter');
      await page.waitForFunction(new Function(`return (${FOUND})() === 'Order 0'`) as () => boolean, undefined, { timeout: 60_000 });
      await page.getByTestId('search-a').fill(text.slice(0, -1));
      await page.getByTestId('search-a').focus();
      await page.waitForTimeout(1_500);
      await effectOf(page, name, FOUND, () => page.keyboard.press(text.slice(-1)));
    }
  }
  await page.getByTestId('search-a').fill('');
}

async function measureDecisions(page: Page): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    await effectOf(page, 'C to the next proposal', DETAIL, () => page.keyboard.press('c'));
    await page.waitForTimeout(1_000);
    await effectOf(page, 'C to the counts of the tabs', textOf('tab-matched'), () => page.keyboard.press('c'));
    await page.waitForTimeout(1_000);
  }
}

async function measureScreens(page: Page): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    await effectOf(page, 'lines to proposals', hasRows('grid-proposed'), () => page.keyboard.press('2'));
    await page.waitForTimeout(500);
    const home = `() => String(document.querySelector('[data-testid="home-row"]') !== null)`;
    await effectOf(page, 'reconciliation to home', home, () => page.keyboard.press('h'));
    await page.waitForTimeout(500);
    await effectOf(page, 'home to reconciliation', hasRows('grid-a'), () => page.getByTestId('reconciliation-open').first().click());
    await page.waitForTimeout(500);
    await effectOf(page, 'reconciliation to records', hasRows('grid-records'), () => page.getByTestId('rail-records').click());
    await page.keyboard.press('h');
    await page.getByTestId('reconciliation-open').first().click();
    await seen(page, 'grid-a');
  }
}

/** Returns the measures of the window's own marks in a trace, by name, in milliseconds. */
function measuresOf(trace: Buffer): Map<string, number[]> {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly TraceEvent[] };
  const begun = new Map<string, number>();
  const measures = new Map<string, number[]>();
  const ours = traceEvents.filter(({ cat, name }) => cat.includes('blink.user_timing') && name.startsWith('tieout '));
  for (const { name, ph, ts, id, id2 } of ours.toSorted((one, two) => one.ts - two.ts)) {
    const key = `${name} ${id ?? id2?.local ?? ''}`;
    if (ph === 'b') begun.set(key, ts);
    const start = begun.get(key);
    if (ph !== 'e' || start === undefined) continue;
    begun.delete(key);
    const own = name.slice('tieout '.length);
    measures.set(own, [...(measures.get(own) ?? []), (ts - start) / 1_000]);
  }
  return measures;
}

async function traced(browser: Browser, page: Page): Promise<Map<string, number[]>> {
  await browser.startTracing(page, { categories: ['blink.user_timing', 'devtools.timeline'] });
  await measureLines(page);
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await page.keyboard.press('2');
  await page.locator('[data-testid="grid-proposed"] .ag-row-selected').waitFor();
  await measureDecisions(page);
  // A digit alone chooses between candidates here.
  await page.keyboard.press('g');
  await page.keyboard.press('1');
  await seen(page, 'grid-a');
  await measureScreens(page);
  return measuresOf(await browser.stopTracing());
}

/** Profiles the processor of the page while it searches. */
async function profile(page: Page, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Profiler.enable');
  await session.send('Profiler.start');
  await measureLines(page);
  writeFileSync(file, JSON.stringify((await session.send('Profiler.stop')).profile));
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '))
    .join('\n');
}

/** What a person waits for in the window, with a million open lines a side. */
export async function window(): Promise<Record<string, unknown>> {
  const served = await serve(await makeBook());
  await propose(served);
  await settled(served);
  const browser = await chromium.launch({ executablePath: browserOfTests(), args: [...QUIET_FLAGS] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 840 } });
  await page.goto(served.uiUrl);
  await page.getByTestId('reconciliation-open').first().click();
  await page.keyboard.press('Control+Enter');
  await page.getByTestId('last-run').filter({ hasText: 'proposals' }).waitFor({ timeout: 300_000 });
  await settled(served);
  await page.locator('[data-testid="grid-a"] .ag-row[row-index="0"] .ag-cell').first().waitFor();
  const measures = await traced(browser, page);
  const file = process.env['TIEOUT_BENCH_PROFILE'];
  if (file !== undefined) await profile(page, file);
  await browser.close();
  await served.stop();
  const results = Object.entries(AIMS).map(([name, aim]) => {
    const taken = measures.get(name) ?? [];
    return { name, aim_ms: aim, median_ms: rounded(quantile(taken, 0.5)), slowest_ms: rounded(Math.max(...taken)) };
  });
  const rows = results.map(({ name, aim_ms: aim, median_ms: median, slowest_ms: slowest }) => {
    return [name, ...[aim, median, slowest].map((ms) => `${Math.round(ms)} ms`), median <= aim ? '' : 'misses'];
  });
  process.stderr.write(`${tableOf([['', 'aim', 'median', 'slowest', ''], ...rows])}\n`);
  return { bench: 'window', lines_a_side: LINES, results };
}
