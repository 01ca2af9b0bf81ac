import { expect, test } from '@playwright/test';
import { bookOfTests, sampleBook, serveBook } from './served-book.ts';
import { goToBook } from './window-steps.ts';

const book = bookOfTests(async () => serveBook(await sampleBook()));

/** Asks the service as another program does. */
async function ask(path: string, body: object): Promise<void> {
  const { base_url: base, api_key: key } = book.served;
  const answer = await fetch(`${base}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
  });
  expect(answer.ok).toBe(true);
}

test('exceptions are opened, searched, written on together and taken back, by mouse and by keyboard', async ({ page }) => {
  await ask('/records/1/mark_overdue', { reconciliation_id: 1 });
  await ask('/records/2/mark_overdue', { reconciliation_id: 1 });
  await page.goto(book.served.ui_url);
  await page.getByTestId('rail-exceptions').click();
  await expect(page.getByTestId('no-exceptions')).toContainText('overdue lines');
  for (const account of ['Ledger, cash account', 'Bank, current account']) {
    await page.getByTestId('new-exception').click();
    await page.getByTestId('exception-reconciliation').click();
    await page.getByRole('option', { name: 'June: ledger and bank' }).click();
    await page.getByTestId('exception-account').click();
    await page.getByRole('option', { name: account }).click();
    await page.getByTestId('exception-create').click();
    await expect(page.getByTestId('new-exception-dialog')).toHaveCount(0);
  }
  const rows = page.getByTestId('exception-row');
  await expect(rows).toHaveCount(2);
  await expect(page.getByTestId('exceptions-count')).toContainText('2 exceptions');

  await page.keyboard.press('/');
  await page.keyboard.type('ledger age:>1');
  await expect(rows).toHaveCount(1);
  await rows.first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('exception-line')).toHaveCount(2);
  await page.getByTestId('exception-owner').fill('Ann Field');
  await page.getByTestId('exception-comment').fill('Asked the bank');
  await page.getByTestId('exception-save').click();
  await expect(rows.first()).toContainText('Ann Field');
  await page.getByTestId('exception-line').first().click();
  await expect(page.getByTestId('line-in-full').getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByTestId('search-exceptions').fill('');
  await expect(rows).toHaveCount(2);
  await rows.first().focus();
  await page.keyboard.press('Control+a');
  const box = rows.first().getByRole('checkbox');
  await expect(box).toBeChecked();
  // The browser's own colour would be blue.
  await expect(box).not.toHaveCSS('accent-color', 'auto');
  await page.getByTestId('exceptions-bulk-status').selectOption('investigating');
  await page.getByTestId('exceptions-bulk-write').press('Enter');
  await expect(page.getByTestId('exceptions-bulk')).toHaveCount(0);
  await expect(rows.getByText('Investigating')).toHaveCount(2);
  await expect(rows.first()).toBeFocused();
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click();
  await expect(rows.getByText('Investigating')).toHaveCount(0);
  await page.getByTestId('search-exceptions').fill('nothing has this');
  await expect(page.getByTestId('no-exception-found')).toBeVisible();
});

test('the focus stays at hand when what has it goes, and a long name leaves the button that closes the panel in sight', async ({
  page,
}) => {
  await ask('/records/1/mark_overdue', { reconciliation_id: 1 });
  await ask('/reconciliation_exceptions', { reconciliation_id: 1, data_stream_id: 1, title: 'Overdue at the bank '.repeat(9).trim() });
  await page.goto(book.served.ui_url);
  await goToBook(page);
  await page.getByTestId('rail-exceptions').click();
  await page.getByTestId('new-exception').press('Enter');
  await page.getByTestId('new-exception-dialog').getByRole('button', { name: 'Cancel' }).press('Enter');
  await expect(page.getByTestId('new-exception')).toBeFocused();
  const row = page.getByTestId('exception-row');
  await row.press('Enter');
  const panel = page.getByTestId('exception-panel');
  await panel.getByTestId('exception-owner').fill('Ann');
  await panel.getByTestId('exception-owner').press('Enter');
  await expect(row).toContainText('Ann');
  await expect(panel.getByTestId('exception-owner')).toBeFocused();
  await panel.getByTestId('exception-owner').fill('Ben');
  await panel.getByTestId('exception-save').press('Enter');
  await expect(row).toContainText('Ben');
  await expect(panel.getByTestId('exception-status')).toBeFocused();
  const close = panel.getByRole('button', { name: 'Close the exception' });
  await expect(close).toBeInViewport({ ratio: 1 });
  await close.press('Enter');
  await expect(row).toBeFocused();
  await row.press('Space');
  await page.getByRole('button', { name: 'Clear the selection' }).press('Enter');
  await expect(row).toBeFocused();
  await page.getByTestId('search-exceptions').fill('nothing has this');
  await page.getByTestId('no-exception-found').getByRole('button').press('Enter');
  await expect(page.getByTestId('search-exceptions')).toBeFocused();
});

test('days and numbers follow the book: chosen, shown everywhere, typed in its order, taken back', async ({ page }) => {
  await page.goto(book.served.ui_url);
  await goToBook(page);
  await page.getByTestId('rail-settings').click();
  await page.getByTestId('notation-days').click();
  await page.getByRole('option', { name: 'Month, day, year' }).click();
  await expect(page.getByTestId('notation-sample')).toContainText(/\d\d\/\d\d\/\d{4}/);
  await page.getByTestId('notation-decimal').click();
  await page.getByRole('option', { name: /Comma/ }).click();
  await expect(page.getByTestId('notation-sample')).toContainText('1.234.567,50');
  await page.getByTestId('rail-records').click();
  await expect(page.getByTestId('grid-records')).toContainText('06/30/2026');
  await page.getByTestId('records-from').fill('6/3');
  await page.getByTestId('records-from').blur();
  await expect(page.getByTestId('records-from')).toHaveValue(/^06\/03\/\d{4}$/);
  await page.getByTestId('records-from').press('ArrowUp');
  await expect(page.getByTestId('records-from')).toHaveValue(/^06\/04\/\d{4}$/);
  await page.getByTestId('records-from').press('Alt+ArrowDown');
  await page
    .getByTestId('calendar')
    .getByRole('button', { name: /^10 June/ })
    .click();
  await expect(page.getByTestId('records-from')).toHaveValue(/^06\/10\/\d{4}$/);
  await page.getByTestId('records-from').fill('13/13');
  await page.getByTestId('records-from').blur();
  await expect(page.getByText('Type a day as mm/dd/yyyy')).toBeVisible();
  await page.getByTestId('undo-button').click();
  await page.getByTestId('undo-button').click();
  await expect(page.getByTestId('grid-records')).toContainText('30/06/2026');
});

test('an exception of a book that syncs says that it stays here', async ({ page }) => {
  await ask('/records/1/mark_overdue', { reconciliation_id: 1 });
  await ask('/reconciliation_exceptions', { reconciliation_id: 1, data_stream_id: 1, title: 'Overdue' });
  await page.goto(book.served.ui_url);
  await page.getByTestId('rail-exceptions').click();
  await page.getByTestId('exception-row').press('Enter');
  await expect(page.getByTestId('exception-save')).toBeVisible();
  await expect(page.getByTestId('exception-stays')).toHaveCount(0);
  const { origin, hash } = new URL(book.served.ui_url);
  const headers = { 'x-tieout-window': hash.replace('#token=', '') };
  const there = await serveBook();
  const { base_url, api_key } = there.served;
  const data = { name: 'Head office', base_url, api_key };
  expect((await page.request.post(`${origin}/app/sync_remotes`, { headers, data })).status()).toBe(201);
  await expect(page.getByTestId('exception-stays')).toHaveText(/status, owner and comment stay in this book/);
  await there.stop();
});
