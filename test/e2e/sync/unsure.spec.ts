import { expect, test } from '@playwright/test';
import { SpecificationRemote } from '../../support/remotes/specification-remote.ts';
import { newBookFolder, serveBook, type ServedBook } from '../served-book.ts';

let here: ServedBook;
/** A remote that does not list its accounts. */
const remote = new SpecificationRemote();

test.beforeAll(async () => {
  test.setTimeout(120_000);
  await remote.start();
  here = await serveBook(newBookFolder());
});

test.afterAll(async () => {
  await here.stop();
  await remote.stop();
});

test('a record that may have arrived is decided by keyboard: it has an id there, or is sent again', async ({ page }) => {
  test.setTimeout(120_000);
  const { ui_url: url, base_url: base, api_key: key } = here.served;
  const { origin, hash } = new URL(url);
  const data = { name: 'Head office', base_url: remote.baseUrl, api_key: remote.key };
  const added = await page.request.post(`${origin}/app/sync_remotes`, {
    headers: { 'x-tieout-window': hash.replace('#token=', '') },
    data,
  });
  expect(added.status()).toBe(201);
  for (const name of ['Deposit', 'Savings']) {
    await page.request.post(`${base}/bank_accounts`, { headers: { 'x-api-key': key }, data: { name, currency: 'EUR' } });
  }
  remote.faults.add({ kind: 'drop-after' }, { method: 'POST', path: /bank_accounts$/, times: 1 });
  remote.faults.add({ kind: 'drop-before' }, { method: 'POST', path: /bank_accounts$/, times: 1 });

  await page.goto(url);
  await page.getByTestId('rail-sync').click();
  await page.getByTestId('sync-begin').click({ timeout: 30_000 });
  await expect(page.getByTestId('sync-ending')).toContainText('2 items wait for your decision', { timeout: 60_000 });
  await page.getByTestId('ending-decide').click();

  const detail = page.getByTestId('unsure-detail');
  await expect(detail).toContainText('Deposit, EUR');
  await page.keyboard.press('1');
  await page.keyboard.type('none');
  await page.keyboard.press('Enter');
  await expect(detail).toContainText('The id is a whole number from 1 on.');
  const there = [...remote.state.accounts.values()].find(({ name }) => name === 'Deposit');
  const isThere = async (): Promise<void> => {
    await page.getByTestId('id-there').fill(String(there?.id));
    await page.keyboard.press('Enter');
    await expect(page.getByTestId('take-back')).toHaveCount(1);
  };
  await isThere();

  // The decision can be undone.
  await page.keyboard.press('Control+z');
  await expect(page.getByTestId('take-back')).toHaveCount(0);
  await page.keyboard.press('k');
  await expect(detail).toContainText('Deposit, EUR');
  await isThere();
  await expect(detail).toContainText('Savings, EUR');
  await page.keyboard.press('2');
  await expect(page.getByTestId('take-back')).toHaveCount(2);

  await page.keyboard.press('Control+Enter');
  await expect(page.getByTestId('sync-ending')).toContainText('Both sides agree', { timeout: 60_000 });
  await page.getByTestId('sync-tab-decide').click();
  await expect(page.getByTestId('nothing-to-decide')).toBeVisible();
  expect([...remote.state.accounts.values()].map(({ name }) => name).toSorted()).toEqual(['Deposit', 'Savings']);
});
