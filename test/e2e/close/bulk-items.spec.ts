import fs from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { bookOfTests, copyOfBook, reconcileNorthgate, serveBook } from '../served-book.ts';
import { openClose } from './june-book.ts';

const COUNT = 240;

/** Makes a book whose ledger has 240 payments of June that the bank does not show. */
async function makeBook(folder: string): Promise<void> {
  const files = path.join(path.dirname(folder), 'files');
  fs.mkdirSync(files);
  const [bank, books] = [path.join(files, 'bank.csv'), path.join(files, 'books.csv')];
  fs.writeFileSync(bank, 'Date,Details,Paid Out,Paid In\n01/06/2026,RCT-0601,,100.00\n30/06/2026,INT-JUN,,12.15\n');
  const day = (at: number): string => String((at % 30) + 1).padStart(2, '0');
  const rows = Array.from({ length: COUNT }, (_, at) => `${day(at)}/06/2026,CHQ-${1000 + at},Supplier ${at},,${50 + at}.00`);
  fs.writeFileSync(books, ['Date,Voucher,Particulars,Receipts,Payments', '01/06/2026,RCT-0601,Takings,100.00,', ...rows, ''].join('\n'));
  await reconcileNorthgate(folder, { bank, books });
}

const rows = (page: Page) => page.getByTestId('open-item');

const book = bookOfTests(async () => serveBook(await copyOfBook('many-open', makeBook)));
test.beforeEach(async ({ page }) => {
  await page.goto(book.served.ui_url);
  await openClose(page);
  await expect(page.getByTestId('create-period').or(page.getByTestId('period-menu'))).toBeVisible();
  if (await page.getByTestId('create-period').isVisible()) await page.getByTestId('create-period').click();
  await expect(page.getByTestId('period-menu')).toHaveText('June 2026');
  await expect(rows(page).first()).toBeVisible();
});

const explained = (page: Page) => page.getByTestId('step-explained');

test('open items get a status and a comment together by mouse, and one undo takes it back', async ({ page }) => {
  await page.getByTestId('filter-text').fill('CHQ');
  await expect(page.getByTestId('filter-count')).toHaveText('240 items shown');
  await page.getByTestId('select-all').click();
  await expect(page.getByTestId('bulk-count')).toHaveText('240 items selected');
  await page.getByTestId('bulk-status').selectOption('outstanding');
  await page.getByTestId('bulk-owner').fill('Amira Patel');
  await page.getByTestId('bulk-comment').fill('Posted on the last run');
  await page.getByTestId('bulk-write').click();
  await expect(page.getByTestId('bulk-bar')).toHaveCount(0);
  await expect(rows(page).first()).toContainText('Posted on the last run');
  await page.getByTestId('filter-clear').click();
  await expect(explained(page)).toContainText('240 of 241 explained');

  await page.keyboard.press('Control+z');
  await expect(explained(page)).toContainText('0 of 241 explained');
  await expect(rows(page).filter({ hasText: 'Posted on the last run' })).toHaveCount(0);
});

test('open items are selected and written on by keyboard alone, and a status explains them where the book says so', async ({ page }) => {
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByTestId('bulk-count')).toHaveText('3 items selected');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('bulk-bar')).toHaveCount(0);

  await page.keyboard.press('Control+a');
  await expect(page.getByTestId('bulk-count')).toHaveText('243 items selected');
  await page.keyboard.press('t');
  await expect(page.getByTestId('bulk-status')).toBeFocused();
  await page.keyboard.type('Outst');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('bulk-bar')).toHaveCount(0);
  await expect(page.getByTestId('item-status').first()).toHaveText('Outstanding');
  await expect(page.locator('[data-item]:focus')).toHaveCount(1);
  await expect(explained(page)).toContainText('0 of 241 explained');

  await page.getByTestId('status-explains').focus();
  await page.keyboard.press('Space');
  await expect(explained(page)).toContainText('241 of 241 explained');
  await page.keyboard.press('Control+z');
  await expect(explained(page)).toContainText('0 of 241 explained');
  await page.keyboard.press('Control+z');
  await expect(page.getByTestId('item-status').filter({ hasText: 'Outstanding' })).toHaveCount(0);
});

/** Texts of a row that are cut without a tooltip, or reach into the distance to the next column, where both would read as one. */
const touching = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-testid="open-item"] td')].flatMap((cell) => {
      const edge = cell.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(cell).paddingRight);
      const faults: string[] = [];
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        const holder = text.parentElement;
        if (holder === null || !holder.checkVisibility({ visibilityProperty: true }) || holder.clientWidth === 1) continue;
        // A text that does not fit ends with dots and has a tooltip.
        if (holder.closest('td [title], td[title]') !== null) continue;
        const range = document.createRange();
        range.selectNode(text);
        const over = range.getBoundingClientRect().right - edge;
        if (over > 0.5) faults.push(`${text.textContent} by ${Math.round(over)} px at ${innerWidth}`);
      }
      return faults;
    }),
  );

test('no text of an open item is cut or touches the next column', async ({ page }) => {
  for (const width of [640, 1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => touching(page)).toEqual([]);
  }
});

test('rows are selected by Ctrl and Shift with the mouse', async ({ page }) => {
  await rows(page)
    .nth(1)
    .click({ modifiers: ['Control'], position: { x: 160, y: 8 } });
  await rows(page)
    .nth(4)
    .click({ modifiers: ['Shift'], position: { x: 160, y: 8 } });
  await expect(page.getByTestId('bulk-count')).toHaveText('4 items selected');
  await rows(page).nth(2).getByTestId('select-item').click();
  await expect(page.getByTestId('bulk-count')).toHaveText('3 items selected');
  await page.getByTestId('bulk-clear').click();
  await expect(page.getByTestId('bulk-bar')).toHaveCount(0);
});
