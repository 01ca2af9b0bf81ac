import { describe, expect, it } from 'vitest';
import { likelihoodText, reviewWords } from '../../../../src-renderer/format/match-words.ts';

describe('likelihoods in words', () => {
  it.each([
    [1, '> 99.9 %'],
    [0.9994, '99.94 %'],
    [0.95, '95.0 %'],
    [0.61, '61 %'],
    [0.001, '< 1 %'],
  ])('%d is %s', (likelihood, text) => {
    expect(likelihoodText(likelihood)).toBe(text);
  });

  it('compare a match whose evidence changed before and now', () => {
    expect(reviewWords(0.998, 0.61)).toBe('99.80 % likely when it was matched, 61 % now');
    expect(reviewWords(1, 0.001)).toBe('Over 99.9 % likely when it was matched, under 1 % now');
  });
});
