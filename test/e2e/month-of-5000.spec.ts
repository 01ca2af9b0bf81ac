import { expect, type Page, test } from '@playwright/test';
import type { Match } from '../../src-shared/contract/index.ts';
import { assert } from '../../src-shared/values/assert.ts';
import { bookOfTests, copyOfBook, fileOf, serveBook, tieout } from './served-book.ts';
import { countsOf, gridRows } from './window-steps.ts';

const EVEN = 2_280;
const PROPOSED = 200;
const DIFFERING = 20;
/** On each side, beside one line of the bank that three lines of the ledger make up, and one that differs by a charge. */
const OPEN = 16;

/** Returns one side of an invented month of 2,500 lines. */
function sideOf(side: 'ledger' | 'bank'): string {
  const lines = ['Date,Description,Amount,Reference,Invoice'];
  const add = (day: number, words: string, minor: number, reference: string, invoice = ''): void => {
    const amount = `${Math.trunc(minor / 100)}.${String(minor % 100).padStart(2, '0')}`;
    lines.push([`2026-06-${String(day).padStart(2, '0')}`, words, amount, reference, invoice].join(','));
  };
  for (let at = 0; at < EVEN; at += 1) add((at % 28) + 1, `Order ${at}`, 1_000 + at * 7, `R${at}`);
  for (let at = 0; at < PROPOSED; at += 1) {
    const fee = side === 'bank' && at < DIFFERING ? 30 : 0;
    add((at % 28) + 1, `Invoice ${at} due`, 2_000_000 + at * 100 - fee, `${side}-${at}`, `INV-${at}`);
  }
  for (let at = 0; at < OPEN; at += 1)
    add((at % 28) + 1, `Only the ${side} has ${at}`, (side === 'bank' ? 311 : 523) + at * 1_013, `${side} ${at}`);
  if (side === 'bank') add(29, 'Deposit of three', 9_000_000, 'slip');
  else for (const minor of [2_500_000, 3_000_000, 3_500_000]) add(29, 'Receipt of the deposit', minor, `slip ${minor}`);
  add(30, 'Wire of the month', 8_000_000 - (side === 'bank' ? 1_250 : 0), `wire ${side}`);
  return fileOf(`${side}.csv`, lines.join('\n'));
}

