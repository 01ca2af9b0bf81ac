import { expect, type Page, test } from '@playwright/test';
import { bookOfTests } from './served-book.ts';
import { gridRows, runEnded } from './window-steps.ts';

const book = bookOfTests();

async function ask(path: string, body: unknown): Promise<{ id: number }> {
  const headers = { 'x-api-key': book.served.api_key, 'content-type': 'application/json' };
  const answer = await fetch(`${book.served.base_url}${path}`, { headers, method: 'POST', body: JSON.stringify(body) });
  expect(answer.ok, await answer.clone().text()).toBe(true);
  return (await answer.json()) as { id: number };
}

/** A payment of the bank for which the ledger has two lines; opens the proposal of one of them. */
async function openContested(page: Page): Promise<void> {
  page.on('pageerror', (error) => expect.soft(String(error)).toBe(''));
  const ids: string[] = [];
  for (const key of ['ledger', 'bank']) ids.push(String((await ask('/data_streams', { key, name: key })).id));
  const line = { currency: 'GBP', amount: -10_000 };
  await ask('/records', { ...line, data_stream_key: 'ledger', date: '2026-06-09', description: 'Hartwell invoice', external_id: 'INV-1' });
  await ask('/records', { ...line, data_stream_key: 'ledger', date: '2026-06-12', description: 'Hartwell deposit', external_id: 'INV-2' });
  await ask('/records', { ...line, data_stream_key: 'bank', date: '2026-06-10', description: 'HARTWELL LTD' });
  const sides = { side_a_stream_ids: [ids[0]], side_b_stream_ids: [ids[1]], sign_convention: 'same', run_type: 'batch' };
  const { id } = await ask('/reconciliations', { name: 'June', ...sides });
  const filters = { rules: [{ key: 'signed_amount', value: 'signed_amount' }] };
  await ask('/reconciliation_rules', { reconciliation_id: String(id), filters, outcome: 'propose' });
  await page.goto(book.served.ui_url);
  await page.getByTestId('reconciliation-run').first().click();
  await runEnded(page);
  await page.getByTestId('tab-proposed').click();
  await expect(gridRows(page, 'grid-proposed')).toHaveCount(1);
}

/** Whether the bank's line is matched with each line of the ledger. */
async function matchedWith(): Promise<(string | null)[]> {
  const headers = { 'x-api-key': book.served.api_key };
  const answer = await fetch(`${book.served.base_url}/records/3`, { headers });
  const { matched_records: others } = (await answer.json()) as { matched_records: { external_id: string | null }[] };
  return others.map(({ external_id: id }) => id);
}

test('rivals stand beside the proposal, what differs is marked, and a key chooses one', async ({ page }) => {
  await openContested(page);
  const rivals = page.getByTestId('rivals');
  await expect(rivals.getByTestId('rival')).toHaveCount(2);
  const days = page.getByTestId('grid-proposed').locator('[role=gridcell].date-cell');
  await expect(days).toHaveCount(2);
  // A day that is cut would be another one.
  expect(await days.evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length)).toBe(0);
  await expect(rivals).toContainText('Candidates for “HARTWELL LTD”');
  await expect(rivals).toContainText('1 day earlier');
  await expect(rivals).toContainText('2 days later');
  await expect(rivals.locator('[data-differs] dt').filter({ hasText: 'Amount' })).toHaveCount(0);
  await expect(rivals.locator('[data-differs] dt').filter({ hasText: 'Reference' })).toHaveCount(2);
  const other = (await rivals.getByTestId('rival').nth(1).textContent())?.includes('INV-1') === true ? 'INV-1' : 'INV-2';
  await page.keyboard.press('2');
  await expect.poll(matchedWith).toEqual([other]);
  await expect(gridRows(page, 'grid-proposed')).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(rivals.getByTestId('rival')).toHaveCount(2);
  expect(await matchedWith()).toEqual([]);
  await rivals.getByTestId('choose-rival').first().click();
  await expect.poll(matchedWith).toEqual([other === 'INV-1' ? 'INV-2' : 'INV-1']);
  // Without rivals a digit shows a tab again.
  await page.keyboard.press('1');
  await expect(page.getByTestId('tab-open')).toHaveAttribute('aria-selected', 'true');
});

test('a proposal of a closed month says so in place of its buttons, and keys decide nothing', async ({ page }) => {
  await openContested(page);
  const { id } = await ask('/reconciliation_periods', { reconciliation_id: '1', from: '2026-06-01', to: '2026-06-30', bank_side: 'b' });
  await ask(`/reconciliation_periods/${id}/prepare`, { by: 'Amira Patel' });
  await ask(`/reconciliation_periods/${id}/review`, { by: 'Ben Ode' });
  await ask(`/reconciliation_periods/${id}/close`, { by: 'Ben Ode', unexplained_reason: 'No balance is stated' });
  await expect(page.getByTestId('group-locked')).toContainText('All its lines belong to June 2026, which is closed.');
  await expect(page.getByTestId('reject-button')).toHaveCount(0);
  await expect(page.getByTestId('rivals')).toHaveCount(0);
  await gridRows(page, 'grid-proposed').first().click();
  await page.keyboard.press('x');
  await expect(page.getByTestId('error-notification')).toContainText('Nothing was decided');
  await expect(page.getByTestId('failed-decisions')).toHaveCount(0);
});
