import path from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import Database from 'better-sqlite3';
import type { Match, Output } from '../../src-shared/contract/index.ts';
import { sampleBook, serveBook, type ServedBook } from './served-book.ts';
import { gridRows, runEnded } from './window-steps.ts';

let book: ServedBook;
test.afterEach(async () => {
  await book.stop();
});

async function ask<T>(place: string, body?: unknown): Promise<T> {
  const headers = { 'x-api-key': book.served.api_key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
  const answer = await fetch(`${book.served.base_url}${place}`, {
    headers,
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  expect(answer.ok, await answer.clone().text()).toBe(true);
  return (await answer.json()) as T;
}

const matches = () => ask<{ data: Match[] }>('/reconciliation_matches?reconciliation_id=1').then(({ data }) => data);

/** Creates a ledger and a bank with `count` matched lines each, and one more line of the bank. */
async function tiedLines(count: number): Promise<number[]> {
  for (const [key, name, more] of [
    ['ledger', 'Ledger', 0],
    ['bank', 'Bank', 1],
  ] as const) {
    await ask('/data_streams', { key, name });
    for (let line = 1; line <= count + more; line += 1) {
      const description = `${name} line ${line}`;
      await ask('/records', { data_stream_key: key, date: `2026-06-${10 + line}`, currency: 'GBP', amount: 1_000, description });
    }
  }
  const sides = { side_a_stream_ids: ['1'], side_b_stream_ids: ['2'], sign_convention: 'same', run_type: 'batch' };
  await ask('/reconciliations', { name: 'June', ...sides });
  const made: number[] = [];
  for (let line = 1; line <= count; line += 1) {
    made.push(
      (await ask<Match>('/reconciliation_matches', { reconciliation_id: '1', record_ids: [String(line), String(count + line)] })).id,
    );
  }
  return made;
}

/** Writes the changed evidence of a run, in 1/64 bit of log odds. */
async function withReviews(ids: readonly number[], others: readonly number[]): Promise<void> {
  await book.stop();
  const database = new Database(path.join(book.dataFolder, 'book.sqlite'));
  const insert = database.prepare('INSERT INTO evidence_reviews VALUES (?, 1, 1, 770, 41, ?, 1782000000000)');
  for (const [place, id] of ids.entries()) insert.run(id, JSON.stringify(place === 0 ? others : []));
  database.close();
  book = await serveBook(book.dataFolder);
}

async function openEvidence(page: Page): Promise<void> {
  await page.goto(book.served.ui_url);
  await page.getByTestId('reconciliation-open').first().click();
  await page.getByTestId('tab-evidence').click();
}

test('matches whose evidence changed are kept or separated, by mouse and by keyboard, and a separation is undone', async ({ page }) => {
  book = await serveBook();
  const ids = await tiedLines(3);
  await withReviews(ids, [7]);
  await openEvidence(page);
  const reviews = page.getByTestId('review');
  await expect(reviews).toHaveCount(3);
  await expect(page.getByTestId('tab-evidence')).toContainText('3');
  const first = reviews.first();
  await expect(first.getByTestId('review-words')).toHaveText('Over 99.9 % likely when it was matched, 61 % now');
  await expect(first).toContainText('Ledger line 1');
  await expect(first).toContainText('Bank line 1');
  await expect(first.getByTestId('fits-better')).toContainText('Bank line 4');
  await expect(reviews.nth(1).getByTestId('fits-better')).toHaveCount(0);

  await first.getByTestId('keep-match').click();
  await expect(reviews).toHaveCount(2);
  expect(await matches()).toHaveLength(3);
  // The focus moves to the next one.
  await expect(reviews.first().getByTestId('keep-match')).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(reviews).toHaveCount(1);
  await expect.poll(matches).toHaveLength(2);
  await page.keyboard.press('ControlOrMeta+z');
  await expect.poll(matches).toHaveLength(3);

  await reviews.last().getByTestId('keep-match').click();
  await page.getByTestId('tab-matched').click();
  await expect(gridRows(page, 'grid-matched')).toHaveCount(3);
});

const NAMES = { a: 'J SWIFT', b: 'SWIFT LOGISTICS' };

/** Mocks the learned evidence with an alias of two names. It is not returned while it is removed. */
async function learnTogether(page: Page): Promise<void> {
  let isRemoved = false;
  await page.route('**/app/reconciliations/1/evidence/*_aliases', async (route) => {
    isRemoved = route.request().url().includes('removed_aliases');
    await route.continue();
  });
  // The service carries out the undo; the mock only returns the alias again.
  await page.route('**/app/undo', async (route) => {
    if (route.request().method() === 'POST') isRemoved = false;
    await route.continue();
  });
  const alias = {
    ...NAMES,
    matches: [
      { a_record_id: 1, b_record_id: 4 },
      { a_record_id: 2, b_record_id: 5 },
    ],
  };
  const learned: NonNullable<Output<'evidence.get'>['learned']> = {
    reconciliation_id: 1,
    rule_id: 1,
    version: 1,
    run_id: 1,
    learned_at: '2026-06-30T00:00:00.000Z',
    words: ['Learned.'],
    lines_a: 3,
    lines_b: 4,
    partnered_a: 1,
    partnered_b: 1,
    prior: 1,
    lags: [],
    amount: [],
    text: [],
    references: [],
    rare_words: [],
    common_words: [],
    aliases: [],
  };
  await page.route('**/app/reconciliations/1/evidence', (route) =>
    route.fulfill({ json: { learned: { ...learned, aliases: isRemoved ? [] : [alias] } } }),
  );
}

test('aliases show their lines, and can be removed and restored', async ({ page }) => {
  book = await serveBook();
  await tiedLines(3);
  await learnTogether(page);
  await openEvidence(page);
  const alias = page.getByTestId('alias');
  await expect(alias).toContainText('J SWIFT = SWIFT LOGISTICS');
  await expect(page.getByTestId('reviews')).toHaveCount(0);
  await alias.getByTestId('alias-from').focus();
  await page.keyboard.press('Enter');
  await expect(alias.getByTestId('alias-pairs')).toContainText('Ledger line 2');
  await expect(alias.getByTestId('alias-pairs')).toContainText('Bank line 2');
  await alias.getByTestId('not-the-same').click();
  await expect(alias).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+z');
  await expect(alias).toHaveCount(1);
});

test('the tables of what was learned stand beside or below each other, whole', async ({ page }) => {
  book = await serveBook(await sampleBook());
  await page.goto(book.served.ui_url);
  await page.getByTestId('rail-reconciliation').click();
  await page.getByTestId('run-button').click();
  await runEnded(page);
  await page.getByTestId('tab-evidence').click();
  await page.getByTestId('learned-figures').locator('summary').first().click();
  const tables = page.getByTestId('learned').locator('table');
  await expect(tables).toHaveCount(3);
  for (const width of [1024, 1280, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    const isTooWide = await tables.evaluateAll((all) => all.map((table) => table.clientWidth > (table.parentElement?.clientWidth ?? 0)));
    expect(isTooWide).toEqual([false, false, false]);
  }
});
