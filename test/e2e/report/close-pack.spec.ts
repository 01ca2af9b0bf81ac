import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import { documentOf, packHtml, reportHtml } from '../../../src-main/domain/report/index.ts';
import { CFP_MATCHED } from '../../support/inputs/ledger-input.ts';
import { closedJune, reportOf } from '../../support/close-report.ts';
import { PACK_CHANGES } from '../../support/pack-changes.ts';

const PACK = packHtml(closedJune());
const { identity } = documentOf(closedJune());
let folder: string;
test.beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-pack-'));
});
test.afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Opens a pack from a file, as people do, and returns the contents of its banner. */
async function opened(page: Page, pack: string): Promise<{ readonly checked: string | null; readonly verdict: string }> {
  const file = path.join(folder, 'pack.html');
  fs.writeFileSync(file, pack);
  await page.goto(pathToFileURL(file).href);
  return {
    checked: await page.locator('html').getAttribute('data-checked'),
    verdict: (await page.locator('#verdict, #wait').first().textContent()) ?? '',
  };
}

test('an unchanged pack lists its checks in green and sends no request', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const { checked, verdict } = await opened(page, PACK);
  expect(checked).toBe('good');
  expect(verdict).toMatch(/^All \d+ figures re-added, 37 lines and 12 entries of the audit chain checked in this browser just now$/);
  expect(asked.every((url) => url.startsWith('file:'))).toBe(true);
  await expect(page.locator('.ck .mk.x')).toHaveCount(0);
  await expect(page.locator('#head')).not.toHaveText('none');
});

test('packs of other closes are green as well', async ({ page }) => {
  for (const input of [
    { ...CFP_MATCHED, currency: 'JPY', decimalPlaces: 0 },
    { ...CFP_MATCHED, isNeutral: true },
    { ...CFP_MATCHED, balances: { ...CFP_MATCHED.balances, books: { opening: null, stated: null } } },
    { ...CFP_MATCHED, balances: { ...CFP_MATCHED.balances, books: { opening: 1_200_000, stated: 3 } } },
    { ...CFP_MATCHED, matches: CFP_MATCHED.matches.map((made) => (made.id === 13 ? { ...made, reason: 'bank_error' as const } : made)) },
    { ...CFP_MATCHED, records: [], matches: [] },
    {
      ...CFP_MATCHED,
      records: CFP_MATCHED.records.map((record) => ({ ...record, description: `</script> "' & < \u2028 \r ${record.description}` })),
    },
  ]) {
    expect(await opened(page, packHtml(reportOf(input)))).toMatchObject({ checked: 'good' });
  }
});

test('an amount that was changed in the data is named with the signed value', async ({ page }) => {
  const { checked, verdict } = await opened(page, PACK.replace('-127500,"CHQ-1043"', '-117500,"CHQ-1043"'));
  expect(checked).toBe('bad');
  expect(verdict).toBe('This pack was changed after it was made: CHQ-1043, 13/06/2026, is −1,175.00 here and −1,275.00 in what was signed');
  await expect(page.locator('#report .f.ch').first()).toBeVisible();
});

test('an entry of the audit chain that was changed is named', async ({ page }) => {
  const { verdict } = await opened(page, PACK.replace('"match.made"', '"match.mode"'));
  expect(verdict).toBe('This pack was changed after it was made: entry 2,417 of the audit chain no longer has its hash');
});

/** Returns what a person sees of a page: its verdict, all its text, and the numbers that are compared with the print. */
async function seen(page: Page, pack: string) {
  const { checked } = await opened(page, pack);
  // Gives a script that the page should not run the time to act.
  await page.evaluate(() => new Promise((done) => setTimeout(done, 120)));
  return {
    isGreen: checked === 'good' && (await page.locator('html').getAttribute('data-checked')) === 'good',
    title: await page.title(),
    text: await page.locator('body').innerText(),
  };
}

test('a changed pack shows the true data, or says that it was changed, or has other numbers than the print', async ({ page }) => {
  test.slow();
  const untouched = await seen(page, PACK);
  expect(untouched.isGreen).toBe(true);
  const unseen: string[] = [];
  for (const { name, of } of PACK_CHANGES) {
    const pack = of(PACK);
    expect(pack, name).not.toBe(PACK);
    const { isGreen, title, text } = await seen(page, pack);
    const prints = [identity.fingerprint, identity.contents].every((print) => text.includes(print));
    const isTrue = title === untouched.title && text === untouched.text;
    if (isGreen && prints && !isTrue) unseen.push(name);
    if (name.startsWith('another reviewer')) expect(isGreen && prints, name).toBe(false);
  }
  expect(unseen).toEqual([]);
});

test('a changed check or style does not run: the page shows nothing of the pack and says why', async ({ page }) => {
  const { checked } = await opened(page, PACK.replace("'good' : 'bad'", "'good' : 'good'"));
  expect(checked).toBeNull();
  await expect(page.locator('body')).toHaveText(/This close pack is not checked, and nothing of it is shown/);
});

test('without scripts the page shows nothing and says why', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(pathToFileURL(path.join(folder, 'pack.html')).href);
  await expect(page.locator('body')).toHaveText(/the browser runs no scripts/);
  await expect(page.locator('body')).not.toContainText('12,715.79');
  await context.close();
});

test('the page reports changes that are made while it is open', async ({ page }) => {
  await opened(page, PACK);
  await page.evaluate(() => document.querySelector('#report tr')?.setAttribute('hidden', ''));
  await expect(page.locator('html')).toHaveAttribute('data-checked', 'bad');
  await expect(page.locator('#verdict')).toHaveText(/Something changed this page while it was open/);
  await page.locator('#again').click();
  await expect(page.locator('html')).toHaveAttribute('data-checked', 'good');
});

test('the pack has the numbers of the print', async ({ page }) => {
  await opened(page, PACK);
  await expect(page.locator('#fingerprint')).toHaveText(identity.fingerprint);
  await expect(page.locator('.ck', { hasText: 'Contents' }).locator('.v')).toHaveText(identity.contents);
  expect(reportHtml(documentOf(closedJune()))).toContain(`Fingerprint ${identity.fingerprint}    Contents ${identity.contents}`);
});

test('a chosen source file is compared with the hashes', async ({ page }) => {
  await opened(page, PACK);
  const file = path.join(folder, 'other.csv');
  fs.writeFileSync(file, 'abc');
  await page.locator('#file').setInputFiles(file);
  await expect(page.locator('#compared')).toHaveText(
    '◆ other.csv is none of the files of section 7. Its SHA-256 is ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad.',
  );
});
