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
  await expect(page.getByRole('dialog')).toContainText('their lines become open again');
  await page.getByTestId('undo-run-confirm').click();
  await expect(page.getByTestId('run-undone').first()).toContainText('Undone');
  await expect.poll(async () => (await countsOf(page, 1)).matches).toBe(0);
});
