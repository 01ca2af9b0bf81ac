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

/** A payment with a fee in the ledger, and both lines of it at the bank; opens their reconciliation. */
async function openPayment(page: Page): Promise<void> {
  const ids: string[] = [];
  for (const key of ['ledger', 'bank']) ids.push(String((await ask('/data_streams', { key, name: key })).id));
  const line = { date: '2026-06-10', currency: 'GBP', metadata: { supplier: 'Hartwell' } };
  await ask('/records', { ...line, data_stream_key: 'ledger', amount: -10_250, description: 'Hartwell with fee' });
  await ask('/records', { ...line, data_stream_key: 'bank', amount: -10_000, description: 'HARTWELL LTD' });
  await ask('/records', { ...line, data_stream_key: 'bank', amount: -250, description: 'FEE' });
  const sides = { side_a_stream_ids: [ids[0]], side_b_stream_ids: [ids[1]], sign_convention: 'same', run_type: 'batch' };
  await ask('/reconciliations', { name: 'June', ...sides });
  await page.goto(book.served.ui_url);
  await page.getByTestId('reconciliation-open').first().click();
  await expect(gridRows(page, 'grid-a')).toHaveCount(1);
}

/** What people wrote on the line of the ledger. */
async function noteOfLine(): Promise<unknown> {
  const answer = await fetch(`${book.served.base_url}/reconciliations/1/open_items/1`, { headers: { 'x-api-key': book.served.api_key } });
  return answer.json();
}

async function closeJune(): Promise<void> {
  const { id } = await ask('/reconciliation_periods', { reconciliation_id: '1', from: '2026-06-01', to: '2026-06-30', bank_side: 'b' });
  await ask(`/reconciliation_periods/${id}/prepare`, { by: 'Amira Patel' });
  await ask(`/reconciliation_periods/${id}/review`, { by: 'Ben Ode' });
  await ask(`/reconciliation_periods/${id}/close`, { by: 'Ben Ode', unexplained_reason: 'No balance is stated' });
}

test('a line is split, edited and annotated in its panel by mouse, and undo takes each back', async ({ page }) => {
  await openPayment(page);
  await gridRows(page, 'grid-a').first().click();
  await page.getByTestId('line-show-in-full').click();
  const panel = page.getByTestId('line-in-full');
  await panel.getByTestId('record-split').click();
  await panel.getByTestId('record-split-amount').fill('102.50');
  await expect(panel.getByText('More than 0 and less than −£102.50')).toBeVisible();
  await expect(panel.getByTestId('record-split-save')).toBeDisabled();
  await panel.getByTestId('record-split-amount').fill('2.50');
  await panel.getByTestId('record-split-description').fill('Fee of Hartwell');
  await expect(panel.getByTestId('record-split-rest')).toContainText('−£100.00 stays on this line. −£2.50 becomes a line of its own.');
  await panel.getByTestId('record-split-save').click();
  await expect(gridRows(page, 'grid-a')).toHaveCount(2);
  await expect(panel).toContainText('−£100.00');

  await panel.getByTestId('record-edit').click();
  await panel.getByLabel('supplier').fill('Hartwell Ltd');
  await panel.getByTestId('record-edit-amount').fill('-99.00');
  await panel.getByTestId('record-save').click();
  await expect(panel.getByTestId('record-edit-form')).toHaveCount(0);
  await expect(panel).toContainText('−£99.00');
  await expect(panel).toContainText('Hartwell Ltd');

  await panel.getByTestId('record-note-status').selectOption('Outstanding');
  await panel.getByTestId('record-note-owner').fill('Amira');
  await panel.getByTestId('record-note-comment').fill('Asked the bank');
  await panel.getByTestId('record-note-expected').fill('2026-07-04');
  await panel.getByTestId('record-mark-overdue').click();
  await expect(panel.getByTestId('record-clear-overdue')).toBeVisible();
  await panel.getByTestId('record-open-exception').click();
  await expect(panel.getByTestId('record-exception')).toContainText('1 overdue line');
  await page.reload();
  await gridRows(page, 'grid-a').filter({ hasText: 'Hartwell with fee' }).click();
  await page.getByTestId('line-show-in-full').click();
  await expect(panel.getByTestId('record-note-status')).toHaveValue('outstanding');
  await expect(panel.getByTestId('record-note-comment')).toHaveValue('Asked the bank');
  await expect(panel.getByTestId('record-note-expected')).toHaveValue('04/07/2026');
  await page.keyboard.press('Escape');

  // Mark, expected day, comment, owner, status, edit, split.
  for (let left = 7; left > 0; left -= 1) await page.getByTestId('undo-button').click();
  await expect(gridRows(page, 'grid-a')).toHaveCount(1);
  await expect(gridRows(page, 'grid-a')).toContainText('102.50');
});

