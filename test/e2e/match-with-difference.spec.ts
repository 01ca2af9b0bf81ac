import { expect, type Page, test } from '@playwright/test';
import type { Match, ReconciliationSummary } from '../../src-shared/contract/index.ts';
import { bookOfTests } from './served-book.ts';
import { gridRows } from './window-steps.ts';

const book = bookOfTests();

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const headers = { 'x-api-key': book.served.api_key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const answer = await fetch(`${book.served.base_url}${path}`, {
    headers,
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  expect(answer.ok, await answer.clone().text()).toBe(true);
  return (await answer.json()) as T;
}

interface Lines {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** Makes a book with open lines on both sides, with amounts in minor units, and opens its reconciliation. */
async function openLines(page: Page, { a, b }: Lines, rule?: unknown): Promise<void> {
  const ids: string[] = [];
  for (const [key, name, amounts] of [
    ['ledger', 'Ledger', a],
    ['bank', 'Bank', b],
  ] as const) {
    ids.push(String((await ask<{ id: number }>('/data_streams', { key, name })).id));
    for (const [place, amount] of amounts.entries()) {
      const day = String(10 + place).padStart(2, '0');
      const line = { data_stream_key: key, date: `2026-06-${day}`, currency: 'GBP', amount, description: `${name} line ${place + 1}` };
      await ask('/records', line);
    }
  }
  const [sideA, sideB] = ids;
  const sides = { side_a_stream_ids: [sideA], side_b_stream_ids: [sideB], sign_convention: 'same', run_type: 'batch' };
  await ask('/reconciliations', { name: 'June', ...sides });
  if (rule !== undefined) await ask('/reconciliation_rules', { reconciliation_id: '1', ...(rule as object) });
  await page.goto(book.served.ui_url);
  await page.getByTestId('reconciliation-open').first().click();
  await expect(page.getByTestId('reconciliation-screen')).toBeVisible();
}

const matches = () => ask<{ data: Match[] }>('/reconciliation_matches?reconciliation_id=1').then(({ data }) => data);
const summary = (page: Page) =>
  page.evaluate(
    async () =>
      (
        await fetch('/app/reconciliations/1/summary', { headers: { 'x-tieout-window': sessionStorage.getItem('tieout-window') ?? '' } })
      ).json() as Promise<unknown>,
  ) as Promise<ReconciliationSummary>;

/** Returns the figures in a row of the summary, from left to right. */
async function rowOf(page: Page, row: number): Promise<number[]> {
  const cells = await page.getByTestId('summary-GBP').locator('tr').nth(row).locator('td').allTextContents();
  return cells.filter((_, place) => place % 3 === 2).map((text) => Number(text.replaceAll(',', '').replace('\u2212', '-')));
}

async function pickFirst(page: Page): Promise<void> {
  await gridRows(page, 'grid-a').first().click();
  await gridRows(page, 'grid-b').first().click();
}

test('M on lines that differ matches nothing until type and reason are given, by keyboard alone', async ({ page }) => {
  await openLines(page, { a: [-40_850, 100], b: [-1_250, 100] });
  await pickFirst(page);
  await expect(page.getByTestId('match-button')).toHaveText(/Match with difference…/);
  await page.keyboard.press('m');
  const dialog = page.getByRole('dialog', { name: 'Match with a difference of £396.00' });
  await expect(dialog).toBeVisible();
  await expect(page.getByRole('radio', { name: /Record an adjustment/ })).toBeFocused();
  // Type and reason are missing: both are asked for, and nothing is matched.
  await page.keyboard.press('Enter');
  await expect(dialog.getByTestId('difference-type')).toContainText('Choose what the difference is.');
  await expect(page.getByRole('radio', { name: 'Book error' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Bank charge' })).toBeChecked();
  await page.keyboard.press('Enter');
  await expect(dialog.getByTestId('difference-note')).toBeFocused();
  await expect(dialog).toContainText('Say why.');
  expect(await matches()).toEqual([]);
  // Escape changes nothing.
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  expect(await matches()).toEqual([]);
  await expect(page.getByTestId('match-button')).toBeEnabled();

  await page.keyboard.press('m');
  await expect(page.getByRole('radio', { name: /Record an adjustment/ })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('radio', { name: 'Write-off' })).toBeChecked();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Agreed with Ann');
  await expect(dialog.getByTestId('difference-record')).toContainText('396.00');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  const reason = { code: 'write_off', note: 'Agreed with Ann' };
  await expect.poll(matches).toMatchObject([{ difference: 0, difference_reason: reason, adjustment_record_id: 5 }]);
  await expect(page.getByRole('alert').or(page.locator('.mantine-Notification-root')).first()).toContainText(
    'with an adjustment of £396.00',
  );
  await page.getByTestId('tab-matched').click();
  await gridRows(page, 'grid-matched').first().click();
  const detail = page.getByTestId('group-detail').filter({ visible: true });
  await expect(detail.getByTestId('difference-reason')).toHaveText('Write-off: Agreed with Ann');
  await expect(detail.getByTestId('adjustment-badge')).toHaveText('Adjustment: Write-off');
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(matches).toEqual([]);
});

test('a difference that is left open stays with the match, and the summary adds up', async ({ page }) => {
  await openLines(page, { a: [-40_850, 100], b: [-1_250, 100] });
  await pickFirst(page);
  await page.getByTestId('match-button').click();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: /Leave the difference open/ })).toBeChecked();
  await expect(page.getByTestId('difference-confirm')).toContainText('leave £396.00 open');
  await page.keyboard.press('Enter');
  await expect.poll(matches).toMatchObject([{ difference: -39_600, difference_reason: { code: 'left_open', note: null } }]);
  await expect(page.getByTestId('difference')).toHaveText('−396.00');
  await expect.poll(() => rowOf(page, 0)).toEqual([-408.5, 1, 0, -407.5]);
  expect(await rowOf(page, 1)).toEqual([-12.5, 1, 0, -11.5]);
  expect(await rowOf(page, 2)).toEqual([-396, 0, 0, -396]);
  await expect(page.getByTestId('summary-last')).toContainText('1 match');
  expect(await summary(page)).toMatchObject({ differing_matches: 1 });
});

test('lines of one side alone are described as such and ask about the difference', async ({ page }) => {
  await openLines(page, { a: [-100, -200, -300, -400, -500], b: [7] });
  for (let row = 0; row < 5; row += 1) await gridRows(page, 'grid-a').nth(row).click();
  await page.keyboard.press('m');
  await expect(page.getByTestId('difference-hint')).toHaveText(
    'All 5 lines are on side A, and side B has none, so the difference is the whole £15.00.',
  );
  expect(await matches()).toEqual([]);
  await page.getByTestId('difference-outcome').getByText('Leave the difference open').click();
  await page.getByTestId('difference-type').getByText('Bank error').click();
  await page.getByTestId('difference-confirm').click();
  await expect(page.getByTestId('difference-note')).toBeFocused();
  await page.keyboard.type('Not ours');
  await page.keyboard.press('Control+Enter');
  await expect.poll(matches).toMatchObject([{ difference: -1_500, difference_reason: { code: 'bank_error', note: 'Not ours' } }]);
});

test('lines that balance are matched at once', async ({ page }) => {
  await openLines(page, { a: [100], b: [100] });
  await pickFirst(page);
  await expect(page.getByTestId('match-button')).toHaveText(/^Match/);
  await expect(page.getByTestId('match-button')).toBeEnabled();
  await page.keyboard.press('m');
  await expect.poll(matches).toMatchObject([{ difference: 0, difference_reason: null }]);
});

test('a proposal with a difference asks before it is confirmed', async ({ page }) => {
  const near = { key: 'amount', value: 'amount', tolerance_amount: 50, tolerance_unit: 'minor' };
  await openLines(page, { a: [1_000], b: [970] }, { outcome: 'propose', filters: { rules: [near] } });
  await page.getByTestId('run-button').click();
  await expect.poll(matches).toMatchObject([{ status: 'proposed', difference: 30 }]);
  await page.getByTestId('tab-proposed').click();
  await gridRows(page, 'grid-proposed').first().click();
  await page.keyboard.press('c');
  await expect(page.getByRole('dialog', { name: 'Confirm with a difference of £0.30' })).toBeVisible();
  expect(await matches()).toMatchObject([{ status: 'proposed' }]);
  await page.getByTestId('difference-type').getByText('Bank charge').click();
  await page.getByTestId('difference-note').fill('Fee');
  await page.keyboard.press('Enter');
  const reason = { code: 'bank_charge', note: 'Fee' };
  await expect.poll(matches).toMatchObject([{ status: 'matched', origin: 'rule', difference: 0, difference_reason: reason }]);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(matches).toMatchObject([{ status: 'proposed', difference: 30, difference_reason: null }]);
});

test('M right after a click includes the clicked line, although the grids have not reported it yet', async ({ page }) => {
  await openLines(page, { a: [100, -40_850], b: [100, -1_250] });
  await expect(gridRows(page, 'grid-b').nth(1)).toBeVisible();
  const clickAndPress = (row: number) =>
    page.evaluate((index) => {
      for (const side of ['a', 'b']) {
        const cell = document.querySelectorAll<HTMLElement>(`[data-testid="grid-${side}"] .ag-row[row-id] .ag-cell[col-id="description"]`)[
          index
        ];
        cell?.click();
      }
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'm', bubbles: true }));
    }, row);
  await clickAndPress(0);
  await expect.poll(matches).toMatchObject([{ difference: 0, record_count: 2 }]);
  for (const grid of ['grid-a', 'grid-b']) await expect(gridRows(page, grid)).toHaveCount(1);
  await clickAndPress(0);
  await expect(page.getByRole('dialog', { name: 'Match with a difference of £396.00' })).toBeVisible();
});
