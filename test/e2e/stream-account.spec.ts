import { expect, test } from '@playwright/test';
import { bookOfTests } from './served-book.ts';
import { openFromAccounts } from './window-steps.ts';

const book = bookOfTests();
test.beforeEach(async ({ page }) => {
  await page.goto(book.served.ui_url);
});

test('a stream is linked to a bank account and to none on its own page, and both are undone', async ({ page }) => {
  const post = async (place: string, data: object): Promise<void> => {
    const url = new URL(`/v1${place}`, book.served.base_url).href;
    expect((await page.request.post(url, { headers: { 'X-API-KEY': book.served.api_key }, data })).status()).toBe(201);
  };
  await post('/bank_accounts', { name: 'Current account of the branch in the north of the country', currency: 'EUR' });
  await post('/data_streams', { key: 'north', name: 'Branch in the north' });
  await openFromAccounts(page, /^Branch in the north/);
  await expect(page.getByTestId('stream-account')).toHaveCount(0);
  await page.getByTestId('link-account').click();
  await page.getByTestId('link-account-select').click();
  await page.getByRole('option', { name: /^Current account/ }).click();
  await page.getByTestId('link-account-save').click();
  await expect(page.getByTestId('link-account-dialog')).toHaveCount(0);
  await expect(page.getByTestId('stream-account')).toHaveText(/^Current account/);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByTestId('stream-account')).toHaveCount(0);

  await page.getByTestId('link-account').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('link-account-select')).toHaveValue('No bank account');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('link-account-dialog')).toHaveCount(0);
});
