import { describe, expect, it } from 'vitest';
import { matchRecords } from '../../../../src-main/domain/matching/engine.ts';
import { type EngineInput, separationKey } from '../../../../src-main/domain/matching/model/input.ts';
import type { EngineRule } from '../../../../src-main/domain/matching/model/rule.ts';
import { UNDECLARED } from '../../../../src-main/domain/records/fields.ts';
import type { EngineRecord } from '../../../../src-main/domain/records/record.ts';
import {
  engineRecord,
  engineRule,
  matched,
  pairsOf,
  SAME_AMOUNT,
  SAME_REFERENCE,
  UNWATCHED,
  WITHIN_THREE_DAYS,
} from '../../../support/inputs/matching-records.ts';

const NEAR = engineRule(1, [SAME_AMOUNT, WITHIN_THREE_DAYS]);

function nearPairs(sideA: readonly EngineRecord[], sideB: readonly EngineRecord[]): string[] {
  return pairsOf(matched({ sideA, sideB, rules: [NEAR] }));
}

function fails(given: Partial<EngineInput>) {
  const input: EngineInput = {
    sideA: [],
    sideB: [],
    rules: [],
    signConvention: 'any',
    types: UNDECLARED,
    separations: new Set(),
    ...given,
  };
  const result = matchRecords(input, UNWATCHED);
  return result.ok ? null : result.error;
}

function amountWithin(field: 'amount' | 'signed_amount', tolerance: number): EngineRule[] {
  return [engineRule(1, [{ key: field, value: field, tolerance_amount: tolerance }])];
}

/** Number of matches when `metadata.total` of side A meets an amount of 10.00. */
function tie(operand: 'eq' | 'eq_or_missing', total: unknown): number {
  const rules = [engineRule(1, [{ key: 'metadata.total', value: 'amount', operand }])];
  return matched({ sideA: [engineRecord(1, { metadata: { total } })], sideB: [engineRecord(101)], rules }).matches.length;
}

function distinctAmounts(firstId: number, count: number): EngineRecord[] {
  return Array.from({ length: count }, (_, index) => engineRecord(firstId + index, { amountMinor: index }));
}

describe('certainty', () => {
  it('unique: nothing else fits either record', () => {
    expect(nearPairs([engineRecord(1)], [engineRecord(101, { on: '2026-06-28' })])).toEqual(['1-101 unique matched']);
  });

  it('best: others fit, and every other way is worse', () => {
    const sideB = [engineRecord(101, { on: '2026-06-26' }), engineRecord(102, { on: '2026-06-27' })];
    expect(nearPairs([engineRecord(1)], sideB)).toEqual(['1-101 best matched']);
  });

  it('interchangeable: twins on one side', () => {
    expect(nearPairs([engineRecord(1)], [engineRecord(101), engineRecord(102)])).toEqual(['1-101 interchangeable matched']);
  });

  it('contested: an equally good partner that looks different', () => {
    const sideB = [engineRecord(101, { description: 'rent' }), engineRecord(102, { description: 'shop' })];
    expect(nearPairs([engineRecord(1)], sideB)).toEqual(['1-101 contested proposed']);
  });

  it('an external id that the bank gave tells twins apart', () => {
    const sideB = [engineRecord(101, { externalId: 'F1' }), engineRecord(102, { externalId: 'F2' })];
    expect(nearPairs([engineRecord(1)], sideB)).toEqual(['1-101 contested proposed']);
  });

  it('different looks do not matter where all of them are used up by twins', () => {
    const sideA = [engineRecord(1, { description: 'rent' }), engineRecord(2, { description: 'shop' })];
    expect(nearPairs(sideA, [engineRecord(101), engineRecord(102)])).toEqual([
      '1-101 interchangeable matched',
      '2-102 interchangeable matched',
    ]);
  });

  it('prefers more pairs to nearer pairs', () => {
    const sideA = [engineRecord(1, { on: '2026-06-24' }), engineRecord(2, { on: '2026-06-22' })];
    const sideB = [engineRecord(101, { on: '2026-06-24' }), engineRecord(102, { on: '2026-06-27' })];
    expect(nearPairs(sideA, sideB)).toEqual(['2-101 best matched', '1-102 best matched']);
  });

  it('prefers the nearer amount when dates are equally far', () => {
    const rule = engineRule(1, [{ ...SAME_AMOUNT, tolerance_amount: 50 }]);
    const sideB = [engineRecord(101, { amountMinor: 1040 }), engineRecord(102, { amountMinor: 990 })];
    expect(pairsOf(matched({ sideA: [engineRecord(1)], sideB, rules: [rule] }))).toEqual(['1-102 best matched']);
  });
});

