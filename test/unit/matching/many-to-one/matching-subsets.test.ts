import { describe, expect, it } from 'vitest';
import { type EngineInput, separationKey } from '../../../../src-main/domain/matching/model/input.ts';
import type { RollupInput } from '../../../../src-shared/contract/index.ts';
import type { EngineRecord } from '../../../../src-main/domain/records/record.ts';
import { engineRecord, engineRule, matched, pairsOf, SAME_AMOUNT, SAME_REFERENCE } from '../../../support/inputs/matching-records.ts';

const SUBSET: RollupInput = { group_by_kind: 'subset', lookback_days: 7, date_field: 'date' };
const byAmount = { key: 'signed_amount', value: 'signed_amount' } as const;

function rule(
  rollup: Partial<RollupInput> = {},
  conditions: Parameters<typeof engineRule>[1] = [byAmount],
  groupBy: readonly string[] = [],
) {
  return engineRule(1, conditions, { cardinality: 'many_to_one', groupBy, rollup: { ...SUBSET, ...rollup } });
}

/** Amounts in minor units; a record's id is its place, from 1 on side A and from 101 on side B. Descriptions tell all apart. */
function side(firstId: number, amounts: readonly number[], given: Partial<EngineRecord> & { on?: string } = {}): EngineRecord[] {
  return amounts.map((amount, index) =>
    engineRecord(firstId + index, {
      amountMinor: Math.abs(amount),
      direction: amount < 0 ? 'debit' : 'credit',
      description: `line ${firstId + index}`,
      ...given,
    }),
  );
}

function tied(a: readonly number[], b: readonly number[], given: Partial<EngineInput> = {}): string[] {
  return pairsOf(matched({ sideA: side(1, a), sideB: side(101, b), rules: [rule()], ...given }));
}

