import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import SqliteDatabase from 'better-sqlite3';
import { repository, sampleBook, tieout } from './served-book.ts';

interface OpenWindow {
  readonly npm: ChildProcess;
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Runs `npm start` on a folder without a display. It prints the address of the window. */
async function startWindow(dataFolder: string): Promise<OpenWindow> {
  const npm = spawn('npm', ['start', '--', '--data', dataFolder], {
    cwd: repository,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '' },
  });
  const ended = new Promise<void>((resolve) => npm.once('close', () => resolve()));
  let stderr = '';
  npm.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await expect.poll(() => stderr, { timeout: 50_000 }).toMatch(/http:\/\/127\.0\.0\.1:\d+\/\S+/);
  return {
    npm,
    url: /http:\/\/127\.0\.0\.1:\S+/.exec(stderr)?.[0] ?? '',
    stop: async () => {
      npm.kill('SIGTERM');
      await ended;
    },
  };
}

const pictures = process.env['TIEOUT_PICTURES'];

/** Saves a screenshot when the environment names a folder for them. */
async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [1024, 1920]) {
      await page.setViewportSize({ width, height: 800 });
      await page.screenshot({ path: path.join(pictures, `${name}-${scheme}-${width}.png`) });
    }
  }
}

test('a book is backed up and restored in the settings, and its window stays open', async ({ page }) => {
  const folder = await sampleBook();
  const window = await startWindow(folder);
  await page.goto(window.url);
  await expect(page.getByTestId('book-overview')).toBeVisible();
  await page.keyboard.press('Control+,');
  await expect(page.getByTestId('no-backups')).toBeVisible();
  // The answer is held back, so that the test sees the state before it.
  const held = Promise.withResolvers<void>();
  await page.route('**/app/backups', async (route) => {
    if (route.request().method() === 'POST') await held.promise;
    await route.continue();
  });
  await page.getByTestId('back-up-now').click();
  await expect(page.getByTestId('backup-running')).toBeVisible();
  await page.goBack();
  await expect(page.getByTestId('book-overview')).toBeVisible();
  await page.goForward();
  await expect(page.getByTestId('backup-running')).toBeVisible();
  await picture(page, 'backing-up');
  held.resolve();
  // On a slow machine the backup of the day is made meanwhile.
  const made = page.getByTestId('backup-row').filter({ hasText: 'Made by hand · 554 lines' });
  await expect(made).toHaveCount(1);
  await expect(page.getByTestId('backup-running')).toHaveCount(0);
  await expect(page.getByTestId('backups-folder')).toHaveText(path.join(folder, 'backups'));
  await made.getByTestId('check-backup').click();
  await expect(made.getByTestId('backup-found')).toContainText('it can be restored');
  await expect(made).toContainText('Sound');
  await picture(page, 'settings');
  await made.getByTestId('restore-backup').click();
  await expect(page.getByTestId('restore-confirm')).toBeVisible();
  await picture(page, 'restore');
  await page.getByTestId('restore-confirm').click();
  await expect(page.getByTestId('backup-row').filter({ hasText: 'Before a restore' })).toHaveCount(1);
  await window.stop();
});

test('a backup that was cut off is checked in the settings, which say that it is not sound', async ({ page }) => {
  const folder = await sampleBook();
  const file = path.join(folder, 'backups', 'from-the-stick.sqlite');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  await tieout('backup', '--data', folder, '--out', file);
  fs.truncateSync(file, 65_536);
  const window = await startWindow(folder);
  await page.goto(window.url);
  await expect(page.getByTestId('book-overview')).toBeVisible();
  await page.keyboard.press('Control+,');
  const row = page.getByTestId('backup-row').filter({ hasText: 'from-the-stick' });
  await expect(row).toContainText('Not checked');
  await row.getByTestId('check-backup').click();
  await expect(row.getByTestId('backup-found')).toContainText('is not a sound book');
  await expect(row).toContainText('Not sound');
  await picture(page, 'not-sound');
  await window.stop();
});

