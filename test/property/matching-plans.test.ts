import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classesOfSide } from '../../src-main/domain/matching/classes.ts';
import { compileRule } from '../../src-main/domain/matching/compile.ts';
import { UNDECLARED } from '../../src-main/domain/matching/fields.ts';
import { type Plan, planRule } from '../../src-main/domain/matching/plan.ts';
import { type PairTest, pairTest, ruleView } from '../../src-main/domain/matching/predicate.ts';
import { readColumns } from '../../src-main/domain/matching/read-columns.ts';
import { columnsOfRecords } from '../../src-main/domain/matching/record-columns.ts';
import { endAt } from '../../src-main/domain/matching/scan.ts';
import type { Condition, RuleGroup } from '../../src-shared/contract/index.ts';
import { languageCase } from '../support/language-arbitraries.ts';
import type { OracleCase } from '../support/matching-oracle.ts';

/** So many a side that not every plan is cheap enough: only then day by day and the ways of an `or` are looked at. */
const RECORDS = 30;

const condition: fc.Arbitrary<Condition> = fc.constantFrom<Condition>(
  { key: 'reference', value: 'reference' },
  { key: 'amount', value: 'amount' },
  { key: 'date', value: 'date', tolerance_unit: 'month' },
  { key: 'amount', value: 'amount', tolerance_amount: 5 },
  { key: 'signed_amount', value: 'signed_amount', tolerance_amount: 20, tolerance_unit: 'percent' },
  { key: 'date', value: 'date', tolerance_amount: 2 },
  { key: 'date', value: 'date', tolerance_amount: 1, tolerance_unit: 'business_day' },
  { key: 'reference', value: 'metadata.list', operand: 'in' },
  { key: 'reference', value: 'description', operand: 'neq' },
  { key: 'description', value: 'description', tolerance_amount: 1 },
);
/** More groups, and more that a plan can use, than the language has on the whole. */
const filters: fc.Arbitrary<RuleGroup> = fc.letrec<{ group: RuleGroup; node: Condition | RuleGroup }>((tie) => ({
  node: fc.oneof({ maxDepth: 2, depthIdentifier: 'plans' }, { arbitrary: condition, weight: 1 }, { arbitrary: tie('group'), weight: 1 }),
  group: fc.record({
    operand: fc.constantFrom('and' as const, 'and' as const, 'or' as const),
    rules: fc.array(tie('node'), { minLength: 1, maxLength: 3, size: 'max', depthIdentifier: 'plans' }),
  }),
})).group;

/** Any records, with a rule of the language or one that has much to plan. */
const situation: fc.Arbitrary<OracleCase> = fc
  .tuple(
    languageCase(RECORDS).filter(({ sideA, sideB }) => Math.min(sideA.length, sideB.length) > RECORDS / 2),
    fc.option(filters, { freq: 5 }),
  )
  .map(([given, other]) => (other === null ? given : { ...given, types: UNDECLARED, filters: other }));

interface Planned {
  readonly plan: Plan;
  readonly test: PairTest;
  /** Of each pair, `a * RECORDS + b`, how often the scans find it. */
  readonly found: Map<number, number>;
}

/** Every record is a class of its own, so that rows and classes are the same. */
function planned({ sideA, sideB, filters, types, isOpposite }: OracleCase): Planned {
  const compiled = compileRule(filters, types);
  if (!compiled.ok) throw new Error('the generator makes valid rules');
  const [a, b] = [columnsOfRecords(sideA), columnsOfRecords(sideB)];
  const columns = readColumns(compiled.value, a, b, isOpposite ? 'opposite' : 'same');
  const view = ruleView({ rule: compiled.value, columns, sideA: a, sideB: b, isBarred: () => false });
  const plan = planRule(
    view,
    classesOfSide(view, 'a', () => true),
    classesOfSide(view, 'b', () => true),
  );
  const found = new Map<number, number>();
  for (const scan of plan.scans) {
    for (const [position, rowA] of scan.orderA.entries()) {
      for (const rowB of scan.orderB.subarray(scan.from[position], endAt(scan, position))) {
        const pair = rowA * RECORDS + rowB;
        found.set(pair, (found.get(pair) ?? 0) + 1);
      }
    }
  }
  return { plan, test: pairTest(view), found };
}

describe('a plan', () => {
  it('finds every pair that the rule allows; where it is exact no other, and along one axis none twice', () => {
    let exact = 0;
    let once = 0;
    fc.assert(
      fc.property(situation, (given) => {
        const { plan, test, found } = planned(given);
        const faults: string[] = [];
        for (let a = 0; a < given.sideA.length; a += 1) {
          for (let b = 0; b < given.sideB.length; b += 1) {
            const times = found.get(a * RECORDS + b) ?? 0;
            const holds = test(a, b);
            if (holds && times === 0) faults.push(`${a}-${b} is missed`);
            if (plan.isExact && times > 0 && !holds) faults.push(`${a}-${b} is not allowed`);
            if (plan.window !== null && times > 1) faults.push(`${a}-${b} is found twice`);
          }
        }
        expect(faults).toEqual([]);
        if (plan.isExact) exact += 1;
        if (plan.window !== null) once += 1;
      }),
      { numRuns: 2_000 },
    );
    expect(Math.min(exact, once)).toBeGreaterThan(100);
  });
});