const book = bookOfTests(async () =>
  serveBook(
    await copyOfBook('month of 5000', async (folder) => {
      for (const side of ['ledger', 'bank'] as const) {
        const { code, stderr } = await tieout('import', sideOf(side), '--data', folder, '--stream', side, '--currency', 'GBP');
        assert(code === 0, stderr);
      }
    }),
  ),
);

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const headers = { 'x-api-key': book.served.api_key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const answer = await fetch(`${book.served.base_url}${path}`, {
    headers,
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  expect(answer.ok, await answer.clone().text()).toBe(true);
  return (await answer.json()) as T;
}

/** Sets up the month with a rule that matches by reference and one that proposes by invoice, and shows its open lines. */
async function openMonth(page: Page): Promise<void> {
  const streams = await ask<{ id: number; key: string }[]>('/data_streams');
  const [sideA, sideB] = ['ledger', 'bank'].map((key) => String(streams.find((stream) => stream.key === key)?.id));
  await ask('/reconciliations', {
    name: 'June',
    side_a_stream_ids: [sideA],
    side_b_stream_ids: [sideB],
    sign_convention: 'same',
    run_type: 'batch',
  });
  const same = (field: string) => ({ key: field, value: field, operand: 'eq' });
  await ask('/reconciliation_rules', { reconciliation_id: '1', filters: { rules: [same('metadata.reference'), same('amount')] } });
  await ask('/reconciliation_rules', { reconciliation_id: '1', outcome: 'propose', filters: { rules: [same('metadata.invoice')] } });
  await page.goto(book.served.ui_url);
  await page.getByTestId('reconciliation-open').first().click();
  await expect(gridRows(page, 'grid-a').first()).toBeVisible();
}

const LEFT = OPEN + 2;
const adjusted = async (): Promise<number> => {
  const { data } = await ask<{ data: Match[] }>('/reconciliation_matches?reconciliation_id=1&status=matched&limit=100');
  return data.filter(({ adjustment_record_id: id }) => id !== null).length;
};

async function expectLeft(page: Page, matches: number, proposed: number, openA: number, openB: number): Promise<void> {
  await expect.poll(() => countsOf(page, 1), { timeout: 60_000 }).toEqual({ matches, proposed, openA, openB });
}

test('a month-end of 5,000 lines by keyboard alone: run, bulk with a charge, a group, an adjustment, undo and redo', async ({ page }) => {
  test.setTimeout(240_000);
  await openMonth(page);
  await page.keyboard.press('ControlOrMeta+Enter');
  await expectLeft(page, EVEN, PROPOSED, LEFT + 2, LEFT);

  await page.keyboard.press('2');
  await expect(page.getByTestId('found-proposed')).toHaveText(`${PROPOSED} matches`);
  await page.keyboard.press('/');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ControlOrMeta+a');
  await expect(page.getByTestId('selected-proposals')).toHaveText(`all ${PROPOSED} selected`);
  await page.keyboard.press('c');
  const button = page.getByTestId('decide-together-button');
  await expect(button).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByTestId('adjust-differing').getByRole('radio')).toBeChecked();
  await expect(button).toHaveText(`Confirm ${PROPOSED}`);
  for (let tabs = 0; tabs < 4; tabs += 1) await page.keyboard.press('Tab');
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expectLeft(page, EVEN + PROPOSED, 0, LEFT + 2, LEFT);
  await page.keyboard.press('ControlOrMeta+z');
  await expectLeft(page, EVEN, PROPOSED, LEFT + 2, LEFT);
  await page.keyboard.press('ControlOrMeta+Shift+z');
  await expectLeft(page, EVEN + PROPOSED, 0, LEFT + 2, LEFT);

  // Three receipts and their deposit: each side is filtered, and all that is found is selected.
  await page.keyboard.press('g');
  await page.keyboard.press('1');
  await page.keyboard.press('F6');
  for (const [place, words] of ['Receipt', 'Deposit'].entries()) {
    if (place === 1) await page.keyboard.press('F6');
    await page.keyboard.press('/');
    await page.keyboard.type(words);
    await expect(gridRows(page, place === 0 ? 'grid-a' : 'grid-b')).toHaveCount(place === 0 ? 3 : 1);
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+a');
  }
  await expect(page.getByTestId('match-button')).toHaveText(/Match\s*M/);
  await page.keyboard.press('m');
  await expectLeft(page, EVEN + PROPOSED + 1, 0, LEFT - 1, LEFT - 1);

  // A line and its counterpart that differ by a charge, with a reason.
  for (const place of [0, 1]) {
    if (place === 1) await page.keyboard.press('F6');
    await page.keyboard.press('/');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Wire');
    await expect(gridRows(page, place === 0 ? 'grid-b' : 'grid-a')).toHaveCount(1);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
  }
  await page.keyboard.press('m');
  await expect(page.getByRole('radio', { name: /Record an adjustment/ })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Bank charge' })).toBeChecked();
  await page.keyboard.press('Tab');
  await page.keyboard.type('Charge of the wire');
  await page.keyboard.press('Enter');
  await expectLeft(page, EVEN + PROPOSED + 2, 0, LEFT - 2, LEFT - 2);
  for (let steps = 0; steps < 2; steps += 1) await page.keyboard.press('ControlOrMeta+z');
  await expectLeft(page, EVEN + PROPOSED, 0, LEFT + 2, LEFT);
  for (let steps = 0; steps < 2; steps += 1) await page.keyboard.press('ControlOrMeta+Shift+z');
  await expectLeft(page, EVEN + PROPOSED + 2, 0, LEFT - 2, LEFT - 2);
  await expect(page.getByTestId('error-notification')).toHaveCount(0);
});

test('a month-end of 5,000 lines by mouse alone: run, bulk with a charge, a group, an adjustment, undo and redo', async ({ page }) => {
  test.setTimeout(240_000);
  await openMonth(page);
  await page.getByTestId('run-button').click();
  await expectLeft(page, EVEN, PROPOSED, LEFT + 2, LEFT);
  await page.getByTestId('tab-proposed').click();
  await page.getByTestId('views-proposed').click();
  await page.getByRole('menuitem', { name: 'Difference up to 0.50' }).click();
  await expect(page.getByTestId('found-proposed')).toContainText(`${PROPOSED} found`);
  await page.getByTestId('confirm-together').click();
  await page.getByTestId('adjust-differing').click();
  await expect(page.getByTestId('decide-together-button')).toHaveText(`Confirm ${PROPOSED}`);
  await page.getByTestId('decide-together-button').click();
  await expectLeft(page, EVEN + PROPOSED, 0, LEFT + 2, LEFT);
  expect(await adjusted()).toBeGreaterThan(0);
  await page.getByTestId('undo-button').click();
  await expectLeft(page, EVEN, PROPOSED, LEFT + 2, LEFT);
  expect(await adjusted()).toBe(0);
  await page.getByTestId('tab-open').click();
  await page.getByTestId('filters-b').click();
  await page.getByRole('menuitem', { name: 'In no proposal' }).click();
  await page.getByTestId('grid-b').getByText('Deposit of three').click();
  const suggestion = page.getByTestId('suggestion').filter({ hasText: '3 lines' }).first();
  await suggestion.getByTestId('take-suggestion').click();
  await expectLeft(page, EVEN + 1, PROPOSED, LEFT - 1, LEFT - 1);
  await page.getByTestId('filters-a').click();
  await page.getByRole('menuitem', { name: 'In no proposal' }).click();
  await page.getByTestId('grid-b').getByText('Wire of the month').click();
  await page.getByTestId('grid-a').getByText('Wire of the month').click();
  await page.getByTestId('match-button').click();
  await page.getByText('Bank charge', { exact: true }).click();
  await page.getByTestId('difference-note').fill('Charge of the wire');
  await page.getByTestId('difference-confirm').click();
  await expectLeft(page, EVEN + 2, PROPOSED, LEFT - 2, LEFT - 2);
  await page.getByTestId('undo-button').click();
  await expectLeft(page, EVEN + 1, PROPOSED, LEFT - 1, LEFT - 1);
  await expect(page.getByTestId('error-notification')).toHaveCount(0);
});
