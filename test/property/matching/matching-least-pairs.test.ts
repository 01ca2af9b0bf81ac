import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classesOfSide } from '../../../src-main/domain/matching/blocking/equivalence-classes.ts';
import { leastPairs, planRule } from '../../../src-main/domain/matching/blocking/plan.ts';
import { blockKeys, type Sides, sweepBlocks } from '../../../src-main/domain/matching/blocking/scan.ts';
import { pairsOfSweep } from '../../../src-main/domain/matching/blocking/sweep-windows.ts';
import { ruleView } from '../../../src-main/domain/matching/comparison/predicate.ts';
import { readColumns } from '../../../src-main/domain/matching/comparison/read-columns.ts';
import { compileRule } from '../../../src-main/domain/matching/rules/compile.ts';
import { columnsOfRecords } from '../../../src-main/domain/records/record-columns.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import type { Condition } from '../../../src-shared/contract/index.ts';
import { engineRecord, SAME_AMOUNT, WITHIN_THREE_DAYS } from '../../support/inputs/matching-records.ts';

/** A tolerance in units, and a window of three days. */
function sidesOf(sideA: EngineRecord[], sideB: EngineRecord[], tolerance: number): Sides {
  const amount: Condition = { ...SAME_AMOUNT, tolerance_amount: tolerance };
  const compiled = compileRule({ rules: [amount, WITHIN_THREE_DAYS] });
  if (!compiled.ok) throw new Error('the rule is valid');
  const [a, b] = [columnsOfRecords(sideA), columnsOfRecords(sideB)];
  const columns = readColumns(compiled.value, a, b, 'same');
  const view = ruleView({ rule: compiled.value, columns, sideA: a, sideB: b, isBarred: () => false });
  return { view, classesA: classesOfSide(view, 'a', () => false), classesB: classesOfSide(view, 'b', () => false) };
}

function records(firstId: number): fc.Arbitrary<EngineRecord[]> {
  const fields = fc.record({
    amountMinor: fc.integer({ min: 1, max: 60 }),
    direction: fc.constantFrom('debit' as const, 'credit' as const),
    day: fc.integer({ min: 20_000, max: 20_012 }),
    currency: fc.constantFrom('GBP', 'EUR'),
  });
  return fc.array(fields, { maxLength: 60, size: 'max' }).map((all) => all.map((given, index) => engineRecord(firstId + index, given)));
}

describe('pairs of a sweep that is not laid out', () => {
  it('are never counted as more than it has', () => {
    let some = 0;
    fc.assert(
      fc.property(records(1), records(1_001), fc.integer({ min: 0, max: 30 }), (sideA, sideB, tolerance) => {
        const sides = sidesOf(sideA, sideB, tolerance);
        const blocks = blockKeys(sides, sides.view.columns.currency === null ? [] : [sides.view.columns.currency]);
        for (const columns of sides.view.columns.leaves) {
          const least = leastPairs(sides, blocks, columns);
          expect(least).toBeLessThanOrEqual(pairsOfSweep(sweepBlocks(sides, blocks, columns)));
          if (least > 0) some += 1;
        }
      }),
    );
    expect(some).toBeGreaterThan(50);
  });

  it('tell that amounts are swept day by day, with the pairs that both tolerances leave', () => {
    const side = (firstId: number): EngineRecord[] =>
      Array.from({ length: 600 }, (_, index) =>
        engineRecord(firstId + index, { amountMinor: 1_000 + (index % 40), day: 20_000 + (index % 30) }),
      );
    const sides = sidesOf(side(1), side(1_001), 5);
    const plan = planRule(sides.view, sides.classesA, sides.classesB);
    expect(plan.scans).toHaveLength(7);
    let pairs = 0;
    const { sideA, sideB } = sides.view;
    for (const a of sides.classesA.first) {
      for (const b of sides.classesB.first) {
        const isNear =
          Math.abs((sideA.amounts[a] ?? 0) - (sideB.amounts[b] ?? 0)) <= 5 && Math.abs((sideA.days[a] ?? 0) - (sideB.days[b] ?? 0)) <= 3;
        if (isNear) pairs += 1;
      }
    }
    expect(plan.pairs).toBe(pairs);
  });
});
