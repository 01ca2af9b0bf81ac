import { expect, test } from '@playwright/test';
import { bookOfTests, sampleBook, serveBook } from './served-book.ts';

const book = bookOfTests(async () => serveBook(await sampleBook()), { isShared: true });

const ADDRESSES = ['/', '/import', '/accounts', '/reconciliations/1', '/streams/bank', '/settings'];

test('the rail is as wide as the window allows, and nothing overflows', async ({ page }) => {
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('home-row')).toBeVisible();
  const widthOf = async (): Promise<number> => (await page.getByTestId('rail').boundingBox())?.width ?? 0;
  for (const [width, rail] of [
    [1024, 48],
    [1280, 68],
    [1600, 208],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(widthOf).toBe(rail);
  }
  await expect(page.getByTestId('rail').getByRole('link', { name: 'June: ledger and bank' })).toBeVisible();
  for (const width of [390, 640, 1024, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    for (const address of ADDRESSES) {
      await page.evaluate((place) => (globalThis.location.hash = place), address);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      const overhang = await page.evaluate(() =>
        [...document.querySelectorAll('html, #page, header')].map((each) => each.scrollWidth - each.clientWidth),
      );
      expect(overhang, `${address} at ${width}`).toEqual([0, 0, 0]);
    }
  }
});

test('what is printed is dark on white, with the name of the screen and without its buttons', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('home-row')).toBeVisible();
  const luminance = (): Promise<number> =>
    page.getByRole('heading', { level: 1 }).evaluate((element) => {
      const [red = 0, green = 0, blue = 0] = (/\d+, \d+, \d+/.exec(getComputedStyle(element).color)?.[0] ?? '').split(', ').map(Number);
      return (red + green + blue) / 3;
    });
  expect(await luminance()).toBeGreaterThan(180);
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(luminance).toBeLessThan(80);
  await expect(page.getByTestId('rail')).toBeHidden();
  await expect(page.getByTestId('import-button').first()).toBeHidden();
  await expect(page.locator('header button:visible')).toHaveCount(0);
  await page.emulateMedia({ colorScheme: 'dark', media: 'screen' });
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  await expect.poll(luminance).toBeGreaterThan(180);
  await expect(page.getByTestId('import-button').first()).toBeVisible();
});

test('in a narrow window the places are behind a button', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('rail')).toHaveCount(0);
  await page.getByTestId('menu-button').click();
  await expect(page.getByTestId('rail')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByTestId('rail')).toHaveCount(0);
  await page.getByTestId('menu-button').click();
  await page.getByTestId('rail-accounts').click();
  await expect(page.getByTestId('accounts-screen')).toBeVisible();
  await expect(page.getByTestId('rail')).toHaveCount(0);
});

test('the places lead to every screen, and the name of a screen to the others of its kind', async ({ page }) => {
  await page.goto(book.served.ui_url);
  await page.getByTestId('rail-reconciliation').click();
  await expect(page.getByTestId('reconciliation-screen')).toBeVisible();
  await page.getByTestId('place-menu').click();
  await page.getByRole('menuitem', { name: 'All reconciliations' }).click();
  await expect(page.getByTestId('book-overview')).toBeVisible();
  await page.getByTestId('rail-accounts').click();
  await page.getByTestId('stream-list').getByRole('link', { name: 'Ledger, cash account' }).click();
  await expect(page.getByTestId('stream-screen')).toBeVisible();
  await expect(page.getByTestId('rail-accounts')).toHaveAttribute('aria-current', 'page');
  await page.getByTestId('place-menu').click();
  await page.getByRole('menuitem', { name: 'Bank, current account' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bank, current account');
  await page.getByTestId('rail-settings').click();
  await expect(page.getByTestId('settings-screen')).toBeVisible();
});

test('the status bar shows a run and the last saved change', async ({ page }) => {
  await page.goto(book.served.ui_url);
  await expect(page.getByTestId('saved')).toHaveText('Saved');
  await page.getByTestId('reconciliation-run').click();
  await expect(page.getByTestId('status-bar')).toContainText('Run finished');
  await expect(page.getByTestId('saved')).toHaveText(/Saved \d/);
  await page.getByTestId('keyboard-help').click();
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toContainText('Move between reconciliations');
});

test('the settings say which version this is, and show the licences of its parts', async ({ page }) => {
  await page.goto(`${book.served.ui_url}`);
  await page.getByTestId('rail-settings').click();
  await expect(page.getByText(/^Version \d+\.\d+\.\d+\. Apache License 2\.0\.$/)).toBeVisible();
  await page.getByTestId('show-licences').click();
  await expect(page.getByRole('dialog', { name: 'Licences' })).toBeVisible();
  await expect(page.getByTestId('licences')).toContainText('better-sqlite3');
});

test('the settings show the parts that have some words, by mouse and by keys', async ({ page }) => {
  await page.goto(book.served.ui_url);
  await page.getByTestId('rail-settings').click();
  await expect(page.getByTestId('check-book')).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('decimal');
  await expect(page.getByTestId('dates-and-numbers')).toBeVisible();
  await expect(page.getByTestId('backups')).toBeHidden();
  await page.keyboard.press('Enter');
  await expect(page.locator('#dates-and-numbers-heading')).toBeFocused();
  await page.getByTestId('search-settings').fill('no such words');
  await expect(page.getByTestId('no-setting')).toHaveText('No setting has “no such words”.');
  await page.getByTestId('search-settings').press('Escape');
  await expect(page.getByTestId('backups')).toBeVisible();
});

test('the settings check the whole open book', async ({ page }) => {
  await page.goto(book.served.ui_url);
  await page.getByTestId('rail-settings').click();
  await page.getByTestId('check-book').click();
  await expect(page.getByTestId('book-check')).toContainText('Sound');
  await expect(page.getByTestId('book-found')).toContainText('nothing is wrong');
});
