import { expect, test } from '@playwright/test';
import { juneBook } from './close/june-book.ts';
import { bookOfTests, serveBook } from './served-book.ts';
import { countsOf, gridRows, runEnded } from './window-steps.ts';

const book = bookOfTests(async () => serveBook(await juneBook()));
test.beforeEach(async ({ page }) => page.goto(book.served.ui_url));

test('changes can be undone after a reload, and a run as one change', async ({ page }) => {
  await page.evaluate(() => {
    location.hash = '/reconciliations/1';
  });
  await runEnded(page);
  const atFirst = await countsOf(page, 1);
  await page.getByTestId('tab-matched').click();
  await gridRows(page, 'grid-matched').first().click();
  await page.getByTestId('group-detail').filter({ visible: true }).getByTestId('unmatch-button').click();
  await expect.poll(async () => (await countsOf(page, 1)).matches).toBe(atFirst.matches - 1);

  await page.reload();
  await expect(page.getByTestId('undo-button')).toHaveAccessibleName(/^Undo: Unmatched /);
  await page.getByTestId('undo-button').click();
  await expect.poll(async () => (await countsOf(page, 1)).matches).toBe(atFirst.matches);
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect.poll(async () => (await countsOf(page, 1)).matches).toBe(atFirst.matches - 1);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(async () => (await countsOf(page, 1)).matches).toBe(atFirst.matches);

  await page.keyboard.press('5');
  await page.getByTestId('run-toggle').first().click();
  await page.getByTestId('undo-run').click();
  await expect(page.getByRole('dialog')).toContainText(/\d+ matches are taken apart, and \d+ lines become open again/);
  await page.getByTestId('undo-run-confirm').click();
  await expect(page.getByTestId('run-undone').first()).toContainText('Undone');
  await expect.poll(async () => (await countsOf(page, 1)).matches).toBe(0);
});

test('two runs are compared by rule and by line, by keyboard alone', async ({ page }) => {
  await page.evaluate(() => {
    location.hash = '/reconciliations/1/runs';
  });
  await runEnded(page);
  // The sample has run once. It is undone and run again, so that both runs matched the same.
  await page.getByTestId('run-toggle').first().click();
  await page.getByTestId('undo-run').click();
  await page.getByTestId('undo-run-confirm').click();
  await expect(page.getByTestId('run-undone').first()).toContainText('Undone');
  await page.getByTestId('run-button').click();
  await expect(page.getByTestId('run-row')).toHaveCount(2);
  await runEnded(page);

  await expect(page.getByTestId('compare-runs')).toBeDisabled();
  await page.getByTestId('mark-run').first().focus();
  await page.keyboard.press('Space');
  await page.getByTestId('mark-run').nth(1).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('=');
  const comparison = page.getByTestId('run-comparison');
  await expect(comparison).toContainText('Two runs compared');
  await expect(comparison.getByTestId('comparison-lines').getByRole('row').nth(1)).toContainText('the same');
  await expect(comparison.getByTestId('comparison-rules').getByRole('row', { name: /^Matched/ })).toContainText('0');
  await comparison.getByTestId('comparison-part').getByText('Only the later').click();
  await expect(comparison.getByTestId('comparison-none')).toContainText('The earlier run matched all of it as well.');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('runs-table')).toBeVisible();
});
