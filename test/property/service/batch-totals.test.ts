import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { present } from '../../../src-shared/values/assert.ts';
import { bulkItem, sendBulk } from '../../support/books/bulk.ts';
import { openQuietBook } from '../../support/books/quiet-book.ts';
import { runs } from '../../support/long.ts';

const MOST = BigInt(Number.MAX_SAFE_INTEGER);
const EXPONENTS: Readonly<Record<string, number>> = { GBP: 2, JPY: 0, KWD: 3, USD: 2 };

const item = fc.record({
  currency: fc.constantFrom(...Object.keys(EXPONENTS)),
  decimal_places: fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined, freq: 3 }),
  amount: fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 100_000 }) },
    fc.integer({ min: 2 ** 46, max: Number.MAX_SAFE_INTEGER }),
  ),
  isDebit: fc.boolean(),
});
type Item = typeof item extends fc.Arbitrary<infer T> ? T : never;

const scaleOf = (each: Item) => each.decimal_places ?? present(EXPONENTS[each.currency], 'exponent');

/** Sums of items, at one scale. */
function sum(items: readonly Item[], scale: number) {
  const of = (isDebit: boolean) =>
    items
      .filter((each) => each.isDebit === isDebit)
      .reduce((total, each) => total + BigInt(each.amount) * 10n ** BigInt(scale - scaleOf(each)), 0n);
  return { credits: of(false), debits: of(true) };
}

const finest = (items: readonly Item[]) => items.reduce((scale, each) => Math.max(scale, scaleOf(each)), 0);

test('a batch of several currencies and scales has its totals per currency, and its single figures are those of one currency', async () => {
  const book = openQuietBook();
  await book.client.get('streams.create', { key: 'bank', name: 'Bank' });
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 12 }), async (items) => {
      const records = items.map(({ isDebit, ...each }) => bulkItem({ ...each, direction: isDebit ? 'debit' : 'credit' }));
      const done = await sendBulk(book, { records });
      // An item with which a total would pass 2^53-1 stays out, the others go in.
      const kept: Item[] = [];
      const codes = items.map((each) => {
        const inIt = [...kept, each].filter(({ currency }) => currency === each.currency);
        const { credits, debits } = sum(inIt, finest(inIt));
        if (credits > MOST || debits > MOST) return 'total_out_of_range';
        kept.push(each);
        return null;
      });
      expect(done.results.data.map((result) => result.error?.code ?? null)).toEqual(codes);
      const batch = present((await book.client.get('import_batches.list', { key: 'bank', limit: 1 })).data[0], 'batch');
      const currencies = [...new Set(kept.map((each) => each.currency))].toSorted();
      const one = kept.filter(({ currency }) => currency === batch.currency);
      const total = sum(one, finest(one));
      expect(batch).toMatchObject({
        record_count: kept.length,
        rejected: items.length - kept.length,
        currency: kept[0]?.currency ?? null,
        decimal_places: kept.length === 0 ? 2 : finest(one),
        total_credits: Number(total.credits),
        total_debits: Number(total.debits),
        net_amount: Number(total.credits - total.debits),
      });
      const totals = currencies.map((currency) => {
        const own = kept.filter((each) => each.currency === currency);
        const { credits, debits } = sum(own, finest(own));
        return { currency, decimal_places: finest(own), credits: Number(credits), debits: Number(debits) };
      });
      expect(batch.totals).toEqual(totals);
    }),
    { numRuns: runs(60) },
  );
});
