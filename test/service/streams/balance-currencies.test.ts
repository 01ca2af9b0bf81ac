import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { importHere, openQuietBook, type QuietBook } from '../../support/books/quiet-book.ts';

/** The balance of a EUR file in a GBP stream, or of two streams of an account that has no currency, was read as one of the other currency. */

function imported(book: QuietBook, name: string, text: string, request: Partial<Parameters<typeof importHere>[1]> = {}) {
  const file = path.join(book.folder, name);
  writeFileSync(file, text);
  return importHere(book, { path: file, streamKey: 'bank', acceptCurrency: true, acceptTarget: true, ...request }).result;
}

const HEAD = 'Date,Description,Amount,Balance,Currency';
/** Two lines in days of June that follow each other, from an opening balance on. */
const statement = (currency: string, first: number, opening: number): string => {
  const day = (at: number): string => `2026-06-${String(first + at).padStart(2, '0')}`;
  return `${HEAD}\n${day(0)},Sale one ${currency},60,${opening + 60},${currency}\n${day(1)},Sale two ${currency},40,${opening + 100},${currency}\n`;
};

describe('balances of two currencies in one stream', () => {
  async function bookOfBoth() {
    const book = openQuietBook();
    await book.client.get('bank_accounts.create', { name: 'Current', currency: 'GBP' });
    await book.client.get('streams.create', { key: 'bank', name: 'Bank', type: 'csv', bank_account_id: 1 });
    expect(imported(book, 'one.csv', statement('GBP', 1, 500))?.kept).toBe(2);
    expect(imported(book, 'yen.csv', statement('JPY', 3, 9_000))?.kept).toBe(2);
    expect(imported(book, 'two.csv', statement('GBP', 3, 600))?.kept).toBe(2);
    return book;
  }

  it('cover days separately, each in its currency and scale, and do not break each other', async () => {
    const book = await bookOfBoth();
    for (const { accounts } of [
      await book.client.get('coverage.of_stream', { key: 'bank' }),
      await book.client.get('coverage.of_account', { id: 1 }),
    ]) {
      const shown = accounts.map(({ currency, decimal_places: places, statements, gaps, overlaps, breaks }) => ({
        currency,
        places,
        closing: statements.map((each) => each.closing_balance),
        doubts: gaps.length + overlaps.length + breaks.length,
      }));
      expect(shown).toEqual([
        { currency: 'GBP', places: 2, closing: [60_000, 70_000], doubts: 0 },
        { currency: 'JPY', places: 0, closing: [9_100], doubts: 0 },
      ]);
    }
  });

  it('balances of the account are in its currency', async () => {
    const book = await bookOfBoth();
    const listed = await book.client.get('bank_account_balances.list', { bank_account_id: 1 });
    expect(new Set(listed.map(({ currency }) => currency))).toEqual(new Set(['GBP']));
  });
});

describe('an account without a currency', () => {
  async function bookOfAccount() {
    const book = openQuietBook();
    await book.client.get('bank_accounts.create', { name: 'Wallet' });
    for (const key of ['pounds', 'yen']) await book.client.get('streams.create', { key, name: key, type: 'csv', bank_account_id: 1 });
    imported(book, 'pounds.csv', statement('GBP', 1, 500), { streamKey: 'pounds' });
    return book;
  }
  const listed = async (book: QuietBook): Promise<string[]> =>
    (await book.client.get('bank_account_balances.list', { bank_account_id: 1 }))
      .map(({ date, balance_type, amount_cents, currency, conflicts }) =>
        [date.slice(5), balance_type, amount_cents, currency, conflicts.length].join(' '),
      )
      .toSorted();

  it('has the balances of each currency, and no conflict between them', async () => {
    const book = await bookOfAccount();
    const result = imported(book, 'yen.csv', statement('JPY', 1, 9_000), { streamKey: 'yen' });
    expect(result?.balances).toMatchObject({ new: 2, same: 0, conflicts: 0 });
    expect(await listed(book)).toEqual([
      '06-01 opening_ledger 50000 GBP 0',
      '06-01 opening_ledger 9000 JPY 0',
      '06-02 closing_ledger 60000 GBP 0',
      '06-02 closing_ledger 9100 JPY 0',
    ]);
  });

  it("reads a person's balance in the only currency of its statements, and otherwise in none of them", async () => {
    const book = await bookOfAccount();
    const put = (amount_cents: number) =>
      book.client.get('bank_account_balances.put', {
        bank_account_id: 1,
        date: '2026-06-02',
        balance_type: 'closing_ledger',
        amount_cents,
      });
    expect(await put(60_500)).toMatchObject({ amount_cents: 60_500, currency: 'GBP', conflicts: [{ amount_cents: 60_000 }] });
    imported(book, 'yen.csv', statement('JPY', 1, 9_000), { streamKey: 'yen' });
    expect(await put(1)).toMatchObject({ amount_cents: 1, currency: null, conflicts: [] });
    expect(await listed(book)).toContain('06-02 closing_ledger 9100 JPY 0');
  });
});

it('balances of another currency do not decide whether lines are here already', async () => {
  const rows = (words: string): string =>
    Array.from({ length: 6 }, (_, at) => `2026-06-0${at + 1},${words} ${at},${(at + 1) * 11}.37,GBP`).join('\n');
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank', type: 'csv' });
  imported(book, 'one.csv', `Date,Description,Amount,Currency\n${rows('Sale')}\n`);
  // Both files together come to what the dollars moved by.
  const both = 2 * (11 * 21 + 6 * 0.37);
  const dollars = `${HEAD}\n2026-06-01,Wire,${(both - 10).toFixed(2)},${(both - 10).toFixed(2)},USD\n2026-06-06,Wire,10.00,${both.toFixed(2)},USD\n`;
  expect(imported(book, 'dollars.csv', dollars)?.kept).toBe(2);
  const again = imported(book, 'other.csv', `Date,Description,Amount,Currency\n${rows('Payment of a customer')}\n`);
  expect([again?.kept, again?.questions.map(({ about }) => about)]).toEqual([0, ['overlap']]);
});
