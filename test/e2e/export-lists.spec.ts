import fs from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { bookOfTests, sampleBook, serveBook } from './served-book.ts';
import { gridRows, runEnded } from './window-steps.ts';

const book = bookOfTests(async () => serveBook(await sampleBook()));

/** Saves a list by its menu; returns the name of the file and its text. */
async function saved(page: Page, testId: string, format: RegExp, isByKeys = false): Promise<{ name: string; text: string }> {
  const download = page.waitForEvent('download');
  const button = page.getByTestId(testId);
  if (isByKeys) {
    await button.focus();
    await page.keyboard.press('Enter');
    // A key that comes before the menu has the focus is lost.
    await expect(async () => {
      await page.keyboard.press('ArrowDown');
      await expect(page.getByRole('menuitem', { name: format })).toBeFocused({ timeout: 500 });
    }).toPass();
    await page.keyboard.press('Enter');
  } else {
    await button.click();
    await page.getByRole('menuitem', { name: format }).click();
  }
  const file = await download;
  return { name: file.suggestedFilename(), text: fs.readFileSync(await file.path(), 'latin1') };
}

test('each list saves what its filter finds, by mouse and by keyboard', async ({ page }) => {
  await page.goto(book.served.ui_url);
  await page.getByTestId('reconciliation-run').click();
  await runEnded(page);
  await page.getByTestId('tab-matched').click();
  await expect(gridRows(page, 'grid-matched').first()).toBeVisible();
  const matches = await saved(page, 'export-matched', /CSV/, true);
  expect(matches.name).toBe('matches-matched.csv');
  expect(matches.text.split('\r\n').length).toBeGreaterThan(400);
  await page.getByTestId('tab-open').click();
  await page.getByTestId('search-a').fill('>1000');
  await expect(gridRows(page, 'grid-a').first()).toBeVisible();
  const workbook = await saved(page, 'export-a', /XLSX/);
  expect([workbook.name, workbook.text.slice(0, 2)]).toEqual(['open-lines-a-over-1000.xlsx', 'PK']);
  await page.getByTestId('rail-records').click();
  await page.getByTestId('search-records').fill('CARD-0603');
  await expect(gridRows(page, 'grid-records').first()).toContainText('CARD-0603');
  const lines = await saved(page, 'export-records', /CSV/);
  expect(
    lines.text
      .trim()
      .split('\r\n')
      .slice(1)
      .every((row) => row.includes('CARD-0603')),
  ).toBe(true);
  await page.getByTestId('rail-history').click();
  await expect(page.getByTestId('history-entry').first()).toBeVisible();
  expect((await saved(page, 'export-history', /CSV/)).text).toContain('File imported');
});

test('exceptions are saved as the filter leaves them, and a filter of the history has a name', async ({ page }) => {
  const ask = async (place: string, data: object) => {
    const { base_url: baseUrl, api_key: key } = book.served;
    expect((await page.request.post(`${baseUrl}${place}`, { headers: { 'x-api-key': key }, data })).ok()).toBe(true);
  };
  for (const [record, stream, title] of [
    [1, 1, 'Old in the books'],
    [300, 2, 'Old at the bank'],
  ] as const) {
    await ask(`/records/${record}/mark_overdue`, { reconciliation_id: 1 });
    await ask('/reconciliation_exceptions', { reconciliation_id: 1, data_stream_id: stream, title });
  }
  await page.goto(book.served.ui_url);
  await page.getByTestId('rail-exceptions').click();
  await expect(page.getByTestId('exception-row')).toHaveCount(2);
  await page.getByTestId('filters-exceptions').click();
  await page.getByRole('menuitem', { name: /^Bank/ }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('exception-row')).toHaveCount(1);
  const { name, text } = await saved(page, 'export-exceptions', /CSV/, true);
  expect(name).toMatch(/^exceptions-account/);
  expect([text.includes('Old at the bank'), text.includes('Old in the books')]).toEqual([true, false]);

  await page.getByTestId('rail-history').click();
  await page.getByTestId('search-history').fill('exception');
  await page.getByTestId('views-history').click();
  await page.getByTestId('keep-view').click();
  await page.getByTestId('view-name').fill('Of exceptions');
  await page.getByTestId('view-save').click();
  await expect(page.getByTestId('views-history')).toHaveText('Of exceptions');
  await page.getByTestId('clear-history-filters').click();
  await page.getByTestId('views-history').focus();
  await page.keyboard.press('v');
  await page.getByRole('menuitem', { name: 'Of exceptions' }).press('Enter');
  await expect(page.getByTestId('search-history')).toHaveValue('exception');
});

test('a list is printed whole, with what is filtered, and the screen is back afterwards', async ({ page }) => {
  await page.addInitScript(() => Object.assign(globalThis, { print: () => {} }));
  await page.goto(book.served.ui_url);
  await page.getByTestId('rail-records').click();
  await page.getByTestId('search-records').fill('card');
  await expect(gridRows(page, 'grid-records').first()).toContainText(/card/i);
  await page.getByTestId('export-records').click();
  await page.getByRole('menuitem', { name: 'Print…' }).click();
  const sheet = page.getByTestId('print-sheet');
  await expect(sheet).toBeAttached();
  await expect(sheet).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(sheet).toBeVisible();
  await expect(page.getByTestId('grid-records')).toBeHidden();
  const count = await sheet.locator('tbody tr').count();
  expect(count).toBeGreaterThan(30);
  await expect(sheet.locator('p')).toHaveText(`card · ${count} rows`);
  await expect(sheet.locator('h1')).toHaveText('Records');
  if (process.env['TIEOUT_PICTURES'] !== undefined) await page.pdf({ path: `${process.env['TIEOUT_PICTURES']}/records.pdf`, format: 'A4' });
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect(sheet).toHaveCount(0);
  await expect(page.getByTestId('grid-records')).toBeVisible();
});
