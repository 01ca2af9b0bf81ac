import { describe, expect, test } from 'vitest';
import type { EngineControl } from '../../../../src-main/domain/matching/engine-run.ts';
import { findMatches } from '../../../../src-main/domain/matching/engine.ts';
import { UNDECLARED } from '../../../../src-main/domain/records/fields.ts';
import { engineRecord, engineRule, SAME_AMOUNT, WITHIN_THREE_DAYS } from '../../../support/inputs/matching-records.ts';

const RECORDS = 12_000;
const side = (from: number) => Array.from({ length: RECORDS }, (_, index) => engineRecord(from + index, { amountMinor: 100 + index }));
const INPUT = {
  rules: [engineRule(1, [SAME_AMOUNT, WITHIN_THREE_DAYS])],
  types: UNDECLARED,
  signConvention: 'same',
  separations: new Set<string>(),
  sideA: side(1),
  sideB: side(1 + RECORDS),
} as const;

function watched(control: Partial<EngineControl> = {}) {
  let looks = 0;
  const told: number[] = [];
  const result = findMatches(INPUT, {
    onProgress: (processed) => told.push(processed),
    isCancelled: () => {
      looks += 1;
      return control.isCancelled?.() ?? false;
    },
  });
  return { result, told, looks };
}

test('progress goes on while values are read, sorted and planned, and never back', () => {
  const { result, told } = watched();
  expect(result.ok).toBe(true);
  expect(told).toEqual(told.toSorted((left, right) => left - right));
  const planning = new Set(told.filter((processed) => processed > 0 && processed < RECORDS));
  expect(planning.size).toBeGreaterThanOrEqual(4);
  expect(told.at(-1)).toBe(2 * RECORDS);
});

test('a cancel is heard at each step of it: between the sides, after reading, after the classes of either side and after the plan', () => {
  for (let at = 1; at <= 6; at += 1) {
    let looks = 0;
    const { result } = watched({ isCancelled: () => (looks += 1) >= at });
    expect([result.ok, result.ok ? '' : result.error.code, looks]).toEqual([false, 'cancelled', at]);
  }
  expect(watched().looks).toBeGreaterThanOrEqual(6);
});

describe('found once: silent while tests are dear', () => {
  const RECORDS = 400;

  test('where each record is tested against hundreds, progress is told between them, not after thousands of records alone', () => {
    const told: number[] = [];
    const side = (from: number, text: (index: number) => Partial<ReturnType<typeof engineRecord>>) =>
      Array.from({ length: RECORDS }, (_, index) => engineRecord(from + index, { amountMinor: 100, ...text(index) }));
    const result = findMatches(
      {
        rules: [
          engineRule(1, [
            { key: 'description', value: 'reference', operand: 'contains' },
            { key: 'amount', value: 'amount' },
          ]),
        ],
        types: UNDECLARED,
        signConvention: 'same',
        separations: new Set<string>(),
        sideA: side(1, (index) => ({ description: `paid ${1_000 + index} with thanks` })),
        sideB: side(1 + RECORDS, (index) => ({ reference: String(1_000 + index) })),
      },
      { onProgress: (processed) => told.push(processed), isCancelled: () => false },
    );
    expect(result.ok && result.value.matches.length).toBe(RECORDS);
    const testing = new Set(told.filter((processed) => processed > 0 && processed < RECORDS));
    // 160,000 tests, and a look at the cancel flag for each 8,192 of them.
    expect(testing.size).toBeGreaterThan(15);
    expect(told).toEqual(told.toSorted((left, right) => left - right));
  });
});
