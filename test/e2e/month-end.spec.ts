import path from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { assert } from '../../src-shared/values/assert.ts';
import { closingOf, monthOf, OPENING, writeMonth } from '../support/inputs/month.ts';
import { bookOfTests, copyOfBook, reconcileNorthgate, serveBook } from './served-book.ts';
import { countsOf, gridRows, tabTo } from './window-steps.ts';

// Alone each takes less than three minutes; beside others on a loaded machine more.
test.setTimeout(360_000);

async function makeBook(folder: string): Promise<void> {
  await reconcileNorthgate(folder, writeMonth(path.join(path.dirname(folder), 'files')));
}

const book = bookOfTests(async () => {
  const served = await serveBook(await copyOfBook('month', makeBook));
  // Lines of one amount a few days apart are proposed as well, and belong to others.
  const days = { key: 'date', value: 'date', tolerance_amount: 5, tolerance_unit: 'day' };
  const answer = await fetch(`${served.served.base_url}/reconciliation_rules`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': served.served.api_key },
    body: JSON.stringify({
      reconciliation_id: '1',
      outcome: 'propose',
      description: 'Same amount, days apart',
      filters: { rules: [{ key: 'amount', value: 'amount' }, days] },
    }),
  });
  assert(answer.ok, await answer.text());
  return served;
});

/** Matches and proposals of the month, step by step. */
const MATCHED = 2_070;
const CHARGED = 120;
const ALIKE = 49;
const OPEN_ITEMS = 618;

test.beforeEach(async ({ page }) => {
  await page.addInitScript(() => {
    const pressed = { keys: 0, clicks: 0 };
    Object.assign(globalThis, { pressed });
    addEventListener('keydown', () => (pressed.keys += 1), { capture: true });
    addEventListener('mousedown', () => (pressed.clicks += 1), { capture: true });
  });
  await page.goto(book.served.ui_url);
});

/** Notes how many keys and clicks the month took, and how long. */
async function note(page: Page, begunMs: number): Promise<void> {
  const { keys, clicks } = await page.evaluate(() => (globalThis as unknown as { pressed: { keys: number; clicks: number } }).pressed);
  const seconds = Math.round((performance.now() - begunMs) / 1_000);
  test.info().annotations.push({ type: 'measured', description: `${keys} keys, ${clicks} clicks, ${seconds} s` });
}

const counts = (page: Page) => expect.poll(() => countsOf(page, 1), { timeout: 60_000 });
const step = (page: Page, name: string): Locator => page.getByTestId(`step-${name}`);
const dialogButton = (page: Page): Locator => page.getByTestId('decide-together-button');

const month = monthOf();
const decimal = (minor: number): string => (minor / 100).toFixed(2);
const BOOKS_CLOSING = decimal(closingOf(month.books));

/** The kinds of open items, as a person would filter for them, and what is written on all of a kind. */
const ITEMS = [
  { find: 'CHQ', count: 300, status: 'outstanding', typed: 'Outst', comment: 'Cheques of the last ten days' },
  { find: 'DEP', count: 100, status: 'in_transit', typed: 'In tr', comment: 'Banked on the first of July' },
  { find: 'FEE', count: 120, status: 'to_be_booked', typed: 'To be', comment: 'Fees to be posted in July' },
  { find: 'PAY-', count: ALIKE, status: 'outstanding', typed: 'Outst', comment: 'Paid on account, not seen by the bank' },
  { find: 'TRF-', count: ALIKE, status: 'disputed', typed: 'Disp', comment: 'Transfers of another account' },
] as const;