describe('sums without a key', () => {
  it('ties the only records that add up, and says which', () => {
    const result = matched({ sideA: side(1, [50_000, 45_000, 30_000, 61_700]), sideB: side(101, [125_000]), rules: [rule()] });
    expect(pairsOf(result)).toEqual(['3+2+1-101 unique matched']);
    expect(result.matches[0]).toMatchObject({ differenceMinor: 0, groupKey: null });
    expect(result.matches[0]?.explanation).toEqual([
      '3 records sum to 1,250.00 GBP: 300.00 + 450.00 + 500.00.',
      'They lie on 2026-06-25, the date on side B.',
      'Signed amount 1,250.00 GBP equals 1,250.00 GBP.',
    ]);
    expect(result.rules).toMatchObject([{ matches: 1, records: 4, proposed: 0, gaveUp: 0 }]);
  });

  it('proposes what is not the only sum, although the rule would commit what is best', () => {
    expect(tied([60, 40, 55, 25, 20], [100])).toEqual(['2+1-101 best proposed']);
    expect(tied([60, 40, 70, 30], [100])).toEqual(['4+3-101 contested proposed']);
  });

  it('does not tie where one record alone would do as well, without a person', () => {
    expect(tied([60, 40, 100], [100])).toEqual(['2+1-101 contested proposed']);
  });

  it('gives records that two want to neither', () => {
    const [first, ...more] = tied([60, 40], [100, 100]);
    expect(first).toContain('contested proposed');
    expect(more).toEqual([]);
  });

  it('gives them to the one that has no other, when the other has', () => {
    expect(tied([60, 40, 75, 26], [100, 101])).toEqual(['2+1-101 unique matched', '4+3-102 unique matched']);
    const forced = matched({
      sideA: [...side(1, [60, 40], { on: '2026-06-25' }), ...side(3, [70, 30], { on: '2026-06-24' })],
      sideB: [engineRecord(101, { amountMinor: 100, on: '2026-06-24' }), engineRecord(102, { amountMinor: 100, on: '2026-06-25' })],
      rules: [rule()],
    });
    expect(pairsOf(forced)).toEqual(['4+3-101 unique matched', '2+1-102 best proposed']);
  });

  it('exchanges only what looks alike', () => {
    const alike = { description: 'till' };
    expect(pairsOf(matched({ sideA: side(1, [50, 50, 50], alike), sideB: side(101, [100]), rules: [rule()] }))).toEqual([
      '1+2-101 interchangeable matched',
    ]);
    expect(tied([50, 50, 50], [100])).toEqual(['1+2-101 contested proposed']);
    const twins = matched({ sideA: side(1, [50, 50, 50, 50], alike), sideB: side(101, [100, 100], alike), rules: [rule()] });
    expect(pairsOf(twins)).toEqual(['1+2-101 interchangeable matched', '3+4-102 interchangeable matched']);
    expect(pairsOf(matched({ sideA: side(1, [50, 50, 50], alike), sideB: side(101, [100, 100]), rules: [rule()] }))).toEqual([
      '1+2-101 contested proposed',
    ]);
  });

  it('works the other way round: several of side B to one of side A', () => {
    const result = matched({ sideA: side(1, [100]), sideB: side(101, [60, 40, 7]), rules: [rule({ many_side: 'b' })] });
    expect(pairsOf(result)).toEqual(['1-102+101 unique matched']);
    expect(result.matches[0]?.explanation[0]).toBe('2 records sum to 1.00 GBP: 0.40 + 0.60.');
  });

  it('keeps to the window, the most records, the segments and the other conditions', () => {
    const on = (day: string) => side(1, [60, 40], { on: day });
    const pairs = (sideA: readonly EngineRecord[], one = rule(), sideB = side(101, [100])) =>
      pairsOf(matched({ sideA, sideB, rules: [one] }));
    expect(pairs(on('2026-06-18'))).toHaveLength(1);
    expect(pairs(on('2026-06-17'))).toEqual([]);
    expect(pairs(on('2026-06-26'))).toEqual([]);
    expect(pairs(side(1, [50, 30, 20]), rule({ max_records: 2 }))).toEqual([]);
    expect(pairs(side(1, [50, 30, 20]), rule({ max_records: 3 }))).toHaveLength(1);
    const shop = (name: string) => ({ metadata: { shop: name } });
    const ofShops = [...side(1, [60], shop('N')), ...side(2, [40], shop('N')), ...side(3, [60], shop('S')), ...side(4, [40], shop('S'))];
    const segmented = matched({ sideA: ofShops, sideB: side(101, [100], shop('S')), rules: [rule({}, [byAmount], ['metadata.shop'])] });
    expect(pairsOf(segmented)).toEqual(['4+3-101 unique matched']);
    expect(segmented.matches[0]).toMatchObject({ groupKey: 'S' });
    expect(segmented.matches[0]?.explanation[0]).toBe('2 records of shop S sum to 1.00 GBP: 0.40 + 0.60.');
    const referenced = [...side(1, [60, 40], { reference: 'R' }), ...side(3, [55, 45])];
    expect(pairs(referenced, rule({}, [byAmount, SAME_REFERENCE]), side(101, [100], { reference: 'R' }))).toEqual([
      '2+1-101 unique matched',
    ]);
    expect(pairs(side(1, [60, 40], { currency: 'EUR' }))).toEqual([]);
  });

  it('sums with signs under the convention, and at the finer scale', () => {
    expect(tied([60, 60, -20], [100], { sideA: side(1, [60, 61, -21]) })).toEqual(['3+1+2-101 unique matched']);
    expect(tied([60, 40], [-100], { signConvention: 'opposite' })).toEqual(['2+1-101 unique matched']);
    expect(tied([60, 40], [-100])).toEqual([]);
    expect(tied([-60, -40], [100], { signConvention: 'any', rules: [rule({}, [SAME_AMOUNT])] })).toEqual(['2+1-101 unique matched']);
    const finer = side(1, [605, 395], { decimalPlaces: 3 });
    expect(pairsOf(matched({ sideA: finer, sideB: side(101, [100]), rules: [rule()] }))).toEqual(['2+1-101 unique matched']);
    const within = matched({
      sideA: side(1, [60, 42]),
      sideB: side(101, [100]),
      rules: [rule({}, [{ ...byAmount, tolerance_amount: 2 }])],
    });
    expect(within.matches).toMatchObject([{ differenceMinor: 2, certainty: 'unique' }]);
    expect(
      matched({ sideA: side(1, [60, 43]), sideB: side(101, [100]), rules: [rule({}, [{ ...byAmount, tolerance_amount: 2 }])] }).matches,
    ).toEqual([]);
  });

  it('never ties again what a person took apart', () => {
    const separations = new Set([separationKey([1, 2, 101])]);
    expect(tied([60, 40], [100], { separations })).toEqual([]);
    expect(tied([60, 40, 70, 30], [100], { separations: new Set([separationKey([3, 4, 101])]) })).toEqual(['2+1-101 unique matched']);
  });

  it('counts the records whose search it gave up, and claims nothing of them', () => {
    const many = side(
      1,
      Array.from({ length: 900 }, (_, index) => 1_000_003 + index * 7_919),
    );
    const result = matched({ sideA: many, sideB: side(101, [25_000_001, 1]), rules: [rule({ max_records: 12 })] });
    expect(result.rules[0]).toMatchObject({ gaveUp: 1, matches: 0 });
  });

  it('leaves what it does not tie to the rules behind it', () => {
    const result = matched({ sideA: side(1, [60, 40, 25]), sideB: side(101, [100, 25]), rules: [rule(), engineRule(2, [SAME_AMOUNT])] });
    expect(pairsOf(result)).toEqual(['2+1-101 unique matched', '3-102 unique matched']);
  });
});