describe('rules', () => {
  it('run by priority, then id, on what is free', () => {
    const sideA = [engineRecord(1, { reference: 'R1' }), engineRecord(2, { on: '2026-06-24' })];
    const sideB = [engineRecord(101, { reference: 'R1', on: '2026-06-24' }), engineRecord(102)];
    const rules = [{ ...NEAR, priority: 20 }, engineRule(2, [SAME_REFERENCE], { priority: 10 })];
    const result = matched({ sideA, sideB, rules });
    expect(result.matches.map((match) => [match.ruleId, match.aIds[0], match.bIds[0]])).toEqual([
      [2, 1, 101],
      [1, 2, 102],
    ]);
    expect(result.rules).toEqual([
      { ruleId: 2, matches: 1, records: 2, proposed: 0, outsideWindow: 0, gaveUp: null, exact: 1 },
      { ruleId: 1, matches: 1, records: 2, proposed: 0, outsideWindow: 0, gaveUp: null, exact: 1 },
    ]);
  });

  it('proposals hold their records back from lower rules', () => {
    const rules = [engineRule(1, [SAME_AMOUNT], { outcome: 'propose' }), engineRule(2, [SAME_AMOUNT])];
    expect(pairsOf(matched({ sideA: [engineRecord(1)], sideB: [engineRecord(101)], rules }))).toEqual(['1-101 unique proposed']);
  });

  it('commit only the certainties they are told to', () => {
    const rules = [engineRule(1, [SAME_AMOUNT], { commitCertainty: ['best', 'contested'] })];
    expect(pairsOf(matched({ sideA: [engineRecord(1)], sideB: [engineRecord(101)], rules }))).toEqual(['1-101 unique proposed']);
  });

  it('do not tie again what a person took apart', () => {
    const given = { sideA: [engineRecord(1)], sideB: [engineRecord(101), engineRecord(102, { on: '2026-06-27' })], rules: [NEAR] };
    expect(pairsOf(matched({ ...given, separations: new Set([separationKey([1, 101])]) }))).toEqual(['1-102 unique matched']);
    expect(pairsOf(matched({ ...given, separations: new Set([separationKey([1, 101, 102])]) }))).toEqual(['1-101 best matched']);
  });

  it('need one currency unless a condition names it', () => {
    const given = { sideA: [engineRecord(1)], sideB: [engineRecord(101, { currency: 'EUR' })] };
    expect(matched({ ...given, rules: [NEAR] }).matches).toHaveLength(0);
    const named = engineRule(1, [
      SAME_AMOUNT,
      {
        operand: 'or',
        rules: [
          { key: 'currency', value: 'currency' },
          { key: 'direction', value: 'direction' },
        ],
      },
    ]);
    expect(matched({ ...given, rules: [named] }).matches).toHaveLength(1);
  });

  it('follow the sign convention', () => {
    const signed = engineRule(1, [{ key: 'signed_amount', value: 'signed_amount' }]);
    const given = { sideA: [engineRecord(1)], sideB: [engineRecord(101, { direction: 'debit' })], rules: [signed] };
    expect(matched({ ...given, signConvention: 'same' }).matches).toHaveLength(0);
    expect(matched({ ...given, signConvention: 'any' }).matches).toHaveLength(0);
    expect(matched({ ...given, signConvention: 'opposite' }).matches).toMatchObject([{ differenceMinor: 0 }]);
    const magnitude = { ...given, rules: [engineRule(1, [{ ...SAME_AMOUNT, tolerance_amount: 5 }])] };
    expect(matched({ ...magnitude, signConvention: 'any' }).matches).toMatchObject([{ differenceMinor: 0 }]);
    expect(matched({ ...magnitude, signConvention: 'same' }).matches).toMatchObject([{ differenceMinor: 2000 }]);
  });

  it('compare different scales at the finer one', () => {
    const sideA = [engineRecord(1, { amountMinor: 1000, decimalPlaces: 2 })];
    const sideB = [engineRecord(101, { amountMinor: 9998, decimalPlaces: 3 })];
    expect(matched({ sideA, sideB, rules: amountWithin('amount', 1) }).matches).toHaveLength(0);
    expect(matched({ sideA, sideB, rules: amountWithin('amount', 2) }).matches).toMatchObject([{ differenceMinor: 2 }]);
  });

  it('compare metadata numbers and dates exactly', () => {
    const sideA = [engineRecord(1, { metadata: { total: '10.00', due: '2026-06-27' } })];
    const sideB = [engineRecord(101)];
    const rules = [
      engineRule(1, [
        { key: 'metadata.total', value: 'amount' },
        { key: 'metadata.due', value: 'date', tolerance_amount: 2 },
      ]),
    ];
    expect(pairsOf(matched({ sideA, sideB, rules }))).toEqual(['1-101 unique matched']);
    const unreadable = [engineRecord(1, { metadata: { total: '10.00', due: 'soon' } })];
    expect(matched({ sideA: unreadable, sideB, rules }).matches).toHaveLength(0);
  });

  it('a missing value fails its condition unless it may be missing, and an unreadable one always fails', () => {
    expect([tie('eq', null), tie('eq', ' '), tie('eq_or_missing', null), tie('eq_or_missing', ' ')]).toEqual([0, 0, 1, 1]);
    expect([tie('eq_or_missing', 'n/a'), tie('eq_or_missing', '9.99'), tie('eq_or_missing', 10)]).toEqual([0, 0, 1]);
  });

  it('stay exact at the end of the safe range', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const sideA = [engineRecord(1, { amountMinor: most }), engineRecord(2, { amountMinor: most, direction: 'debit' })];
    const sideB = [engineRecord(101, { amountMinor: most - 1 }), engineRecord(102, { amountMinor: most - 3 })];
    expect(matched({ sideA, sideB, rules: amountWithin('signed_amount', 0) }).matches).toHaveLength(0);
    expect(pairsOf(matched({ sideA, sideB, rules: amountWithin('signed_amount', 1) }))).toEqual(['1-101 unique matched']);
    expect(pairsOf(matched({ sideA, sideB, rules: amountWithin('signed_amount', 3) }))).toEqual(['1-101 best matched']);
    // The difference of a debit and a credit this large is no safe integer: the pair is left alone.
    expect(matched({ sideA: sideA.slice(1), sideB, rules: [engineRule(1, [{ key: 'date', value: 'date' }])] }).matches).toHaveLength(0);
  });
});

