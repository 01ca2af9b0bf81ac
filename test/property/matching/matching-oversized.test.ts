import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EngineResult } from '../../../src-main/domain/matching/engine-run.ts';
import { MATCH_LIMITS, type MatchLimits } from '../../../src-main/domain/matching/model/limits.ts';
import { matchRecords } from '../../../src-main/domain/matching/engine.ts';
import type { EngineInput } from '../../../src-main/domain/matching/model/input.ts';
import { UNDECLARED } from '../../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import type { Condition } from '../../../src-shared/contract/index.ts';
import { oracleCase } from '../../support/inputs/matching-arbitraries.ts';
import { oracle, type OracleCase } from '../../support/references/matching-oracle.ts';
import { engineRecord, engineRule, matched, SAME_AMOUNT, WITHIN_THREE_DAYS } from '../../support/inputs/matching-records.ts';
import { runs } from '../../support/long.ts';

/** Every component of more than one pair counts as too large for the exact search. */
const NONE_EXACT: MatchLimits = { ...MATCH_LIMITS, pairs: 1 };
/** And every rule as too wide for its pairs to be listed. */
const WIDE: MatchLimits = { ...NONE_EXACT, tests: 3 };

function inputOf(given: OracleCase): Partial<EngineInput> {
  return { ...given, signConvention: given.isOpposite ? 'opposite' : 'same', rules: [engineRule(1, [], { filters: given.filters })] };
}

/** Null where the rule is refused: nothing of it narrows the search. */
function wide(given: OracleCase): EngineResult | null {
  const base: EngineInput = { sideA: [], sideB: [], rules: [], signConvention: 'same', types: UNDECLARED, separations: new Set() };
  const result = matchRecords({ ...base, ...inputOf(given) }, { onProgress: () => undefined, isCancelled: () => false }, WIDE);
  return result.ok ? result.value : null;
}

function ties({ matches }: EngineResult): string[] {
  return matches.map((match) => `${match.aIds.join()}-${match.bIds.join()} ${match.certainty}`);
}

function shuffled<T>(items: readonly T[], keys: readonly number[]): T[] {
  return items
    .map((item, index) => ({ item, key: keys[index % keys.length] ?? index }))
    .toSorted((left, right) => left.key - right.key)
    .map(({ item }) => item);
}

function expectAllowed(given: OracleCase, { matches }: EngineResult): void {
  const answer = oracle(given);
  const rowOf = (records: readonly EngineRecord[], id: number | undefined) => records.findIndex((record) => record.id === id);
  for (const { aIds, bIds } of matches) {
    const pair = [rowOf(given.sideA, aIds[0]), rowOf(given.sideB, bIds[0])] as const;
    expect(Number.isFinite(answer.distance([pair]).days)).toBe(true);
  }
  const used = matches.flatMap(({ aIds, bIds }) => [...aIds, ...bIds]);
  expect(new Set(used).size).toBe(used.length);
}

const TOLERANT: Condition[] = [{ ...SAME_AMOUNT, tolerance_amount: 20 }, { key: 'direction', value: 'direction' }, WITHIN_THREE_DAYS];

/** Records that a tolerance and a window tie into one large component, here and there with gaps. */
function neighbours(firstId: number): fc.Arbitrary<EngineRecord[]> {
  const record = fc.record({ amountMinor: fc.integer({ min: 1_000, max: 1_100 }), day: fc.integer({ min: 20_000, max: 20_015 }) });
  return fc
    .array(record, { minLength: 30, maxLength: 90, size: 'max' })
    .map((records) => records.map((content, index) => engineRecord(firstId + index, content)));
}

const tolerantInput = fc
  .record({ sideA: neighbours(1), sideB: neighbours(1_001), days: fc.boolean() })
  .map(({ sideA, sideB, days }) => ({ sideA, sideB, rules: [engineRule(1, days ? TOLERANT : TOLERANT.slice(0, 2))] }));

