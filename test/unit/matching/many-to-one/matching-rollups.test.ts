import { describe, expect, it } from 'vitest';
import type { Condition, RuleGroup } from '../../../../src-shared/contract/index.ts';
import { dayFromIso } from '../../../../src-shared/values/civil-date.ts';
import { matchRecords } from '../../../../src-main/domain/matching/engine.ts';
import { type EngineInput, separationKey } from '../../../../src-main/domain/matching/model/input.ts';
import type { EngineRule } from '../../../../src-main/domain/matching/model/rule.ts';
import { UNDECLARED } from '../../../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../../../src-main/domain/records/record.ts';
import { engineRecord, engineRule, matched, pairsOf, SAME_AMOUNT, UNWATCHED } from '../../../support/inputs/matching-records.ts';
import { IS_LONG, quickTest } from '../../../support/long.ts';

const LARGE = IS_LONG ? 100_000 : 10_000;

const SIGNED: Condition = { key: 'signed_amount', value: 'signed_amount' };

function byBatch(rules: RuleGroup['rules'] = [SIGNED], given: Partial<EngineRule> = {}): EngineRule {
  return engineRule(1, rules, {
    cardinality: 'many_to_one',
    groupBy: ['metadata.batch'],
    rollup: { group_by_kind: 'identifier' },
    ...given,
  });
}

function byDay(rules: RuleGroup['rules'] = [SIGNED], lookback: number | null = 3, groupBy: readonly string[] = ['date']): EngineRule {
  const window = lookback === null ? {} : { lookback_days: lookback, date_field: 'date' };
  return engineRule(1, rules, { cardinality: 'many_to_one', groupBy, rollup: { group_by_kind: 'date', ...window } });
}

function inBatch(id: number, amountMinor: number, batch: unknown, given: Partial<EngineRecord> = {}): EngineRecord {
  return engineRecord(id, { amountMinor, metadata: { batch }, ...given });
}

function on(id: number, amountMinor: number, date: string, given: Partial<EngineRecord> = {}): EngineRecord {
  return engineRecord(id, { amountMinor, on: date, ...given });
}

/** `a+b-c certainty status` for each match, ids ascending. */
function ties(given: Partial<EngineInput>): string[] {
  const sorted = (ids: readonly number[]): string => ids.toSorted((left, right) => left - right).join('+');
  return matched(given).matches.map((match) => `${sorted(match.aIds)}-${sorted(match.bIds)} ${match.certainty} ${match.status}`);
}