test('the dialog warns of a backup of another book and restores it after consent', async ({ page }) => {
  const [folder, other] = [await sampleBook(), await sampleBook()];
  // The other book gets its own identity, because all copies of one sample share it.
  const connection = new SqliteDatabase(path.join(other, 'book.sqlite'));
  connection.exec("UPDATE settings SET value = 'another' WHERE key = 'book_id'");
  connection.close();
  await tieout('verify', '--data', other, '--accept');
  const file = path.join(folder, 'backups', 'theirs.sqlite');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  await tieout('backup', '--data', other, '--out', file);
  const window = await startWindow(folder);
  await page.goto(window.url);
  await expect(page.getByTestId('book-overview')).toBeVisible();
  await page.keyboard.press('Control+,');
  await page.getByTestId('restore-backup').click();
  await page.getByTestId('restore-confirm').click();
  await expect(page.getByTestId('restore-asks')).toContainText('The backup is of another book');
  await expect(page.getByTestId('restore-confirm')).toBeDisabled();
  await expect(page.getByTestId('restore-confirm')).toHaveText('Restore anyway');
  await picture(page, 'restore-asks');
  await page.getByTestId('restore-sure').check();
  await page.getByTestId('restore-confirm').click();
  await expect(page.getByTestId('backup-row')).toHaveCount(2);
  await expect(page.getByTestId('backup-row').first()).toContainText('Before a restore');
  await window.stop();
});

test('a window whose book is missing offers to restore it, and opens by itself after that', async ({ page }) => {
  const folder = await sampleBook();
  await tieout('backup', '--data', folder);
  fs.rmSync(path.join(folder, 'book.sqlite'));
  const window = await startWindow(folder);
  await page.goto(window.url);
  await expect(page.getByTestId('rescue-screen')).toBeVisible();
  await expect(page.getByTestId('rescue-message')).toContainText(`The book of ${folder} is gone`);
  await picture(page, 'gone');
  await page.getByTestId('start-anew-sentence').fill('yes');
  await page.getByTestId('start-anew').click();
  await expect(page.getByText('To begin a new book here, type “start anew”.')).toBeVisible();
  await page.getByTestId('restore-backup').click();
  await page.getByTestId('restore-confirm').click();
  await expect(page.getByTestId('book-overview')).toBeVisible();
  await window.stop();
});

test('a damaged book is shown with a band that offers its newest backup', async ({ page }) => {
  const folder = await sampleBook();
  await tieout('backup', '--data', folder);
  const file = fs.openSync(path.join(folder, 'book.sqlite'), 'r+');
  const pages = fs.fstatSync(file).size / 4_096;
  fs.writeSync(file, Buffer.alloc(4_096, 0xa5), 0, 4_096, (pages - 3) * 4_096);
  fs.closeSync(file);
  const window = await startWindow(folder);
  await page.goto(window.url);
  await expect(page.getByTestId('read-only-band')).toBeVisible();
  await picture(page, 'read-only');
  // Controls that change the book are disabled and say why; reading still works.
  const importing = page.getByTestId('import-button').first();
  await expect(importing).toHaveAttribute('aria-disabled', 'true');
  await importing.hover();
  await expect(page.getByRole('tooltip')).toHaveText('This book can only be read. Restore a backup to go on working.');
  await importing.click({ force: true });
  await expect(page.getByTestId('book-overview')).toBeVisible();
  await page.getByTestId('reconciliation-open').first().click();
  await expect(page.getByTestId('run-button')).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByTestId('runs-by-itself')).toBeDisabled();
  await picture(page, 'read-only-reconciliation');
  await page.getByTestId('restore-newest').click();
  await page.getByTestId('restore-confirm').click();
  await expect(page.getByTestId('read-only-band')).toHaveCount(0);
  await expect(page.getByTestId('run-button')).toBeEnabled();
  await expect(page.getByTestId('run-button')).not.toHaveAttribute('aria-disabled');
  await window.stop();
});

test('a new book replaces a missing one only after an explicit sentence', async ({ page }) => {
  const folder = await sampleBook();
  fs.truncateSync(path.join(folder, 'book.sqlite'), 0);
  const window = await startWindow(folder);
  await page.goto(window.url);
  await expect(page.getByTestId('no-backups')).toBeVisible();
  await picture(page, 'empty');
  await page.getByTestId('start-anew-sentence').fill('start anew');
  await page.getByTestId('start-anew-sentence').press('Enter');
  await expect(page.getByTestId('import-button').first()).toBeVisible();
  await window.stop();
});
