import fs from 'node:fs';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import type { Served } from '../served-book.ts';
import { serveBook } from '../served-book.ts';
import { close, DIALOGS, EMPTY, fullBook, goTo, open, OPENED, SCREENS, settled, type Spot } from './every-place.ts';
import { cutOrOutside, withoutRing } from './room.ts';

/** Widths and heights of the window; the last is one of 1280 x 800 at a zoom of 200 %. */
const SIZES = [
  { width: 1024, height: 700 },
  { width: 1920, height: 1080 },
  { width: 640, height: 400 },
  { width: 1280, height: 800 },
] as const;
const ROOM_MS = 2_000;

test.describe.configure({ mode: 'parallel' });
test.use({ viewport: SIZES[3], contextOptions: { reducedMotion: 'reduce' } });

/** Waits for two frames and for what moves: then the styles of a new scheme and the columns of a new width are there. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    const moving = document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(moving.map(({ finished }) => finished));
  });

async function inScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await drawn(page);
}

/** Returns what axe finds. Of a dialog only the dialog is looked at, for what is behind it is a screen of the list. */
async function violations(page: Page, isDialog: boolean, rules?: readonly string[]): Promise<string[]> {
  // Nothing has frames, and without them no second page is needed. An open menu lies at the end of the page, outside of its landmarks, and has the focus.
  const axe = new AxeBuilder({ page }).setLegacyMode().disableRules('region');
  if (isDialog) axe.include(OPENED);
  if (rules !== undefined) axe.withRules([...rules]);
  const found = await axe.analyze();
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, html, any, all, none }) => {
      const why = [...any, ...all, ...none][0]?.message ?? '';
      return `axe ${id}: ${target.join(' ')} ${html.slice(0, 160)} (${why})`;
    }),
  );
}

async function roomFaults(page: Page): Promise<string[]> {
  const { width, height } = page.viewportSize() ?? SIZES[3];
  await drawn(page);
  let faults = await page.evaluate(cutOrOutside);
  const until = Date.now() + ROOM_MS;
  // Grids choose their columns a moment after their room has changed.
  while (faults.length > 0 && Date.now() < until) {
    await drawn(page);
    faults = await page.evaluate(cutOrOutside);
  }
  return faults.map((fault) => `${width}x${height} ${fault}`);
}

/** What has the focus, in words; null for nothing. */
const focused = (page: Page): Promise<string | null> =>
  page.evaluate(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    return element.closest('[data-testid]')?.getAttribute('data-testid') ?? element.tagName;
  });

/** Closes the dialog. Returns a fault when the focus does not return to what opened it. */
async function focusReturns(page: Page, { opener, isInMenu = false, returnsTo }: Spot, before: string | null): Promise<string[]> {
  await close(page);
  const wanted = returnsTo ?? (typeof opener === 'string' && !isInMenu ? opener : before);
  const returned = expect.poll(() => focused(page), { timeout: 3_000 });
  return returned.toBe(wanted).then(
    () => [],
    async () => [`focus: ${await focused(page)} has it after closing, not ${wanted}`],
  );
}

type Picture = (name: string) => Promise<unknown>;

async function lookAtScreen(page: Page, picture: Picture): Promise<string[]> {
  const found = await violations(page, false);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    found.push(...(await roomFaults(page)));
  }
  await picture('light');
  await inScheme(page, 'dark');
  found.push(...(await violations(page, false, ['color-contrast'])).map((each) => `dark ${each}`));
  await picture('dark');
  await inScheme(page, 'light');
  return [...found, ...(await page.evaluate(withoutRing))];
}

/** Looks at the dialog as it opens in the usual window, whether the focus returns, and at the dialog in the smallest window. */
async function lookAtDialog(page: Page, spot: Spot, picture: Picture): Promise<string[]> {
  const before = await focused(page);
  await open(page, spot);
  const found = [...(await violations(page, true)), ...(await roomFaults(page))];
  await picture('light');
  await inScheme(page, 'dark');
  found.push(...(await violations(page, true, ['color-contrast'])).map((each) => `dark ${each}`));
  await picture('dark');
  await inScheme(page, 'light');
  found.push(...(await focusReturns(page, spot, before)));
  await page.setViewportSize(SIZES[2]);
  await goTo(page, spot);
  // What is in the frame of a wide window alone has no opener in a small one.
  if (typeof spot.opener !== 'string' || (await page.getByTestId(spot.opener).filter({ visible: true }).count()) > 0) {
    await open(page, spot);
    found.push(...(await roomFaults(page)));
    await picture('small');
    await close(page);
  }
  await page.setViewportSize(SIZES[3]);
  return found;
}

async function look(page: Page, spot: Spot): Promise<string[]> {
  const folder = test.info().outputPath('pictures');
  fs.mkdirSync(folder, { recursive: true });
  const picture: Picture = (name) => page.screenshot({ path: path.join(folder, `${spot.name.replaceAll(/\W+/g, '-')}-${name}.png`) });
  await goTo(page, spot);
  return spot.opener === undefined ? lookAtScreen(page, picture) : lookAtDialog(page, spot, picture);
}

/** Looks at each spot of a book, and says all faults at once with the name of the spot. */
async function lookAtAll(page: Page, { ui_url: url }: Served, spots: readonly Spot[]): Promise<void> {
  test.setTimeout(900_000);
  page.setDefaultTimeout(15_000);
  await inScheme(page, 'light');
  await page.goto(url);
  await settled(page);
  const faults: string[] = [];
  for (const spot of spots) {
    const found = await test
      .step(spot.name, () => look(page, spot))
      .catch(async (error: unknown) => {
        await page.setViewportSize(SIZES[3]);
        await page.reload();
        await settled(page);
        return [`is not reached: ${String(error).split('\n').slice(0, 3).join(' ')}`];
      });
    faults.push(...found.map((fault) => `${spot.name}: ${fault}`));
    fs.writeFileSync(test.info().outputPath('faults.txt'), faults.join('\n'));
  }
  expect(faults).toEqual([]);
}

test('an empty book: axe finds nothing, nothing is cut', async ({ page }) => {
  const book = await serveBook();
  try {
    await lookAtAll(page, book.served, EMPTY);
  } finally {
    await book.stop();
  }
});

for (const [name, spots] of [
  ['each screen: axe finds nothing, nothing is cut, the focus is seen', SCREENS],
  ['each dialog: axe finds nothing, nothing is cut, the focus returns', DIALOGS],
] as const) {
  test(name, async ({ page }) => {
    const book = await fullBook();
    try {
      await lookAtAll(page, book.here.served, spots);
    } finally {
      await book.stop();
    }
  });
}

test('after undo in a message the focus stays where the work is', async ({ page }) => {
  const book = await fullBook();
  try {
    await page.goto(book.here.served.ui_url);
    await goTo(page, { name: 'matched', address: '/reconciliations/2/matched' });
    await page.getByTestId('grid-matched').locator('.ag-row[row-id]').first().click();
    const button = page.getByTestId('group-detail').filter({ visible: true }).getByTestId('unmatch-button');
    await button.focus();
    await page.keyboard.press('Enter');
    const undo = page.locator('.mantine-Notification-root').getByRole('button', { name: 'Undo' });
    await undo.focus();
    await page.keyboard.press('Enter');
    await expect(undo).toHaveCount(0);
    await expect.poll(() => focused(page)).not.toBeNull();
  } finally {
    await book.stop();
  }
});
