import { describe, expect, test } from 'vitest';
import { engineRecord, engineRule, matched, SAME_AMOUNT } from '../../../support/inputs/matching-records.ts';
import { classesOfSide } from '../../../../src-main/domain/matching/blocking/equivalence-classes.ts';
import { planRule } from '../../../../src-main/domain/matching/blocking/plan.ts';
import { ruleView } from '../../../../src-main/domain/matching/comparison/predicate.ts';
import { readColumns } from '../../../../src-main/domain/matching/comparison/read-columns.ts';
import { compileRule } from '../../../../src-main/domain/matching/rules/compile.ts';
import { columnsOfRecords } from '../../../../src-main/domain/records/record-columns.ts';

test('a window of more records than 16 bits count is searched to its end', () => {
  const sideB = Array.from({ length: 70_000 }, (_, index) => engineRecord(10 + index, { amountMinor: 30_001 + index }));
  const rules = [engineRule(1, [{ ...SAME_AMOUNT, tolerance_amount: 80_000 }])];
  // The nearest is the last one within the window.
  const { matches } = matched({ sideA: [engineRecord(1, { amountMinor: 100_000 })], sideB, rules });
  expect(matches.map(({ aIds, bIds, differenceMinor }) => [aIds, bIds, differenceMinor])).toEqual([[[1], [70_009], 0]]);
});

describe('found once: amount window too wide', () => {
  function pairsPlanned(placesOfB: number): number {
    const compiled = compileRule({ rules: [{ ...SAME_AMOUNT, tolerance_amount: 50 }] });
    if (!compiled.ok) throw new Error('the rule is valid');
    const amounts = Array.from({ length: 100 }, (_, index) => 1_000 + index * 100);
    const sideA = columnsOfRecords(amounts.map((amountMinor, index) => engineRecord(index + 1, { amountMinor })));
    const sideB = columnsOfRecords(
      amounts.map((amount, index) => engineRecord(index + 201, { amountMinor: amount / 10 ** (2 - placesOfB), decimalPlaces: placesOfB })),
    );
    const columns = readColumns(compiled.value, sideA, sideB, 'same');
    const view = ruleView({ rule: compiled.value, columns, sideA, sideB, isBarred: () => false });
    return planRule(
      view,
      classesOfSide(view, 'a', () => false),
      classesOfSide(view, 'b', () => false),
    ).pairs;
  }

  // A tolerance in minor units was as wide as if some record had no decimal places: a hundred times too wide, so that rules were refused.
  test('a tolerance in minor units searches no wider than the decimal places that records have', () => {
    expect(pairsPlanned(2)).toBe(100);
    // Against whole currency units the finer places decide.
    expect(pairsPlanned(0)).toBe(100);
  });
});
