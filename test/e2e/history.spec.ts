import { expect, test } from '@playwright/test';
import { bookOfTests, sampleBook, serveBook } from './served-book.ts';
import { goToBook, gridRows, runEnded } from './window-steps.ts';

const book = bookOfTests(async () => serveBook(await sampleBook()));

test('the history says who did what, is searched, and leads to it; a line and a match have their own', async ({ page }) => {
  await page.goto(book.served.ui_url);
  await page.getByTestId('reconciliation-run').click();
  await runEnded(page);
  await page.getByTestId('tab-proposed').click();
  await gridRows(page, 'grid-proposed').first().click();
  await page.keyboard.press('x');
  await expect(page.getByTestId('undo-button')).toHaveAccessibleName(/^Undo: .*[Rr]eject/);

  await page.getByTestId('rail-history').click();
  const entries = page.getByTestId('history-entry');
  await expect(entries.first()).toContainText('Proposed match rejected');
  await expect(entries.first()).toContainText('Tieout window');
  await page.keyboard.press('/');
  await page.keyboard.type('imported');
  await expect(entries).toHaveCount(2);
  await expect(entries.first()).toContainText('File imported');
  await page.getByTestId('search-history').fill('nothing has this');
  await expect(page.getByTestId('no-history')).toBeVisible();
  await page.getByTestId('no-history').getByRole('button').click();
  await expect(page.getByTestId('search-history')).toHaveValue('');
  await page.getByTestId('history-kind').click();
  await page.getByRole('option', { name: 'Runs', exact: true }).click();
  await expect(entries).toHaveCount(2);
  await entries
    .first()
    .getByRole('link', { name: /^Run \d+$/ })
    .click();
  await expect(page.getByTestId('tab-runs')).toHaveAttribute('aria-selected', 'true');

  await page.getByTestId('tab-matched').click();
  await gridRows(page, 'grid-matched').first().click();
  await page.getByTestId('show-history').click();
  await expect(page.getByTestId('group-detail').getByTestId('history-entry').first()).toContainText(/Match confirmed|Run of the rules/);
  await page.evaluate(() => (globalThis.location.hash = '/record/1'));
  await expect(page.getByTestId('record-panel')).toBeVisible();
  await page.getByTestId('show-history').click();
  await expect(page.getByTestId('record-panel').getByTestId('history-entry').last()).toContainText('File imported');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('record-panel')).toHaveCount(0);
  await page.evaluate(() => (globalThis.location.hash = '/records/999999'));
  await expect(page.getByTestId('record-panel')).toContainText('There is no line 999999 in this book.');
});

test('the palette finds screens, reconciliations, lines and actions, and gives the focus back', async ({ page }) => {
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('book-overview')).toBeVisible();
  const field = page.getByTestId('palette-input');
  const items = page.getByTestId('palette-item');
  const chosen = page.locator('[data-testid="palette-item"][aria-selected="true"]');
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.type('hist');
  await expect(chosen).toContainText('History');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('history-screen')).toBeVisible();
  await expect(field).toHaveCount(0);

  // It opens from a text, too, and Escape gives the focus back.
  await page.getByTestId('search-history').focus();
  await page.keyboard.press('Control+k');
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('search-history')).toBeFocused();

  await page.getByTestId('palette-button').click();
  await page.keyboard.type('CARD-0603');
  await expect(items.first()).toContainText('CARD SETTLEMENT');
  await items.first().click();
  await expect(page.getByTestId('record-panel')).toContainText('CARD SETTLEMENT');

  await page.keyboard.press('Control+k');
  await expect(items.first()).toBeVisible();
  const first = await chosen.textContent();
  await page.keyboard.press('ArrowDown');
  await expect(chosen).not.toHaveText(first ?? '');
  await page.keyboard.press('ArrowUp');
  await expect(chosen).toHaveText(first ?? '');
  await page.keyboard.type('qqqq nothing');
  await expect(page.getByTestId('palette-nothing')).toHaveText('Nothing fits “qqqq nothing”.');
  await field.fill('show this help');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible();
  await page.keyboard.press('Escape');

  // What was visited comes first.
  await goToBook(page);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('group', { name: 'Recent' })).toContainText('History');
});

test('a window whose service does not answer says so, until it does', async ({ page }) => {
  await page.route('**/app/events', async (route) => route.abort());
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('lost-band')).toContainText('Tieout does not answer');
  await page.unroute('**/app/events');
  await expect(page.getByTestId('lost-band')).toHaveCount(0);
});