describe('components too large for the exact search', () => {
  it('have the most pairs all the same, each of them allowed', () => {
    fc.assert(
      fc.property(oracleCase(5), (given) => {
        const result = matched(inputOf(given), NONE_EXACT);
        expectAllowed(given, result);
        const { pairs } = oracle(given);
        expect(result.matches.length).toBeLessThanOrEqual(pairs);
        expect(result.matches.length).toBeGreaterThanOrEqual(given.separations.size === 0 ? pairs : 0);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('have only allowed pairs where each has to be tested', () => {
    let found = 0;
    fc.assert(
      fc.property(oracleCase(5), fc.array(fc.integer(), { minLength: 5, maxLength: 5 }), (given, keys) => {
        const result = wide(given);
        if (result === null) return;
        expectAllowed(given, result);
        found += result.matches.length;
        const other = wide({ ...given, sideA: shuffled(given.sideA, keys), sideB: shuffled(given.sideB, keys) });
        expect(other).toEqual(result);
      }),
      { numRuns: runs(1_000, 150) },
    );
    expect(found).toBeGreaterThan(runs(500, 75));
  });

  it('have as many pairs as the exact search finds, contested, and counted as not exact', () => {
    let nearer = 0;
    fc.assert(
      fc.property(tolerantInput, (input) => {
        const exact = matched(input);
        const result = matched(input, NONE_EXACT);
        expect(result.matches).toHaveLength(exact.matches.length);
        expect(exact.rules[0]?.exact).toBe(exact.matches.length);
        const sure = result.matches.filter(({ certainty }) => certainty !== 'contested').length;
        // A pair of classes is exact, however many records they have; of these some are contested as well.
        expect(result.rules[0]?.exact).toBeGreaterThanOrEqual(sure);
        if (sure < exact.matches.length) nearer += 1;
      }),
      { numRuns: runs(120), endOnFailure: true },
    );
    expect(nearer).toBeGreaterThan(runs(80));
  });

  it('say for how many records the search was given up, wherever fewer pairs are found than there can be', () => {
    let fewer = 0;
    fc.assert(
      fc.property(tolerantInput, fc.integer({ min: 1, max: 3 }), (input, rounds) => {
        const most = matched(input, NONE_EXACT);
        expect(most.rules[0]?.gaveUp).toBeNull();
        const result = matched(input, { ...NONE_EXACT, rounds });
        const missing = most.matches.length - result.matches.length;
        expect(result.rules[0]?.gaveUp ?? 0).toBeGreaterThanOrEqual(missing);
        if (missing > 0) fewer += 1;
      }),
      { numRuns: runs(150, 25), endOnFailure: true },
    );
    expect(fewer).toBeGreaterThan(runs(3, 1));
  });

  it('give the same pairs for the same records in any order', () => {
    fc.assert(
      fc.property(tolerantInput, fc.array(fc.integer(), { minLength: 90, maxLength: 90 }), (input, keys) => {
        const other = { ...input, sideA: shuffled(input.sideA, keys), sideB: shuffled(input.sideB, keys.toReversed()) };
        expect(matched(other, NONE_EXACT)).toEqual(matched(input, NONE_EXACT));
      }),
      { numRuns: runs(60), endOnFailure: true },
    );
  });

  it('are not moved by records that nothing ties to them', () => {
    const stranger = engineRecord(9_999, { currency: 'CHF', amountMinor: 1_010, day: 20_003 });
    const partner = engineRecord(9_998, { amountMinor: 90_000, day: 20_003 });
    fc.assert(
      fc.property(tolerantInput, (input) => {
        const more = { ...input, sideA: [stranger, ...input.sideA], sideB: [...input.sideB, partner] };
        expect(matched(more, NONE_EXACT)).toEqual(matched(input, NONE_EXACT));
      }),
      { numRuns: runs(60), endOnFailure: true },
    );
  });

  it('tie the same when all days move by weeks, and when amounts and tolerance are ten times as large', () => {
    fc.assert(
      fc.property(tolerantInput, fc.integer({ min: -300, max: 300 }), (input, weeks) => {
        const changed = (change: (record: EngineRecord) => Partial<EngineRecord>) => ({
          ...input,
          sideA: input.sideA.map((record) => ({ ...record, ...change(record) })),
          sideB: input.sideB.map((record) => ({ ...record, ...change(record) })),
        });
        const expected = ties(matched(input, NONE_EXACT));
        expect(
          ties(
            matched(
              changed(({ day }) => ({ day: day + weeks * 7 })),
              NONE_EXACT,
            ),
          ),
        ).toEqual(expected);
        const [rule] = input.rules;
        const wider = { ...SAME_AMOUNT, tolerance_amount: 200 };
        const rules = rule === undefined ? [] : [{ ...rule, filters: { rules: [wider, ...rule.filters.rules.slice(1)] } }];
        const scaled = { ...changed(({ amountMinor }) => ({ amountMinor: amountMinor * 10 })), rules };
        expect(ties(matched(scaled, NONE_EXACT))).toEqual(expected);
      }),
      { numRuns: runs(60), endOnFailure: true },
    );
  });

  it('have as many pairs from the other side', () => {
    fc.assert(
      fc.property(tolerantInput, (input) => {
        const mirrored = { ...input, sideA: input.sideB, sideB: input.sideA };
        expect(matched(mirrored, NONE_EXACT).matches).toHaveLength(matched(input, NONE_EXACT).matches.length);
      }),
      { numRuns: runs(60), endOnFailure: true },
    );
  });
});