describe('failures are values', () => {
  it('an invalid rule is named with its place', () => {
    expect(fails({ rules: [engineRule(7, [{ key: 'nope', value: 'amount' }])] })).toMatchObject({ code: 'invalid_rule', ruleId: 7 });
  });

  it('too many candidates: the sentence names the condition to add', () => {
    const failure = fails({
      sideA: distinctAmounts(1, 8_000),
      sideB: distinctAmounts(100_001, 8_000),
      rules: [engineRule(3, [{ key: 'amount', value: 'amount', operand: 'neq' }])],
    });
    expect(failure).toEqual({
      code: 'too_many_candidates',
      message:
        'Rule 3 would compare about 64 million pairs (the limit is 50 million). Add a condition that the amounts are equal (`amount` with `amount`) to narrow it.',
      ruleId: 3,
    });
  });

  it('a cancelled run ends with no matches', () => {
    const input: EngineInput = {
      sideA: [engineRecord(1)],
      sideB: [engineRecord(101)],
      rules: [NEAR],
      signConvention: 'same',
      types: UNDECLARED,
      separations: new Set(),
    };
    const result = matchRecords(input, { onProgress: () => undefined, isCancelled: () => true });
    expect(result.ok ? null : result.error.code).toBe('cancelled');
  });

  it('cancels in the middle of the search', () => {
    let looks = 0;
    const control = {
      onProgress: () => undefined,
      isCancelled: () => {
        looks += 1;
        return looks > 3;
      },
    };
    const rules = [engineRule(1, [{ ...SAME_AMOUNT, tolerance_amount: 300 }])];
    const result = matchRecords(
      {
        sideA: distinctAmounts(1, 3_000),
        sideB: distinctAmounts(100_001, 3_000),
        rules,
        signConvention: 'same',
        types: UNDECLARED,
        separations: new Set(),
      },
      control,
    );
    expect(result.ok ? null : result.error.code).toBe('cancelled');
  });
});

describe('progress', () => {
  it('rises to the total, never past it, and comes at least every few thousand records', () => {
    const reports: number[] = [];
    const control = {
      onProgress: (processed: number, total: number) => {
        expect(processed).toBeLessThanOrEqual(total);
        expect(total).toBe(40_000);
        reports.push(processed);
      },
      isCancelled: () => false,
    };
    const rules = [NEAR, engineRule(2, [SAME_REFERENCE])];
    const input: EngineInput = {
      sideA: distinctAmounts(1, 10_000),
      sideB: distinctAmounts(100_001, 10_000),
      rules,
      signConvention: 'same',
      types: UNDECLARED,
      separations: new Set(),
    };
    expect(matchRecords(input, control).ok).toBe(true);
    expect(reports).toEqual(reports.toSorted((left, right) => left - right));
    expect(reports.at(-1)).toBe(40_000);
    expect(reports.filter((processed) => processed <= 20_000).length).toBeGreaterThan(5);
  });
});
