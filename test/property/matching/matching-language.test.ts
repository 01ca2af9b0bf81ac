import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editDistance } from '../../../src-main/domain/matching/comparison/condition-test.ts';
import { pairTest, ruleView } from '../../../src-main/domain/matching/comparison/predicate.ts';
import { readColumns } from '../../../src-main/domain/matching/comparison/read-columns.ts';
import type { EngineMatch } from '../../../src-main/domain/matching/model/match.ts';
import { compileRule } from '../../../src-main/domain/matching/rules/compile.ts';
import { columnsOfRecords } from '../../../src-main/domain/records/record-columns.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import type { Condition, RuleGroup } from '../../../src-shared/contract/index.ts';
import { OPERANDS, TOLERANCE_UNITS, TRANSFORMS } from '../../../src-shared/contract/rules/rule-language.ts';
import { languageCase } from '../../support/inputs/language-arbitraries.ts';
import { engineRule, matched } from '../../support/inputs/matching-records.ts';
import { IS_LONG, quickTest, runs } from '../../support/long.ts';
import { oracle, type OracleCase } from '../../support/references/matching-oracle.ts';
import { editsByBruteForce, editsByDefinition, held, type ReferencePair } from '../../support/references/rule-reference.ts';

function convention(given: OracleCase): 'same' | 'opposite' {
  return given.isOpposite ? 'opposite' : 'same';
}

/** The engine's own answer for every pair, without plans. */
function engineHolds(given: OracleCase): boolean[][] {
  const { sideA, sideB } = given;
  const compiled = compileRule(given.filters, given.types);
  if (!compiled.ok) throw new Error('the generator makes valid rules');
  const [a, b] = [columnsOfRecords(sideA), columnsOfRecords(sideB)];
  const columns = readColumns(compiled.value, a, b, convention(given));
  const test = pairTest(ruleView({ rule: compiled.value, columns, sideA: a, sideB: b, isBarred: () => false }));
  return sideA.map((_, a) => sideB.map((__, b) => test(a, b)));
}

function leavesOf(group: RuleGroup): Condition[] {
  return group.rules.flatMap((child) => ('rules' in child ? leavesOf(child) : [child]));
}

/** Whether one condition holds for one pair. */
type Says = (pair: ReferencePair, condition: Condition) => boolean;

const saysReference: Says = (pair, condition) => held(pair, condition) !== null;

function holdsByReference(given: OracleCase, group: RuleGroup, a: number, b: number, says: Says): boolean {
  const [recordA, recordB] = [given.sideA[a], given.sideB[b]];
  if (recordA === undefined || recordB === undefined) return false;
  const pair = { a: recordA, b: recordB, isOpposite: given.isOpposite, types: given.types };
  const holds = (child: Condition | RuleGroup): boolean =>
    'rules' in child ? holdsByReference(given, child, a, b, says) : says(pair, child);
  return group.operand === 'or' ? group.rules.some(holds) : group.rules.every(holds);
}

function referenceHolds(given: OracleCase, says = saysReference): boolean[][] {
  const isNamed = leavesOf(given.filters).some(({ key, value }) => key === 'currency' || value === 'currency');
  return given.sideA.map((recordA, a) =>
    given.sideB.map(
      (recordB, b) => (isNamed || recordA.currency === recordB.currency) && holdsByReference(given, given.filters, a, b, says),
    ),
  );
}

function matches(given: OracleCase): readonly EngineMatch[] {
  const rule = engineRule(1, [], { filters: given.filters });
  return matched({ ...given, signConvention: convention(given), rules: [rule] }).matches;
}

function rows(given: OracleCase, found: readonly EngineMatch[]): (readonly [number, number])[] {
  const rowA = new Map(given.sideA.map((record, row) => [record.id, row]));
  const rowB = new Map(given.sideB.map((record, row) => [record.id, row]));
  return found.map((match) => [rowA.get(match.aIds[0] ?? 0) ?? -1, rowB.get(match.bIds[0] ?? 0) ?? -1] as const);
}

/** The leaf with another percentage, to a millionth; the same where it has none. */
function withPercent(leaf: Condition, changed: (percent: number) => number): Condition {
  if (leaf.tolerance_unit !== 'percent' || leaf.tolerance_amount === undefined) return leaf;
  return { ...leaf, tolerance_amount: Math.floor(changed(leaf.tolerance_amount) * 1e6) / 1e6 };
}

/** The record with its metadata date in 2026. */
function inOneYear(record: EngineRecord): EngineRecord {
  const { due } = record.metadata;
  return typeof due === 'string' ? { ...record, metadata: { ...record.metadata, due: due.replace(/^\d{4}/, '2026') } } : record;
}

/** The pair with its sides exchanged, and the condition that reads the same of it. */
function exchanged({ a, b, isOpposite, types }: ReferencePair, condition: Condition): [ReferencePair, Condition] {
  const { key, value, transforms } = condition;
  const pair = { a: b, b: a, isOpposite, types: { a: types.b, b: types.a } };
  const turned = { ...condition, key: value, value: key };
  return [pair, transforms === undefined ? turned : { ...turned, transforms: { key: transforms?.value, value: transforms?.key } }];
}

