import { expect, test } from '@playwright/test';
import { fileOf, bookOfTests } from '../served-book.ts';
import { byFileInput, importFile, sayCurrency } from '../window-steps.ts';

const book = bookOfTests();
test.beforeEach(async ({ page }) => {
  await page.goto(book.served.ui_url);
});

test('a file with two readings waits for a choice, also by keyboard; the next file of its kind asks nothing', async ({ page }) => {
  const text = 'Date,Description,Amount\n01/02/2026,Rent,-10.00\n02/03/2026,Fee,-5.00\n';
  await page.getByTestId('import-button').first().click();
  await byFileInput(page, fileOf('either way.csv', text));
  const question = page.getByTestId('question-date_order');
  await expect(question.getByRole('region', { name: 'Day first' })).toContainText('01/02/2026');
  await expect(question.getByRole('region', { name: 'Month first' })).toContainText('02/01/2026');
  await expect(page.getByTestId('import-confirm')).toBeDisabled();
  await page.getByTestId('answer-mdy').focus();
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
  await expect(page.getByTestId('recipe-date-order')).toHaveValue('month, day, year');
  await expect(page.getByTestId('remember-recipe')).toBeChecked();
  await page.getByTestId('as-found').click();
  await expect(question).toBeVisible();
  await page.getByTestId('answer-mdy').click();
  await expect(page.getByTestId('import-confirm')).toBeDisabled();
  await sayCurrency(page, 'GBP');
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toContainText('2 records imported');

  await page.getByTestId('import-again').click();
  await byFileInput(page, fileOf('next month.csv', text.replaceAll('2026', '2027')));
  await expect(page.getByTestId('recipe-remembered')).toBeVisible();
  await expect(question).toHaveCount(0);
});

test('a file in another currency than its stream waits for consent, and a table of two accounts for a choice', async ({ page }) => {
  const text = 'Date,Description,Amount,Currency\n2026-01-03,Deposit,300.00,USD\n2026-01-05,Fee,-1.50,USD\n';
  await importFile(page, byFileInput, fileOf('dollars.csv', text), 'Bank');
  await page.getByTestId('import-again').click();
  await byFileInput(page, fileOf('euros.csv', text.replaceAll('USD', 'EUR').replaceAll('2026-01', '2026-02')));
  await page.getByTestId('stream-mode').getByText('Existing account').click();
  const panel = page.getByRole('alert').filter({ hasText: 'another currency than its account' });
  await expect(panel).toContainText('The file is in EUR, but the account “Bank” is in USD.');
  await expect(page.getByTestId('import-confirm')).toBeDisabled();
  await panel.getByRole('button', { name: 'Import it anyway' }).click();
  await expect(page.getByTestId('import-confirm')).toBeEnabled();
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toContainText('2 records imported');

  await page.getByTestId('import-again').click();
  const accounts =
    'Account,Date,Description,Amount,Balance\nDE1,2026-03-01,Sale,5.00,105.00\nDE2,2026-03-01,Rent,-7.00,20.00\nDE1,2026-03-02,Fee,-1.00,104.00\n';
  await byFileInput(page, fileOf('both accounts.csv', accounts));
  await expect(page.getByTestId('import-confirm')).toBeDisabled();
  await page.getByRole('combobox', { name: 'Account in the file' }).click();
  await page.getByRole('option', { name: 'DE1' }).click();
  await expect(page.getByTestId('import-confirm')).toHaveText(/Import 2 records/);
});

test('the same lines in another format cause a question, also by keyboard, and are imported once', async ({ page }) => {
  const text =
    'Date,Description,Amount,Currency\n2026-06-01,RENT OFFICE MARKET STREET,-950.00,EUR\n2026-06-03,CARD PAYMENT TO ACME LTD,-45.20,EUR\n';
  await importFile(page, byFileInput, fileOf('june.csv', text), 'Bank');
  await page.getByTestId('import-again').click();
  await byFileInput(
    page,
    fileOf('june.qif', '!Type:Bank\nD06/13/2026\nT-7.10\nPPHONE\n^\nD06/01/2026\nT-950.00\nPRENT\n^\nD06/03/2026\nT-45.20\nPACME\n^\n'),
  );
  await page.getByTestId('stream-mode').getByText('Existing account').click();
  const question = page.getByTestId('question-overlap');
  await expect(question).toContainText('2 of 3 new lines have the day and amount of lines already here');
  await expect(question.getByRole('region', { name: 'The same lines' })).toContainText('CARD PAYMENT TO ACME LTD');
  const rows = page.getByTestId('file-row');
  await expect(rows.filter({ hasText: 'Already in?' })).toHaveCount(2);
  await expect(rows.filter({ hasText: 'PHONE' })).toContainText('New');
  await expect(page.getByTestId('import-confirm')).toBeDisabled();
  await page.getByTestId('answer-same').focus();
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
  await expect(rows.filter({ hasText: 'Already in' })).toHaveCount(2);
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toContainText('1 record imported');
});

test('unknown words cause a question, also by keyboard; the next file asks only about a new word', async ({ page }) => {
  const text =
    'Date,Details,Kind,Amount,Currency\n2026-06-01,Rent,X,950.00,GBP\n2026-06-02,Wage,Y,2100.00,GBP\n2026-06-03,Tea,X,4.50,GBP\n2026-06-04,Sale,Y,80.00,GBP\n';
  await page.getByTestId('import-button').first().click();
  await byFileInput(page, fileOf('june.csv', text));
  const question = page.getByTestId('question-money_out');
  await expect(question).toContainText('the column Kind says words that may tell money in from money out');
  await expect(question).toContainText('Row 2: 2026-06-01, Rent, X, 950.00, GBP');
  await expect(page.getByTestId('import-confirm')).toBeDisabled();
  await expect(page.getByTestId('answer-money-out')).toBeDisabled();
  await page.getByRole('checkbox', { name: 'X, 2 rows' }).focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
  await expect(page.getByTestId('remember-recipe')).toBeChecked();
  await page.getByTestId('as-found').click();
  await expect(question).toBeVisible();
  await page.getByTestId('answer-no-money-out').click();
  await expect(question).toHaveCount(0);
  await page.getByTestId('as-found').click();
  await page.getByRole('checkbox', { name: 'X, 2 rows' }).click();
  await page.getByTestId('answer-money-out').click();
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toContainText('4 records imported');

  await page.getByTestId('import-again').click();
  await byFileInput(page, fileOf('july.csv', `${text.replaceAll('2026-06', '2026-07')}2026-07-05,Fine,Z,7.00,GBP\n`));
  await expect(question).toContainText('“Z”');
  await expect(question.getByRole('checkbox')).toHaveCount(1);
  await question.getByRole('checkbox').check();
  await page.getByTestId('answer-money-out').click();
  await expect(question).toHaveCount(0);
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toContainText('5 records imported');
});