test('a month of 5,000 lines is signed by mouse alone', async ({ page }) => {
  const begunMs = performance.now();
  await page.getByTestId('reconciliation-open').first().click();
  await page.getByTestId('run-button').click();
  await counts(page).toMatchObject({ matches: MATCHED, proposed: CHARGED + ALIKE });

  // All with a small difference are confirmed at once, as a bank charge.
  await page.getByTestId('tab-proposed').click();
  await page.getByTestId('filters-proposed').click();
  await page.getByRole('menuitem', { name: 'With a difference' }).click();
  await expect(page.getByTestId('found-proposed')).toContainText('120 found');
  await page.getByTestId('confirm-together').click();
  await page.getByTestId('adjust-differing').click();
  await expect(dialogButton(page)).toHaveText('Confirm 120');
  await dialogButton(page).click();
  await counts(page).toMatchObject({ matches: MATCHED + CHARGED, proposed: ALIKE });

  // What only looks alike is rejected at once.
  await page.getByTestId('filter-chip').click();
  await expect(page.getByTestId('found-proposed')).toHaveText('49 matches');
  await page.getByTestId('reject-together').click();
  await expect(dialogButton(page)).toHaveText('Reject 49');
  await dialogButton(page).click();
  await counts(page).toMatchObject({ matches: MATCHED + CHARGED, proposed: 0 });

  // A payment with two digits exchanged is matched with an adjustment.
  await page.getByTestId('tab-open').click();
  await page.getByTestId('search-a').fill('99001');
  await page.getByTestId('search-b').fill('99001');
  await expect(gridRows(page, 'grid-a')).toHaveCount(1);
  await expect(gridRows(page, 'grid-b')).toHaveCount(1);
  await gridRows(page, 'grid-a').first().click();
  await gridRows(page, 'grid-b').first().click();
  await page.getByTestId('match-button').click();
  await page.getByRole('radio', { name: 'Book error' }).click();
  await page.getByTestId('difference-note').fill('Two digits exchanged in the cash book');
  await page.getByTestId('difference-confirm').click();
  await counts(page).toMatchObject({ matches: MATCHED + CHARGED + 1, proposed: 0 });

  // Three steps back and three forward.
  const states = [
    { matches: MATCHED + CHARGED, proposed: 0 },
    { matches: MATCHED + CHARGED, proposed: ALIKE },
    { matches: MATCHED, proposed: CHARGED + ALIKE },
  ];
  for (const state of states) {
    await page.getByTestId('undo-button').click();
    await counts(page).toMatchObject(state);
  }
  for (const state of [...states.slice(0, 2).toReversed(), { matches: MATCHED + CHARGED + 1, proposed: 0 }]) {
    await page.getByTestId('redo-button').click();
    await counts(page).toMatchObject(state);
  }

  await page.getByTestId('tab-close').click();
  await page.getByTestId('create-period').click();
  await expect(page.getByTestId('period-menu')).toHaveText('June 2026');
  await page.getByTestId('way-balances').click();
  await page.getByTestId('enter-books-opening').fill(decimal(OPENING));
  await page.getByTestId('balance-keep').click();
  await expect(page.getByTestId('way-balances')).toHaveText('Enter the closing balance');
  await page.getByTestId('way-balances').click();
  await page.getByTestId('enter-books-stated_closing').fill(BOOKS_CLOSING);
  await page.getByTestId('balance-keep').click();
  await expect(step(page, 'balances')).toHaveAttribute('data-state', 'done');

  await expect(step(page, 'explained')).toContainText(`0 of ${OPEN_ITEMS} explained`);
  for (const { find, count, status, comment } of ITEMS) {
    await page.getByTestId('filter-text').fill(find);
    await expect(page.getByTestId('filter-count')).toHaveText(`${count} items shown`);
    await page.getByTestId('select-all').click();
    await expect(page.getByTestId('bulk-count')).toHaveText(`${count} items selected`);
    await page.getByTestId('bulk-status').selectOption(status);
    await page.getByTestId('bulk-comment').fill(comment);
    await page.getByTestId('bulk-write').click();
    await expect(page.getByTestId('bulk-bar')).toHaveCount(0);
  }
  await expect(step(page, 'explained')).toHaveAttribute('data-state', 'done');
  await expect(page.getByTestId('agree-band')).toContainText('The figures agree');

  for (const [name, by] of SIGNATURES) {
    await page.getByTestId(`${name}-name`).fill(by);
    await page.getByTestId(`sign-${name}`).click();
    await expect(page.getByTestId(`sign-${name}`)).toHaveCount(0);
  }
  await expect(page.getByTestId('period-state')).toHaveText('Reconciled');
  await note(page, begunMs);
});

const SIGNATURES = [
  ['prepare', 'Amira Patel'],
  ['review', 'Tom Whitfield'],
  ['close', 'Tom Whitfield'],
] as const;

