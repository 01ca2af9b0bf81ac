import { expect, type Page, test } from '@playwright/test';
import { bookOfTests, sampleBook, serveBook } from './served-book.ts';

const book = bookOfTests(async () => serveBook(await sampleBook()), { isShared: true });

async function ask(page: Page, place: string, data: object): Promise<Record<string, unknown>> {
  const answer = await page.request.post(`${book.served.base_url}${place}`, { headers: { 'X-API-KEY': book.served.api_key }, data });
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()) as Record<string, unknown>;
}

/** Runs in the page. Returns the words of the rows that reach out of their cell, or into what stands beside them. */
function overlaps(): string[] {
  const cells = document.querySelectorAll('[data-testid="home-row"] > td, [data-testid="need"] > *');
  return [...cells].flatMap((cell) => {
    const inner = cell.getBoundingClientRect();
    const right = cell.nextElementSibling?.getBoundingClientRect().left ?? inner.right;
    const parts = [cell, ...cell.querySelectorAll('*')].map((part) => part.getBoundingClientRect());
    const isOut = parts.some((part) => part.width > 0 && (part.right > Math.max(inner.right, right) + 1 || part.top < inner.top));
    const isOver = cell.nextElementSibling?.checkVisibility() === true && inner.width > 0 && inner.right > right + 1;
    return isOut || isOver ? [cell.textContent] : [];
  });
}

test('a new reconciliation is run from its row, and the row then shows the next step', async ({ page }) => {
  await page.goto(book.served.ui_url);
  const row = page.getByTestId('home-row');
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('No period');
  await expect(row).toContainText('0 %');
  await expect(page.getByTestId('recent-imports')).toContainText('bank-statement-june.csv');
  await expect(page.getByTestId('recent-imports')).toContainText('271 lines');
  await page.getByTestId('reconciliation-run').click();
  await expect(page.getByTestId('reconciliation-screen')).toBeVisible();
  await expect(page.getByTestId('last-run')).not.toHaveText('Not run yet.');

  await page.keyboard.press('h');
  await expect(row).toContainText('85 %');
  await expect(page.getByTestId('home-next')).toHaveText(/^Decide \d+ proposals$/);
  // The proposals come first, and the close of the month last.
  await expect(page.getByTestId('need')).toHaveCount(2);
  await expect(page.getByTestId('need').last()).toContainText('The close of its first month has not begun');
  for (const width of [1280, 1024, 640]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(overlaps), `${width} wide`).toEqual([]);
  }
  await page.setViewportSize({ width: 1280, height: 840 });
  await page.getByTestId('home-next').click();
  await expect(page.getByTestId('tab-proposed')).toHaveAttribute('aria-selected', 'true');
});

test('months show their periods and lead to the close; a signed period that changed is stale', async ({ page }) => {
  for (const [key, name] of [
    ['cash-book', 'Cash book'],
    ['northgate', 'Northgate current'],
  ]) {
    await ask(page, '/data_streams', { key, name });
    const line = { data_stream_key: key, currency: 'GBP', date: '2026-06-10', amount: 5_000, direction: 'credit' };
    await ask(page, '/records', { ...line, external_id: 'DEP-1' });
  }
  const streams = await page.request.get(`${book.served.base_url}/data_streams`, { headers: { 'X-API-KEY': book.served.api_key } });
  const ids = new Map(((await streams.json()) as { key: string; id: number }[]).map(({ key, id }) => [key, id]));
  const name = 'A cash book with a name that is far too long for the column in which it stands / Northgate current';
  const made = await ask(page, '/reconciliations', {
    name,
    run_type: 'batch',
    side_a_stream_ids: [ids.get('cash-book')],
    side_b_stream_ids: [ids.get('northgate')],
  });
  const balances = ['bank', 'books'].map((side) => ({ side, currency: 'GBP', opening: 0 }));
  const period = await ask(page, '/reconciliation_periods', {
    reconciliation_id: made['id'],
    from: '2026-06-01',
    to: '2026-06-30',
    bank_side: 'b',
    balances,
  });
  await page.goto(book.served.ui_url);
  const row = page.getByTestId('home-row').filter({ hasText: 'A cash book' });
  await expect(row).toContainText('Open');
  const month = row.getByTestId('home-month');
  await expect(month).toHaveAttribute('aria-label', 'June 2026: open');
  await ask(page, `/reconciliation_periods/${String(period['id'])}/prepare`, { by: 'Amira Patel' });
  await expect(month).toHaveAttribute('aria-label', 'June 2026: prepared');
  await expect(row).toContainText('Prepared');

  const late = { data_stream_key: 'northgate', currency: 'GBP', date: '2026-06-11', amount: 700, direction: 'debit', external_id: 'LATE' };
  await ask(page, '/records', late);
  await expect(row).toContainText('Stale');
  await expect(row.getByTestId('home-month')).toHaveAttribute('aria-label', 'June 2026: changed after it was signed');

  await month.click();
  await expect(page).toHaveURL(new RegExp(`#/reconciliations/${String(made['id'])}/close\\?period=${String(period['id'])}$`));
});

test('keys move between rows and open one', async ({ page }) => {
  await page.goto(book.served.ui_url);
  const rows = page.getByTestId('home-row');
  await expect(rows).toHaveCount(2);
  await page.keyboard.press('j');
  await expect(rows.nth(0)).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('k');
  await expect(rows.nth(0)).toBeFocused();
  // Tab reaches the links of the current row, and no others.
  await page.keyboard.press('Tab');
  await expect(rows.nth(0).getByTestId('reconciliation-open')).toBeFocused();
  await page.keyboard.press('j');
  await expect(rows.nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByTestId('reconciliation-screen')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('June: ledger and bank');
});

test('a failure is shown and the request can be repeated', async ({ page }) => {
  await page.route('**/app/book/home**', (route) => route.abort());
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('failure-panel')).toContainText('could not be read');
  await page.unroute('**/app/book/home**');
  await page.getByTestId('failure-panel').getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByTestId('home-row')).toHaveCount(2);
});

test('many reconciliations are paged and found by name', async ({ page }) => {
  test.slow();
  const streams = await page.request.get(`${book.served.base_url}/data_streams`, { headers: { 'X-API-KEY': book.served.api_key } });
  const [a, b] = ((await streams.json()) as { id: number }[]).map(({ id }) => id);
  for (let number = 0; number < 55; number += 1) {
    await ask(page, '/reconciliations', { name: `Branch ${number}`, run_type: 'batch', side_a_stream_ids: [a], side_b_stream_ids: [b] });
  }
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('home-row')).toHaveCount(50);
  await expect(page.getByTestId('home-pages')).toContainText('1–50 of 57');
  await page.getByTestId('home-pages').getByRole('button', { name: 'Next' }).click();
  await expect(page.getByTestId('home-row')).toHaveCount(7);
  await page.keyboard.press('/');
  await page.keyboard.type('june: LEDGER');
  await expect(page.getByTestId('home-row')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('home-row')).toHaveCount(50);
});
