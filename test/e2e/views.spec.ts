import { expect, test } from '@playwright/test';
import { bookOfTests, sampleBook, serveBook } from './served-book.ts';
import { goToBook, gridRows } from './window-steps.ts';

const book = bookOfTests(async () => serveBook(await sampleBook()));

test('a filter is kept under a name, chosen, renamed and deleted, by keyboard alone on one side and by mouse on the records', async ({
  page,
}) => {
  await page.goto(book.served.ui_url);
  await goToBook(page);
  await page.getByTestId('reconciliation-open').first().click();
  const search = page.getByTestId('search-a');
  const views = page.getByTestId('views-a');
  await gridRows(page, 'grid-a').first().click();
  await page.keyboard.press('/');
  await page.keyboard.type('>100');
  await expect(page.getByTestId('filter-chip')).toHaveText('Above 100');
  await page.keyboard.press('Enter');
  await page.keyboard.press('v');
  await expect(page.getByTestId('keep-view')).toBeVisible();
  await page.getByTestId('keep-view').press('Enter');
  await page.keyboard.type('Over a hundred');
  await page.keyboard.press('Enter');
  await expect(views).toHaveText('Over a hundred');

  // A ready-made view takes its place, and the focus goes to what it finds.
  await gridRows(page, 'grid-a').first().focus();
  await page.keyboard.press('v');
  await page.getByRole('menuitem', { name: 'In no proposal' }).press('Enter');
  await expect(search).toHaveValue('is:unproposed');
  await expect(page.getByTestId('grid-a').locator(':focus')).toHaveCount(1);
  await page.keyboard.press('v');
  await page.getByRole('menuitem', { name: 'Over a hundred' }).press('Enter');
  await expect(search).toHaveValue('>100');

  // It outlives the window, and a name is taken.
  await page.reload();
  await expect(search).toHaveValue('');
  await page.getByTestId('views-b').click();
  await page.getByRole('menuitem', { name: 'Over a hundred' }).click();
  await expect(page.getByTestId('search-b')).toHaveValue('>100');
  await expect(views).toHaveText('Views');
  await page.getByTestId('search-b').fill('>5');
  await page.getByTestId('views-b').click();
  await page.getByTestId('keep-view').click();
  await page.getByTestId('view-name').fill('over a hundred');
  await page.getByTestId('view-save').click();
  await expect(page.getByText('There is a view “over a hundred” of this list already.')).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByTestId('views-b').click();
  await page.getByTestId('edit-views').click();
  await page.getByTestId('view-rename').fill('Large');
  await page.getByTestId('view-rename').press('Enter');
  await page.getByTestId('view-delete').click();
  await expect(page.getByText('No view of this list is kept any more.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByTestId('undo-button').click();
  await page.getByTestId('views-b').click();
  await expect(page.getByRole('menuitem', { name: 'Large' })).toBeVisible();
  await page.keyboard.press('Escape');

  await page.getByTestId('rail-records').click();
  await page.getByTestId('records-state').click();
  await page.getByRole('option', { name: 'Open' }).click();
  await page.getByTestId('filters-records').click();
  await page.getByRole('menuitem', { name: 'Money out' }).click();
  await expect(page.getByTestId('filter-chip')).toHaveText('Money out');
  await page.getByTestId('views-records').click();
  await page.getByTestId('keep-view').click();
  await page.getByTestId('view-name').fill('Owed');
  await page.getByTestId('view-save').click();
  await page.getByTestId('clear-filters').click();
  await page.getByTestId('views-records').click();
  await page.getByRole('menuitem', { name: 'Owed' }).click();
  await expect(page.getByTestId('search-records')).toHaveValue('<=-0.01');
  await expect(page.getByTestId('records-state')).toHaveValue('Open');
  await page.getByTestId('filter-chip').click();
  await expect(page.getByTestId('search-records')).toHaveValue('');
});
