import { describe, expect, it } from 'vitest';
import type { EngineResult } from '../../../../src-main/domain/matching/engine-run.ts';
import type { Certainty } from '../../../../src-shared/contract/index.ts';
import { findMatches } from '../../../../src-main/domain/matching/engine.ts';
import type { EngineInput } from '../../../../src-main/domain/matching/model/input.ts';
import { UNDECLARED } from '../../../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../../../src-main/domain/records/record.ts';
import { IS_LONG, longTest, quickTest } from '../../../support/long.ts';
import {
  engineRecord,
  engineRule,
  matched,
  SAME_AMOUNT,
  SAME_REFERENCE,
  WITHIN_THREE_DAYS,
} from '../../../support/inputs/matching-records.ts';

const DAY = 20_000;
const MANY = IS_LONG ? 20_000 : 2_000;
const SOME = IS_LONG ? 5_000 : 1_500;
/** Whose pairs are more than a hundred million in the long run. */
const CROWD = IS_LONG ? 10_000 : 4_000;
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

/** How many pairs are found, how many of them exactly, and how often the search asks whether to go on, which tells its work. */
function counted(given: Pick<EngineInput, 'sideA' | 'sideB' | 'rules'>): { pairs: number; exact: number | null; looks: number } {
  let looks = 0;
  const control = {
    onProgress: () => undefined,
    isCancelled: () => {
      looks += 1;
      return false;
    },
  };
  const result = findMatches({ ...given, signConvention: 'same', types: UNDECLARED, separations: new Set() }, control);
  if (!result.ok) throw new Error(result.error.message);
  return { pairs: result.value.matches.length, exact: result.value.rules[0]?.exact ?? null, looks };
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

  it('identical records a side are interchangeable', () => {
    const result = matched({ sideA: side(1, SOME, () => ({})), sideB: side(10_001, SOME, () => ({})), rules: NEAR });
    expect(certainties(result)).toEqual({ interchangeable: SOME });
    expect(result.matches[17]).toMatchObject({ aIds: [18], bIds: [10_018] });
  });

  it('records that differ only in their text are contested', () => {
    const result = matched({ sideA: side(1, SOME, text), sideB: side(10_001, SOME - 500, text), rules: NEAR });
    expect(certainties(result)).toEqual({ contested: SOME - 500 });
  });

  it('one amount over many records of a year', () => {
    const result = matched({
      sideA: side(1, MANY, overAYear),
      sideB: side(100_001, MANY, (index) => overAYear(index + 7)),
      rules: NEAR,
    });
    expect(result.matches.length).toBeGreaterThan(MANY - 100);
  });

  it('one amount, one reference per record, all dates equal', () => {
    const rules = [engineRule(1, [SAME_REFERENCE, SAME_AMOUNT, WITHIN_THREE_DAYS])];
    const result = matched({ sideA: side(1, MANY, referenced), sideB: side(100_001, MANY, referenced), rules });
    expect(certainties(result)).toEqual({ unique: MANY });
  });

  it('a chain of near amounts that ties everything together', () => {
    const rules = [engineRule(1, [{ ...SAME_AMOUNT, tolerance_amount: 3 }, WITHIN_THREE_DAYS])];
    const result = matched({ sideA: side(1, SOME, chained), sideB: side(100_001, SOME, chained), rules });
    expect(result.matches).toHaveLength(SOME);
    expect(certainties(result)).toEqual({ best: SOME });
  });

  quickTest('600 records a side with every pair allowed', () => {
    const rules = [
      engineRule(1, [
        { ...SAME_AMOUNT, tolerance_amount: 5_000 },
        { key: 'date', value: 'date', tolerance_amount: 400 },
      ]),
    ];
    const result = matched({ sideA: side(1, 600, crowded), sideB: side(100_001, 600, (index) => crowded(index + 5_000)), rules });
    expect(result.matches).toHaveLength(600);
  });

  quickTest('200 records a side with every pair allowed are solved exactly', () => {
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

  longTest('one amount two hundred thousand times a side, on one day and over a year', () => {
    const count = 200_000;
    const oneDay = counted({ sideA: side(1, count, text), sideB: side(400_001, count, text), rules: NEAR });
    expect(oneDay).toMatchObject({ pairs: count, exact: count });
    const year = counted({ sideA: side(1, count, overAYear), sideB: side(400_001, count, overAYear), rules: NEAR });
    expect(year).toMatchObject({ pairs: count, exact: count });
  });

  it('a component of all pairs, within work that grows with its records', () => {
    const rules = [
      engineRule(1, [
        { ...SAME_AMOUNT, tolerance_amount: 50_000 },
        { key: 'direction', value: 'direction' },
      ]),
    ];
    const near = (count: number): number => {
      const given = { sideA: side(1, count, rising), sideB: side(100_001, count, (index) => rising(count - index)), rules };
      const { pairs, exact, looks } = counted(given);
      expect({ pairs, exact }).toEqual({ pairs: count, exact: 0 });
      return looks;
    };
    expect(near(CROWD)).toBeLessThanOrEqual(4 * near(CROWD / 2));
  });

  it('an equality that leaves a hundred million pairs is no reason to refuse a rule', () => {
    const rules = [engineRule(1, [{ key: 'direction', value: 'direction' }])];
    const result = matched({ sideA: side(1, CROWD, spread), sideB: side(100_001, CROWD - 500, spread), rules });
    expect(certainties(result)).toEqual({ contested: CROWD - 500 });
  });

  quickTest('a percentage over a hundred million pairs: each is tested, as many as can be are paired', () => {
    const rules = [engineRule(1, [{ ...SAME_AMOUNT, tolerance_amount: 99, tolerance_unit: 'percent' }])];
    const result = matched({ sideA: side(1, 9_000, rising), sideB: side(100_001, 9_000, rising), rules });
    expect(result.matches).toHaveLength(9_000);
  });

  it('a date window and an amount tolerance together stay within the limit of pairs', () => {
    const rules = [engineRule(1, [{ ...SAME_AMOUNT, tolerance_amount: 1 }, WITHIN_THREE_DAYS])];
    expect(counted({ sideA: side(1, 2 * MANY, spread), sideB: side(100_001, 2 * MANY, spread), rules })).toMatchObject({ pairs: 2 * MANY });
  });
});
