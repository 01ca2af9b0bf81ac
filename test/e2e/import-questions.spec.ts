import { expect, test } from '@playwright/test';
import { fileOf, serveBook, type ServedBook } from './served-book.ts';
import { byFileInput } from './window-steps.ts';

let book: ServedBook;
test.beforeEach(async ({ page }) => {
  book = await serveBook();
  await page.goto(book.served.ui_url);
});
test.afterEach(async () => {
  await book.stop();
});

test('a file that reads two ways waits for somebody to choose, by keys as well; the next one of its kind asks no more', async ({
  page,
}) => {
  const text = 'Date,Description,Amount\n01/02/2026,Rent,-10.00\n02/03/2026,Fee,-5.00\n';
  await page.getByTestId('import-button').first().click();
  await byFileInput(page, fileOf('either way.csv', text));
  const question = page.getByTestId('question-date_order');
  await expect(question.getByRole('region', { name: 'Day first' })).toContainText('Feb 1, 2026');
  await expect(question.getByRole('region', { name: 'Month first' })).toContainText('Jan 2, 2026');
  await expect(page.getByTestId('import-confirm')).toBeDisabled();
  await page.getByTestId('answer-mdy').focus();
  await page.keyboard.press('Enter');
  await expect(question).toHaveCount(0);
  await expect(page.getByTestId('recipe-date-order')).toHaveValue('month, day, year');
  await expect(page.getByTestId('remember-recipe')).toBeChecked();
  await page.getByTestId('as-found').click();
  await expect(question).toBeVisible();
  await page.getByTestId('answer-mdy').click();
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toContainText('2 records imported');

  await page.getByTestId('import-again').click();
  await byFileInput(page, fileOf('next month.csv', text.replaceAll('2026', '2027')));
  await expect(page.getByTestId('recipe-remembered')).toBeVisible();
  await expect(question).toHaveCount(0);
});
