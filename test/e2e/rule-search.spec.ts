import { expect, test } from '@playwright/test';
import { bookOfTests, sampleBook, serveBook } from './served-book.ts';

const book = bookOfTests(async () => serveBook(await sampleBook()));

test('the rules show the state of the search, its results and its steps, also after a reload', async ({ page }) => {
  await page.goto(book.served.ui_url);
  await page.getByTestId('reconciliation-open').first().click();
  await page.getByTestId('tab-rules').click();
  await expect(page.getByTestId('rule-card').first()).toBeVisible();
  await expect(page.getByTestId('agent-status')).toHaveCount(0);
  await page.getByTestId('propose-rules').click();
  const status = page.getByTestId('agent-status');
  await expect(status).toHaveAttribute('data-status', 'idle');
  await expect(status).toContainText('Last search for rules');
  await status.locator('summary').click();
  await expect(page.getByTestId('agent-reasoning')).toContainText(/^Looked at \d+ records of side A and \d+ records of side B/);
  await expect(page.getByTestId('agent-steps').getByRole('listitem').first()).toContainText('A search for rules was asked for.');
  await page.reload();
  await page.getByTestId('tab-rules').click();
  await expect(page.getByTestId('agent-status')).toContainText('Last search for rules');
});
