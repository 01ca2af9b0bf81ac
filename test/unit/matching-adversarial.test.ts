import { describe, expect, it } from 'vitest';
import type { Certainty } from '../../src-shared/contract/index.ts';
import type { EngineRecord, EngineResult } from '../../src-main/domain/matching/types.ts';
import { engineRecord, engineRule, matched, SAME_AMOUNT, SAME_REFERENCE, WITHIN_THREE_DAYS } from '../support/matching-records.ts';

const DAY = 20_000;
const NEAR = [engineRule(1, [SAME_AMOUNT, WITHIN_THREE_DAYS])];

function side(firstId: number, count: number, content: (index: number) => Partial<EngineRecord>): EngineRecord[] {
  return Array.from({ length: count }, (_, index) => engineRecord(firstId + index, { day: DAY, ...content(index) }));
}

function certainties(result: EngineResult): Partial<Record<Certainty, number>> {
  const counts: Partial<Record<Certainty, number>> = {};
  for (const match of result.matches) counts[match.certainty] = (counts[match.certainty] ?? 0) + 1;
  return counts;
}

/** Spread over the range by a fixed multiplicative step; not random, and without a pattern the engine could use. */
function scattered(index: number, range: number): number {
  return (Math.imul(index + 1, 0x9e37_79b1) >>> 8) % range;
}

type Content = (index: number) => Partial<EngineRecord>;
const text: Content = (index) => ({ description: `line ${index}` });
const overAYear: Content = (index) => ({ day: DAY + scattered(index, 365), description: `line ${index}` });
const referenced: Content = (index) => ({ reference: `R${index}` });
const chained: Content = (index) => ({ amountMinor: 1_000 + index * 2, day: DAY + (index % 3) });
const crowded: Content = (index) => ({ amountMinor: 10_000 + scattered(index, 5_000), day: DAY + scattered(index * 3, 300) });
const rising: Content = (index) => ({ amountMinor: 10_000 + scattered(index, 90_000), day: DAY + index });
const falling: Content = (index) => ({ amountMinor: 10_000 + scattered(index, 90_000), day: DAY + 200 - index });
const spread: Content = (index) => ({ amountMinor: 100 + scattered(index, 1_000), day: DAY + scattered(index * 5 + 1, 1_000) });

// No times are asserted: a method that is not near linear here does not end within the test's time limit.
describe('hard inputs end', () => {
  it('empty sides', () => {
    expect(matched({ rules: NEAR })).toEqual({
      matches: [],
      rules: [{ ruleId: 1, matches: 0, records: 0, proposed: 0, outsideWindow: 0, gaveUp: null, exact: 0 }],
    });
    expect(matched({ sideA: [engineRecord(1)], rules: NEAR }).matches).toEqual([]);
    expect(matched({ sideB: [engineRecord(1)], rules: NEAR }).matches).toEqual([]);
    expect(matched({ sideA: [engineRecord(1)], sideB: [engineRecord(2)] })).toEqual({ matches: [], rules: [] });
  });

  it('5,000 identical records a side are interchangeable', () => {
    const result = matched({ sideA: side(1, 5_000, () => ({})), sideB: side(10_001, 5_000, () => ({})), rules: NEAR });
    expect(certainties(result)).toEqual({ interchangeable: 5_000 });
    expect(result.matches[17]).toMatchObject({ aIds: [18], bIds: [10_018] });
  });

  it('5,000 records that differ only in their text are contested', () => {
    const result = matched({ sideA: side(1, 5_000, text), sideB: side(10_001, 4_000, text), rules: NEAR });
    expect(certainties(result)).toEqual({ contested: 4_000 });
  });

  it('one amount over 20,000 records of a year', () => {
    const result = matched({
      sideA: side(1, 20_000, overAYear),
      sideB: side(100_001, 20_000, (index) => overAYear(index + 7)),
      rules: NEAR,
    });
    expect(result.matches.length).toBeGreaterThan(19_900);
  });

  it('one amount, one reference per record, all dates equal', () => {
    const rules = [engineRule(1, [SAME_REFERENCE, SAME_AMOUNT, WITHIN_THREE_DAYS])];
    const result = matched({ sideA: side(1, 20_000, referenced), sideB: side(100_001, 20_000, referenced), rules });
    expect(certainties(result)).toEqual({ unique: 20_000 });
  });

  it('a chain of near amounts that ties everything together', () => {
    const rules = [engineRule(1, [{ ...SAME_AMOUNT, tolerance_amount: 3 }, WITHIN_THREE_DAYS])];
    const result = matched({ sideA: side(1, 6_000, chained), sideB: side(100_001, 6_000, chained), rules });
    expect(result.matches).toHaveLength(6_000);
    expect(certainties(result)).toEqual({ best: 6_000 });
  });

  it('600 records a side with every pair allowed', () => {
    const rules = [
      engineRule(1, [
        { ...SAME_AMOUNT, tolerance_amount: 5_000 },
        { key: 'date', value: 'date', tolerance_amount: 400 },
      ]),
    ];
    const result = matched({ sideA: side(1, 600, crowded), sideB: side(100_001, 600, (index) => crowded(index + 5_000)), rules });
    expect(result.matches).toHaveLength(600);
  });

  it('200 records a side with every pair allowed are solved exactly', () => {
    const rules = [
      engineRule(1, [
        { ...SAME_AMOUNT, tolerance_amount: 100_000 },
        { key: 'date', value: 'date', tolerance_amount: 400 },
      ]),
    ];
    const result = matched({ sideA: side(1, 200, rising), sideB: side(10_001, 200, falling), rules });
    expect(result.matches).toHaveLength(200);
    expect(certainties(result).best ?? 0).toBeGreaterThan(0);
  });

  it('a date window and an amount tolerance together stay within the limit of pairs', () => {
    const rules = [engineRule(1, [{ ...SAME_AMOUNT, tolerance_amount: 1 }, WITHIN_THREE_DAYS])];
    const result = matched({ sideA: side(1, 40_000, spread), sideB: side(100_001, 40_000, spread), rules });
    expect(result.matches).toHaveLength(40_000);
  });
});
