import { describe, expect, it } from 'vitest';
import { likelihoodText, reviewWords } from '../../../../src-renderer/format/match-words.ts';
import { FIRST_NOTATION, inNotation } from '../../../../src-shared/values/notation.ts';

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

  it('are written with the decimal mark of the book', () => {
    const written = inNotation({ ...FIRST_NOTATION, decimal: ',', groups: '.' }, () => [1, 0.9994, 0.95, 0.61].map(likelihoodText));
    expect(written).toEqual(['> 99,9 %', '99,94 %', '95,0 %', '61 %']);
  });

  it('compare a match whose evidence changed before and now', () => {
    expect(reviewWords(0.998, 0.61)).toBe('99.80 % likely when it was matched, 61 % now');
    expect(reviewWords(1, 0.001)).toBe('Over 99.9 % likely when it was matched, under 1 % now');
  });
});
