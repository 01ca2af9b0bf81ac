import { expect, type Page, test } from '@playwright/test';
import { juneBook } from './close/june-book.ts';
import { bookOfTests, sampleBook, serveBook } from './served-book.ts';
import { countsOf, gridRows, runEnded } from './window-steps.ts';

/** Holds the answers to what `address` fits, until it is called. */
async function held(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

const idle = (page: Page, text: string) => expect(page.locator('.mantine-Notification-root').filter({ hasText: text })).toBeVisible();

test.describe('while a screen is on its way', () => {
  const book = bookOfTests(async () => serveBook(await juneBook()));
  test.beforeEach(async ({ page }) => page.goto(book.served.ui_url));

  test('keys wait for the screen of a reconciliation, also for its part of the program, and act in their order', async ({ page }) => {
    await expect(page.getByTestId('reconciliation-open').first()).toBeVisible();
    const answers = await held(page, '**/app/reconciliations/1');
    await page.getByTestId('reconciliation-open').first().press('Enter');
    for (const key of ['3', '/']) await page.keyboard.press(key);
    await page.keyboard.type('dd');
    answers();
    await expect(page.getByTestId('search-matched')).toBeFocused();
    await expect(page.getByTestId('search-matched')).toHaveValue('dd');
    await expect(page.getByTestId('tab-matched')).toHaveAttribute('aria-selected', 'true');
  });

  test('Ctrl K before the window is drawn opens the palette when it is', async ({ page }) => {
    const notation = await held(page, '**/app/notation*');
    await page.reload({ waitUntil: 'commit' });
    await expect.poll(async () => page.evaluate(() => document.querySelector('#root')?.childElementCount ?? 0)).toBeGreaterThan(0);
    await page.keyboard.press('ControlOrMeta+k');
    await expect(page.getByTestId('palette-input')).toHaveCount(0);
    notation();
    await expect(page.getByTestId('palette-input')).toBeVisible();
  });

  test('X on matches that are still read decides nothing and says why; Ctrl Z waits for what is under way', async ({ page }) => {
    await page.getByTestId('reconciliation-open').first().click();
    await runEnded(page);
    const { matches } = await countsOf(page, 1);
    const rows = await held(page, '**/app/reconciliations/1/groups*');
    await page.keyboard.press('3');
    await page.keyboard.press('x');
    await idle(page, 'The matches are still being read');
    rows();
    await expect(gridRows(page, 'grid-matched').first()).toBeVisible();
    await page.keyboard.press('j');
    await expect(page.getByTestId('grid-matched').locator('.ag-cell:focus')).toHaveCount(1);
    await page.keyboard.press('j');
    await expect(page.getByTestId('grid-matched').locator('.ag-row-selected')).toHaveAttribute('row-index', '1');
    // A decision whose answer is held back is undone once it is there.
    const removal = await held(page, '**/app/reconciliation_matches/*');
    await page.keyboard.press('x');
    await page.keyboard.press('ControlOrMeta+z');
    removal();
    await idle(page, 'Undone: Unmatched');
    expect((await countsOf(page, 1)).matches).toBe(matches);
  });

  test('while lines are read F6, J and / move, and M says what is missing', async ({ page }) => {
    const lines = await held(page, '**/app/reconciliations/1/lines*');
    await page.getByTestId('reconciliation-open').first().click();
    await expect(page.getByTestId('search-a')).toBeVisible();
    await page.keyboard.press('m');
    await idle(page, 'Select the lines to match first');
    await page.keyboard.press('j');
    await expect(page.getByTestId('grid-a').locator(':focus')).toHaveCount(1);
    await page.keyboard.press('F6');
    await expect(page.getByTestId('grid-b').locator(':focus')).toHaveCount(1);
    await page.keyboard.press('/');
    await expect(page.getByTestId('search-b')).toBeFocused();
    await page.keyboard.type('chg');
    await page.keyboard.press('Enter');
    lines();
    await expect(gridRows(page, 'grid-b')).toHaveCount(1);
    await expect(gridRows(page, 'grid-b')).toContainText('CHG-Q2');
    await expect(page.getByTestId('grid-b').locator(':focus')).toHaveCount(1);
  });

  test('Ctrl Z in a window that changed nothing says that there is nothing to undo', async ({ page }) => {
    await expect(page.getByTestId('redo-button')).toBeVisible();
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await idle(page, 'Nothing to do again');
  });
});

test.describe('while answers are slow', () => {
  const book = bookOfTests(async () => serveBook(await sampleBook()));

  test('what is saved, selected and decided is what the field says, not what was read last', async ({ page }) => {
    await page.goto(book.served.ui_url);
    await page.getByTestId('reconciliation-open').first().click();
    await expect(gridRows(page, 'grid-a').first()).toBeVisible();
    const lines = await held(page, '**/app/reconciliations/1/lines*');
    await page.getByTestId('search-a').fill('>1000');
    const download = page.waitForEvent('download');
    await page.getByTestId('export-a').click();
    await page.getByRole('menuitem', { name: /CSV/ }).click();
    expect((await download).suggestedFilename()).toBe('open-lines-a-over-1000.csv');
    lines();
  });
});
