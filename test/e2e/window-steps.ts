import { expect, type Locator, type Page } from '@playwright/test';
import type { ReconciliationSummary } from '../../src-shared/contract/index.ts';
import type { Bridge } from '../../src-shared/contract/wire.ts';
import { BANK_SAMPLE, LEDGER_SAMPLE, type Served } from './served-book.ts';

declare global {
  interface Window {
    readonly tieout?: Bridge;
  }
}

/** Passes one file to the window: through the page's input, or through the shell's dialog. */
export type ChooseFile = (page: Page, file: string) => Promise<void>;

export const byFileInput: ChooseFile = (page, file) => page.getByTestId('file-input').setInputFiles(file);

/** Imports a file into a new stream and waits for the result. */
export async function importFile(page: Page, choose: ChooseFile, file: string, name: string): Promise<void> {
  await page.getByTestId('import-button').first().click();
  await choose(page, file);
  await expect(page.getByTestId('import-preview')).toBeVisible({ timeout: 60_000 });
  const newStream = page.getByTestId('stream-mode').getByText('New account');
  if (await newStream.isVisible()) await newStream.click();
  await page.getByTestId('stream-name').fill(name);
  await page.getByTestId('stream-name').blur();
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toBeVisible({ timeout: 60_000 });
}

/** Creates a bank account. Its currency applies to files that name none, while the book has no other currency. */
export async function bookIn(page: Page, { base_url: url, api_key: key }: Served, currency: string): Promise<void> {
  const made = await page.request.post(`${url}/bank_accounts`, { headers: { 'x-api-key': key }, data: { name: 'Current', currency } });
  expect(made.status()).toBe(201);
}

/** Answers the question about the currency of a file that names none. */
export async function sayCurrency(page: Page, currency: string): Promise<void> {
  await page.getByTestId('question-currency-code').fill(currency);
  await page.getByTestId('question-currency-answer').click();
  await expect(page.getByTestId('question-currency')).toHaveCount(0);
}

/** Goes to the first screen. */
export async function goToBook(page: Page): Promise<void> {
  await page.getByTestId('rail-book').click();
  await expect(page.getByTestId('book-overview')).toBeVisible();
}

/** Opens a bank account or a stream from the screen that lists them. */
export async function openFromAccounts(page: Page, name: string | RegExp): Promise<void> {
  await page.getByTestId('rail-accounts').click();
  await page.getByTestId('accounts-screen').getByRole('link', { name }).first().click();
}

async function pickStream(page: Page, side: 'a' | 'b', name: string): Promise<void> {
  await page.getByTestId(`side-${side}`).click();
  await page.getByRole('option', { name }).click();
  await page.keyboard.press('Escape');
}

/** Sets up a reconciliation of two streams from the first screen and runs it. */
export async function reconcile(page: Page, sideA: string, sideB: string): Promise<void> {
  await page.getByTestId('new-reconciliation').click();
  await pickStream(page, 'a', sideA);
  await pickStream(page, 'b', sideB);
  // A run that starts by itself would match again what is separated and then allowed.
  await page.getByTestId('run-type').press('Space');
  await expect(page.getByTestId('run-type')).not.toBeChecked();
  await page.getByTestId('reconciliation-create').click();
  await page.getByTestId('reconciliation-open-and-run').click();
}

interface Counts {
  readonly matches: number;
  readonly proposed: number;
  readonly openA: number;
  readonly openB: number;
}

/** Returns the service's counts of a reconciliation, read through the window's own transport. */
export function countsOf(page: Page, reconciliationId: number): Promise<Counts> {
  return page.evaluate(async (id) => {
    const { tieout } = window;
    const summary = await (tieout === undefined
      ? (
          await fetch(`/app/reconciliations/${id}/summary`, {
            headers: { 'x-tieout-window': sessionStorage.getItem('tieout-window') ?? '' },
          })
        ).json()
      : tieout.request('reconciliations.summary', { id }).then((outcome) => (outcome.ok ? outcome.value : outcome.error)));
    const { matches, proposed_matches: proposed, side_a: a, side_b: b } = summary as ReconciliationSummary;
    return { matches, proposed, openA: a.unmatched, openB: b.unmatched };
  }, reconciliationId);
}

async function expectCounts(page: Page, expected: Counts): Promise<void> {
  await expect.poll(() => countsOf(page, 1)).toEqual(expected);
}

/** Returns the rows of a grid that have data. Rows that are still loading have none. */
export function gridRows(page: Page, testId: string): Locator {
  return page.getByTestId(testId).locator('.ag-row[row-id]').filter({ hasText: /\d/ });
}

/** Waits until the first run of the open reconciliation has ended. */
export async function runEnded(page: Page): Promise<void> {
  await expect(page.getByTestId('reconciliation-screen')).toBeVisible();
  await expect(page.getByTestId('last-run')).not.toHaveText('Not run yet.');
}

