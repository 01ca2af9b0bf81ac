import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import { packHtml } from '../../../src-main/domain/report/index.ts';
import { CFP_MATCHED } from '../../support/inputs/ledger-input.ts';
import { closedJune, reportOf } from '../../support/close-report.ts';

const PACK = packHtml(closedJune());
let folder: string;
test.beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-pack-'));
});
test.afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Opens a pack the way people do, from a file, and answers what its banner says. */
async function opened(page: Page, pack: string): Promise<{ readonly checked: string | null; readonly verdict: string }> {
  const file = path.join(folder, 'pack.html');
  fs.writeFileSync(file, pack);
  await page.goto(pathToFileURL(file).href);
  return {
    checked: await page.locator('html').getAttribute('data-checked'),
    verdict: (await page.locator('#verdict').textContent()) ?? '',
  };
}

/** One occurrence within a part of the pack, changed to something as long. */
function changed(from: string, to: string, { after = '', pack = PACK } = {}): string {
  const at = pack.indexOf(from, pack.indexOf(after));
  expect(at, from).toBeGreaterThan(0);
  expect(to).toHaveLength(from.length);
  return pack.slice(0, at) + to + pack.slice(at + from.length);
}

/** How many bytes of the data, and how many of the text, are changed one after another. */
const STEPS = 20;
const DATA = 'id="data"';
const REPORT = '<main id="report">';

test('an untouched pack says in green what was checked, and asks nobody for anything', async ({ page }) => {
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

test('an amount changed in the data is named with what was signed', async ({ page }) => {
  const { checked, verdict } = await opened(page, changed('-127500,"CHQ-1043"', '-117500,"CHQ-1043"', { after: DATA }));
  expect(checked).toBe('bad');
  expect(verdict).toBe('This pack was changed after it was made: CHQ-1043, 13/06/2026, is −1,175.00 here and −1,275.00 in what was signed');
  await expect(page.locator('#report .f.ch').first()).toBeVisible();
});

test('a figure that reads differently is named and marked', async ({ page }) => {
  const { checked, verdict } = await opened(page, changed('12,715.79', '12,716.79', { after: REPORT }));
  expect(checked).toBe('bad');
  expect(verdict).toBe('This pack was changed after it was made: a figure reads 12,716.79 and is 12,715.79 in the data');
  await expect(page.locator('#report .f.ch')).toHaveText('12,716.79');
});

test('an entry of the audit chain that was changed is named', async ({ page }) => {
  const { verdict } = await opened(page, changed('"match.made"', '"match.mode"', { after: '"audit":' }));
  expect(verdict).toBe('This pack was changed after it was made: entry 2,417 of the audit chain no longer has its hash');
});

test('names, texts, hashes and the style are found too', async ({ page }) => {
  const style = changed('.box{display:inline-block', '.box{display:inline-blocK');
  const changes = [
    changed('Tom Whitfield', 'Tim Whitfield', { after: REPORT }),
    changed('Tom Whitfield', 'Tim Whitfield', { after: DATA }),
    changed('Delgado cheque', 'Delgado Cheque', { after: REPORT }),
    changed('data-sha256="', 'data-sha255="', { after: '</main>' }),
    changed('"fingerprint":"', '"fingerprimt":"', { after: DATA }),
    changed('closed', 'Closed', { after: DATA }),
    changed('northgate-june.csv', 'northgate-july.csv', { after: REPORT }),
    style,
  ];
  for (const pack of changes)
    expect(await opened(page, pack)).toMatchObject({ checked: 'bad', verdict: expect.stringContaining('was changed after it was made') });
});

test('not one byte of the data or of the visible text can be changed unseen', async ({ page }) => {
  test.slow();
  const places: number[] = [];
  const data = PACK.indexOf('>', PACK.indexOf(DATA)) + 1;
  const end = PACK.indexOf('</script>', data);
  for (let step = 0; step < STEPS; step += 1) places.push(data + Math.floor(((end - 1 - data) * step) / (STEPS - 1)));
  const texts = [...PACK.matchAll(/>([^<>&]+)</g)].filter(({ index }) => index > PACK.indexOf(REPORT) && index < PACK.indexOf('</main>'));
  for (let step = 0; step < STEPS; step += 1) {
    const text = texts[Math.floor(((texts.length - 1) * step) / (STEPS - 1))];
    if (text !== undefined && text[0].trim() !== '><') places.push(text.index + 1 + (step % (text[1]?.length ?? 1)));
  }
  for (const at of places) {
    const pack = PACK.slice(0, at) + (PACK[at] === '7' ? '8' : '7') + PACK.slice(at + 1);
    expect((await opened(page, pack)).checked, `“${PACK.slice(at - 20, at + 20)}” at ${at}`).toBe('bad');
  }
});

test('a check that was changed does not run: the banner says that nothing was checked', async ({ page }) => {
  const { checked, verdict } = await opened(page, changed("isRight ? 'good' : 'bad'", "isRight ? 'good':'good' ", { after: '<script>' }));
  expect(checked).toBeNull();
  expect(verdict).toBe('This pack is not checked yet');
});

test('without scripts the report is readable', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await opened(page, PACK);
  await expect(page.locator('#report')).toContainText('12,715.79');
  await expect(page.locator('#verdict')).toHaveText('This pack is not checked yet');
  await context.close();
});

test('a source file that is chosen is compared with the hashes', async ({ page }) => {
  await opened(page, PACK);
  const file = path.join(folder, 'other.csv');
  fs.writeFileSync(file, 'abc');
  await page.locator('#file').setInputFiles(file);
  await expect(page.locator('#compared')).toHaveText(
    '◆ other.csv is none of the files of section 7. Its SHA-256 is ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad.',
  );
});
