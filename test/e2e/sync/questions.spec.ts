import { expect, type Page, test } from '@playwright/test';
import { newBookFolder, serveBook, type Served, type ServedBook, tieout } from '../served-book.ts';

let here: ServedBook;
let there: ServedBook;
/** An empty book. It answers as the remote once its address is set. */
let empty: ServedBook;

test.beforeAll(async () => {
  test.setTimeout(240_000);
  const folder = newBookFolder();
  expect((await tieout('demo', '--data', folder)).code).toBe(0);
  here = await serveBook(folder);
  there = await serveBook();
  empty = await serveBook();
});

test.afterAll(async () => {
  await here.stop();
  await there.stop();
  await empty.stop();
});

/** Sends a request through the window's own transport. */
async function ask(page: Page, { ui_url: url }: Served, method: 'GET' | 'POST' | 'PATCH', path: string, data?: object): Promise<unknown> {
  const { origin, hash } = new URL(url);
  const headers = { 'x-tieout-window': hash.replace('#token=', '') };
  const answer = await page.request.fetch(`${origin}/app${path}`, { method, headers, ...(data === undefined ? {} : { data }) });
  expect(answer.status(), `${path}: ${await answer.text()}`).toBeLessThan(300);
  return answer.json();
}

const addressOf = ({ served }: ServedBook) => ({ base_url: served.base_url, api_key: served.api_key });

test('a changed remote causes a question, the dialog answers it, and a sync is undone in the history', async ({ page }) => {
  test.setTimeout(240_000);
  await page.goto(here.served.ui_url);
  const added = (await ask(page, here.served, 'POST', '/sync_remotes', { name: 'Head office', ...addressOf(there) })) as {
    readonly id: number;
  };
  await page.getByTestId('rail-sync').click();
  await page.getByTestId('sync-begin').click({ timeout: 30_000 });
  await expect(page.getByTestId('sync-ending')).toContainText('Both sides agree', { timeout: 60_000 });

  // Another book answers at the address from now on. Nothing moves before the user has said which one it is.
  await ask(page, here.served, 'PATCH', `/sync_remotes/${added.id}`, addressOf(empty));
  await page.getByTestId('sync-now').click();
  const dialog = page.getByTestId('question-dialog');
  await expect(dialog).toContainText('Is this the book you know?', { timeout: 30_000 });
  await page.getByTestId('answer-later').click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByTestId('sync-state')).toContainText('Asks you');
  await expect(page.getByTestId('sync-status')).toContainText('Sync asks you');
  await page.getByTestId('sync-answer').click();
  await page.getByTestId('answer-known').click();
  // It is empty, which causes another question.
  await expect(dialog).toContainText('has lost what you agreed on', { timeout: 30_000 });
  await page.getByTestId('answer-take').click();
  await expect(page.getByTestId('sync-plan')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByTestId('sync-question')).toContainText('You said: Take it as it is');

  // Its deletions here are listed first and need consent.
  await page.getByTestId('sync-begin').click();
  await expect(page.getByTestId('sync-deletions')).toContainText('Here: account Ledger, cash account');
  await page.getByTestId('sync-deletions-accept').click();
  await expect(page.getByTestId('sync-ending')).toContainText('deleted 558 here', { timeout: 60_000 });

  // The user undoes the sync, and the book is restored in one step.
  await page.getByTestId('sync-tab-history').click();
  await page.getByTestId('unfold-run').first().click();
  await expect(page.getByTestId('deletion-list')).toContainText('account Ledger, cash account with 283 lines');
  await page.getByTestId('undo-run').click();
  await expect(page.getByTestId('undo-dialog')).toContainText('3 changes and 558 deletions');
  await page.getByTestId('undo-accept').click();
  await expect(page.getByTestId('sync-run').first()).toContainText('Undone here', { timeout: 60_000 });
  // The next question is about the difference.
  await expect(page.getByTestId('question-dialog')).toContainText('You undid a sync');
  await page.getByTestId('answer-keep').click();
  await expect(page.getByTestId('sync-plan')).toBeVisible({ timeout: 30_000 });
  await page.getByTestId('sync-begin').click();
  await expect(page.getByTestId('sync-ending')).toContainText('Both sides agree', { timeout: 60_000 });
});

test('a remote that moved gets its new address in the settings', async ({ page }) => {
  await page.goto(here.served.ui_url);
  await page.getByTestId('rail-settings').click();
  await page.getByTestId('edit-remote').click();
  await page.getByTestId('remote-address').fill(empty.served.base_url.replace('127.0.0.1', 'localhost'));
  await page.getByTestId('remote-save').click();
  await expect(page.getByTestId('edit-remote-dialog')).toHaveCount(0, { timeout: 30_000 });
  await expect(page.getByTestId('remote-row')).toContainText('localhost');
  // The same remote is not added twice under another name.
  await page.getByTestId('add-remote').click();
  await page.getByTestId('remote-name').fill('Once more');
  await page.getByTestId('remote-address').fill(empty.served.base_url);
  await page.getByTestId('remote-key').fill(empty.served.api_key);
  await page.getByTestId('remote-test').click();
  await expect(page.getByTestId('probe-result')).toContainText('You already have this connection as Head office', { timeout: 30_000 });
  await page.getByTestId('remote-save').click();
  await expect(page.getByTestId('add-remote-dialog')).toContainText('every line would be doubled');
});
