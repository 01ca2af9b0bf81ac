import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EngineResult } from '../../../src-main/domain/matching/engine-run.ts';
import { type EngineInput, separationKey } from '../../../src-main/domain/matching/model/input.ts';
import type { Condition, RuleGroup } from '../../../src-shared/contract/index.ts';
import { UNDECLARED } from '../../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { filters, oracleCase } from '../../support/inputs/matching-arbitraries.ts';
import { engineRecord, engineRule, matched } from '../../support/inputs/matching-records.ts';
import { runs } from '../../support/long.ts';

const input: fc.Arbitrary<EngineInput> = fc
  .record({
    given: oracleCase(9),
    trees: fc.array(filters, { minLength: 1, maxLength: 3 }),
    outcome: fc.constantFrom('match' as const, 'propose' as const),
  })
  .map(({ given, trees, outcome }) => ({
    sideA: given.sideA,
    sideB: given.sideB,
    separations: given.separations,
    signConvention: given.isOpposite ? ('opposite' as const) : ('same' as const),
    types: UNDECLARED,
    rules: trees.map((tree, index) => engineRule(index + 1, [], { priority: 10, filters: tree, outcome })),
  }));

function shuffled<T>(items: readonly T[], keys: readonly number[]): T[] {
  return items
    .map((item, index) => ({ item, key: keys[index] ?? index }))
    .toSorted((left, right) => left.key - right.key)
    .map(({ item }) => item);
}

function mirroredGroup(group: RuleGroup): RuleGroup {
  const mirror = (child: Condition | RuleGroup): Condition | RuleGroup =>
    'rules' in child ? mirroredGroup(child) : { ...child, key: child.value, value: child.key };
  return { ...group, rules: group.rules.map(mirror) };
}

/** What must not depend on which side is called A: the number of pairs, and the pairs that are forced. */
function symmetricFacts(result: EngineResult): unknown {
  const sure = result.matches.filter((match) => match.certainty === 'unique' || match.certainty === 'best');
  return { pairs: result.matches.length, sure: sure.map((match) => separationKey([...match.aIds, ...match.bIds])).toSorted() };
}

describe('whatever the records', () => {
  it('gives the same bytes for the same records in any order', () => {
    fc.assert(
      fc.property(input, fc.array(fc.integer(), { minLength: 12, maxLength: 12 }), (given, keys) => {
        const other = matched({
          ...given,
          sideA: shuffled(given.sideA, keys),
          sideB: shuffled(given.sideB, keys.toReversed()),
          rules: given.rules.toReversed(),
        });
        expect(JSON.stringify(other)).toBe(JSON.stringify(matched(given)));
      }),
      { numRuns: runs(500) },
    );
  });

  it('finds the same whichever side is called A', () => {
    fc.assert(
      fc.property(input, (given) => {
        // One rule: after a contested choice, which may differ, a second rule would see other records.
        const one = {
          ...given,
          rules: given.rules.slice(0, 1),
        };
        const swapped = {
          ...one,
          sideA: one.sideB,
          sideB: one.sideA,
          rules: one.rules.map((rule) => ({ ...rule, filters: mirroredGroup(rule.filters) })),
        };
        const facts = symmetricFacts(matched(one));
        expect(symmetricFacts(matched(swapped))).toEqual(facts);
      }),
      { numRuns: runs(500) },
    );
  });

  it('is not moved by a record that nothing ties to the others', () => {
    fc.assert(
      fc.property(input, fc.boolean(), (given, isOnSideA) => {
        const stranger: EngineRecord = engineRecord(999, { currency: 'CHF', decimalPlaces: 4, on: '1999-01-01', reference: 'elsewhere' });
        const more = isOnSideA ? { ...given, sideA: [stranger, ...given.sideA] } : { ...given, sideB: [stranger, ...given.sideB] };
        expect(matched(more)).toEqual(matched(given));
      }),
      { numRuns: runs(500) },
    );
  });

  it('uses no record twice, keeps to its sides and never ties what a person took apart', () => {
    fc.assert(
      fc.property(input, (given) => {
        const { matches, rules } = matched(given);
        const usedA = matches.flatMap((match) => match.aIds);
        const usedB = matches.flatMap((match) => match.bIds);
        expect(new Set(usedA).size).toBe(usedA.length);
        expect(new Set(usedB).size).toBe(usedB.length);
        expect(usedA.every((id) => given.sideA.some((record) => record.id === id))).toBe(true);
        expect(usedB.every((id) => given.sideB.some((record) => record.id === id))).toBe(true);
        expect(matches.some((match) => given.separations.has([...match.aIds, ...match.bIds].join(',')))).toBe(false);
        const counted = matches.filter((match) => match.status === 'matched');
        expect(rules.reduce((sum, rule) => sum + rule.matches, 0)).toBe(counted.length);
        expect(rules.reduce((sum, rule) => sum + rule.records, 0)).toBe(counted.length * 2);
        expect(rules.reduce((sum, rule) => sum + rule.proposed, 0)).toBe(matches.length - counted.length);
      }),
      { numRuns: runs(500) },
    );
  });

  it('commits only what the rule lets it commit', () => {
    fc.assert(
      fc.property(input, (given) => {
        const outcomes = new Map(given.rules.map((rule) => [rule.id, rule.outcome]));
        for (const match of matched(given).matches) {
          const mayCommit = outcomes.get(match.ruleId) === 'match' && match.certainty !== 'contested';
          expect(match.status).toBe(mayCommit ? 'matched' : 'proposed');
        }
      }),
      { numRuns: runs(300) },
    );
  });
});
