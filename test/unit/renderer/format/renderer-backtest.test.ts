import { describe, expect, it } from 'vitest';
import { countTexts, intervalText, leftOutTexts, shareText } from '../../../../src-renderer/format/backtest-words.ts';
import type { RuleBacktest } from '../../../../src-shared/contract/index.ts';

const NOTHING: RuleBacktest = {
  summary: '',
  records_a: 0,
  records_b: 0,
  matches: 0,
  agreements: 0,
  partial_agreements: 0,
  contradictions: 0,
  tied_otherwise: 0,
  taken_apart: 0,
  unjudged: 0,
  same_as_automatic: 0,
  differs_from_automatic: 0,
  outside_period: 0,
  waiting: 0,
  judged: 0,
  judged_outside: 0,
  precision: null,
  recall: null,
  by_certainty: [],
  outside_window: 0,
  gave_up: 0,
  examples: [],
};

describe('a back-test in words', () => {
  it('formats shares as percentages with two decimal places', () => {
    expect([0, 0.9999, 1, 0.9706].map((value) => shareText(value))).toEqual(['0 %', '99.99 %', '100 %', '97.06 %']);
    expect([0.99999, 0.99996, 0.000_01].map((value) => shareText(value))).toEqual(['> 99.99 %', '> 99.99 %', '< 0.01 %']);
    expect(intervalText({ count: 33, of: 34, value: 0.9706, low: 0.8508, high: 0.9948 })).toBe('85.08 % to 99.48 %');
  });

  it('lists the outcomes of the matches without zeros', () => {
    expect(countTexts(NOTHING)).toEqual([]);
    const found = {
      ...NOTHING,
      matches: 1_250,
      agreements: 1_200,
      taken_apart: 10,
      unjudged: 40,
      same_as_automatic: 30,
      outside_period: 4,
    };
    expect(countTexts(found)).toEqual([
      '1,200 as people matched them',
      '10 that people unmatched or rejected',
      '30 made the same by a rule before, confirmed by nobody',
      '4 with a line whose match reaches outside the period',
      '6 of lines that no match held',
    ]);
  });

  it('lists the limits of the figures', () => {
    expect(leftOutTexts(NOTHING)).toEqual([]);
    expect(leftOutTexts({ ...NOTHING, waiting: 1, judged_outside: 2, gave_up: 1, outside_window: 3 })).toEqual([
      '1 further match would wait for you.',
      '2 matches of people reach outside the period and judge nothing.',
      'For 1 line the search was not brought to its end.',
      '3 groups of lines fit but for the time window of the rule.',
    ]);
  });
});
