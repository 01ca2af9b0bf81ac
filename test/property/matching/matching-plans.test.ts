import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classesOfSide } from '../../../src-main/domain/matching/blocking/equivalence-classes.ts';
import { type ChosenPlan, type Plan, planRule } from '../../../src-main/domain/matching/blocking/plan.ts';
import { endAt, startAt } from '../../../src-main/domain/matching/blocking/sweep-windows.ts';
import { type PairTest, pairTest, type RuleView, ruleView } from '../../../src-main/domain/matching/comparison/predicate.ts';
import { readColumns } from '../../../src-main/domain/matching/comparison/read-columns.ts';
import type { Leaf } from '../../../src-main/domain/matching/rules/compile-leaf.ts';
import { type CompiledRule, compileRule, type RuleNode } from '../../../src-main/domain/matching/rules/compile.ts';
import { isSortable } from '../../../src-main/domain/matching/rules/tolerances.ts';
import { UNDECLARED } from '../../../src-main/domain/records/fields.ts';
import { columnsOfRecords } from '../../../src-main/domain/records/record-columns.ts';
import type { Condition, RuleGroup } from '../../../src-shared/contract/index.ts';
import { languageCase } from '../../support/inputs/language-arbitraries.ts';
import { runs } from '../../support/long.ts';
import type { OracleCase } from '../../support/references/matching-oracle.ts';

/** So many a side that not every plan is cheap enough: only then day by day and the ways of an `or` are looked at. */
const RECORDS = 40;

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

/** Two tolerances that both leave many pairs, as ledgers have them, and what may stand beside them. */
const twoTolerances: fc.Arbitrary<RuleGroup> = fc.option(condition).map((other) => ({
  rules: [
    { key: 'amount', value: 'amount', tolerance_amount: 150 },
    { key: 'date', value: 'date', tolerance_amount: 6 },
    ...(other === null ? [] : [other]),
  ],
}));

/** Any records, with a rule of the language or one that has much to plan. */
const situation: fc.Arbitrary<OracleCase> = fc
  .tuple(
    languageCase(RECORDS).filter(({ sideA, sideB }) => Math.min(sideA.length, sideB.length) > RECORDS / 2),
    fc.option(fc.oneof({ arbitrary: filters, weight: 5 }, { arbitrary: twoTolerances, weight: 1 }), { freq: 5 }),
  )
  .map(([given, other]) => (other === null ? given : { ...given, types: UNDECLARED, filters: other }));

interface Planned {
  readonly rule: CompiledRule;
  readonly view: RuleView;
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
      for (const rowB of scan.orderB.subarray(startAt(scan, position), endAt(scan, position))) {
        const pair = rowA * RECORDS + rowB;
        found.set(pair, (found.get(pair) ?? 0) + 1);
      }
    }
  }
  return { rule: compiled.value, view, plan, test: pairTest(view), found };
}

/** Whether what a plan says to look up and to search finds a pair. */
function finds(chosen: ChosenPlan, holds: (leaf: Leaf) => boolean): boolean {
  if ('ways' in chosen) return chosen.ways.some((way) => finds(way, holds));
  const { exact, listed, swept } = chosen;
  return [...exact, ...swept, ...(listed === null ? [] : [listed])].every(holds);
}

/** The conditions that a plan tells of. */
function toldOf(chosen: ChosenPlan): Leaf[] {
  const leavesOf = (node: RuleNode): Leaf[] => (node.type === 'leaf' ? [node] : node.children.flatMap(leavesOf));
  const tested = chosen.tested.flatMap(leavesOf);
  if ('ways' in chosen) return [...chosen.ways.flatMap(toldOf), ...tested];
  return [...chosen.exact, ...chosen.swept, ...(chosen.listed === null ? [] : [chosen.listed]), ...tested];
}

/**
 * A sweep may find a pair that is a little too far apart: a percentage is rounded, as are numbers beyond the safe integers, and a tolerance in units is another
 * one at other decimal places.
 */
function isExactlyTold({ rule, view }: Planned, { sideA, sideB }: OracleCase): boolean {
  const places = new Set([...sideA, ...sideB].map((record) => record.decimalPlaces));
  const isSafe = view.columns.leaves.every(({ a, b }) => a.wide === null && b.wide === null);
  return isSafe && places.size === 1 && rule.leaves.every(({ tolerance }) => tolerance?.unit !== 'percent');
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
      { numRuns: runs(1_500) },
    );
    expect(Math.min(exact, once)).toBeGreaterThan(runs(100));
  });

  it('tells of every condition, and its scans find what it says that they look up and search', () => {
    const seen = new Map<string, number>();
    const count = (what: string, isSeen: boolean) => seen.set(what, (seen.get(what) ?? 0) + (isSeen ? 1 : 0));
    fc.assert(
      fc.property(situation, fc.boolean(), (any, isUniform) => {
        const uniform = (records: OracleCase['sideA']) => records.map((record) => ({ ...record, decimalPlaces: 2 }));
        const given = isUniform ? { ...any, sideA: uniform(any.sideA), sideB: uniform(any.sideB) } : any;
        const found = planned(given);
        const { rule, view, plan } = found;
        expect(new Set(toldOf(plan.chosen))).toEqual(new Set(rule.leaves));
        const isExact = isExactlyTold(found, given);
        const faults: string[] = [];
        for (const [a, left] of given.sideA.entries()) {
          for (const [b, right] of given.sideB.entries()) {
            const isFound = found.found.has(a * RECORDS + b);
            const places = Math.max(left.decimalPlaces, right.decimalPlaces);
            const isShared = rule.namesCurrency || left.currency === right.currency;
            const isTold = isShared && finds(plan.chosen, ({ index }) => view.tests[index]?.(a, b, places) === true);
            if (isTold !== isFound && (isTold || isExact)) faults.push(`${a}-${b} ${isFound}`);
          }
        }
        expect(faults).toEqual([]);
        const { chosen } = plan;
        count('exactly told', isExact);
        count('ways', 'ways' in chosen);
        count('a list', 'exact' in chosen && chosen.listed !== null);
        count('day by day', 'exact' in chosen && chosen.swept.length === 2);
        count('a sweep of two', 'exact' in chosen && chosen.swept.length === 1 && rule.leaves.filter(isSortable).length > 1);
        count(
          'ways tested',
          chosen.tested.some((node) => node.type === 'group'),
        );
      }),
      { numRuns: runs(1_000, 200) },
    );
    expect([...seen].filter(([, times]) => times < runs(10, 2))).toEqual([]);
  });
});
