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

/** Four deposits of three receipts each, whose slip number only the ledger has, and one of which a bank fee was kept. */
async function openDeposits(page: Page): Promise<void> {
  const ids: string[] = [];
  for (const key of ['ledger', 'bank']) ids.push(String((await ask('/data_streams', { key, name: key })).id));
  for (let slip = 0; slip < 4; slip += 1) {
    const date = `2026-06-${String(10 + slip)}`;
    const amounts = [1_111 + 100 * slip, 2_340 + 10 * slip, 7_006 + slip];
    for (const [place, amount] of amounts.entries()) {
      const description = `Cheque ${slip * 3 + place + 1}`;
      await ask('/records', {
        data_stream_key: 'ledger',
        date,
        amount,
        currency: 'GBP',
        description,
        metadata: { slip: `DEP-${100 + slip}` },
      });
    }
    const total = amounts.reduce((sum, amount) => sum + amount, 0) - (slip === 3 ? 50 : 0);
    const description = slip === 3 ? 'COUNTER DEPOSIT DEP-103' : 'COUNTER DEPOSIT';
    await ask('/records', { data_stream_key: 'bank', date, amount: total, currency: 'GBP', description });
  }
  const [sideA, sideB] = ids;
  const sides = { side_a_stream_ids: [sideA], side_b_stream_ids: [sideB], sign_convention: 'same', run_type: 'batch' };
  await ask('/reconciliations', { name: 'June', ...sides });
  await page.goto(book.served.ui_url);
  await page.getByTestId('reconciliation-open').first().click();
  await expect(gridRows(page, 'grid-a').first()).toBeVisible();
  await expect(gridRows(page, 'grid-b').first()).toBeVisible();
}

const suggestions = (page: Page) => page.getByTestId('suggestion');

test('by mouse: a deposit is matched with the receipts of its slip, the next one is selected, and undo brings both back', async ({
  page,
}) => {
  await openDeposits(page);
  await expect(page.getByTestId('suggestions-none-selected')).toBeVisible();
  await gridRows(page, 'grid-b').nth(0).click();
  await expect(suggestions(page).first()).toContainText('DEP-100');
  await suggestions(page).first().getByTestId('take-suggestion').click();
  await expect(page.getByTestId('tab-matched')).toContainText('1');
  await expect(gridRows(page, 'grid-b')).toHaveCount(3);
  await expect(suggestions(page).first()).toContainText('DEP-101');
  await page.getByTestId('undo-button').click();
  await expect(gridRows(page, 'grid-b')).toHaveCount(4);
});

test('by keys: 1 takes the first suggestion of each deposit in turn, and one with a difference is asked about', async ({ page }) => {
  await openDeposits(page);
  await page.getByTestId('search-b').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Space');
  for (const slip of [100, 101, 102]) {
    await expect(suggestions(page).first()).toContainText(`DEP-${slip}`);
    await page.keyboard.press('1');
  }
  await expect(page.getByTestId('tab-matched')).toContainText('3');
  await expect(suggestions(page).first()).toContainText('DEP-103');
  await expect(suggestions(page).first()).toContainText('The amounts differ by 0.50');
  await page.keyboard.press('1');
  await expect(page.getByTestId('difference-confirm')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('tab-open')).toHaveAttribute('aria-selected', 'true');
});

