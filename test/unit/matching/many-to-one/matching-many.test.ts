import { describe, expect, test } from 'vitest';
import { matchColumns } from '../../../../src-main/domain/matching/engine.ts';
import type { FoundMatch } from '../../../../src-main/domain/matching/model/match.ts';
import { UNDECLARED } from '../../../../src-main/domain/records/fields.ts';
import { columnsOfRecords } from '../../../../src-main/domain/records/record-columns.ts';
import type { EngineRecord } from '../../../../src-main/domain/records/record.ts';
import { IS_LONG } from '../../../support/long.ts';
import { engineRecord, engineRule, matched, SAME_AMOUNT, UNWATCHED, WITHIN_THREE_DAYS } from '../../../support/inputs/matching-records.ts';

/** More than 65,536, the most that a short column could count, in the long run. */
const MANY = IS_LONG ? 70_000 : 7_000;

/** Numbers below `bound` from a seed: a multiplicative generator, good enough to mix. */
function numbers(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % bound;
  };
}

function side(firstId: number, next: (bound: number) => number): EngineRecord[] {
  return Array.from({ length: MANY }, (_, index) => {
    const order = next(MANY * 4);
    return engineRecord(firstId + index, {
      amountMinor: next(3) === 0 ? 1_000 + next(20) : 10_000 + next(500_000),
      day: 20_000 + next(365),
      currency: next(10) === 0 ? 'EUR' : 'GBP',
      direction: next(12) === 0 ? 'debit' : 'credit',
      description: next(2) === 0 ? `order ${order}` : null,
      metadata: order % 2 === 0 ? { batch: `B${next(9_000)}` } : {},
      reference: next(2) === 0 ? `ORD-${order}` : null,
    });
  });
}

function shuffled(records: readonly EngineRecord[], next: (bound: number) => number): EngineRecord[] {
  const mixed = [...records];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = next(last + 1);
    const moved = mixed[last];
    if (mixed[other] === undefined || moved === undefined) continue;
    mixed[last] = mixed[other];
    mixed[other] = moved;
  }
  return mixed;
}

test(`${MANY} records a side give the same matches in any order, and no record is used twice`, () => {
  const next = numbers(7);
  const [sideA, sideB] = [side(1, next), side(1_000_001, next)];
  const batch = { key: 'metadata.batch', value: 'metadata.batch' };
  const rules = [
    engineRule(1, [
      { key: 'reference', value: 'reference' },
      { ...SAME_AMOUNT, tolerance_amount: 5_000 },
    ]),
    engineRule(2, [batch, SAME_AMOUNT], {
      cardinality: 'many_to_one',
      groupBy: ['metadata.batch'],
      rollup: { group_by_kind: 'identifier' },
    }),
    engineRule(3, [SAME_AMOUNT, WITHIN_THREE_DAYS, { key: 'direction', value: 'direction' }], { outcome: 'propose' }),
  ];
  const found = (a: readonly EngineRecord[], b: readonly EngineRecord[]): FoundMatch[] => {
    const input = { rules, signConvention: 'same' as const, types: UNDECLARED, separations: new Set<string>() };
    const result = matchColumns({ ...input, sideA: columnsOfRecords(a), sideB: columnsOfRecords(b) }, UNWATCHED);
    if (!result.ok) throw new Error(result.error.message);
    return [...result.value.matches];
  };
  const matches = found(sideA, sideB);
  const ids = matches.flatMap((match) => [...match.aIds, ...match.bIds]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(matches.length).toBeGreaterThan(MANY / 7);
  expect(found(shuffled(sideA, next), shuffled(sideB, next))).toEqual(matches);
}, 60_000);

describe('found once: lies no days before', () => {
  const RULE = engineRule(
    1,
    [
      { key: 'signed_amount', value: 'signed_amount' },
      { key: 'description', value: 'description', operand: 'neq' },
    ],
    {
      cardinality: 'many_to_one',
      groupBy: ['metadata.batch'],
      rollup: { group_by_kind: 'identifier', lookback_days: 5, date_field: 'date' },
    },
  );

  /** Why a batch of records of 4.00 on these days in June is tied to one record of their sum on the 25th: where it lies, and what its texts say. */
  function said(...days: number[]): string[] {
    const sideA = days.map((day, index) =>
      engineRecord(index + 1, { amountMinor: 400, on: `2026-06-${day}`, description: `Sale ${index}`, metadata: { batch: 'B' } }),
    );
    const sideB = [engineRecord(9, { amountMinor: 400 * days.length, on: '2026-06-25', description: 'Payout' })];
    const [match] = matched({ sideA, sideB, rules: [RULE] }).matches;
    return match?.explanation.filter((sentence) => sentence.includes(' lie') || sentence.startsWith('Description')) ?? [];
  }

  // It said "It lies 0 days before 2026-06-25", also of several records, and "the other 1 fit as well".
  test.each<[string, number[], string]>([
    ['one record of the same day', [25], 'It lies on 2026-06-25, the date on side B.'],
    ['records of the same day', [25, 25], 'They lie on 2026-06-25, the date on side B.'],
    ['one record of the day before', [24], 'It lies 1 day before 2026-06-25, the date on side B (allowed: 5).'],
    ['records of the day before', [24, 24, 24], 'They lie 1 day before 2026-06-25, the date on side B (allowed: 5).'],
    ['records of one day', [22, 22], 'They lie 3 days before 2026-06-25, the date on side B (allowed: 5).'],
    ['records up to the day before', [25, 24], 'They lie up to 1 day before 2026-06-25, the date on side B (allowed: 5).'],
    ['records up to some days before', [25, 24, 20], 'They lie up to 5 days before 2026-06-25, the date on side B (allowed: 5).'],
    ['records of some days before', [24, 23], 'They lie 1 to 2 days before 2026-06-25, the date on side B (allowed: 5).'],
  ])('of %s, where they lie is said as a person would', (_what, days, sentence) => {
    expect(said(...days)[0]).toBe(sentence);
  });

  test('what else of a group fits is counted as a person would', () => {
    const first = 'Description Sale 0 on side A differs from description Payout on side B';
    expect([said(25), said(25, 25), said(25, 25, 25)].map((sentences) => sentences[1])).toEqual([
      `${first}.`,
      `${first}; the other one fits as well.`,
      `${first}; the other 2 fit as well.`,
    ]);
  });
});
