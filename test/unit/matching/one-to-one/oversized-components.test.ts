import { expect, test, vi } from 'vitest';
import { EVERYTHING } from '../../../../src-main/domain/matching/comparison/tolerance-windows.ts';
import { findMatches } from '../../../../src-main/domain/matching/engine.ts';
import { MATCH_LIMITS, type MatchLimits } from '../../../../src-main/domain/matching/model/limits.ts';
import { augment, PlaceSet } from '../../../../src-main/domain/matching/one-to-one/oversized/oversized-component.ts';
import type { OversizedSide } from '../../../../src-main/domain/matching/one-to-one/oversized/oversized-side.ts';
import { UNDECLARED } from '../../../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../../../src-main/domain/records/record.ts';
import type { Condition } from '../../../../src-shared/contract/index.ts';
import { engineRecord, engineRule, SAME_AMOUNT } from '../../../support/inputs/matching-records.ts';
import { IS_LONG, quickTest, some } from '../../../support/long.ts';

const RECORDS = IS_LONG ? 60_000 : 40_000;
const SAME_DIRECTION: Condition = { key: 'direction', value: 'direction' };

function side(firstId: number, count: number, content: (index: number) => Partial<EngineRecord>): EngineRecord[] {
  return Array.from({ length: count }, (_, index) => engineRecord(firstId + index, content(index)));
}

interface Told {
  /** How far the run was at each look at the cancel flag. */
  readonly atLooks: number[];
  readonly told: number[];
  readonly isCancelled: boolean;
}

function watched(sides: readonly EngineRecord[][], rules: Condition[], lookOfCancel = Infinity, limits: MatchLimits = MATCH_LIMITS): Told {
  const [sideA = [], sideB = []] = sides;
  const atLooks: number[] = [];
  const told: number[] = [];
  const result = findMatches(
    { sideA, sideB, rules: [engineRule(1, rules)], types: UNDECLARED, signConvention: 'same', separations: new Set() },
    {
      onProgress: (processed) => told.push(processed),
      isCancelled: () => {
        atLooks.push(told.at(-1) ?? 0);
        return atLooks.length >= lookOfCancel;
      },
    },
    limits,
  );
  return { atLooks, told, isCancelled: !result.ok };
}

/** One component: everything may be paired with everything near it. */
const CROWD = [
  side(1, RECORDS, (index) => ({ amountMinor: 10_000 + index * 3 })),
  side(100_001, RECORDS, (index) => ({ amountMinor: 10_000 + ((index * 7_919) % RECORDS) * 3 + 1 })),
];
const CROWDED: Condition[] = [{ ...SAME_AMOUNT, tolerance_amount: 50_000 }, SAME_DIRECTION];

let whole: Told | null = null;
const watchedWhole = (): Told => (whole ??= watched(CROWD, CROWDED));

test('progress moves while one component too large for the exact search is paired, and ends where all is told', () => {
  const { atLooks, told } = watchedWhole();
  expect(told).toEqual(told.toSorted((left, right) => left - right));
  expect(told.at(-1)).toBe(2 * RECORDS);
  const within = new Set(atLooks.filter((processed) => processed > RECORDS && processed < 2 * RECORDS));
  expect(within.size).toBeGreaterThanOrEqual(3);
});

test('a cancel is heard at any look within that component', () => {
  const { atLooks } = watchedWhole();
  const looks = [atLooks.length, atLooks.length - 1, atLooks.findIndex((processed) => processed > RECORDS) + 1];
  for (const at of some(looks, 2)) {
    const cancelled = watched(CROWD, CROWDED, at);
    expect([cancelled.isCancelled, cancelled.atLooks.length]).toEqual([true, at]);
  }
});

quickTest('pairs that are tested one by one and all barred: it is asked time and again whether to go on, and tells how far it is', () => {
  const count = 10_000;
  const sides = [
    side(1, count, (index) => ({ description: 'x', amountMinor: index })),
    side(100_001, count, (index) => ({ reference: `r${index}`, day: 20_000 + index, amountMinor: index })),
  ];
  const rules: Condition[] = [SAME_DIRECTION, { key: 'description', value: 'reference', operand: 'contains' }];
  const { atLooks } = watched(sides, rules, Infinity, { ...MATCH_LIMITS, tests: 1_000_000 });
  expect(atLooks.length).toBeGreaterThan(50);
  const within = new Set(atLooks.filter((processed) => processed > count && processed < 2 * count));
  expect(within.size).toBeGreaterThanOrEqual(3);
});

quickTest('progress also moves in the second such component where side A has more records than side B', () => {
  const mixed = (firstId: number, credits: number, debits: number, content: (index: number) => Partial<EngineRecord>): EngineRecord[] =>
    side(firstId, credits + debits, (index) => ({
      ...content(index),
      direction: index < credits ? 'credit' : 'debit',
      amountMinor: index,
    }));
  const sides = [
    mixed(1, 15_000, 10_000, () => ({ description: 'x' })),
    mixed(100_001, 6_000, 6_000, (index) => ({ reference: `r${index}`, day: 20_000 + (index % 6_000) })),
  ];
  const rules: Condition[] = [SAME_DIRECTION, { key: 'description', value: 'reference', operand: 'contains' }];
  const { atLooks } = watched(sides, rules, Infinity, { ...MATCH_LIMITS, tests: 500_000 });
  expect(new Set(atLooks.slice(-25)).size).toBeGreaterThanOrEqual(3);
});

/** A block of records whose values lie next to each other. */
function block(count: number): OversizedSide {
  const ascending = Int32Array.from({ length: count }, (_, index) => index);
  return {
    count,
    rows: ascending,
    members: ascending,
    values: Float64Array.from(ascending),
    blocks: new Int32Array(count),
    starts: Int32Array.of(0, count),
    mates: new Int32Array(count).fill(-1),
  };
}

test('where the tests are used up nothing more is looked at', () => {
  const looks = vi.spyOn(PlaceSet.prototype, 'firstBetween');
  let tests = 0;
  const isBarred = (): boolean => {
    tests += 1;
    return true;
  };
  const search = {
    from: block(2_000),
    to: block(2_000),
    meets: [Int32Array.of(0)],
    window: EVERYTHING,
    isBarred,
    tests: 10_000,
    isCancelled: () => false,
    onRound: () => undefined,
    onTests: () => undefined,
  };
  try {
    expect(augment(search, 100)).toBeGreaterThan(0);
    expect(tests).toBe(10_000);
    expect(looks.mock.calls.length).toBeLessThan(20_000);
  } finally {
    looks.mockRestore();
  }
});
