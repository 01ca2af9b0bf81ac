import { expect, type Page, test } from '@playwright/test';
import { bookOfTests, serveBook } from '../served-book.ts';
import { enterClosing, itemRow, juneBook, openClose } from './june-book.ts';

const book = bookOfTests(async () => serveBook(await juneBook()));
test.beforeEach(async ({ page }) => {
  await page.goto(book.served.ui_url);
  await openClose(page);
});

async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const { api_key: key, base_url: url } = book.served;
  const headers = { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  expect(answer.ok, await answer.clone().text()).toBe(true);
  return answer.json();
}

async function createJune(page: Page): Promise<void> {
  await page.getByTestId('create-period').click();
  await expect(page.getByTestId('period-menu')).toHaveText('June 2026');
}

async function enterOpening(page: Page, amount: string): Promise<void> {
  await page.getByTestId('balance-books-opening').click();
  await page.getByTestId('enter-books-opening').fill(amount);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('enter-books-opening')).toHaveCount(0);
}

test('changes of a period are undone and redone one by one until the period is signed', async ({ page }) => {
  await createJune(page);
  await enterOpening(page, '12500');
  await enterClosing(page);
  await expect(page.getByTestId('agree-band')).toContainText('The figures agree');
  const row = itemRow(page, 'CHG-Q2');
  for (const text of ['Post in July', 'Post in July, 7901']) {
    await row.getByTestId('item-comment').click();
    await page.getByTestId('item-comment-input').fill(text);
    await page.keyboard.press('Enter');
    await expect(row.getByTestId('item-comment')).toHaveText(text);
  }

  await page.keyboard.press('ControlOrMeta+z');
  await expect(row.getByTestId('item-comment')).toHaveText('Post in July');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(row.getByTestId('item-comment')).toHaveText('Add a comment…');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByTestId('agree-band')).toContainText('Not proved');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByTestId('agree-band')).toContainText('Not known');
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByTestId('first-period')).toBeVisible();

  for (let step = 0; step < 5; step += 1) await page.keyboard.press('ControlOrMeta+Shift+z');
  await expect(row.getByTestId('item-comment')).toHaveText('Post in July, 7901');
  await expect(page.getByTestId('agree-band')).toContainText('The figures agree');

  await page.getByTestId('prepare-name').fill('Amira Patel');
  await page.getByTestId('sign-prepare').click();
  await expect(page.getByText('Earlier steps cannot be undone while it is signed.')).toBeVisible();
  // Imports of the book can still be undone, changes of the period cannot.
  await expect(page.getByTestId('undo-button')).toHaveAccessibleName(/^(Nothing to undo|Undo: Imported )/);
  await expect(row.getByTestId('item-comment')).toHaveText('Post in July, 7901');
});

test('a change beneath a signature makes it stale, and the band shows the old and the new value', async ({ page }) => {
  await createJune(page);
  await enterOpening(page, '12,500.00');
  await page.getByTestId('prepare-name').fill('Amira Patel');
  await page.getByTestId('sign-prepare').click();
  await expect(page.getByTestId('period-state')).toHaveText('Prepared');

  const { data } = (await ask('GET', '/records?q=RCT-0629')) as { data: { id: number }[] };
  await ask('PATCH', `/records/${data[0]?.id ?? 0}`, { date: '2026-06-28' });
  await expect(page.getByTestId('period-state')).toHaveText('Prepared, stale');
  await expect(page.getByTestId('stale-band')).toContainText('Changed since it was prepared.');
  await expect(page.getByTestId('stale-band')).toContainText('RCT-0629 in the books: date 28/06/2026, was 29/06/2026.');
  await page.getByTestId('show-changes').click();
  await expect(page.getByTestId('change-list').getByRole('row')).toHaveCount(2);
  await expect(page.getByTestId('sign-review')).toHaveCount(0);
  await expect(page.getByTestId('sign-prepare')).toHaveText('Prepare again');
  await expect(page.getByTestId('prepare-name')).toHaveValue('Amira Patel');
  await page.getByTestId('sign-prepare').click();
  await expect(page.getByTestId('stale-band')).toHaveCount(0);
  await expect(page.getByTestId('period-state')).toHaveText('Prepared');
});

test('an unexplained amount is shown with its cause, and closing the month needs a reason', async ({ page }) => {
  await createJune(page);
  await enterOpening(page, '12400');
  await expect(page.getByTestId('agree-band')).toContainText('The figures do not agree');
  await expect(page.getByTestId('unexplained')).toHaveText('100.00');
  await expect(page.getByTestId('opening-difference')).toContainText('100.00');
  for (const [kind, name] of [
    ['prepare', 'Amira Patel'],
    ['review', 'Tom Whitfield'],
  ] as const) {
    await page.getByTestId(`${kind}-name`).fill(name);
    await page.getByTestId(`sign-${kind}`).click();
  }
  await page.getByTestId('close-name').fill('Tom Whitfield');
  await expect(page.getByTestId('sign-close')).toBeDisabled();
  await page.getByTestId('close-reason').fill('Written off by the board');
  await page.getByTestId('sign-close').click();
  await expect(page.getByTestId('period-state')).toHaveText('Closed with a difference');
  await expect(page.getByTestId('balance-books-opening')).toHaveCount(0);
});

test('without a bank the statement names side A and side B', async ({ page }) => {
  const made = async (key: string, name: string): Promise<string> => {
    const stream = (await ask('POST', '/data_streams', { key, name })) as { id: number };
    return String(stream.id);
  };
  const [east, west] = [await made('east', 'East'), await made('west', 'West')];
  const line = { date: '2026-05-04', currency: 'EUR' };
  await ask('POST', '/records', { ...line, data_stream_key: 'east', amount: 12_000, description: 'Recharge May' });
  const sides = { side_a_stream_ids: [east], side_b_stream_ids: [west], sign_convention: 'same' };
  await ask('POST', '/reconciliations', { name: 'East and West', run_type: 'batch', ...sides });
  await page.evaluate(() => (globalThis.location.hash = '#/reconciliations/2/close'));
  await page.getByTestId('create-period').click();
  await expect(page.getByTestId('period-menu')).toHaveText('May 2026');
  await expect(page.getByTestId('statement')).toContainText('Side A East');
  await expect(page.getByTestId('statement')).toContainText('Add: receipts only on side A');
  await expect(page.getByTestId('statement')).not.toContainText(/bank/i);

  // The days of an open period are changed, a refusal is shown, and the period is deleted and restored.
  await page.getByTestId('period-menu').click();
  await page.getByTestId('edit-days').click();
  await page.getByTestId('period-to').fill('2026-05-15');
  await page.getByTestId('period-save').click();
  await expect(page.getByTestId('period-menu')).toHaveText('01/05/2026 to 15/05/2026');
  await page.getByTestId('period-menu').click();
  await page.getByTestId('other-days').click();
  await page.getByTestId('period-from').fill('2026-05-10');
  await page.getByTestId('period-save').click();
  await expect(page.getByTestId('days-dialog').getByRole('alert')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByTestId('period-menu').click();
  await page.getByTestId('delete-period').click();
  await expect(page.getByTestId('first-period')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+z');
  await expect(page.getByTestId('period-menu')).toHaveText('01/05/2026 to 15/05/2026');
});

test('a report is saved as a file', async ({ page }) => {
  await createJune(page);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByTestId('report-csv').click()]);
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
  const [pack] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('p')]);
  expect(pack.suggestedFilename()).toMatch(/\.html$/);
});
