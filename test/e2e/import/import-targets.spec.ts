import { expect, test } from '@playwright/test';
import { fileOf, bookOfTests } from '../served-book.ts';
import { byFileInput, goToBook, sayCurrency } from '../window-steps.ts';

const BANK = 'Date,Description,Amount,Balance\n2026-06-01,Rent,-10.00,90.00\n2026-06-02,Sale,5.00,95.00\n';
const CASH = 'Day,What for,Receipts,Payments\n2026-06-01,Stamps,,2.00\n2026-06-02,Sale,7.00,\n';

const book = bookOfTests();
test.beforeEach(async ({ page }) => {
  await page.goto(book.served.ui_url);
});

test('each of two files has its own target; one that does not fit its stream waits for consent', async ({ page }) => {
  await page.getByTestId('import-button').first().click();
  await page.getByTestId('file-input').setInputFiles([fileOf('bank.csv', BANK), fileOf('cash.csv', CASH)]);
  await page.getByTestId('queue-open-0').click();
  await expect(page.getByTestId('import-confirm')).toBeDisabled();
  await sayCurrency(page, 'GBP');
  await expect(page.getByTestId('import-preview')).toContainText('£5.00');
  await page.getByTestId('stream-name').fill('Current account');
  await page.getByTestId('stream-name').blur();
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toContainText('2 records imported into Current account');

  await page.getByTestId('queue-open-1').click();
  await expect(page.getByTestId('stream-name')).toHaveValue('Cash');
  await expect(page.getByTestId('stream-key')).toHaveValue('cash');
  await expect(page.getByTestId('import-problems')).toContainText('it was read in GBP, the only one of this book');
  await page.getByTestId('stream-mode').getByText('Existing account').click();
  const misfits = page.getByTestId('misfits');
  await expect(misfits).toContainText('columns Day, What for, Receipts, Payments, but the newest file of the account “Current account”');
  await expect(page.getByTestId('import-confirm')).toBeDisabled();
  await page.getByTestId('accept-target').check();
  await expect(page.getByTestId('import-confirm')).toBeEnabled();
  await page.getByTestId('stream-mode').getByText('New account').click();
  await expect(misfits).toHaveCount(0);
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toContainText('2 records imported into Cash');
});

test('sides without a shared currency say so until the currency of the import is corrected; the correction is undone', async ({ page }) => {
  for (const [name, text, currency] of [
    ['bank.csv', BANK, 'GBP'],
    ['cash.csv', CASH, 'USD'],
  ] as const) {
    await goToBook(page);
    await page.getByTestId('import-button').first().click();
    await byFileInput(page, fileOf(name, text));
    if (currency === 'GBP') await sayCurrency(page, currency);
    else await page.getByTestId('import-currency').fill(currency);
    await expect(page.getByTestId('import-preview')).toContainText(currency === 'GBP' ? '£5.00' : '$7.00');
    await page.getByTestId('import-confirm').click();
    await expect(page.getByTestId('import-result')).toContainText('2 records imported');
  }
  await goToBook(page);
  await page.getByTestId('new-reconciliation').click();
  for (const [side, name] of [
    ['a', 'Bank'],
    ['b', 'Cash'],
  ] as const) {
    await page.getByTestId(`side-${side}`).click();
    await page.getByRole('option', { name }).click();
    await page.keyboard.press('Escape');
  }
  await page.getByTestId('reconciliation-create').click();
  await page.getByTestId('reconciliation-open-and-run').click();
  const banner = page.getByTestId('no-shared-currency');
  await expect(banner).toContainText('Side A is in GBP, side B in USD.');
  await banner.getByText('Cash', { exact: true }).click();
  await page.getByTestId('correct-currency').click();
  await page.getByTestId('corrected-currency').fill('gbp');
  await expect(page.getByTestId('correct-currency-preview')).toContainText('2 lines and the account will be in GBP');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('correct-currency')).toHaveText('GBP');
  await page.getByTestId('undo-button').click();
  await expect(page.getByTestId('correct-currency')).toHaveText('USD');
});