describe('groups by identifier', () => {
  const members = [inBatch(1, 600, 'B'), inBatch(2, 400, 'B')];

  it.each<[string, number, readonly Condition[], boolean]>([
    ['equals', 1000, [SIGNED], true],
    ['is one off', 1001, [SIGNED], false],
    ['equals, though no condition says so', 1000, [{ key: 'currency', value: 'currency' }], true],
    ['is one off, and no condition says so', 999, [{ key: 'currency', value: 'currency' }], false],
    ['lies at the end of a tolerance', 1005, [{ ...SIGNED, tolerance_amount: 5 }], true],
    ['lies past a tolerance', 1006, [{ ...SIGNED, tolerance_amount: 5 }], false],
    ['lies at the end of a percentage of the larger', 1250, [{ ...SIGNED, tolerance_amount: 20, tolerance_unit: 'percent' }], true],
    ['lies past a percentage of the larger', 1251, [{ ...SIGNED, tolerance_amount: 20, tolerance_unit: 'percent' }], false],
    ['lies within whole currency units', 1099, [{ ...SIGNED, tolerance_amount: 0.99, tolerance_unit: 'dollar' }], true],
    ['lies past whole currency units', 1100, [{ ...SIGNED, tolerance_amount: 0.99, tolerance_unit: 'dollar' }], false],
  ])('whose sum %s', (_what, amountMinor, rules, isTied) => {
    const sideB = [engineRecord(9, { amountMinor })];
    expect(ties({ sideA: members, sideB, rules: [byBatch([...rules])] })).toEqual(isTied ? ['1+2-9 unique matched'] : []);
  });

  it('may be one record; records without a key are in none', () => {
    const sideA = [inBatch(1, 1000, 'B'), inBatch(2, 1000, ''), inBatch(3, 1000, '  '), inBatch(4, 1000, null), inBatch(5, 1000, ['B'])];
    expect(ties({ sideA, sideB: [engineRecord(9)], rules: [byBatch()] })).toEqual(['1-9 unique matched']);
  });

  it('by several keys need all of them, and keep them apart whatever they hold', () => {
    const keyed = (id: number, batch: string, store: string) => engineRecord(id, { amountMinor: 500, metadata: { batch, store } });
    const sideA = [keyed(1, 'x|y', 'z'), keyed(2, 'x', 'y|z'), keyed(3, 'q', 's'), keyed(4, 'q', 's'), keyed(5, 'q', '')];
    const rule = byBatch([SIGNED], { groupBy: ['metadata.batch', 'metadata.store'] });
    const result = matched({ sideA, sideB: [engineRecord(9)], rules: [rule] });
    expect(pairsOf(result)).toEqual(['3+4-9 unique matched']);
    expect(result.matches[0]?.groupKey).toBe('q|s');
  });

  it('net credits against debits, also below zero and to nothing', () => {
    const debit = { direction: 'debit' } as const;
    const sideA = [inBatch(1, 300, 'minus', debit), inBatch(2, 100, 'minus'), inBatch(3, 70, 'zero', debit), inBatch(4, 70, 'zero')];
    const sideB = [engineRecord(8, { amountMinor: 200, direction: 'debit' }), engineRecord(9, { amountMinor: 0 })];
    expect(ties({ sideA, sideB, rules: [byBatch()] })).toEqual(['3+4-9 unique matched', '1+2-8 unique matched']);
    const turned = [engineRecord(8, { amountMinor: 200 })];
    expect(ties({ sideA, sideB: turned, rules: [byBatch()] })).toEqual([]);
    expect(ties({ sideA, sideB: turned, rules: [byBatch()], signConvention: 'opposite' })).toEqual(['1+2-8 unique matched']);
    expect(ties({ sideA, sideB: turned, rules: [byBatch([SAME_AMOUNT])], signConvention: 'any' })).toEqual(['1+2-8 unique matched']);
    // Magnitudes agree, but the nets do not balance.
    expect(ties({ sideA, sideB: turned, rules: [byBatch([SAME_AMOUNT])] })).toEqual([]);
  });

  it('are rejected as a whole for one member that fails a condition, another currency, or a day out of the window', () => {
    const sideB = [engineRecord(9, { description: 'shop' })];
    const shop = { description: 'shop' };
    const described = byBatch([SIGNED, { key: 'description', value: 'description' }]);
    expect(ties({ sideA: [inBatch(1, 600, 'B', shop), inBatch(2, 400, 'B', shop)], sideB, rules: [described] })).toHaveLength(1);
    expect(ties({ sideA: [inBatch(1, 1000, 'B', shop), inBatch(2, 0, 'B')], sideB, rules: [described] })).toEqual([]);
    expect(ties({ sideA: [inBatch(1, 1000, 'B'), inBatch(2, 0, 'B', { currency: 'EUR' })], sideB, rules: [byBatch()] })).toEqual([]);
    const bounded = byBatch([SIGNED], { rollup: { group_by_kind: 'identifier', lookback_days: 2, date_field: 'date' } });
    const dated = (date: string) => [inBatch(1, 600, 'B', { day: dayFromIso(date) ?? 0 }), inBatch(2, 400, 'B')];
    for (const [date, isInside] of [
      ['2026-06-23', true],
      ['2026-06-22', false],
      ['2026-06-25', true],
      ['2026-06-26', false],
    ] as const) {
      const result = matched({ sideA: dated(date), sideB: [engineRecord(9)], rules: [bounded] });
      expect([date, result.matches.length, result.rules[0]?.outsideWindow]).toEqual([date, isInside ? 1 : 0, isInside ? 0 : 1]);
    }
  });

  it('are contested where two records could take one, or one could take two', () => {
    const twice = [engineRecord(8), engineRecord(9)];
    expect(ties({ sideA: members, sideB: twice, rules: [byBatch()] })).toEqual(['1+2-8 contested proposed']);
    const sideA = [...members, inBatch(3, 1000, 'C', { day: 20_628 })];
    // The nearer one is proposed.
    expect(ties({ sideA, sideB: [engineRecord(9)], rules: [byBatch()] })).toEqual(['1+2-9 contested proposed']);
    const commitsAll = byBatch([SIGNED], { commitCertainty: ['contested'] });
    expect(ties({ sideA: members, sideB: twice, rules: [commitsAll] })).toEqual(['1+2-8 contested matched']);
    expect(ties({ sideA: members, sideB: [engineRecord(9)], rules: [byBatch([SIGNED], { outcome: 'propose' })] })).toEqual([
      '1+2-9 unique proposed',
    ]);
  });

  it('are summed at the finer scale, exactly, also past the safe range', () => {
    const fine = [inBatch(1, 6005, 'B', { decimalPlaces: 3 }), inBatch(2, 400, 'B')];
    expect(ties({ sideA: fine, sideB: [engineRecord(9, { amountMinor: 1001 })], rules: [byBatch()] })).toEqual([]);
    const exact = matched({ sideA: fine, sideB: [engineRecord(9, { amountMinor: 10_005, decimalPlaces: 3 })], rules: [byBatch()] });
    expect(exact.matches[0]).toMatchObject({
      differenceMinor: 0,
      explanation: expect.arrayContaining(['2 records of batch B sum to 10.005 GBP.']) as string[],
    });
    const near = byBatch([{ ...SIGNED, tolerance_amount: 5 }]);
    expect(matched({ sideA: fine, sideB: [engineRecord(9, { amountMinor: 1000 })], rules: [near] }).matches[0]?.differenceMinor).toBe(5);
    const most = Number.MAX_SAFE_INTEGER;
    const huge = [
      inBatch(1, most, 'B'),
      inBatch(2, most, 'B'),
      inBatch(3, most, 'B', { direction: 'debit' }),
      inBatch(4, most, 'B', { direction: 'debit' }),
      inBatch(5, 7, 'B'),
    ];
    expect(ties({ sideA: huge, sideB: [engineRecord(9, { amountMinor: 7 })], rules: [byBatch()] })).toHaveLength(1);
    expect(ties({ sideA: huge.slice(0, 2), sideB: [engineRecord(9, { amountMinor: most })], rules: [byBatch()] })).toEqual([]);
  });

  it('that a person took apart are not tied again; the next best is', () => {
    const separations = new Set([separationKey([1, 2, 9])]);
    expect(ties({ sideA: members, sideB: [engineRecord(9)], rules: [byBatch()], separations })).toEqual([]);
    expect(ties({ sideA: members, sideB: [engineRecord(9)], rules: [byBatch()], separations: new Set(['1,2', '1,9']) })).toHaveLength(1);
  });

  it('stand on side B where the rule says so', () => {
    const rule = byBatch([SIGNED], { rollup: { group_by_kind: 'identifier', many_side: 'b' } });
    expect(ties({ sideA: [engineRecord(9)], sideB: members, rules: [rule] })).toEqual(['9-1+2 unique matched']);
  });
});

