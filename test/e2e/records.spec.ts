import { expect, test } from '@playwright/test';
import { bookOfTests, fileOf, sampleBook, serveBook } from './served-book.ts';
import { byFileInput, goToBook, gridRows, importFile, openFromAccounts, runEnded } from './window-steps.ts';

const book = bookOfTests(async () => serveBook(await sampleBook()));

test('all lines of the book are filtered, shown in full, and lead to their reconciliation', async ({ page }) => {
  await page.goto(book.served.ui_url);
  await page.getByTestId('reconciliation-run').click();
  await runEnded(page);
  await page.getByTestId('rail-records').click();
  const rows = gridRows(page, 'grid-records');
  const count = page.getByTestId('records-count');
  await expect(count).toHaveText(/^\d{3} lines$/);
  await expect(rows.first()).toContainText('30/06/2026');

  await page.keyboard.press('/');
  await page.keyboard.type('card settl');
  await expect(count).toHaveText(/^\d+ of \d{3} lines$/);
  await expect(rows.first()).toContainText('CARD SETTLEMENT');
  await page.getByTestId('records-least').fill('342.42');
  await page.getByTestId('records-most').fill('342.42');
  await expect(rows).toHaveCount(1);
  await expect(count).toHaveText(/^1 of \d{3} lines$/);
  await page.getByTestId('records-most').fill('1');
  await expect(page.getByText('This is less than the first amount')).toBeVisible();
  await expect(page.getByTestId('no-records')).toContainText('No line has these words and fits the other filters.');
  await page.getByTestId('no-records').getByRole('button').click();
  await expect(page.getByTestId('search-records')).toHaveValue('');

  await page.getByTestId('records-from').fill('2026-06-04');
  await page.getByTestId('records-to').fill('2026-06-04');
  await expect(rows.last()).toContainText('04/06/2026');
  await page.getByTestId('search-records').fill('CARD-0603');
  await expect(rows).toHaveCount(1);
  await rows.first().click();
  const panel = page.getByTestId('record-panel');
  await expect(panel).toContainText('CARD SETTLEMENT');
  await expect(panel).toContainText('£342.42');
  await expect(panel).toContainText('bank-statement-june.csv');
  const standing = panel.getByTestId('record-standing');
  await expect(standing).toContainText('Matched');
  await expect(standing).toContainText('Card takings');
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);

  // Filters stay while the user visits another screen.
  await rows.first().click();
  await panel.getByTestId('record-show').click();
  await expect(page.getByTestId('tab-matched')).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(page.getByTestId('search-records')).toHaveValue('CARD-0603');
  await page.getByTestId('clear-filters').click();

  // An open line leads to a search in its reconciliation; arrow keys move between lines.
  await page.getByTestId('records-state').click();
  await page.getByRole('option', { name: 'Open', exact: true }).click();
  await expect(rows.first()).toContainText('Open');
  await rows.first().click();
  const first = await panel.textContent();
  await page.keyboard.press('ArrowDown');
  await expect(panel).not.toHaveText(first ?? '');
  await expect(standing).toContainText('Open');
  await panel.getByTestId('record-show').click();
  await expect(page.getByTestId('search-a')).not.toHaveValue('');
});

test('a stream leads to its lines; currencies with different decimals allow no bounds until one stream is chosen', async ({ page }) => {
  await page.goto(book.served.ui_url);
  await openFromAccounts(page, /Cash book|Ledger/i);
  await page.getByTestId('stream-lines').click();
  await expect(page.getByTestId('records-stream')).not.toHaveValue('');
  await expect(page.getByTestId('records-count')).toHaveText(/^2\d\d lines$/);

  await goToBook(page);
  const file = fileOf('tokyo.csv', 'Date,Description,Amount,Currency\n2026-06-03,Rent of the office,-120000,JPY\n');
  await importFile(page, byFileInput, file, 'Tokyo');

  await page.getByTestId('rail-records').click();
  await page.getByTestId('clear-filters').click();
  await expect(page.getByTestId('records-least')).toBeDisabled();
  await page.getByTestId('records-stream').click();
  await page.getByRole('option', { name: 'Tokyo' }).click();
  await page.getByTestId('records-least').fill('120000');
  await expect(page.getByTestId('records-count')).toHaveText('1 of 1 line');
  await expect(gridRows(page, 'grid-records')).toContainText('¥120,000');
});

