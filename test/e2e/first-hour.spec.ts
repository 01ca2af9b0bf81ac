import fs from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { BANK_SAMPLE, bookOfTests, fileOf, LEDGER_SAMPLE, sampleBook, serveBook } from './served-book.ts';
import { bookIn, byFileInput, countsOf, importFile, runEnded } from './window-steps.ts';

const book = bookOfTests();
test.beforeEach(async ({ page }) => {
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('first-hour')).toBeVisible();
});

/** Drops files onto the empty window, as a file manager does. */
async function drop(page: Page, files: readonly string[]): Promise<void> {
  const given = files.map((file) => ({ name: path.basename(file), text: fs.readFileSync(file, 'utf8') }));
  const data = await page.evaluateHandle((all) => {
    const transfer = new DataTransfer();
    for (const { name, text } of all) transfer.items.add(new File([text], name));
    return transfer;
  }, given);
  await page.getByTestId('first-hour').dispatchEvent('drop', { dataTransfer: data });
}

async function reconciled(page: Page): Promise<void> {
  await runEnded(page);
  expect((await countsOf(page, 1)).matches).toBeGreaterThan(100);
}

/** The month of the files is open, with the balance of the statement and the steps that are left. */
async function monthBegun(page: Page): Promise<void> {
  await expect(page.getByTestId('period-state')).toHaveText('Open');
  await expect(page.getByTestId('period-menu')).toHaveText('June 2026');
  await expect(page.getByTestId('close-steps')).toBeVisible();
}

async function beginMonthByKeys(page: Page): Promise<void> {
  await expect(page.getByTestId('first-period')).toBeVisible();
  await expect(async () => {
    await page.keyboard.press('Tab');
    await expect(page.getByTestId('create-period')).toBeFocused({ timeout: 100 });
  }).toPass();
  await page.keyboard.press('Enter');
  await monthBegun(page);
}

test('two files dropped on the empty window end, after one confirmation, in a reconciliation that has run', async ({ page }) => {
  await drop(page, [LEDGER_SAMPLE, BANK_SAMPLE]);
  // The statement with its balances is the bank’s, whichever file came first.
  await expect(page.getByTestId('first-bank')).toContainText('bank-statement-june.csv');
  await expect(page.getByTestId('first-bank')).toContainText('38,612.40 to 58,561.07');
  await expect(page.getByTestId('first-books')).toContainText('ledger-june.csv');
  await page.getByTestId('first-tie').click();
  await reconciled(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Ledger june / Bank statement june');
  // The account that the file names is the bank account, with the balances of the file.
  await page.getByTestId('rail-accounts').click();
  await page
    .getByTestId('account-list')
    .getByRole('link', { name: /Fernlock Bank Business Current/ })
    .click();
  await expect(page.getByText('58,561.07').first()).toBeVisible();

  await page.getByTestId('rail-reconciliation').click();
  await page.getByTestId('tab-close').click();
  await page.getByTestId('create-period').click();
  await monthBegun(page);
});

test('the first hour by keyboard alone', async ({ page }) => {
  const chooser = page.waitForEvent('filechooser');
  await page.getByTestId('choose-file').focus();
  await page.keyboard.press('Enter');
  await (await chooser).setFiles([BANK_SAMPLE, LEDGER_SAMPLE]);
  await expect(page.getByTestId('first-tie')).toBeEnabled();
  await page.keyboard.press('ControlOrMeta+Enter');
  await reconciled(page);
  await page.keyboard.press('7');
  await beginMonthByKeys(page);
});

test('files can be left for another screen, swapped, and left out', async ({ page }) => {
  await drop(page, [BANK_SAMPLE]);
  await expect(page.getByTestId('first-bank')).toContainText('271');
  await expect(page.getByTestId('first-tie')).toBeDisabled();
  await page.getByTestId('rail-settings').click();
  await page.getByTestId('rail-book').click();
  await expect(page.getByTestId('first-bank')).toContainText('bank-statement-june.csv');
  await drop(page, [LEDGER_SAMPLE]);
  await expect(page.getByTestId('first-tie')).toBeEnabled();
  await page.getByTestId('first-swap').click();
  await expect(page.getByTestId('first-bank')).toContainText('ledger-june.csv');
  await page.getByTestId('first-bank').getByRole('button', { name: 'Leave it out' }).click();
  await expect(page.getByTestId('first-file')).toHaveCount(1);
});

test('a file without a currency takes that of the other file', async ({ page }) => {
  await drop(page, [fileOf('Kontoauszug.csv', 'Date,Description,Amount\n2026-06-29,Rent,-900.00\n2026-06-30,Interest,0.87\n')]);
  const card = page.getByTestId('first-file');
  await expect(card).toContainText('Kontoauszug.csv');
  await drop(page, [LEDGER_SAMPLE]);
  // The other file names the only currency, so nobody is asked.
  await expect(page.getByTestId('first-tie')).toBeEnabled();
  await page.getByTestId('first-tie').click();
  await runEnded(page);
  await page.getByTestId('rail-book').click();
  await expect(page.getByTestId('home-table')).toBeVisible();
  // From there the month is closed.
  await page
    .getByTestId('need')
    .last()
    .getByRole('button', { name: /^Close the month/ })
    .click();
  await expect(page).toHaveURL(/\/close/);
  // The file is an account of the bank as well, although it does not name its currency.
  await page.getByTestId('rail-accounts').click();
  await expect(page.getByTestId('account-list').locator('a[href^="#/accounts/"]').filter({ hasText: 'Kontoauszug' })).toBeVisible();
});

test('an import of the first hour is undone, and its side waits for a file again', async ({ page }) => {
  await bookIn(page, book.served, 'GBP');
  await importFile(page, byFileInput, BANK_SAMPLE, 'Bank');
  await page.getByTestId('rail-book').click();
  await expect(page.getByTestId('first-stream')).toContainText('271');
  await page.getByTestId('first-undo').click();
  await page.getByTestId('undo-import-confirm').click();
  await expect(page.getByTestId('first-stream')).toHaveCount(0);
  await expect(page.getByTestId('choose-file')).toBeVisible();
});

test('a queue of files goes on while another screen is open, and says truly how many it imported', async ({ page }) => {
  await bookIn(page, book.served, 'USD');
  const table = (name: string, amount: number): string =>
    fileOf(name, `Date,Description,Amount\n2026-06-01,Line ${amount},-${amount}.00\n`);
  await importFile(page, byFileInput, table('zero.csv', 100), 'Bank');
  await page.evaluate(() => window.location.assign('#/import/bank'));
  await expect(page.getByTestId('import-result')).toHaveCount(0);
  const names = Array.from({ length: 17 }, (_, index) => `${index + 1}.csv`);
  await page.getByTestId('file-input').setInputFiles(names.map((name, index) => table(name, index + 1)));
  await expect(page.getByTestId('import-queue')).toBeVisible();
  await page.getByTestId('rail-settings').click();
  await page.getByTestId('rail-import').click();
  await expect(page.locator('#queue-heading')).toHaveText('17 of 17 files imported', { timeout: 60_000 });
});

test('the sample book comes to the close of its month as well, by keyboard alone', async ({ page }) => {
  const sample = await serveBook(await sampleBook());
  try {
    await page.goto(sample.served.ui_url);
    await expect(page.getByTestId('home-row')).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('reconciliation-screen')).toBeVisible();
    await page.keyboard.press('ControlOrMeta+Enter');
    await runEnded(page);
    await page.keyboard.press('7');
    await beginMonthByKeys(page);
  } finally {
    await sample.stop();
  }
});
