import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shareOf, summaryOf } from '../../../src-main/domain/backtest/index.ts';

describe('a share and its interval', () => {
  test.each([
    // Newcombe (1998), table I, method 3: Wilson's score interval.
    [81, 263, 0.308, 0.2553, 0.3662],
    [15, 148, 0.1014, 0.0624, 0.1605],
    [0, 20, 0, 0, 0.1611],
    [1, 29, 0.0345, 0.0061, 0.1718],
    [5, 10, 0.5, 0.2366, 0.7634],
    [10, 10, 1, 0.7225, 1],
    [1, 1, 1, 0.2065, 1],
    [0, 1, 0, 0, 0.7935],
    [2, 3, 0.6667, 0.2077, 0.9385],
  ])('%i of %i', (count, of, value, low, high) => {
    expect(shareOf(count, of)).toEqual({ count, of, value, low, high });
  });

  test('of nothing there is none', () => {
    expect(shareOf(0, 0)).toBeNull();
  });

  test('is what floating numbers come to, and holds the share', () => {
    const z = 1.959963984540054;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000_000 }), fc.double({ min: 0, max: 1, noNaN: true }), (of, part) => {
        const count = Math.round(part * of);
        const share = shareOf(count, of);
        const [p, spread] = [count / of, z * Math.sqrt((count * (of - count)) / of ** 3 + (z * z) / (4 * of * of))];
        const floating = (sign: 1 | -1): number => (p + (z * z) / (2 * of) + sign * spread) / (1 + (z * z) / of);
        expect(Math.abs((share?.low ?? 2) - floating(-1))).toBeLessThan(0.000051);
        expect(Math.abs((share?.high ?? 2) - floating(1))).toBeLessThan(0.000051);
        expect(Math.abs((share?.value ?? 2) - p)).toBeLessThan(0.000051);
        expect([0 <= (share?.low ?? 2), (share?.low ?? 2) <= (share?.value ?? 0), (share?.value ?? 2) <= (share?.high ?? 0)]).toEqual([
          true,
          true,
          true,
        ]);
        expect(share?.high ?? 2).toBeLessThanOrEqual(1);
        expect(JSON.stringify([share?.value, share?.low, share?.high])).toMatch(/^\[[01](\.\d{1,4})?,[01](\.\d{1,4})?,[01](\.\d{1,4})?\]$/);
      }),
    );
  });
});

describe('the result in words', () => {
  const none = { agreements: 0, contradictions: 0, takenApart: 0, judged: 0, judgedOutside: 0, matches: 0, precision: null, recall: null };

  test('with something to judge by', () => {
    expect(
      summaryOf({
        ...none,
        agreements: 33,
        contradictions: 1,
        judged: 40,
        matches: 90,
        precision: shareOf(33, 34),
        recall: shareOf(33, 40),
      }),
    ).toBe(
      'Of the 34 matches of this rule that people judged, 33 agree with people and 1 contradicts them: precision 97.06 % (95 % interval: 85.08 % to 99.48 %). Of 40 matches of people it makes 33: recall 82.5 % (95 % interval: 68.05 % to 91.25 %).',
    );
    expect(summaryOf({ ...none, contradictions: 2, takenApart: 2, matches: 2, precision: shareOf(0, 2) })).toBe(
      'Of the 2 matches of this rule that people judged, 0 agree with people and 2 contradict them (2 taken apart by a person): precision 0 % (95 % interval: 0 % to 65.76 %).',
    );
  });

  test('with nothing', () => {
    expect(summaryOf(none)).toBe('The rule would make no match, and nothing was matched by people that could judge it.');
    expect(summaryOf({ ...none, matches: 3 })).toBe(
      'Nothing was matched by people yet, so nothing says how right the 3 matches of this rule would be: match lines by hand, or confirm proposals, and ask again.',
    );
    expect(summaryOf({ ...none, matches: 3, judged: 1, judgedOutside: 2, recall: shareOf(0, 1) })).toBe(
      'No match of this rule touches what people decided, so nothing says how right it is. Of 1 match of people it makes 0: recall 0 % (95 % interval: 0 % to 79.35 %). 2 matches of people reach outside the period and judged nothing.',
    );
  });
});
