import { describe, expect, it } from 'vitest';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { inputOf, weigh } from '../../support/inputs/evidence-run.ts';
import { lineOf } from '../../support/inputs/evidence-records.ts';
import { IS_LONG } from '../../support/long.ts';

const LINES = IS_LONG ? 1_500 : 250;
const MANY = IS_LONG ? 30_000 : 4_000;

function side(of: 'a' | 'b', count: number, given: (number: number) => Partial<EngineRecord> & { on?: string }): EngineRecord[] {
  return Array.from({ length: count }, (_, number) => lineOf(of, number + 1, given(number)));
}

const both = (given: (number: number) => Partial<EngineRecord> & { on?: string }, countA = LINES, countB = LINES) => ({
  a: side('a', countA, given),
  b: side('b', countB, given),
  percent: null,
});

const dayOf = (number: number): number => 20_000 + (number % 300);

const CASES = [
  ['all amounts equal', both((number) => ({ day: dayOf(number), amountMinor: 1_000, description: 'Fee' }))],
  ['no text at all', both((number) => ({ day: dayOf(number), amountMinor: 100 + number * 37 }))],
  [
    'the same words on all lines',
    both((number) => ({ day: dayOf(number), amountMinor: 100 + (number % 50), description: 'CARD PAYMENT TO SHOP' })),
  ],
  ['amounts of 0', both((number) => ({ day: dayOf(number), amountMinor: 0, description: `Line ${number}` }))],
  ['dates a century apart', both((number) => ({ day: (number % 2) * 36_500, amountMinor: 100 + number, description: 'x' }))],
  [
    'texts without a space',
    both((number) => ({ day: dayOf(number), amountMinor: 100 + number, description: `${'abcdefghij'.repeat(199)}${number}` }), 200, 200),
  ],
  [
    'a side of 3 lines',
    both(
      (number) => ({ day: dayOf(number), amountMinor: 100 + (number % 400), description: `Line ${number}` }),
      3,
      IS_LONG ? 4_000 : 1_500,
    ),
  ],
  ['one side empty', both((number) => ({ day: dayOf(number), amountMinor: 100 + number }), LINES, 0)],
  ['both sides empty', both(() => ({}), 0, 0)],
] as const;

describe('bad input', () => {
  it.each(CASES)('gives sane likelihoods: %s', (_name, set) => {
    const { links, outcome, parameters } = weigh(inputOf(set));
    expect(links.every(({ weight }) => Number.isSafeInteger(weight.logOdds) && weight.parts.every(Number.isSafeInteger))).toBe(true);
    expect(Number.isFinite(outcome.committed.expectedWrong)).toBe(true);
    expect(JSON.stringify(parameters)).not.toContain('null,"m":null');
    for (const share of [parameters.partnered.a, parameters.partnered.b]) expect(share >= 0 && share <= 1).toBe(true);
  });

  it('commits nothing that many others fit as well', () => {
    const given =
      (of: string) =>
      (number: number): Partial<EngineRecord> => ({
        day: dayOf(number % 7),
        amountMinor: 1_000,
        description: 'Fee',
        externalId: `${of}${number}`,
      });
    const { links } = weigh(inputOf({ a: side('a', LINES, given('left')), b: side('b', LINES, given('right')), percent: null }));
    expect(links.filter(({ status }) => status === 'matched')).toEqual([]);
  });

  it.each([
    [50, 0],
    // Interchangeable lines, whose choice changes nothing: one in a hundred is within the budget.
    [(MANY * 3) / 10, MANY / 100],
  ])('reads many lines a side with the same words and %i amounts in bounded time', (amounts, most) => {
    const given = (number: number): Partial<EngineRecord> => ({
      day: dayOf(number),
      amountMinor: 100 + ((number * 7_919) % amounts),
      description: 'CARD PAYMENT TO SHOP',
    });
    const before = process.cpuUsage();
    const { links, outcome } = weigh(inputOf(both(given, MANY, MANY)));
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(20);
    expect(links.filter(({ status }) => status === 'matched').length).toBeLessThanOrEqual(most);
    expect(links.every(({ certainty }) => certainty === 'interchangeable')).toBe(true);
    expect(outcome.committed.expectedWrong).toBeLessThan(0.1);
  });

  it('counts metadata that repeats the amount or the date once', () => {
    const plain = (number: number): Partial<EngineRecord> => ({
      day: dayOf(number),
      amountMinor: 10_000 + number * 37,
      description: 'Sale',
    });
    const repeating = (number: number): Partial<EngineRecord> => ({
      ...plain(number),
      metadata: { total: String(10_000 + number * 37), net: ((10_000 + number * 37) / 100).toFixed(2) },
    });
    const strongest = (given: (number: number) => Partial<EngineRecord>): number =>
      Math.max(...weigh(inputOf(both(given, 200, 200))).links.map(({ weight }) => weight.logOdds));
    expect(Math.abs(strongest(repeating) - strongest(plain))).toBeLessThanOrEqual(64);
  });

  it('ends when it is cancelled', () => {
    const input = inputOf(both((number) => ({ day: dayOf(number), amountMinor: 100 + number })));
    expect(() => weigh({ ...input, watch: { ...input.watch, isCancelled: () => true } })).toThrow('cancelled');
  });
});
