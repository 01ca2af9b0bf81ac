import { expect, type Page, test } from '@playwright/test';
import type { Match } from '../../src-shared/contract/index.ts';
import { bookOfTests } from './served-book.ts';
import { countsOf, gridRows } from './window-steps.ts';

const book = bookOfTests();

async function ask<T>(path: string, method = 'GET', body?: unknown): Promise<T> {
  const headers = { 'x-api-key': book.served.api_key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const answer = await fetch(`${book.served.base_url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.ok, await answer.clone().text()).toBe(true);
  return (answer.status === 204 ? null : await answer.json()) as T;
}

const proposals = () =>
  ask<{ data: Match[] }>('/reconciliation_matches?reconciliation_id=1&status=proposed&limit=100').then(({ data }) => data);

/** Makes a book with as many proposals as asked for, each of two lines; the last `differing` of them differ by 0.30. Opens them. */
async function openProposals(page: Page, count: number, differing = 0): Promise<void> {
  for (const [key, name] of [
    ['ledger', 'Ledger'],
    ['bank', 'Bank'],
  ] as const) {
    await ask('/data_streams', 'POST', { key, name });
    for (let at = 1; at <= count; at += 1) {
      const fee = key === 'bank' && at > count - differing ? 30 : 0;
      const line = {
        data_stream_key: key,
        date: '2026-06-10',
        currency: 'GBP',
        amount: 1_000 * at - fee,
        description: `Invoice ${at} due`,
        external_id: `${key}-${at}`,
      };
      await ask('/records', 'POST', { ...line, metadata: { invoice: `INV-${at}` } });
    }
  }
  const sides = { side_a_stream_ids: ['1'], side_b_stream_ids: ['2'], sign_convention: 'same', run_type: 'batch' };
  await ask('/reconciliations', 'POST', { name: 'June', ...sides });
  const filters = { rules: [{ key: 'metadata.invoice', value: 'metadata.invoice', operand: 'eq' }] };
  await ask('/reconciliation_rules', 'POST', { reconciliation_id: '1', outcome: 'propose', filters });
  await page.goto(book.served.ui_url);
  await page.getByTestId('reconciliation-open').first().click();
  await page.getByTestId('run-button').click();
  await expect.poll(async () => (await countsOf(page, 1)).proposed, { timeout: 30_000 }).toBe(count);
  await page.getByTestId('tab-proposed').click();
  await expect(gridRows(page, 'grid-proposed').first()).toBeVisible();
}

/** Returns the description of the row that is selected, and of the match that the panel shows. */
async function selected(page: Page): Promise<{ row: string; panel: string }> {
  const invoice = (text: string | null) => /Invoice \d+ due/.exec(text ?? '')?.[0] ?? '';
  const row = page.getByTestId('grid-proposed').locator('.ag-row-selected').first();
  return { row: invoice(await row.textContent()), panel: invoice(await page.getByTestId('group-detail').textContent()) };
}

test('a hundred decisions at 80 ms each, none lost, each with an undo of its own', async ({ page }) => {
  test.setTimeout(180_000);
  await openProposals(page, 110);
  for (let at = 0; at < 100; at += 1) {
    await page.keyboard.press(at % 10 === 9 ? 'x' : 'c');
    await page.waitForTimeout(80);
  }
  await expect.poll(() => countsOf(page, 1), { timeout: 60_000 }).toMatchObject({ matches: 90, proposed: 10 });
  await expect(page.getByTestId('error-notification')).toHaveCount(0);
  await expect(page.getByTestId('failed-decisions')).toHaveCount(0);
  await expect(gridRows(page, 'grid-proposed')).toHaveCount(10);
  const shown = await selected(page);
  expect(shown.row).not.toBe('');
  expect(shown.panel).toBe(shown.row);

  // The newest decision, a rejection, comes back and is selected, in the list and in the panel.
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => countsOf(page, 1)).toMatchObject({ matches: 90, proposed: 11 });
  await expect(gridRows(page, 'grid-proposed')).toHaveCount(11);
  await expect.poll(async () => (await selected(page)).row).not.toBe(shown.row);
  const returned = await selected(page);
  expect(returned.panel).toBe(returned.row);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => countsOf(page, 1)).toMatchObject({ matches: 89, proposed: 12 });
});

test('decisions that cannot be made are gathered in one list, each with its reason and a way to its match', async ({ page }) => {
  await openProposals(page, 6);
  // Another client confirms three of them while the answers of this window are held back.
  await page.route('**/app/reconciliations/1/groups*', (route) => route.abort());
  const taken = (await proposals()).toSorted((left, right) => right.id - left.id).slice(0, 3);
  for (const { id } of taken) await ask(`/reconciliation_matches/${id}/confirm`, 'POST', {});
  for (let at = 0; at < 4; at += 1) await page.keyboard.press('c');
  const failed = page.getByTestId('failed-decisions');
  await expect(failed).toContainText('3 decisions could not be made');
  await expect(failed.getByRole('listitem')).toHaveCount(3);
  await expect(failed.getByRole('listitem').first()).toContainText('is matched already');
  await failed.getByRole('button', { name: 'Show the match' }).nth(1).click();
  const shown = await selected(page);
  expect(shown.panel).toBe(shown.row);
  expect(await failed.getByRole('listitem').nth(1).textContent()).toContain(shown.row);
  expect(await countsOf(page, 1)).toMatchObject({ matches: 4, proposed: 2 });
  await page.getByTestId('forget-failed').click();
  await expect(failed).toHaveCount(0);
});

test('proposals with a small difference are confirmed together as a bank charge, and one undo takes them back', async ({ page }) => {
  await openProposals(page, 8, 3);
  await page.getByTestId('filters-proposed').click();
  await page.getByRole('menuitem', { name: 'Difference up to 0.50' }).click();
  await expect(page.getByTestId('filter-chip')).toHaveText(['Difference up to 0.50']);
  await expect(page.getByTestId('found-proposed')).toContainText('8 found');
  await page.getByTestId('confirm-together').click();
  const dialog = page.getByTestId('decide-together');
  const button = dialog.getByTestId('decide-together-button');
  await expect(dialog).toContainText('5 matches; how likely they are is not known');
  await expect(dialog).toContainText('3 of them leave a difference');
  // By the keyboard alone: the fields keep the focus while the next figures are on their way.
  await dialog.getByTestId('leave-differing').getByRole('radio').focus();
  await page.keyboard.press('ArrowDown');
  await expect(button).toHaveText('Confirm 8');
  await expect(dialog.getByTestId('adjust-differing').getByRole('radio')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog.getByTestId('most-difference')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('0.02');
  await expect(button).toHaveText('Confirm 5');
  await expect(dialog.getByTestId('most-difference')).toBeFocused();
  await dialog.getByTestId('most-difference').fill('0.5x');
  await expect(dialog.getByTestId('expected-of-proposals')).toHaveText('This is no amount.');
  await expect(button).toBeDisabled();
  await dialog.getByTestId('most-difference').fill('0.50');
  await expect(dialog.getByTestId('reason-of-differences')).toHaveValue('Bank charge');
  await expect(button).toHaveText('Confirm 8');
  await button.click();
  await expect.poll(() => countsOf(page, 1)).toMatchObject({ matches: 8, proposed: 0 });
  const { data: matched } = await ask<{ data: Match[] }>('/reconciliation_matches?reconciliation_id=1&status=matched&limit=100');
  expect(matched.filter((match) => match.difference_reason?.code === 'bank_charge')).toHaveLength(3);
  expect(matched.every((match) => match.difference === 0)).toBe(true);

  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => countsOf(page, 1)).toMatchObject({ matches: 0, proposed: 8 });
});

test('by keyboard alone, a filter is typed, some are confirmed, the rest rejected, and two undos bring all back', async ({ page }) => {
  await openProposals(page, 9);
  await page.keyboard.press('/');
  await page.keyboard.type('<=60.00');
  await expect(page.getByTestId('found-proposed')).toHaveText('6 found · A £210.00 · B £210.00');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByTestId('selected-proposals')).toHaveText('3 selected');
  await page.keyboard.press('c');
  const button = page.getByTestId('decide-together-button');
  await expect(button).toHaveText('Confirm 3');
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(() => countsOf(page, 1)).toMatchObject({ matches: 3, proposed: 6 });
  await expect(gridRows(page, 'grid-proposed')).toHaveCount(3);
  await page.keyboard.press('ControlOrMeta+a');
  await expect(page.getByTestId('selected-proposals')).toHaveText('all 3 selected');
  await page.keyboard.press('x');
  await expect(button).toHaveText('Reject 3');
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expect.poll(() => countsOf(page, 1)).toMatchObject({ matches: 3, proposed: 3 });
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => countsOf(page, 1)).toMatchObject({ matches: 3, proposed: 6 });
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => countsOf(page, 1)).toMatchObject({ matches: 0, proposed: 9 });
});

test('by mouse, a range and single rows are selected and rejected together; a plain click selects one again', async ({ page }) => {
  await openProposals(page, 8);
  const rows = gridRows(page, 'grid-proposed');
  await rows.nth(1).click();
  await rows.nth(3).click({ modifiers: ['Shift'] });
  await rows.nth(5).click({ modifiers: ['ControlOrMeta'] });
  await expect(page.getByTestId('selected-proposals')).toHaveText('4 selected');
  const shown = await page.getByTestId('group-detail').textContent();
  expect(shown).toContain(/Invoice \d+ due/.exec((await rows.nth(5).textContent()) ?? '')?.[0] ?? 'no row');
  await rows.nth(0).click();
  await expect(page.getByTestId('grid-proposed').locator('.ag-row-selected')).toHaveCount(1);
  await rows.nth(2).click({ modifiers: ['Shift'] });
  await page.getByTestId('reject-together').click();
  await page.getByTestId('decide-together-button').click();
  await expect.poll(() => countsOf(page, 1)).toMatchObject({ matches: 0, proposed: 5 });
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(() => countsOf(page, 1)).toMatchObject({ matches: 0, proposed: 8 });
});
