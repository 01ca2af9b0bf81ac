import { expect, test } from '@playwright/test';
import { fileOf, bookOfTests } from '../served-book.ts';
import { bookIn, byFileInput, openFromAccounts } from '../window-steps.ts';

const book = bookOfTests();
test.beforeEach(async ({ page }) => {
  await bookIn(page, book.served, 'USD');
  await page.goto(book.served.ui_url);
});

test('the preview shows both dates, and a column of value dates can become a field instead', async ({ page }) => {
  const rows = ['Booked on date,Value date,Text,Amount', '2026-06-01,2026-06-03,Rent,-9.00', '2026-06-02,,Tea,-1.00', ''];
  await page.getByTestId('import-button').first().click();
  await byFileInput(page, fileOf('two days.csv', rows.join('\n')));
  const role = page.getByRole('combobox', { name: 'What Value date is taken as' });
  await expect(role).toHaveValue('Value date');
  const lines = page.getByTestId('file-row');
  await expect(lines.first().locator('time')).toHaveCount(2);
  await expect(lines.first().locator('time').nth(1)).toHaveAttribute('datetime', '2026-06-03');
  await role.click();
  await page.getByRole('option', { name: 'Kept as an extra field' }).click();
  await expect(lines.first().locator('time')).toHaveCount(1);
});

test('a stream switches to value dates for later imports, says so, and the switch is undone', async ({ page }) => {
  const url = new URL('/v1/data_streams', book.served.base_url).href;
  const answer = await page.request.post(url, {
    headers: { 'X-API-KEY': book.served.api_key },
    data: { key: 'north', name: 'Branch in the north' },
  });
  expect(answer.status()).toBe(201);
  await openFromAccounts(page, /^Branch in the north/);
  await expect(page.getByText('read by value date')).toHaveCount(0);
  await page.getByTestId('read-by').click();
  await page.getByRole('radio', { name: 'Value date' }).check();
  await page.getByTestId('read-by-save').click();
  await expect(page.getByTestId('read-by-dialog')).toHaveCount(0);
  await expect(page.getByText(/· read by value date$/)).toBeVisible();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByText(/· read by value date$/)).toHaveCount(0);
});