test('a month of 5,000 lines is signed by keyboard alone', async ({ page }) => {
  const begunMs = performance.now();
  const { keyboard } = page;
  await expect(page.getByTestId('reconciliation-open').first()).toBeVisible();
  await keyboard.press('j');
  await keyboard.press('Enter');
  await expect(page.getByTestId('reconciliation-screen')).toBeVisible();
  await keyboard.press('ControlOrMeta+Enter');
  await counts(page).toMatchObject({ matches: MATCHED, proposed: CHARGED + ALIKE });

  await keyboard.press('2');
  await keyboard.press('/');
  await keyboard.type('difference:>0');
  await keyboard.press('Enter');
  await expect(page.getByTestId('found-proposed')).toContainText('120 found');
  await keyboard.press('ControlOrMeta+a');
  await keyboard.press('c');
  await expect(page.getByTestId('leave-differing').getByRole('radio')).toBeFocused();
  await keyboard.press('ArrowDown');
  await expect(dialogButton(page)).toHaveText('Confirm 120');
  await keyboard.press('Enter');
  await counts(page).toMatchObject({ matches: MATCHED + CHARGED, proposed: ALIKE });

  await keyboard.press('/');
  await keyboard.press('Escape');
  await keyboard.press('Escape');
  await expect(page.getByTestId('found-proposed')).toHaveText('49 matches');
  await keyboard.press('ControlOrMeta+a');
  await keyboard.press('x');
  await expect(dialogButton(page)).toHaveText('Reject 49');
  await expect(dialogButton(page)).toBeFocused();
  await keyboard.press('Enter');
  await counts(page).toMatchObject({ matches: MATCHED + CHARGED, proposed: 0 });

  await keyboard.press('1');
  for (const side of ['a', 'b'] as const) {
    if (side === 'b') await keyboard.press('F6');
    await keyboard.press('/');
    await keyboard.type('99001');
    await keyboard.press('Enter');
    await expect(gridRows(page, `grid-${side}`)).toHaveCount(1);
    await keyboard.press('Space');
    await expect(page.getByTestId(`grid-${side}`).locator('.ag-row-selected')).toHaveCount(1);
  }
  await keyboard.press('m');
  await expect(page.getByRole('radio', { name: /Record an adjustment/ })).toBeFocused();
  await keyboard.press('Tab');
  await keyboard.press('Space');
  await expect(page.getByRole('radio', { name: 'Book error' })).toBeChecked();
  await keyboard.press('Tab');
  await keyboard.type('Two digits exchanged in the cash book');
  await keyboard.press('Enter');
  await counts(page).toMatchObject({ matches: MATCHED + CHARGED + 1, proposed: 0 });

  for (let back = 0; back < 3; back += 1) await keyboard.press('ControlOrMeta+z');
  await counts(page).toMatchObject({ matches: MATCHED, proposed: CHARGED + ALIKE });
  for (let again = 0; again < 3; again += 1) await keyboard.press('ControlOrMeta+Shift+z');
  await counts(page).toMatchObject({ matches: MATCHED + CHARGED + 1, proposed: 0 });

  await keyboard.press('7');
  await expect(page.getByTestId('create-period')).toBeVisible();
  await tabTo(page, 'create-period');
  await keyboard.press('Enter');
  await expect(page.getByTestId('period-menu')).toHaveText('June 2026');
  await expect(page.getByTestId('way-balances')).toBeVisible();
  await keyboard.press('w');
  await expect(page.getByTestId('enter-books-opening')).toBeFocused();
  await keyboard.type(decimal(OPENING));
  await keyboard.press('Enter');
  await expect(page.getByTestId('way-balances')).toHaveText('Enter the closing balance');
  await keyboard.press('w');
  await expect(page.getByTestId('enter-books-stated_closing')).toBeFocused();
  await keyboard.type(BOOKS_CLOSING);
  await keyboard.press('Enter');
  await expect(step(page, 'balances')).toHaveAttribute('data-state', 'done');

  for (const { find, count, typed, comment } of ITEMS) {
    await keyboard.press('/');
    await expect(page.getByTestId('filter-text')).toBeFocused();
    await keyboard.press('ControlOrMeta+a');
    await keyboard.type(find);
    await expect(page.getByTestId('filter-count')).toHaveText(`${count} items shown`);
    await keyboard.press('Enter');
    await keyboard.press('ControlOrMeta+a');
    await expect(page.getByTestId('bulk-count')).toHaveText(`${count} items selected`);
    await keyboard.press('t');
    await expect(page.getByTestId('bulk-status')).toBeFocused();
    await keyboard.type(typed);
    await tabTo(page, 'bulk-comment');
    await keyboard.type(comment);
    await keyboard.press('Enter');
    await expect(page.getByTestId('bulk-bar')).toHaveCount(0);
  }
  await expect(step(page, 'explained')).toHaveAttribute('data-state', 'done');
  await expect(page.getByTestId('agree-band')).toContainText('The figures agree');

  for (const [name, by] of SIGNATURES) {
    await keyboard.press('w');
    await expect(page.getByTestId(`${name}-name`)).toBeFocused();
    await keyboard.type(by);
    await keyboard.press('Enter');
    await expect(page.getByTestId(`sign-${name}`)).toHaveCount(0);
  }
  await expect(page.getByTestId('period-state')).toHaveText('Reconciled');
  await note(page, begunMs);
});