test('what is no day deletes none: neither the expected one by Enter, nor the value date by Save', async ({ page }) => {
  await openPayment(page);
  await gridRows(page, 'grid-a').first().click();
  await page.getByTestId('line-show-in-full').click();
  const panel = page.getByTestId('line-in-full');
  const expected = panel.getByTestId('record-note-expected');
  await expected.fill('2026-07-04');
  await expected.press('Enter');
  await expect(panel.getByTestId('record-note')).toBeVisible();
  await expect.poll(noteOfLine).toMatchObject({ expected_on: '2026-07-04' });
  await expected.fill('45/45');
  await expected.press('Enter');
  await panel.getByTestId('record-note-owner').fill('Amira');
  await panel.getByTestId('record-note-owner').press('Enter');
  await expect.poll(noteOfLine).toMatchObject({ owner: 'Amira', expected_on: '2026-07-04' });
  await expect(panel.getByText('Type a day as')).toBeVisible();

  await panel.getByTestId('record-edit').click();
  const form = panel.getByTestId('record-edit-form');
  await form.getByLabel('Value date').fill('2026-06-12');
  await form.getByLabel('Value date').press('Enter');
  await expect(form).toHaveCount(0);
  await panel.getByTestId('record-edit').click();
  await form.getByLabel('Value date').fill('45/45');
  await form.getByLabel('Description').fill('Another text');
  await form.getByLabel('Description').press('Enter');
  await expect(form.getByLabel('Value date')).toBeFocused();
  await expect(form).toBeVisible();
});

test('by keyboard: Enter opens the line, Tab leads through it, Esc leaves a form and then the line', async ({ page }) => {
  await openPayment(page);
  await page.keyboard.press('F6');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  const panel = page.getByTestId('line-in-full');
  await expect(panel.getByTestId('record-note')).toBeVisible();
  const split = panel.getByTestId('record-split');
  for (let presses = 0; presses < 8 && !(await split.evaluate((button) => button === document.activeElement)); presses += 1)
    await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(panel.getByTestId('record-split-amount')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(panel.getByTestId('record-split-form')).toHaveCount(0);
  await expect(split).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type('2.50');
  await page.keyboard.press('Enter');
  await expect(gridRows(page, 'grid-a')).toHaveCount(2);
  const owner = panel.getByTestId('record-note-owner');
  await owner.focus();
  await page.keyboard.type('Ben');
  await page.keyboard.press('Escape');
  await expect(owner).toHaveValue('');
  await page.keyboard.type('Amira');
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('undo-button')).toHaveAccessibleName(/Wrote the owner/);
  await page.keyboard.press('Escape');
  await expect(panel.getByTestId('record-note')).toHaveCount(0);
  // What is selected is the line as it is now.
  await expect(page.getByTestId('suggestion').first()).toContainText('Same amount, 100.00');
  await expect(page.getByTestId('line-panel')).not.toContainText('102.50');
});

test('a line of a closed month says why it cannot be changed, and so does a matched one', async ({ page }) => {
  await openPayment(page);
  await closeJune();
  await gridRows(page, 'grid-a').first().click();
  await page.getByTestId('line-show-in-full').click();
  const panel = page.getByTestId('line-in-full');
  await expect(panel.getByTestId('record-hold')).toContainText('June 2026 of June is closed, and this line belongs to it.');
  await expect(panel.getByTestId('record-edit')).toHaveCount(0);
  await panel.getByTestId('record-hold').getByRole('link').click();
  await expect(page.getByTestId('close-screen')).toBeVisible();
  await ask('/reconciliation_periods/1/reopen', { reason: 'A match is missing' });
  await ask('/reconciliation_matches', { reconciliation_id: '1', record_ids: ['1', '2', '3'] });
  await page.getByTestId('rail-records').click();
  await gridRows(page, 'grid-records').first().click();
  await expect(page.getByTestId('record-panel').getByTestId('record-hold')).toHaveText(
    'A match holds this line. Unmatch it first to change it.',
  );
});
