import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { sampleBook, serveBook } from './served-book.ts';

// The secret store of the machine is placed beside the test's books.
process.env['XDG_CONFIG_HOME'] = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-config-'));

test('a remote is tested, added, scheduled and removed in the settings, and the frame shows its state', async ({ page }) => {
  test.setTimeout(120_000);
  const folder = await sampleBook();
  const there = await serveBook();
  const here = await serveBook(folder);
  await page.goto(here.served.ui_url);
  await expect(page.getByTestId('book-overview')).toBeVisible();
  await expect(page.getByTestId('sync-mark')).toHaveCount(0);
  await page.keyboard.press('Control+,');
  await expect(page.getByTestId('no-remotes')).toBeVisible();
  await expect(page.getByTestId('keys-in-file')).toContainText('in an encrypted file beside the book');

  await page.getByTestId('add-remote').click();
  await page.getByTestId('remote-name').fill('Head office');
  await page.getByTestId('remote-address').fill(there.served.base_url);
  await page.getByTestId('remote-key').fill('wrong');
  await page.getByTestId('remote-save').click();
  await expect(page.getByTestId('add-remote-dialog').getByRole('alert')).toContainText('key');
  await page.getByTestId('remote-key').fill(there.served.api_key);
  await expect(page.getByTestId('add-remote-dialog').getByRole('alert')).toHaveCount(0);
  await page.getByTestId('remote-test').click();
  await expect(page.getByTestId('probe-result')).toContainText('another Tieout');
  await page.getByTestId('remote-save').click();

  const row = page.getByTestId('remote-row');
  await expect(row).toContainText('Not synced yet');
  await expect(page.getByTestId('sync-mark')).toHaveAccessibleName(/^Sync: not synced yet, \d+ changes waiting$/);
  await expect(page.getByTestId('sync-status')).toContainText('Not synced yet ·');
  expect(fs.readFileSync(path.join(folder, 'sync-keys.json'), 'utf8')).not.toContain(there.served.api_key);

  await page.getByTestId('edit-remote').click();
  await page.getByTestId('remote-schedule').click();
  await page.getByRole('option', { name: 'Every 4 hours' }).click();
  await page.getByTestId('remote-when-online').click();
  await page.getByTestId('remote-save').click();
  await expect(row).toContainText('every 4 hours, and when the network comes back');

  await page.getByTestId('open-sync').click();
  await expect(page).toHaveURL(/#\/sync\/\d+$/);
  await page.keyboard.press('Control+,');
  await page.getByTestId('remove-remote').click();
  await expect(page.getByRole('dialog')).toContainText('Both sides keep their data');
  await page.getByTestId('remove-remote-confirm').click();
  await expect(page.getByTestId('no-remotes')).toBeVisible();
  await expect(page.getByTestId('sync-mark')).toHaveCount(0);
  expect(fs.existsSync(path.join(folder, 'sync-keys.json'))).toBe(false);
  await here.stop();
  await there.stop();
});
