import { expect, test } from '@playwright/test';
import { fileOf, bookOfTests } from '../served-book.ts';
import { bookIn, byFileInput, importFile } from '../window-steps.ts';

const book = bookOfTests();
test.beforeEach(async ({ page }) => {
  await bookIn(page, book.served, 'USD');
  await page.goto(book.served.ui_url);
});

const LINES = Array.from({ length: 50_000 }, (_, index) => {
  return `2026-06-${String((index % 28) + 1).padStart(2, '0')},Line ${index + 1},-${index + 1}.00`;
});

const tableOf = (name: string, lines: readonly string[]): string => fileOf(name, `Date,Description,Amount\n${lines.join('\n')}\n`);

test('fifty thousand skipped rows are paged through, and single rows are imported nevertheless', async ({ page }) => {
  test.setTimeout(180_000);
  await importFile(page, byFileInput, tableOf('one.csv', LINES), 'Bank');
  await page.getByTestId('import-again').click();
  await byFileInput(page, tableOf('two.csv', [...LINES, '2026-06-30,New line,-3.50', 'tomorrow,Not a day,-4.00']));
  await expect(page.getByTestId('import-preview')).toBeVisible({ timeout: 60_000 });
  await page.getByTestId('stream-mode').getByText('Existing account').click();
  await expect(page.getByTestId('import-confirm')).toHaveText('Import 1 record', { timeout: 30_000 });

  // In the preview, to the last page by keyboard.
  await page.getByTestId('rows-view').getByText('Skipped (50,000)').click();
  await expect(page.getByTestId('rows-shown')).toHaveText('Rows 1 to 50 of 50,000');
  await page.getByRole('button', { name: 'Last page' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('rows-shown')).toHaveText('Rows 49,951 to 50,000 of 50,000');
  await expect(page.getByTestId('file-row').last()).toContainText('Line 50000');
  await expect(page.getByTestId('file-row').last()).toContainText('In the account already since the import of one.csv');
  await page.getByRole('button', { name: 'Import anyway: row 50001' }).click();
  await expect(page.getByTestId('import-confirm')).toHaveText('Import 2 records', { timeout: 30_000 });
  await expect(page.getByTestId('rows-view')).toContainText('Skipped (49,999)');
  await page.getByTestId('accept-rejected').check();
  await page.getByTestId('import-confirm').click();
  await expect(page.getByTestId('import-result')).toContainText('2 records imported into Bank');

  // In the result: another skipped row, and the unreadable one, corrected.
  await expect(page.getByTestId('rows-shown')).toHaveText('Rows 1 to 50 of 49,999');
  await page.getByRole('button', { name: 'Page 1000' }).click();
  await page.getByRole('button', { name: 'Import anyway: row 50000' }).click();
  await page.getByTestId('rows-view').getByText('Not readable (1)').click();
  await page.getByRole('button', { name: 'Correct: row 50003' }).click();
  await page.getByTestId('correct-date').fill('2026-06-29');
  await page.getByTestId('correct-done').click();
  await page.getByTestId('import-decided').click();
  await expect(page.getByTestId('rows-view')).toContainText('Skipped (50,000)');
  await expect(page.getByTestId('import-result')).toContainText('2 records imported into Bank');
  await page.getByTestId('rows-view').getByText('Imported (2)').click();
  await expect(page.getByTestId('kept-row')).toHaveCount(2);
  await expect(page.getByTestId('kept-row').filter({ hasText: 'Line 49999' })).toHaveCount(1);
  await expect(page.getByTestId('kept-row').filter({ hasText: 'Not a day' })).toHaveCount(1);
});
