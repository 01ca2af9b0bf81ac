import { expect, type Page, test } from '@playwright/test';
import { newBookFolder, serveBook, type Served, type ServedBook, tieout } from '../served-book.ts';

/** Two sample books: one is the remote of the other. */
let here: ServedBook;
let there: ServedBook;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  const folders = [newBookFolder(), newBookFolder()] as const;
  for (const folder of folders) expect((await tieout('demo', '--data', folder)).code).toBe(0);
  there = await serveBook(folders[1]);
  here = await serveBook(folders[0]);
});

test.afterAll(async () => {
  await here.stop();
  await there.stop();
});

interface Line {
  readonly id: number;
  readonly amount: number;
  readonly direction: string;
  readonly description: string | null;
}

/** Sends a request to the public address of a book. */
async function post(page: Page, { base_url: url, api_key: key }: Served, path: string, data: object): Promise<unknown> {
  const answer = await page.request.post(`${url}${path}`, { headers: { 'x-api-key': key }, data });
  expect(answer.status(), `${path}: ${await answer.text()}`).toBeLessThan(300);
  return answer.json();
}

/** Sends a request through the window's own transport. */
async function ask(page: Page, { ui_url: url }: Served, method: 'GET' | 'POST', path: string, data?: object): Promise<unknown> {
  const { origin, hash } = new URL(url);
  const headers = { 'x-tieout-window': hash.replace('#token=', '') };
  const answer = await page.request.fetch(`${origin}/app${path}`, { method, headers, ...(data === undefined ? {} : { data }) });
  expect(answer.status(), `${path}: ${await answer.text()}`).toBeLessThan(300);
  return answer.json();
}

async function lines(page: Page, served: Served, side: 'a' | 'b'): Promise<readonly Line[]> {
  const { data } = (await ask(page, served, 'GET', `/reconciliations/1/lines?side=${side}&limit=400`)) as {
    readonly data: readonly Line[];
  };
  return data;
}

/** Both books match one line of the ledger, each with another line of the bank. */
async function matchDifferently(page: Page): Promise<void> {
  for (const [served, place] of [
    [here.served, 0],
    [there.served, 1],
  ] as const) {
    const ledger = (await lines(page, served, 'a')).find(({ description }) => description === 'Workshop rent, direct debit');
    const bank = (await lines(page, served, 'b')).filter(({ direction }) => direction === 'debit')[place];
    const ids = [ledger, bank].map((line) => line?.id);
    await post(page, served, '/reconciliation_matches', { reconciliation_id: 1, record_ids: ids });
  }
}

test('a first sync is previewed, made, decided and verified by keyboard', async ({ page }) => {
  test.setTimeout(180_000);
  await page.goto(here.served.ui_url);
  await page.getByTestId('rail-sync').click();
  await expect(page.getByTestId('no-remote')).toBeVisible();
  await matchDifferently(page);
  const record = { data_stream_key: 'bank', date: '2026-06-29', amount: 1_234, direction: 'debit', currency: 'GBP', external_id: 'X-1' };
  await post(page, there.served, '/records', { ...record, description: 'Known there alone' });
  await ask(page, here.served, 'POST', '/sync_remotes', {
    name: 'Head office',
    base_url: there.served.base_url,
    api_key: there.served.api_key,
  });

  // The plan is made at once, and its figures open their lines.
  await expect(page.getByTestId('sync-plan')).toBeVisible({ timeout: 30_000 });
  const row = page.locator('[data-testid="plan-row"][data-resource="records"]');
  await expect(row).toContainText('555');
  await row.getByTestId('plan-figure').click();
  await expect(page.getByTestId('lines-table')).toContainText('Known there alone');
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('lines-table')).toHaveCount(0);
  // The screen's keys do not work until the panel has closed and returned the focus.
  await expect(row.getByTestId('plan-figure')).toBeFocused();

  await page.keyboard.press('Control+Enter');
  await expect(page.getByTestId('sync-ending')).toContainText('received 1', { timeout: 60_000 });
  await page.getByTestId('ending-decide').click();

  // The decision can be taken back.
  await expect(page.getByTestId('outcomes')).toContainText('Keep this');
  await page.keyboard.press('1');
  await expect(page.getByTestId('take-back')).toBeVisible();
  await expect(page.getByTestId('sync-tab-decide')).not.toContainText('1');
  await page.keyboard.press('Control+z');
  await expect(page.getByTestId('take-back')).toHaveCount(0);
  await page.keyboard.press('1');
  await expect(page.getByTestId('take-back')).toBeVisible();

  await page.keyboard.press('Control+Enter');
  await expect(page.getByTestId('sync-ending')).toBeVisible({ timeout: 60_000 });
  await page.getByTestId('sync-tab-decide').click();
  await expect(page.getByTestId('nothing-to-decide')).toBeVisible();

  await page.getByTestId('sync-tab-history').click();
  await expect(page.getByTestId('sync-run')).toHaveCount(2);
  await page.keyboard.press('v');
  await expect(page.getByTestId('agreement-records')).toContainText('Agrees', { timeout: 60_000 });
  await page.getByTestId('unfold-run').last().click();
  await page.getByTestId('run-details').getByTestId('run-figure').first().click();
  await expect(page.getByTestId('lines-table')).toBeVisible();
});
