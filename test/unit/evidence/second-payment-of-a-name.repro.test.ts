import { expect, test } from 'vitest';
import { customers } from '../../bench/data/evidence-generators.ts';
import { thinned } from '../../bench/data/evidence-sets.ts';
import { figuresOf, inputOf, weigh } from '../../support/inputs/evidence-run.ts';
import { some } from '../../support/long.ts';

/**
 * Customers who pay twice now and then: where the first payment is missing the second looks like it in all but its day. Prices that many pay hid how often that
 * is, and how soon the second one comes.
 */
test('second payments that name no invoice are expected as often as they are taken', () => {
  let [committed, wrongCommitted, expected, wrong] = [0, 0, 0, 0];
  for (const seed of some([134, 117, 100], 1)) {
    const left = thinned(customers(4_000, 0.02, seed), 0.3, 'b', seed);
    const figures = figuresOf(left, weigh(inputOf(left)).links);
    committed += figures.committed;
    wrongCommitted += figures.wrongCommitted;
    expected += figures.at[2]?.expected ?? 0;
    wrong += figures.at[2]?.wrong ?? 0;
  }
  expect(committed).toBeGreaterThan(100);
  expect(wrongCommitted).toBeLessThanOrEqual(Math.max(1, committed / 1_000 + 2 * Math.sqrt(committed / 1_000)));
  expect(wrong).toBeLessThanOrEqual(expected + 2 * Math.sqrt(expected));
});
