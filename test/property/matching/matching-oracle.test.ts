import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MATCH_LIMITS, type MatchLimits } from '../../../src-main/domain/matching/model/limits.ts';
import type { EngineMatch } from '../../../src-main/domain/matching/model/match.ts';
import { UNDECLARED } from '../../../src-main/domain/records/fields.ts';
import { oracleCase } from '../../support/inputs/matching-arbitraries.ts';
import { oracle, type OracleCase } from '../../support/references/matching-oracle.ts';
import { engineRecord, engineRule, matched } from '../../support/inputs/matching-records.ts';
import { quickTest, runs } from '../../support/long.ts';

type Pairs = (readonly [number, number])[];

function rows(given: OracleCase, matches: readonly EngineMatch[]): Pairs {
  const rowA = new Map(given.sideA.map((record, row) => [record.id, row]));
  const rowB = new Map(given.sideB.map((record, row) => [record.id, row]));
  return matches.map((match) => [rowA.get(match.aIds[0] ?? 0) ?? -1, rowB.get(match.bIds[0] ?? 0) ?? -1] as const);
}

function engine(given: OracleCase, limits: MatchLimits): readonly EngineMatch[] {
  const rules = [{ ...engineRule(1, given.filters.rules), filters: given.filters }];
  return matched({ ...given, signConvention: given.isOpposite ? 'opposite' : 'same', rules }, limits).matches;
}

/** Small components are solved from side A, row by row; large ones from their smaller side, in scattered order. */
const WAYS = [
  { way: 'as small components are solved', limits: MATCH_LIMITS },
  { way: 'as large components are solved', limits: { ...MATCH_LIMITS, turned: 1, scattered: 1 } },
];

/** Takes the nearest pair first and never looks back: what the engine must be better than. */
function greedy(given: OracleCase): Pairs {
  const pairs = given.sideA.flatMap((_, a) => given.sideB.map((__, b) => [a, b] as const));
  const answer = oracle(given);
  const fitting = pairs.filter((pair) => Number.isFinite(answer.distance([pair]).days));
  const near = fitting.toSorted((left, right) => answer.distance([left]).days - answer.distance([right]).days);
  const chosen: Pairs = [];
  for (const [a, b] of near) if (!chosen.some(([x, y]) => x === a || y === b)) chosen.push([a, b]);
  return chosen;
}

function expectOptimal(given: OracleCase, pairs: Pairs): void {
  const answer = oracle(given);
  expect({ pairs: pairs.length, ...answer.distance(pairs) }).toEqual({
    pairs: answer.pairs,
    days: answer.days,
    units: answer.units,
    edits: answer.edits,
  });
}

describe.each(WAYS)('against brute force, $way', ({ limits }) => {
  it('has the most pairs at the least distance', () => {
    expect.hasAssertions();
    fc.assert(
      fc.property(oracleCase(5), (given) => expectOptimal(given, rows(given, engine(given, limits)))),
      { numRuns: runs(1_500) },
    );
  });

  it('knows how sure each pair is', () => {
    fc.assert(
      fc.property(oracleCase(5), (given) => {
        const answer = oracle(given);
        const matches = engine(given, limits);
        for (const [index, [a, b]] of rows(given, matches).entries()) {
          expect(`${a}-${b} ${matches[index]?.certainty}`).toBe(`${a}-${b} ${answer.certainty(a, b)}`);
        }
      }),
      { numRuns: runs(1_500) },
    );
  });

  it('knows what the best pairing without a pair costs more', () => {
    let known = 0;
    let most = 0;
    fc.assert(
      fc.property(oracleCase(5), (given) => {
        const answer = oracle(given);
        const matches = engine(given, limits);
        for (const [index, [a, b]] of rows(given, matches).entries()) {
          const { certainty, margin } = matches[index] ?? {};
          expect(margin === undefined || certainty === 'best').toBe(true);
          if (certainty !== 'best') continue;
          most += 1;
          if (margin === undefined) continue;
          known += 1;
          const scale = Math.max(given.sideA[a]?.decimalPlaces ?? 0, given.sideB[b]?.decimalPlaces ?? 0);
          expect({ ...margin, units: margin.units * 10 ** (3 - scale) }).toEqual(answer.margin(a, b));
        }
      }),
      { numRuns: runs(1_500, 150) },
    );
    // Only units of a scale that the two records do not have are not told.
    expect(known / most).toBeGreaterThan(0.5);
  });

  quickTest('meets every certainty often enough to mean something', () => {
    const seen = new Map<string, number>();
    for (const given of fc.sample(oracleCase(5), { seed: 11, numRuns: 600 })) {
      for (const match of engine(given, limits)) seen.set(match.certainty, (seen.get(match.certainty) ?? 0) + 1);
    }
    for (const certainty of ['unique', 'best', 'interchangeable', 'contested']) expect(seen.get(certainty) ?? 0).toBeGreaterThan(25);
  });

  it('canary: the same check fails a greedy engine', () => {
    const isCaught = fc.sample(oracleCase(5), { seed: 5, numRuns: 400 }).some((given) => {
      try {
        expectOptimal(given, greedy(given));
        return false;
      } catch {
        return true;
      }
    });
    expect(isCaught).toBe(true);
  });

  it('canary: the oracle tells the certainties of known cases apart', () => {
    const filters = { rules: [{ key: 'amount', value: 'amount' }] };
    const base = { filters, isOpposite: false, types: UNDECLARED, separations: new Set<string>() };
    const twins = oracle({ ...base, sideA: [engineRecord(1), engineRecord(2)], sideB: [engineRecord(101)] });
    expect(twins.certainty(0, 0)).toBe('interchangeable');
    const rivals = oracle({ ...base, sideA: [engineRecord(1, { description: 'x' }), engineRecord(2)], sideB: [engineRecord(101)] });
    expect(rivals.certainty(0, 0)).toBe('contested');
    const late = oracle({ ...base, sideA: [engineRecord(1), engineRecord(2, { on: '2026-06-28' })], sideB: [engineRecord(101)] });
    expect(late.certainty(0, 0)).toBe('best');
  });
});
