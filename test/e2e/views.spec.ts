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
  await page.getByTestId('view-name').fill('Middle');
  await page.getByTestId('view-save').click();
  await expect(page.getByTestId('view-name')).toHaveCount(0);

  await page.getByTestId('views-b').click();
  await page.getByTestId('edit-views').click();
  // Another name gives the view another place in the list, and the field keeps the focus.
  const names = page.getByTestId('view-rename');
  await names.nth(0).fill('Zebra');
  await names.nth(0).press('Enter');
  await expect(names.nth(1)).toHaveValue('Zebra');
  await expect(names.nth(1)).toBeFocused();
  await page.getByTestId('view-delete').nth(1).click();
  await expect(names).toHaveCount(1);
  await names.fill('Large');
  await names.press('Enter');
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

test('panes are made wider by mouse and by keyboard, kept over a reload, and put back by a double click and by Enter', async ({ page }) => {
  await page.goto(book.served.ui_url);
  await goToBook(page);
  await page.getByTestId('reconciliation-open').first().click();
  await expect(gridRows(page, 'grid-a').first()).toBeVisible();
  const widthOf = async (testId: string): Promise<number> => Math.round((await page.getByTestId(testId).boundingBox())?.width ?? 0);
  const before = await widthOf('grid-a');
  const handle = page.getByTestId('handle-sides');
  await handle.focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => widthOf('grid-a')).toBe(before + 80);
  await page.reload();
  await expect(gridRows(page, 'grid-a').first()).toBeVisible();
  await expect.poll(() => widthOf('grid-a')).toBe(before + 80);
  await handle.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => widthOf('grid-a')).toBe(before);
  const at = (await page.getByTestId('handle-suggestions').boundingBox()) ?? { x: 0, y: 0 };
  const panel = await widthOf('line-panel');
  await page.mouse.move(at.x, at.y + 200);
  await page.mouse.down();
  await page.mouse.move(at.x - 60, at.y + 200, { steps: 6 });
  await page.mouse.up();
  await expect.poll(() => widthOf('line-panel')).toBeGreaterThan(panel + 50);
  await page.getByTestId('handle-suggestions').dblclick();
  await expect.poll(() => widthOf('line-panel')).toBe(panel);
});

test('at 200 % zoom lines are in sight, and a panel opens over them', async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 400 });
  await page.goto(book.served.ui_url);
  await page.getByTestId('reconciliation-open').first().click();
  await page.keyboard.press('s');
  const line = gridRows(page, 'grid-a').first();
  await expect(line).toBeInViewport();
  await expect(page.getByTestId('line-panel')).toHaveCount(0);
  await line.click();
  await page.keyboard.press('d');
  await expect(page.getByTestId('line-panel').getByRole('heading')).toBeInViewport();
  await page.keyboard.press('d');
  await expect(page.getByTestId('line-panel')).toHaveCount(0);
  await expect(line).toBeInViewport();
  await page.keyboard.press('g');
  await page.keyboard.press('2');
  await expect(page.getByTestId('search-proposed')).toBeInViewport();
});