let cases: readonly OracleCase[] = [];
/** The cases on which canaries have to be caught, made once. */
function sampled(): readonly OracleCase[] {
  if (cases.length === 0) cases = fc.sample(languageCase(5), { seed: 5, numRuns: 4_000 });
  return cases;
}

const told = new WeakMap<OracleCase, string>();
/** What the reference says of a case, worked out once. */
function byReference(given: OracleCase): string {
  const known = told.get(given) ?? JSON.stringify(referenceHolds(given));
  told.set(given, known);
  return known;
}

describe('any rule of the language', () => {
  it('holds for exactly the pairs that the reference says', () => {
    fc.assert(
      fc.property(languageCase(5), (given) => {
        expect(engineHolds(given)).toEqual(referenceHolds(given));
      }),
      { numRuns: runs(3_000) },
    );
  });

  it('pairs as many records as can be, at the least distance, and knows how sure each pair is', () => {
    fc.assert(
      fc.property(languageCase(4), (given) => {
        const answer = oracle(given);
        const found = matches(given);
        const pairs = rows(given, found);
        const distance = { days: answer.days, units: answer.units, edits: answer.edits };
        expect({ pairs: pairs.length, ...answer.distance(pairs) }).toEqual({ pairs: answer.pairs, ...distance });
        for (const [index, [a, b]] of pairs.entries()) {
          expect(`${a}-${b} ${found[index]?.certainty}`).toBe(`${a}-${b} ${answer.certainty(a, b)}`);
        }
      }),
      { numRuns: runs(1_500) },
    );
  });

  it('is explained with a sentence for each condition of the branch that held', () => {
    fc.assert(
      fc.property(languageCase(4), (given) => {
        for (const match of matches(given)) {
          expect(match.explanation.length).toBeGreaterThan(0);
          for (const sentence of match.explanation) expect(sentence).toMatch(/^[\p{Lu}\p{Lt}][^]*\.$/u);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  it('meets every operand, unit and transform, holding and not, often enough to mean something', () => {
    const seen = new Map<string, number>();
    const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
    for (const given of fc.sample(languageCase(5), { seed: 3, numRuns: IS_LONG ? 6_000 : 2_000 })) {
      for (const leaf of leavesOf(given.filters)) {
        const single = { ...given, filters: { rules: [leaf] } };
        const some = engineHolds(single).flat();
        for (const holds of new Set(some)) {
          count(`${leaf.operand ?? 'eq'} ${holds}`);
          if (leaf.tolerance_unit !== undefined) count(`${leaf.tolerance_unit} ${holds}`);
          for (const side of [leaf.transforms?.key, leaf.transforms?.value]) {
            for (const each of Array.isArray(side) ? side : side === undefined || side === null ? [] : [side]) {
              count(`${typeof each === 'string' ? each : each.name} ${holds}`);
            }
          }
        }
      }
    }
    const rare = [...OPERANDS, ...TOLERANCE_UNITS, ...TRANSFORMS].flatMap((name) =>
      [true, false].map((holds) => `${name} ${holds}`).filter((what) => (seen.get(what) ?? 0) < (IS_LONG ? 15 : 4)),
    );
    expect(rare).toEqual([]);
  });

  quickTest.each<[string, (leaf: Condition) => Condition]>([
    ['takes gte for gt', (leaf) => (leaf.operand === 'gte' ? { ...leaf, operand: 'gt' } : leaf)],
    ['takes lt for lte', (leaf) => (leaf.operand === 'lte' ? { ...leaf, operand: 'lt' } : leaf)],
    [
      'takes missing values for equal',
      (leaf) => (leaf.operand === undefined && !leaf.tolerance_unit ? { ...leaf, operand: 'eq_or_missing' } : leaf),
    ],
    ['forgets transforms', (leaf) => ({ ...leaf, transforms: undefined })],
    [
      'takes an end out of a tolerance',
      (leaf) => (leaf.tolerance_amount === 2 && leaf.tolerance_unit !== 'edit' ? { ...leaf, tolerance_amount: 1 } : leaf),
    ],
    ['takes business days for days', (leaf) => (leaf.tolerance_unit === 'business_day' ? { ...leaf, tolerance_unit: 'day' } : leaf)],
    ['takes minor units for currency units', (leaf) => (leaf.tolerance_unit === 'dollar' ? { ...leaf, tolerance_unit: 'minor' } : leaf)],
    ['takes a list for its text', (leaf) => (leaf.operand === 'in' ? { ...leaf, operand: 'eq' } : leaf)],
    // Within p percent of the smaller is within p / (100 + p) of the larger.
    ['takes percent of the smaller for percent of the larger', (leaf) => withPercent(leaf, (percent) => (percent * 100) / (percent + 100))],
    ['takes the end out of a percentage', (leaf) => withPercent(leaf, (percent) => Math.max(0, percent - 0.0001))],
    [
      'takes 31 days for the same month',
      (leaf) => (leaf.tolerance_unit === 'month' ? { ...leaf, tolerance_unit: 'day', tolerance_amount: 31 } : leaf),
    ],
    [
      'takes the last edit out of a tolerance',
      (leaf) =>
        leaf.tolerance_unit === 'edit' && (leaf.tolerance_amount ?? 0) >= 1
          ? { ...leaf, tolerance_amount: (leaf.tolerance_amount ?? 0) - 1 }
          : leaf,
    ],
    ['takes neq for eq', (leaf) => (leaf.operand === 'neq' ? { ...leaf, operand: 'eq' } : leaf)],
    [
      'takes a list for its text where a value must not be in it',
      (leaf) => (leaf.operand === 'not_in' ? { ...leaf, operand: 'neq' } : leaf),
    ],
    ['takes a missing value for another one', (leaf) => (leaf.operand === 'eq_or_missing' ? { ...leaf, operand: 'eq' } : leaf)],
    ['takes only the whole text for contained', (leaf) => (leaf.operand === 'contains' ? { ...leaf, operand: 'eq' } : leaf)],
  ])('canary: the reference catches an engine that %s', (_what, mutate) => {
    const mutated = (group: RuleGroup): RuleGroup => ({
      ...group,
      rules: group.rules.map((child) => ('rules' in child ? mutated(child) : mutate(child))),
    });
    const isCaught = sampled().some((given) => {
      const wrong = { ...given, filters: mutated(given.filters) };
      return compileRule(wrong.filters, wrong.types).ok && JSON.stringify(engineHolds(wrong)) !== byReference(given);
    });
    expect(isCaught).toBe(true);
  });

  // What no rule says in other words is broken in the reference.
  it.each<[string, Says]>([
    [
      'forgets the year of a month',
      (pair, leaf) => saysReference(leaf.tolerance_unit === 'month' ? { ...pair, a: inOneYear(pair.a), b: inOneYear(pair.b) } : pair, leaf),
    ],
    [
      'takes whatever is not equal for different, with nothing on a side as well',
      (pair, leaf) => (leaf.operand === 'neq' ? !saysReference(pair, { ...leaf, operand: 'eq' }) : saysReference(pair, leaf)),
    ],
    [
      'takes a missing value or list for one that is not in it',
      (pair, leaf) => (leaf.operand === 'not_in' ? !saysReference(pair, { ...leaf, operand: 'in' }) : saysReference(pair, leaf)),
    ],
    [
      'takes what cannot be read for missing',
      (pair, leaf) => (leaf.operand === 'eq_or_missing' ? !saysReference(pair, { ...leaf, operand: 'neq' }) : saysReference(pair, leaf)),
    ],
    [
      'looks for the text of side A in that of side B',
      (pair, leaf) => (leaf.operand === 'contains' ? saysReference(...exchanged(pair, leaf)) : saysReference(pair, leaf)),
    ],
  ])('canary: the engine catches a reference that %s', (_what, says) => {
    const isCaught = sampled()
      .slice(0, 2_000)
      .some((given) => JSON.stringify(engineHolds(given)) !== JSON.stringify(referenceHolds(given, says)));
    expect(isCaught).toBe(true);
  });
});

/** Edits where two letters that changed places count twice. */
function editsWithoutSwaps(left: string, right: string): number {
  const [a, b] = [[...left], [...right]];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [at, letter] of a.entries()) {
    const next = [at + 1];
    for (const [place, other] of b.entries()) {
      const instead = (row[place] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min((row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1, instead));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

describe('edits', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 5 });
  it('are as many as trying all of them finds', () => {
    fc.assert(
      fc.property(text, text, fc.integer({ min: 0, max: 2 }), (left, right, most) => {
        expect(editDistance(left, right, most)).toBe(editsByBruteForce(left, right, most));
        expect(Math.min(editsByDefinition(left, right), most + 1)).toBe(editsByBruteForce(left, right, most));
      }),
      { numRuns: runs(300) },
    );
  });
  it('canary: all of them find an engine that counts two letters that changed places twice', () => {
    const isCaught = fc
      .sample(fc.tuple(text, text), { seed: 5, numRuns: 300 })
      .some(([left, right]) => Math.min(editsWithoutSwaps(left, right), 3) !== editsByBruteForce(left, right, 2));
    expect(isCaught).toBe(true);
  });
  it('are the same from either end, and within a narrow or a wide bound', () => {
    const long = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 30 });
    fc.assert(
      fc.property(long, long, fc.integer({ min: 0, max: 12 }), (left, right, most) => {
        const wide = editDistance(left, right, 100);
        expect(editDistance(right, left, 100)).toBe(wide);
        expect(editDistance(left, right, most)).toBe(Math.min(wide, most + 1));
      }),
    );
  });
});
