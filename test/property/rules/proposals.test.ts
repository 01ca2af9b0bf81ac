import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRule } from '../../../src-main/domain/matching/rules/compile.ts';
import { faultsOfGrouping } from '../../../src-main/domain/matching/rules/grouping-rule.ts';
import { PROPOSAL_LIMITS } from '../../../src-main/domain/proposals/types.ts';
import { UNDECLARED } from '../../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { activated, committedKeys, orderBook, proposed } from '../../support/books/proposal-book.ts';
import { engineRecord } from '../../support/inputs/matching-records.ts';
import { runs } from '../../support/long.ts';

/** A record with texts that repeat, cross over between fields and hold numbers. */
const content = fc.record({
  day: fc.integer({ min: 20_000, max: 20_040 }),
  amountMinor: fc.oneof(fc.constantFrom(1_000, 2_500), fc.integer({ min: 0, max: 1_000_000 })),
  direction: fc.constantFrom('credit' as const, 'debit' as const),
  currency: fc.constantFrom('GBP', 'GBP', 'EUR'),
  description: fc.oneof(
    fc.constant(null),
    fc.integer({ min: 0, max: 40 }).map((number) => `Invoice ${number} for INV-${number}`),
    fc.string(),
  ),
  reference: fc.oneof(
    fc.constant(null),
    fc.integer({ min: 0, max: 40 }).map((number) => `INV-${number}`),
  ),
  metadata: fc.oneof(fc.constant({}), fc.record({ batch: fc.constantFrom('B1', 'B2', 'B3'), order: fc.integer({ min: 0, max: 60 }) })),
});

function sideOf(base: number): fc.Arbitrary<EngineRecord[]> {
  return fc.array(content, { maxLength: 60, size: 'max' }).map((all) => all.map((each, index) => engineRecord(base + index, each)));
}

const sides = fc.record({
  sideA: sideOf(1),
  sideB: sideOf(1_000),
  signConvention: fc.constantFrom('any' as const, 'same' as const, 'opposite' as const),
});

describe('proposals', () => {
  it('are the same for the same records in any order', () => {
    fc.assert(
      fc.property(sides, fc.infiniteStream(fc.nat(1_000)), ({ sideA, sideB, signConvention }, keys) => {
        const shuffled = <T>(items: readonly T[]): T[] =>
          items
            .map((item) => ({ item, key: keys.next().value as number }))
            .toSorted((left, right) => left.key - right.key)
            .map(({ item }) => item);
        const other = proposed({ sideA: shuffled(sideA), sideB: shuffled(sideB), signConvention });
        expect(other).toEqual(proposed({ sideA, sideB, signConvention }));
      }),
      { numRuns: runs(60) },
    );
  });

  it('are rules that the engine takes, few, different, and none that ties nothing', () => {
    fc.assert(
      fc.property(sides, (given) => {
        const { proposals, nothing } = proposed(given);
        expect(proposals.length).toBeLessThanOrEqual(PROPOSAL_LIMITS.proposals);
        expect(nothing === null).toBe(proposals.length > 0);
        for (const { body, matched, sampled } of proposals) {
          expect(compileRule(body.filters, UNDECLARED).ok).toBe(true);
          expect(
            faultsOfGrouping({ cardinality: body.cardinality, groupBy: body.group_by, rollup: body.rollup ?? null }, UNDECLARED),
          ).toEqual([]);
          expect(matched).toBeGreaterThan(0);
          expect(matched).toBeLessThanOrEqual(sampled);
        }
        expect(new Set(proposals.map(({ body }) => JSON.stringify(body))).size).toBe(proposals.length);
      }),
      { numRuns: runs(60) },
    );
  });

  it('make no false pair of orders and payments, whatever the seed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), (seed) => {
        const book = orderBook(600, seed);
        const keys = committedKeys(activated(proposed(book), book));
        expect(keys.filter((key) => !book.truth.has(key))).toEqual([]);
        expect(keys.length).toBe(book.truth.size);
      }),
      { numRuns: runs(8, 3) },
    );
  });
});
