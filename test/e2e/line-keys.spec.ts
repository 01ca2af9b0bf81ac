import { expect, type Page, test } from '@playwright/test';
import { bookOfTests } from './served-book.ts';
import { gridRows } from './window-steps.ts';

const book = bookOfTests();

async function ask(path: string, body: unknown): Promise<{ id: number }> {
  const headers = { 'x-api-key': book.served.api_key, 'content-type': 'application/json' };
  const answer = await fetch(`${book.served.base_url}${path}`, { headers, method: 'POST', body: JSON.stringify(body) });
  expect(answer.ok, await answer.clone().text()).toBe(true);
  return (await answer.json()) as { id: number };
}

const CURRENCIES = ['GBP', 'EUR', 'USD', 'CHF', 'SEK'];

/** Makes a book with 30 open lines a side in five currencies, and opens its reconciliation. */
async function openLines(page: Page): Promise<void> {
  const ids: string[] = [];
  for (const key of ['ledger', 'bank']) {
    ids.push(String((await ask('/data_streams', { key, name: key })).id));
    const records = Array.from({ length: 30 }, (_, place) => ({
      data_stream_key: key,
      date: `2026-06-${String(1 + place).padStart(2, '0')}`,
      currency: CURRENCIES[place % 5],
      amount: place === 7 ? 123_456_789_012 : 10_000 + place,
      description: `${key} ${place + 1}, Yarrowgate Veterinary Practice and Farm Supplies Limited`,
    }));
    for (const record of records) await ask('/records', record);
  }
  const [sideA, sideB] = ids;
  const sides = { side_a_stream_ids: [sideA], side_b_stream_ids: [sideB], sign_convention: 'same', run_type: 'batch' };
  await ask('/reconciliations', { name: 'June', ...sides });
  await page.goto(book.served.ui_url);
  await page.getByTestId('reconciliation-open').first().click();
  await expect(gridRows(page, 'grid-a').first()).toBeVisible();
  await expect(gridRows(page, 'grid-b').first()).toBeVisible();
}

const focused = (page: Page) =>
  page.evaluate(() => {
    const grid = document.activeElement?.closest('[data-testid^="grid-"]')?.getAttribute('data-testid') ?? null;
    return { grid, row: document.activeElement?.closest('.ag-row')?.getAttribute('row-index') ?? null };
  });

test('the summary of five currencies folds to one line, stays folded, and leaves room for 18 rows a side', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await openLines(page);
  await page.keyboard.press('s');
  await expect(page.getByTestId('summary-line')).toBeVisible();
  await page.reload();
  await expect(page.getByTestId('summary-line')).toContainText('SEK');
  expect((await page.getByTestId('summary-line').boundingBox())?.height).toBeLessThanOrEqual(28);
  await expect(gridRows(page, 'grid-b').first()).toBeVisible();
  for (const side of ['grid-a', 'grid-b']) {
    const height = (await page.getByTestId(side).boundingBox())?.height ?? 0;
    // The header of the grid is 26 px high.
    expect(Math.floor((height - 26) / 28), side).toBeGreaterThanOrEqual(18);
  }
});

test('no amount is cut in a window 1024 wide, and the description gives way', async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await openLines(page);
  const long = page.getByTestId('grid-a').locator('.amount-cell', { hasText: '1,234,567,890.12' });
  await expect(long).toBeVisible();
  expect(await long.evaluate((cell) => cell.scrollWidth <= cell.clientWidth)).toBe(true);
});

test('one Tab enters a grid and one leaves it, and the keys go across the sides', async ({ page }) => {
  await openLines(page);
  await page.getByTestId('views-a').focus();
  await page.keyboard.press('Tab');
  expect((await focused(page)).grid).toBe('grid-a');
  for (const next of ['handle-sides', 'columns-grid-b', 'export-b', 'search-b', 'filters-b', 'views-b']) {
    await page.keyboard.press('Tab');
    await expect(page.getByTestId(next)).toBeFocused();
  }
  await page.keyboard.press('Tab');
  expect((await focused(page)).grid).toBe('grid-b');
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByTestId('views-b')).toBeFocused();
  await page.getByTestId('search-b').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowLeft');
  expect((await focused(page)).grid).toBe('grid-a');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  expect(await focused(page)).toEqual({ grid: 'grid-a', row: '2' });
  await page.keyboard.press('F6');
  expect((await focused(page)).grid).toBe('grid-b');
  await page.keyboard.press('/');
  await expect(page.getByTestId('search-b')).toBeFocused();
});

test('lines are matched by keys alone, and the focus stays among the lines', async ({ page }) => {
  await openLines(page);
  await page.keyboard.press('F6');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Space');
  await page.keyboard.press('m');
  await expect(page.getByTestId('tab-matched')).toContainText('1');
  await expect.poll(async () => (await focused(page)).grid).toBe('grid-b');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+F10');
  await expect(page.getByTestId('line-menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await focused(page)).grid).toBe('grid-b');
});

test('selected lines are copied as cells of a spreadsheet', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openLines(page);
  await page.keyboard.press('F6');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Control+c');
  const rows = (await page.evaluate(() => navigator.clipboard.readText())).split('\n').map((row) => row.split('\t'));
  expect(rows.map((cells) => [cells[0], cells[4], cells[5]])).toEqual([
    ['2026-06-01', 'GBP', '100.00'],
    ['2026-06-02', 'EUR', '100.01'],
  ]);
  await page.getByTestId('rail-records').click();
  await gridRows(page, 'grid-records').first().click();
  await page.keyboard.press('Control+c');
  const [copied = ''] = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
  expect(copied.split('\t').toSpliced(1, 3)).toEqual(['2026-06-30', 'SEK', '100.29']);
});

test('columns are chosen by mouse and by keyboard, keep their widths, and outlast a reload', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await openLines(page);
  const head = (name: string) => page.getByTestId('grid-a').getByRole('columnheader', { name });
  await page.getByTestId('columns-grid-a').click();
  await page.getByRole('menuitemcheckbox', { name: 'Date', exact: true }).click();
  await expect(head('Date')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('columns-grid-a')).toBeFocused();
  await expect(page.getByTestId('grid-b').getByRole('columnheader', { name: 'Date' })).toBeVisible();
  const edge = head('Amount').locator('.ag-header-cell-resize');
  const before = (await head('Amount').boundingBox())?.width ?? 0;
  await edge.hover();
  await page.mouse.down();
  const at = (await edge.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(at.x + 50, at.y + 5, { steps: 5 });
  await page.mouse.up();
  const widened = (await head('Amount').boundingBox())?.width ?? 0;
  expect(widened).toBeGreaterThan(before + 20);
  await page.reload();
  await expect(gridRows(page, 'grid-a').first()).toBeVisible();
  await expect(head('Date')).toHaveCount(0);
  expect((await head('Amount').boundingBox())?.width).toBe(widened);
  await page.getByTestId('columns-grid-a').focus();
  await page.keyboard.press('Enter');
  // A key that comes before the menu has the focus is lost.
  await expect(async () => {
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('menuitem', { name: 'As at first' })).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.press('Enter');
  await expect(head('Date')).toBeVisible();
  expect((await head('Amount').boundingBox())?.width).toBe(before);
});
