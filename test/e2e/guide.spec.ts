import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { BANK_SAMPLE, bookOfTests, LEDGER_SAMPLE, repository } from './served-book.ts';
import { runEnded } from './window-steps.ts';

// The sample is British, and so are the pictures.
test.use({ locale: 'en-GB' });
const book = bookOfTests();

/** Writes a picture of the guide where `TIEOUT_PICTURES` is set, such as after a change of a screen that the guide shows. */
async function picture(page: Page, name: string): Promise<void> {
  if (process.env['TIEOUT_PICTURES'] === undefined) return;
  const close = page.getByRole('alert').getByRole('button', { name: 'Close' });
  for (const message of await close.all()) await message.click();
  await page.screenshot({ path: path.join(repository, 'resources/screenshots', `${name}.png`), animations: 'disabled' });
}

async function enterBalance(page: Page, which: 'opening' | 'stated_closing', text: string): Promise<void> {
  await page.getByTestId(`balance-books-${which}`).click();
  await page.getByTestId(`enter-books-${which}`).fill(text);
  await page.keyboard.press('Enter');
  await expect(page.getByTestId(`enter-books-${which}`)).toHaveCount(0);
}

async function sign(page: Page, kind: 'prepare' | 'review' | 'close', name: string, reason: string): Promise<void> {
  await page.getByTestId(`${kind}-name`).fill(name);
  const why = page.getByTestId(`${kind}-reason`);
  if (await why.isVisible()) await why.fill(reason);
  await page.getByTestId(`sign-${kind}`).click();
}

test('the first hour of the guide, step by step, ends with a closed month', async ({ page }) => {
  await page.goto(book.served.ui_url);
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).first().click();
  await (await chooser).setFiles([BANK_SAMPLE, LEDGER_SAMPLE]);
  await expect(page.getByTestId('first-bank')).toContainText('Proved');
  await expect(page.getByTestId('first-books')).toContainText('Unproved');
  await picture(page, 'first-files');
  await page.getByRole('button', { name: /^Import and match/ }).click();
  await runEnded(page);
  await expect(page.getByRole('tab', { name: /^Matched/ })).toContainText('234');
  await expect(page.getByRole('tab', { name: /^Proposed/ })).toContainText('17');
  await picture(page, 'first-run');

  await page.keyboard.press('7');
  await page.getByRole('button', { name: 'Close June 2026' }).click();
  await enterBalance(page, 'opening', '38,612.40');
  await enterBalance(page, 'stated_closing', '57,650.42');
  await expect(page.getByTestId('agree-band')).toContainText('The figures agree');
  await page.getByTestId('select-all').click();
  await page.getByTestId('bulk-comment').fill('Seen, clears in July');
  await page.getByTestId('bulk-write').click();
  await expect(page.getByTestId('bulk-bar')).toHaveCount(0);
  await picture(page, 'first-close');
  await sign(page, 'prepare', 'Amira Patel', 'The proposals are decided in July');
  await expect(page.getByTestId('period-state')).toHaveText('Prepared');
  await sign(page, 'review', 'Ben Ode', 'The proposals are decided in July');
  await expect(page.getByTestId('period-state')).toHaveText('Reviewed');
  await sign(page, 'close', 'Ben Ode', 'The proposals are decided in July');
  await expect(page.getByTestId('period-state')).toHaveText(/Reconciled|Closed/);
});

test('each screen leads to its page of the guide, by mouse and by F1, and the guide searches without a network', async ({
  page,
  context,
}) => {
  const wrong: string[] = [];
  context.on('page', (guide) => {
    guide.on('console', (message) => void (message.type() === 'error' && wrong.push(message.text())));
    guide.on('pageerror', (error) => wrong.push(error.message));
    guide.on('response', (answer) => void (answer.status() >= 400 && wrong.push(`${answer.status()} ${answer.url()}`)));
  });
  await page.goto(book.served.ui_url);
  const opened = async (act: () => Promise<void>): Promise<Page> => {
    const guide = context.waitForEvent('page');
    await act();
    return guide;
  };
  for (const [place, title] of [
    ['/', 'Your first hour'],
    ['/import', 'Files'],
    ['/records', 'Matching'],
    ['/sync', 'Sync'],
    ['/settings', 'How your data is kept safe'],
  ] as const) {
    await page.evaluate((hash) => window.location.assign(`#${hash}`), place);
    const guide = await opened(() => page.getByRole('link', { name: 'Guide', exact: true }).click());
    await expect(guide.getByRole('heading', { level: 1 })).toContainText(title);
    await guide.close();
  }
  await page.evaluate(() => window.location.assign('#/settings'));
  await expect(page.getByTestId('settings-screen')).toBeVisible();
  const guide = await opened(() => page.keyboard.press('F1'));
  await expect(guide.getByRole('heading', { level: 1 })).toContainText('How your data is kept safe');
  await guide.keyboard.press('ControlOrMeta+k');
  await guide.getByRole('searchbox').fill('budget');
  await expect(guide.getByRole('option').first()).toContainText('budget');
  await guide.keyboard.press('Enter');
  await expect(guide.getByRole('heading', { level: 1 })).toContainText('Likelihood and budget');
  // A code of the interface has a place of its own, which a link can name.
  await guide.goto(new URL('/guide/troubleshooting.html#period_closed', book.served.base_url).href);
  await expect(guide.locator('#period_closed')).toContainText('Reopen the period');
  expect(wrong).toEqual([]);
});