describe('runs of days', () => {
  it.each([
    ['2026-06-21', false],
    ['2026-06-22', true],
    ['2026-06-25', true],
    ['2026-06-26', false],
  ])('may hold %s for a window of 3 days back from 2026-06-25: %s', (date, isInside) => {
    expect(ties({ sideA: [on(1, 1000, date)], sideB: [engineRecord(9)], rules: [byDay()] })).toEqual(
      isInside ? ['1-9 unique matched'] : [],
    );
  });

  it('prefer the latest last day, then the fewest days', () => {
    const sideA = [on(1, 1000, '2026-06-22'), on(2, 400, '2026-06-23'), on(3, 600, '2026-06-24')];
    expect(ties({ sideA, sideB: [engineRecord(9)], rules: [byDay()] })).toEqual(['2+3-9 best matched']);
    const nothing = [on(1, 0, '2026-06-23'), on(2, 1000, '2026-06-24')];
    expect(ties({ sideA: nothing, sideB: [engineRecord(9)], rules: [byDay()] })).toEqual(['2-9 best matched']);
  });

  it('take a day whole, and pass days without rows', () => {
    const sideA = [on(1, 500, '2026-06-22'), on(2, 300, '2026-06-25'), on(3, 200, '2026-06-25')];
    expect(ties({ sideA, sideB: [engineRecord(9)], rules: [byDay()] })).toEqual(['1+2+3-9 unique matched']);
    expect(ties({ sideA, sideB: [engineRecord(9, { amountMinor: 800 })], rules: [byDay()] })).toEqual([]);
  });

  it('leave out rows that fail a condition of their own, and rows of another currency', () => {
    const sideA = [
      on(1, 700, '2026-06-24', { description: 'shop' }),
      on(2, 55, '2026-06-24', { description: 'rent' }),
      on(3, 300, '2026-06-25', { description: 'shop' }),
      on(4, 77, '2026-06-25', { description: 'shop', currency: 'EUR' }),
    ];
    const sideB = [engineRecord(9, { description: 'shop' })];
    for (const condition of [
      { key: 'description', value: 'description' },
      { key: 'description', value: 'description', operand: 'contains' },
    ] as const) {
      expect(ties({ sideA, sideB, rules: [byDay([SIGNED, condition])] })).toEqual(['1+3-9 unique matched']);
    }
    expect(ties({ sideA, sideB, rules: [byDay()] })).toEqual([]);
  });

  it('of segments answer to records with the same values; nothing is no value', () => {
    const store = (name: string) => ({ metadata: { store: name } });
    const sideA = [on(1, 1000, '2026-06-25', store('N')), on(2, 1000, '2026-06-25', store('S')), on(3, 1000, '2026-06-25', store(''))];
    const sideB = [engineRecord(8, store('S')), engineRecord(9, store(''))];
    const result = matched({ sideA, sideB, rules: [byDay([SIGNED], 3, ['date', 'metadata.store'])] });
    expect(pairsOf(result)).toEqual(['2-8 unique matched']);
    expect(result.matches[0]?.groupKey).toBe('2026-06-25|S');
  });

  it('that share a record compete for it', () => {
    const sideA = [on(1, 400, '2026-06-23'), on(2, 600, '2026-06-24'), on(3, 500, '2026-06-25')];
    const sideB = [on(8, 1000, '2026-06-25'), on(9, 1100, '2026-06-25')];
    expect(ties({ sideA, sideB, rules: [byDay()] })).toEqual(['1+2-8 contested proposed']);
  });

  it('know no bound where none is given, up to 366 days', () => {
    const days = (count: number) =>
      Array.from({ length: count }, (_, index) => engineRecord(index + 1, { amountMinor: 1, day: 20_000 + index }));
    const sideB = [engineRecord(999, { amountMinor: 366, day: 10_000 })];
    expect(matched({ sideA: days(366), sideB, rules: [byDay([SIGNED], null)] }).matches[0]?.aIds).toHaveLength(366);
    const input = {
      sideA: days(367),
      sideB,
      rules: [byDay([SIGNED], null)],
      signConvention: 'same',
      types: UNDECLARED,
      separations: new Set<string>(),
    } as const;
    const refused = matchRecords(input, UNWATCHED);
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid_rule', path: 'rollup.lookback_days' } });
  });
});

