import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { deposits, instalments, mixed, severalInvoices } from '../../bench/data/evidence-group-generators.ts';
import { type EvidenceSet, thinned, withoutPartners } from '../../bench/data/evidence-sets.ts';
import { figuresOf, inputOf, weigh } from '../../support/inputs/evidence-run.ts';
import { IS_LONG, quickDescribe, runs } from '../../support/long.ts';

/** Books of a part of the usual size. */
const booksOf = (part: number): readonly (readonly [string, EvidenceSet])[] => [
  ['several invoices', severalInvoices(120 * part)],
  ['instalments', instalments(12 * part)],
  ['deposits', deposits(60 * part)],
  ['mixed', mixed(300 * part)],
];
const BOOKS = booksOf(1);
/** For what has to be so in any book, however small. */
const SMALL = IS_LONG ? BOOKS : booksOf(0.5);

describe('the same records in any order', () => {
  it.each(SMALL)('give the same groups: %s', (_name, whole) => {
    const set = thinned(whole, 0.1, 'both', 5);
    const expected = JSON.stringify(weigh(inputOf(set)));
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...set.a], { minLength: set.a.length }),
        fc.shuffledSubarray([...set.b], { minLength: set.b.length }),
        (a, b) => {
          expect(JSON.stringify(weigh(inputOf({ a, b, percent: null })))).toBe(expected);
        },
      ),
      { numRuns: runs(3, 1) },
    );
  });
});

const signed = ({ amountMinor, direction }: EngineRecord): number => (direction === 'debit' ? 0 - amountMinor : amountMinor);

it.each(SMALL)('no record stands in two links, and differences are those of the sums: %s', (_name, set) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), fc.constantFrom(0, 0.1, 0.4), (seed, share) => {
      const left = thinned(set, share, 'both', seed);
      const records = new Map([...left.a, ...left.b].map((record) => [record.id, record]));
      const sum = (ids: readonly number[]): number => ids.reduce((total, id) => total + signed(records.get(id) as EngineRecord), 0);
      const { links } = weigh(inputOf(left));
      const ids = links.flatMap(({ aIds, bIds }) => [...aIds, ...bIds]);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { kind, aIds, bIds, differenceMinor, status } of links) {
        expect(kind === 'reversal' ? sum([...aIds, ...bIds]) : sum(aIds) - sum(bIds)).toBe(differenceMinor);
        expect(status === 'matched' ? differenceMinor : 0).toBe(0);
      }
    }),
    { numRuns: runs(4, 2) },
  );
});

quickDescribe('what is expected to be wrong covers what is wrong', () => {
  it.each(BOOKS)('where lines are missing: %s', (_name, set) => {
    for (const left of [thinned(set, 0.3, 'both', 7), thinned(set, 0.3, 'a', 7), thinned(set, 0.3, 'b', 7), withoutPartners(set)]) {
      const { links } = weigh(inputOf(left));
      const groups = links.filter(({ kind }) => kind === 'group');
      for (const { expected, wrong } of figuresOf(left, groups).at.filter(({ least }) => least >= 0.9)) {
        // Two standard deviations; where less than one is expected, one may come by chance.
        expect(wrong).toBeLessThanOrEqual(Math.max(1, expected + 2 * Math.sqrt(expected)));
      }
      expect(figuresOf(left, groups).wrongCommitted).toBe(0);
    }
  });
});