test('several accounts are chosen as chips, by mouse and by keys, and the sums are those of all lines found', async ({ page }) => {
  await page.goto(book.served.ui_url);
  await page.getByTestId('rail-records').click();
  const totals = page.getByTestId('records-totals');
  const count = page.getByTestId('records-count');
  await expect(count).toHaveText(/^\d{3} lines$/);
  const all = await count.textContent();

  await page.getByTestId('filters-records').click();
  const items = page.getByRole('menuitem');
  await items.filter({ hasText: 'Bank, current account' }).click();
  await items.filter({ hasText: 'Ledger, cash account' }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('filter-chip')).toHaveCount(2);
  await expect(count).toHaveText(/^\d+ of \d{3} lines$/);
  const both = Number((await count.textContent())?.split(' ')[0]);
  await expect(totals.locator('tbody td').nth(1)).toHaveText(String(both));

  // By keys: one of them is taken out again in the menu, which stays open for more.
  await page.getByTestId('filters-records').focus();
  await page.keyboard.press('Enter');
  await items.filter({ hasText: 'Ledger, cash account' }).focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('filter-chip')).toHaveCount(1);
  await expect.poll(async () => Number((await count.textContent())?.split(' ')[0])).toBeLessThan(both);

  // The counts lead to their lines.
  const open = await totals.getByTestId('totals-open').textContent();
  await totals.getByTestId('totals-open').focus();
  await page.keyboard.press('Enter');
  await expect(count).toHaveText(new RegExp(`^${open ?? ''} of `));
  await page.getByTestId('clear-filters').click();
  await expect(count).toHaveText(all ?? '');

  // An account that is not there has no lines, which is no failure.
  await page.getByTestId('search-records').fill('account:gone');
  await expect(page.getByTestId('no-records')).toBeVisible();
  await expect(page.locator('.mantine-Notification-root')).toHaveCount(0);
});

test('the filters stand in one row at 1280, empty and in use', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(book.served.ui_url);
  await page.getByTestId('rail-records').click();
  const bar = page.getByTestId('records-screen').getByRole('search');
  const rows = (): Promise<number> =>
    bar.evaluate(
      (element) =>
        new Set(
          [...element.children]
            .map((each) => each.getBoundingClientRect())
            .filter(({ height }) => height > 0)
            .map(({ top }) => top),
        ).size,
    );
  await expect.poll(rows).toBe(1);
  for (const [name, text] of [
    ['from', '01/06/2026'],
    ['to', '30/06/2026'],
    ['least', '12345.50'],
    ['most', '99999.50'],
  ] as const) {
    await page.getByTestId(`records-${name}`).fill(text);
    await page.getByTestId(`records-${name}`).blur();
  }
  await expect(page.getByTestId('clear-filters')).toBeVisible();
  await expect.poll(rows).toBe(1);
  // Each text is whole.
  for (const name of ['from', 'to', 'least', 'most']) {
    expect(await page.getByTestId(`records-${name}`).evaluate((field) => field.scrollWidth - field.clientWidth)).toBeLessThanOrEqual(0);
  }
});

test('a book without lines explains where they come from', async ({ page }) => {
  const empty = await serveBook();
  await page.goto(empty.served.ui_url);
  await page.getByTestId('rail-records').click();
  await expect(page.getByTestId('records-screen')).toContainText('The book has no lines yet. Import a file to begin.');
  await page.getByTestId('records-screen').getByRole('link', { name: 'Import a file' }).click();
  await expect(page.getByTestId('import-screen')).toBeVisible();
  await empty.stop();
});