describe('many records', () => {
  const many = (count: number, make: (index: number) => EngineRecord): EngineRecord[] =>
    Array.from({ length: count }, (_, index) => make(index));

  it('with one key for all of them are one cohort', () => {
    const sideA = many(LARGE, (index) => inBatch(index + 1, 10, 'B'));
    const result = matched({ sideA, sideB: [engineRecord(0, { amountMinor: LARGE * 10 })], rules: [byBatch()] });
    expect(result.matches.map((match) => [match.aIds.length, match.certainty])).toEqual([[LARGE, 'unique']]);
  });

  it('on one day, before as many records of the same amount, are one contested run', () => {
    const sideA = many(LARGE, (index) => engineRecord(index + 1, { amountMinor: 10 }));
    const sideB = many(LARGE / 5, (index) => engineRecord(200_000 + index, { amountMinor: LARGE * 10, day: 20_629 + (index % 3) }));
    const result = matched({ sideA, sideB, rules: [byDay()] });
    expect(result.matches.map((match) => [match.aIds.length, match.certainty])).toEqual([[LARGE, 'contested']]);
  });

  quickTest('whose days all add up to nothing end with an answer or with words', () => {
    const sideA = many(732, (index) =>
      engineRecord(index + 1, { amountMinor: 5, day: 20_000 + (index >> 1), direction: index % 2 === 0 ? 'credit' : 'debit' }),
    );
    const sideB = many(366, (index) => engineRecord(2_000 + index, { amountMinor: 0, day: 20_000 + index }));
    const input = { sideA, sideB, signConvention: 'same', types: UNDECLARED, separations: new Set<string>() } as const;
    const wide = matchRecords({ ...input, rules: [byDay([SIGNED], null)] }, UNWATCHED);
    expect(wide).toMatchObject({ ok: false, error: { code: 'too_many_candidates' } });
    const narrow = matched({ ...input, rules: [byDay([SIGNED], 7)] });
    expect(narrow.matches).toHaveLength(366);
  });

  it('stop when the run is cancelled', () => {
    const sideA = many(5_000, (index) => inBatch(index + 1, 10, `B${index >> 1}`));
    const sideB = many(2_500, (index) => engineRecord(10_000 + index, { amountMinor: 20 }));
    for (const rule of [byBatch(), byDay()]) {
      const input = { sideA, sideB, rules: [rule], signConvention: 'same', types: UNDECLARED, separations: new Set<string>() } as const;
      let looks = 0;
      const result = matchRecords(input, { onProgress: () => undefined, isCancelled: () => (looks += 1) > 1 });
      expect(result).toMatchObject({ ok: false, error: { code: 'cancelled' } });
    }
  });
});