/** Presses the match button. When the picked lines differ, it leaves the difference open. */
async function matchPicked(page: Page): Promise<void> {
  const button = page.getByTestId('match-button');
  // Before both lines are known to be picked, the button does not mention a difference.
  await expect(button).toBeEnabled();
  const differs = (await button.textContent())?.includes('difference') === true;
  await button.click();
  if (!differs) return;
  await page.getByTestId('difference-outcome').getByText('Leave the difference open').click();
  await page.getByTestId('difference-confirm').click();
}

/** Matches the first open line of each side by hand and undoes it; then separates a match and undoes that. */
export async function matchAndTakeBack(page: Page): Promise<void> {
  const atFirst = await countsOf(page, 1);
  expect(atFirst.matches).toBeGreaterThan(0);
  expect(atFirst.openA).toBeGreaterThan(0);
  expect(atFirst.openB).toBeGreaterThan(0);

  await page.getByTestId('tab-open').click();
  await gridRows(page, 'grid-a').first().click();
  await gridRows(page, 'grid-b').first().click();
  await matchPicked(page);
  // A proposal with one of the lines is removed, and comes back with the undo.
  const { matches, openA, openB } = atFirst;
  const matched = { matches: matches + 1, openA: openA - 1, openB: openB - 1 };
  await expect.poll(() => countsOf(page, 1)).toMatchObject(matched);
  await page.getByTestId('undo-button').click();
  await expectCounts(page, atFirst);

  await page.getByTestId('tab-matched').click();
  await gridRows(page, 'grid-matched').first().click();
  const shown = page.getByTestId('group-detail').filter({ visible: true });
  await expect(shown.getByTestId('explanation')).toBeVisible();
  await shown.getByTestId('unmatch-button').click();
  await expect.poll(async () => (await countsOf(page, 1)).matches).toBe(atFirst.matches - 1);
  await allowAndTakeBack(page);
  await page.keyboard.press('ControlOrMeta+z');
  await expectCounts(page, atFirst);
}

/** Allows the separated match again and undoes that, by keyboard alone. */
async function allowAndTakeBack(page: Page): Promise<void> {
  await page.keyboard.press('t');
  const apart = page.getByTestId('taken-apart').filter({ visible: true });
  await expect(apart).toHaveCount(1);
  await apart.getByTestId('allow-match-button').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('nothing-apart')).toBeVisible();
  // The list is loaded again before the change itself is answered and can be undone.
  await expect(page.getByTestId('undo-button')).toHaveAccessibleName(/^Undo: Allowed /);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(apart).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(apart).toHaveCount(0);
}

/** Back-tests the first rule: without decisions of people, then with one match by hand that is undone; for a period, and by keyboard alone. */
export async function backtestFirstRule(page: Page): Promise<void> {
  await page.getByTestId('tab-open').click();
  await gridRows(page, 'grid-a').first().click();
  await gridRows(page, 'grid-b').first().click();
  await page.getByTestId('tab-rules').click();
  await page.getByTestId('backtest-rule').first().click();
  const panel = page.getByTestId('backtest');
  await expect(panel.getByTestId('backtest-unjudged')).toContainText('Nothing was matched by people yet');
  await expect(panel.getByTestId('backtest-examples').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);

  await page.getByTestId('tab-open').click();
  await matchPicked(page);
  await page.getByTestId('tab-rules').click();
  await page.getByTestId('backtest-rule').first().focus();
  await page.keyboard.press('Enter');
  await expect(panel.getByTestId('backtest-figures')).toContainText('Recall 0 %');
  await panel.getByTestId('backtest-to').fill('2001-01-01');
  await page.keyboard.press('Enter');
  await expect(panel.getByTestId('backtest-unjudged')).toContainText('The rule would make no match');
  await page.getByTestId('backtest-rule').first().click();
  await expect(panel).toHaveCount(0);
  await page.getByTestId('undo-button').click();
}

/** Imports two sample files, creates a reconciliation of them, and makes and undoes a match by hand. */
export async function samplesToMatch(page: Page, choose: ChooseFile): Promise<void> {
  await importFile(page, choose, BANK_SAMPLE, 'Bank June');
  await goToBook(page);
  await expect(page.getByTestId('book-overview').getByText('Bank June')).toBeVisible();
  await importFile(page, choose, LEDGER_SAMPLE, 'Ledger June');
  await goToBook(page);
  await reconcile(page, 'Ledger June', 'Bank June');
  await runEnded(page);
  await matchAndTakeBack(page);
}

/** Presses Tab, or Shift+Tab, until the element has the focus. */
export async function tabTo(page: Page, testId: string, isBack = false): Promise<void> {
  await expect(page.getByTestId(testId).first()).toBeVisible();
  for (let presses = 0; presses < 120; presses += 1) {
    const at = await page.evaluate(() => document.activeElement?.closest('[data-testid]')?.getAttribute('data-testid') ?? '');
    if (at === testId) return;
    await page.keyboard.press(isBack ? 'Shift+Tab' : 'Tab');
  }
  throw new Error(`${testId} is not reached by Tab`);
}
