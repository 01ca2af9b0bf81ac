import { expect, test } from 'vitest';
import { matchColumns } from '../../../../src-main/domain/matching/engine.ts';
import type { FoundMatch } from '../../../../src-main/domain/matching/model/match.ts';
import { UNDECLARED } from '../../../../src-main/domain/records/fields.ts';
import { columnsOfRecords } from '../../../../src-main/domain/records/record-columns.ts';
import type { EngineRecord } from '../../../../src-main/domain/records/record.ts';
import { IS_LONG } from '../../../support/long.ts';
import { engineRecord, engineRule, SAME_AMOUNT, UNWATCHED, WITHIN_THREE_DAYS } from '../../../support/inputs/matching-records.ts';

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