test('a receipt shows its deposit with the rest of the slip; G and a digit shows a tab, a digit alone when nothing is selected', async ({
  page,
}) => {
  await openDeposits(page);
  await gridRows(page, 'grid-a').nth(1).click();
  await expect(suggestions(page).first()).toContainText('3 of side A for 1 of side B');
  await page.keyboard.press('3');
  await expect(page.getByTestId('tab-open')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('g');
  await page.keyboard.press('3');
  await expect(page.getByTestId('tab-matched')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('1');
  await expect(page.getByTestId('tab-open')).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('suggestions-none-selected')).toBeVisible();
  await page.keyboard.press('2');
  await expect(page.getByTestId('tab-proposed')).toHaveAttribute('aria-selected', 'true');
});

test('the bar names the line that closes the sum, and the key of the full stop selects it', async ({ page }) => {
  await openDeposits(page);
  await gridRows(page, 'grid-b').nth(0).click();
  await gridRows(page, 'grid-a').nth(0).click();
  await gridRows(page, 'grid-a').nth(1).click();
  await expect(page.getByTestId('closes-it')).toContainText('Cheque 3, £70.06 closes it');
  await page.keyboard.press('.');
  await expect(page.getByTestId('closes-it')).toBeHidden();
  await page.keyboard.press('m');
  await expect(page.getByTestId('tab-matched')).toContainText('1');
});

test('D hides what stands beside the lines, which stays hidden, and a failure can be tried again', async ({ page }) => {
  await openDeposits(page);
  await page.keyboard.press('d');
  await expect(page.getByTestId('line-panel')).toBeHidden();
  await page.reload();
  await expect(gridRows(page, 'grid-b').first()).toBeVisible();
  await expect(page.getByTestId('line-panel')).toBeHidden();
  const asked = /\/suggestions\?/u;
  await page.route(asked, (route) => route.abort());
  await page.getByTestId('line-panel-toggle').click();
  await gridRows(page, 'grid-b').nth(0).click();
  await expect(page.getByTestId('line-panel').getByTestId('failure-panel')).toBeVisible();
  await page.unroute(asked);
  await page.getByTestId('failure-panel').getByRole('button').click();
  await expect(suggestions(page).first()).toBeVisible();
});

test('Enter shows a line in full over the open lines: it is edited, marked overdue, and its history has both', async ({ page }) => {
  await openDeposits(page);
  await page.getByTestId('search-a').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  const panel = page.getByTestId('line-in-full');
  await expect(panel.getByTestId('record-standing')).toContainText('June');
  await panel.getByTestId('record-mark-overdue').click();
  await expect(panel.getByTestId('record-mark-overdue')).toBeHidden();
  await panel.getByTestId('record-edit').click();
  await panel.getByTestId('record-edit-amount').fill('eleven');
  await page.keyboard.press('Enter');
  await expect(panel.getByText('An amount, such as')).toBeVisible();
  await panel.getByTestId('record-edit-amount').fill('12.34');
  await page.keyboard.press('Enter');
  await expect(panel.getByTestId('record-edit')).toBeVisible();
  await panel.getByTestId('show-history').click();
  await expect(panel.getByTestId('history-entry').filter({ hasText: '12.34' })).toContainText('11.11');
  await page.keyboard.press('Escape');
  await expect(panel.getByTestId('record-standing')).toBeHidden();
  await expect(page.locator('[data-testid="grid-a"] .ag-cell-focus')).toBeFocused();
});

test('in a narrow panel its heading stays whole, and its actions stay in sight', async ({ page }) => {
  await openDeposits(page);
  await page.setViewportSize({ width: 1024, height: 700 });
  await gridRows(page, 'grid-b').nth(0).click();
  await expect(suggestions(page).first()).toContainText('DEP-100');
  const parts = await page.evaluate(() => {
    const heading = document.querySelector('#suggestions-title');
    const head = heading?.parentElement;
    if (heading === null || head === null || head === undefined) return null;
    const extra = document.createElement('span');
    head.append(extra);
    // What stands in the head takes ever more of it.
    return [0, 60, 90, 120].map((width) => {
      extra.style.width = `${width}px`;
      const words = document.createRange();
      words.selectNodeContents(heading);
      return words.getClientRects().length;
    });
  });
  expect(parts).toEqual([1, 1, 1, 1]);
  const box = await page.getByTestId('line-panel').boundingBox();
  const toggle = await page.getByTestId('line-panel').getByRole('button').first().boundingBox();
  expect((toggle?.x ?? 0) + (toggle?.width ?? 0)).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0));
});

test('the same panel opens from a match, which it names', async ({ page }) => {
  await openDeposits(page);
  await gridRows(page, 'grid-b').nth(0).click();
  await suggestions(page).first().getByTestId('take-suggestion').click();
  await expect(page.getByTestId('tab-matched')).toContainText('1');
  await page.getByTestId('tab-matched').click();
  await page.getByTestId('group-detail').getByRole('button', { name: 'COUNTER DEPOSIT' }).click();
  const panel = page.getByTestId('line-in-full');
  await expect(panel.getByTestId('record-standing')).toContainText('Cheque 1');
  await expect(panel.getByTestId('record-edit')).toBeHidden();
  await panel.getByTestId('show-history').click();
  await expect(panel.getByTestId('history-entry').first()).toBeVisible();
});
