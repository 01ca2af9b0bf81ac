import { expect, type Page, test } from '@playwright/test';
import { bookOfTests, serveBook } from '../served-book.ts';
import { tabTo } from '../window-steps.ts';
import { enterClosing, itemRow, juneBook, LEFT, openClose } from './june-book.ts';

const book = bookOfTests(async () => serveBook(await juneBook()));
test.beforeEach(async ({ page }) => {
  await page.goto(book.served.ui_url);
});

const step = (page: Page, name: string) => page.getByTestId(`step-${name}`);

/** Expects all figures of the month, once the opening balance of the books is entered. */
async function expectAgreed(page: Page): Promise<void> {
  await expect(page.getByTestId('agree-band')).toContainText('The figures agree');
  await expect(page.getByTestId('adjusted-bank')).toHaveText('12,791.45');
  await expect(page.getByTestId('adjusted-books')).toHaveText('12,791.45');
  await expect(page.getByTestId('unexplained')).toHaveText('0.00');
}

test('a month is closed by mouse, beginning with two files, and reopened with a reason', async ({ page }) => {
  await openClose(page);
  await expect(page.getByTestId('first-period')).toContainText('A period is');
  await expect(page.getByTestId('bank-side').getByRole('radio', { checked: true })).toHaveValue('b');
  await page.getByTestId('create-period').click();
  await expect(page.getByTestId('period-menu')).toHaveText('June 2026');
  await expect(page.getByTestId('period-state')).toHaveText('Open');
  await expect(page).toHaveURL(/#\/reconciliations\/1\/close\?period=1$/);

  // The frame of the window stays where it is: only the panes scroll.
  const root = page.locator('html');
  expect(
    await root.evaluate((element) => [element.scrollHeight - element.clientHeight, element.scrollWidth - element.clientWidth]),
  ).toEqual([0, 0]);
  // Without a balance of the books nothing agrees, and the step leads to its field.
  await expect(page.getByTestId('agree-band')).toContainText('Not known whether the figures agree');
  await expect(step(page, 'balances')).toContainText('The opening balance of the books is not stated');
  await page.getByTestId('way-balances').click();
  await page.getByTestId('enter-books-opening').fill('12,500.00');
  await page.getByTestId('balance-keep').click();
  await enterClosing(page);
  await expectAgreed(page);
  await expect(step(page, 'balances')).toHaveAttribute('data-state', 'done');
  await expect(page.getByTestId('statement-books')).toContainText('entered');
  await expect(page.getByTestId('statement-bank')).toContainText('stated by file');

  // A figure opens its lines.
  await page.getByTestId('group-deposits_in_transit').getByTestId('figure').first().click();
  await expect(page.getByTestId('figure-lines')).toContainText('RCT-0629 Card takings 29 Jun');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('figure-lines')).toHaveCount(0);

  for (const reference of LEFT) {
    await itemRow(page, reference).getByTestId('item-comment').click();
    await page.getByTestId('item-comment-input').fill(`Seen: ${reference}`);
    await page.keyboard.press('Enter');
    await expect(itemRow(page, reference)).toContainText(`Seen: ${reference}`);
  }
  await expect(step(page, 'explained')).toHaveAttribute('data-state', 'done');
  await itemRow(page, 'RCT-0629').getByTestId('item-status').click();
  await page.getByTestId('status-in_transit').click();
  await expect(itemRow(page, 'RCT-0629')).toContainText('In transit');

  await page.getByTestId('prepare-name').fill('Amira Patel');
  await page.getByTestId('sign-prepare').click();
  await expect(page.getByTestId('period-state')).toHaveText('Prepared');
  await page.getByTestId('review-name').fill('amira  patel');
  await page.getByTestId('sign-review').click();
  await expect(page.getByTestId('refused-review')).toContainText('another person has to review it');
  await page.getByTestId('review-name').fill('Tom Whitfield');
  await page.getByTestId('sign-review').click();
  await expect(page.getByTestId('period-state')).toHaveText('Reviewed');
  await page.getByTestId('close-name').fill('Tom Whitfield');
  await page.getByTestId('sign-close').click();
  await expect(page.getByTestId('period-state')).toHaveText('Reconciled');

  await page.reload();
  await expect(page.getByTestId('period-state')).toHaveText('Reconciled');
  await page.getByTestId('sign-history').locator('summary').click();
  await expect(page.getByTestId('sign-off-row')).toHaveCount(3);
  await expect(page.getByTestId('sign-off-row').first()).toContainText('12,791.45');

  await page.getByTestId('reopen').click();
  await expect(page.getByTestId('sign-reopen')).toBeDisabled();
  await page.getByTestId('reopen-name').fill('Amira Patel');
  await page.getByTestId('reopen-reason').fill('The bank sent a corrected statement');
  await page.getByTestId('sign-reopen').click();
  await expect(page.getByTestId('period-state')).toHaveText('Open');
});

test('a month is closed by keyboard alone', async ({ page }) => {
  await page.getByTestId('reconciliation-open').first().focus();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('reconciliation-screen')).toBeVisible();
  await page.keyboard.press('7');
  await expect(page.getByTestId('first-period')).toBeVisible();
  await tabTo(page, 'create-period');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('period-menu')).toHaveText('June 2026');

  await expect(page.getByTestId('way-balances')).toBeVisible();
  await page.keyboard.press('w');
  await expect(page.getByTestId('enter-books-opening')).toBeFocused();
  await page.keyboard.type('12500');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('balance-books-opening')).toBeFocused();
  await enterClosing(page);
  await expectAgreed(page);

  await tabTo(page, 'unexplained');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('figure-lines')).toContainText('Each line up to the last day is matched');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('unexplained')).toBeFocused();

  await tabTo(page, 'way-explained', true);
  await page.keyboard.press('Enter');
  await expect(itemRow(page, 'CHG-Q2')).toBeFocused();
  for (const [place, reference] of LEFT.entries()) {
    await page.keyboard.press('n');
    await expect(page.getByTestId('item-comment-input')).toBeFocused();
    await page.keyboard.type('Seen');
    await page.keyboard.press('Enter');
    await expect(itemRow(page, reference)).toBeFocused();
    await expect(itemRow(page, reference)).toContainText('Seen');
    await page.keyboard.press(place % 2 === 0 ? 'ArrowDown' : 'j');
  }
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('item-details')).toContainText('Its words');
  await page.keyboard.press('t');
  await expect(page.getByTestId('status-open')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(itemRow(page, 'INT-JUN').getByTestId('item-status')).not.toHaveText('Open');
  await expect(itemRow(page, 'INT-JUN')).toBeFocused();
  await expect(step(page, 'explained')).toHaveAttribute('data-state', 'done');

  for (const [name, by] of [
    ['prepare', 'Amira Patel'],
    ['review', 'Tom Whitfield'],
    ['close', 'Tom Whitfield'],
  ] as const) {
    await page.keyboard.press('w');
    await expect(page.getByTestId(`${name}-name`)).toBeFocused();
    await page.keyboard.type(by);
    await page.keyboard.press('Enter');
    await expect(page.getByTestId(`sign-${name}`)).toHaveCount(0);
  }
  await expect(page.getByTestId('period-state')).toHaveText('Reconciled');
});
