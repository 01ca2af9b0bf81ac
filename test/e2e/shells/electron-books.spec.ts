import fs from 'node:fs';
import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { launchApp, type RunningApp } from '../../support/electron/launch-app.ts';
import { newBookFolder, sampleBook } from '../served-book.ts';

const running: RunningApp[] = [];
async function launch(...given: Parameters<typeof launchApp>): Promise<RunningApp> {
  const app = await launchApp(...given);
  running.push(app);
  await expect(app.page.getByTestId('book-overview')).toBeVisible();
  return app;
}
test.afterEach(async () => {
  for (const app of running.splice(0)) expect(await app.stop(), app.log()).toBe(0);
});

const hashOf = (page: Page): string => new URL(page.url()).hash;

test('a book is made by the menu and the dialog for folders, and the former one is opened from the menu', async () => {
  const sample = await sampleBook();
  const { page, control } = await launch(sample);
  await expect(page).toHaveTitle(/Sample book/);
  await control({ kind: 'click-menu', label: '&New book…' });
  await page.getByTestId('new-book-name').fill('Harbour Lane');
  const folder = newBookFolder();
  await control({ kind: 'next-file', path: folder });
  await page.getByTestId('choose-folder').click();
  await expect(page.getByTestId('book-folder-field')).toHaveValue(folder);
  await page.getByTestId('book-dialog-act').click();
  await expect(page).toHaveTitle(/Harbour Lane/);
  await expect(page.getByTestId('first-hour')).toBeVisible();
  await expect.poll(() => control({ kind: 'menu' })).toContainEqual(expect.stringContaining(sample));
  const label = (await control({ kind: 'menu' })).find((entry) => entry.endsWith(sample)) ?? '';
  await control({ kind: 'click-menu', label });
  await expect(page).toHaveTitle(/Sample book/);
});

test('the book and its backups are shown in their folder, and nothing else is', async () => {
  const folder = await sampleBook();
  const { page, control } = await launch(folder);
  await page.keyboard.press('Control+,');
  await page.getByTestId('show-book-in-folder').click();
  await page.getByTestId('back-up-now').click();
  await page.getByTestId('show-backup-in-folder').click();
  const shown = async () =>
    (await control({ kind: 'calls' })).filter(({ name }) => name === 'shell.showItemInFolder').map(({ detail }) => detail);
  await expect.poll(async () => (await shown()).length).toBe(2);
  const backup = fs.readdirSync(path.join(folder, 'backups')).find((name) => name.endsWith('.sqlite')) ?? '';
  expect(await shown()).toEqual([path.join(folder, 'book.sqlite'), path.join(folder, 'backups', backup)]);
  await page.evaluate(async () => {
    const { tieout } = globalThis as unknown as { tieout: { showInFolder: (backup: unknown) => Promise<void> } };
    await tieout.showInFolder('../book.sqlite');
  });
  expect(await shown()).toHaveLength(2);
});

test('a book that is opened with Tieout takes the place of the one in the window, and a damaged one is refused in words', async () => {
  const [first, sample, broken] = [newBookFolder(), await sampleBook(), newBookFolder()];
  fs.writeFileSync(path.join(sample, 'June.tieout'), '');
  const { page, control } = await launch(first);
  await control({ kind: 'second-start', args: [path.join(sample, 'June.tieout')] });
  await expect(page).toHaveTitle(/Sample book/);
  // The file that Tieout wrote, as it is dropped on the icon.
  await control({ kind: 'open-file', path: path.join(first, 'book.tieout') });
  await expect(page).toHaveTitle(/My book/);
  fs.mkdirSync(broken, { recursive: true });
  fs.writeFileSync(path.join(broken, 'book.sqlite'), Buffer.alloc(8_192, 0x41));
  await control({ kind: 'open-file', path: broken });
  await expect.poll(async () => JSON.stringify((await control({ kind: 'calls' })).at(-1) ?? null)).toContain('This book cannot be opened');
  await expect(page).toHaveTitle(/My book/);
  await expect(page.getByTestId('book-overview')).toBeVisible();
});

test('each link leads to its screen, in a first start and in a second', async () => {
  const sample = await sampleBook();
  const { page, control } = await launch(sample);
  const links = [
    ['tieout://record/3', '#/records/3', 'record-panel'],
    ['tieout://reconciliation/1', '#/reconciliations/1', 'reconciliation-screen'],
    ['tieout://reconciliation/1/close', '#/reconciliations/1/close', 'close-screen'],
    ['tieout://settings', '#/settings', 'settings-screen'],
  ] as const;
  for (const [link, hash, screen] of links) {
    await control({ kind: 'second-start', args: [link] });
    await expect.poll(() => hashOf(page), link).toMatch(new RegExp(`^${hash}(?:$|[?])`));
    await expect(page.getByTestId(screen).first(), link).toBeVisible();
  }
  await control({ kind: 'open-url', url: 'tieout://history' });
  await expect.poll(() => hashOf(page)).toBe('#/history');
});

test('the book that was chosen last is open at the next start, unless the start names another one', async () => {
  const userFolder = path.dirname(newBookFolder());
  const sample = await sampleBook();
  const first = await launch(null, { userFolder });
  await expect(first.page).toHaveTitle(/My book/);
  await first.page.keyboard.press('Control+o');
  await first.page.getByTestId('book-folder-field').fill(sample);
  await first.page.keyboard.press('Enter');
  await expect(first.page).toHaveTitle(/Sample book/);
  expect(await first.stop(), first.log()).toBe(0);
  const second = await launch(null, { userFolder });
  await expect(second.page).toHaveTitle(/Sample book/);
  expect(await second.stop(), second.log()).toBe(0);
  const other = newBookFolder();
  const third = await launch(null, { userFolder, args: [path.join(sample, 'book.tieout')] });
  await expect(third.page).toHaveTitle(/Sample book/);
  expect(await third.stop(), third.log()).toBe(0);
  const named = await launch(other, { userFolder });
  await expect(named.page).toHaveTitle(/My book/);
});
