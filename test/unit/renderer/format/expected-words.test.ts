import { describe, expect, test } from 'vitest';
import { confirmedText, expectedText } from '../../../../src-renderer/format/match-words.ts';

test.each([
  [{ count: 0, differing: 0, rated: 0, expected_wrong: 0 }, 'No proposal is left to confirm.'],
  [{ count: 212, differing: 0, rated: 212, expected_wrong: 0.106 }, '212 matches; about one in 2,000 of these turns out wrong'],
  [{ count: 10, differing: 0, rated: 10, expected_wrong: 0.9 }, '10 matches; about one in 10 of these turns out wrong'],
  [{ count: 4, differing: 0, rated: 4, expected_wrong: 3 }, '4 matches; most of these turn out wrong'],
  [{ count: 900, differing: 0, rated: 900, expected_wrong: 0.000_9 }, '900 matches; fewer than one in 10,000 of these turns out wrong'],
  [{ count: 1, differing: 1, rated: 0, expected_wrong: 0 }, '1 match; how likely they are is not known'],
  [
    { count: 3, differing: 2, rated: 2, expected_wrong: 0.1 },
    '3 matches; about one in 20 of these turns out wrong · 1 of them has no likelihood',
  ],
])('%j reads: %s', (expected, text) => {
  expect(expectedText(expected)).toBe(text);
});

test('those that leave a difference are counted where they are offered as well', () => {
  const expected = { count: 14, differing: 4, rated: 14, expected_wrong: 1.75 };
  expect(expectedText(expected, 18)).toBe('14 of 18 leave no difference; about one in 8 of these turns out wrong');
  expect(expectedText({ ...expected, count: 0, rated: 0 }, 18)).toBe('All 18 proposals leave a difference, so none is confirmed this way.');
});

describe('found once: no proposal was left to confirm, beside three that were shown', () => {
  const none = { count: 0, differing: 0, rated: 0, expected_wrong: 0 };

  test.each([
    [0, null, 'No proposal is left to confirm.'],
    [1, null, 'The proposal leaves a difference, so none is confirmed this way.'],
    [3, null, 'All 3 proposals leave a difference, so none is confirmed this way.'],
    [3, '0.50', 'All 3 proposals leave a difference of more than 0.50, so none is confirmed this way.'],
  ])('%i proposals, differences up to %s: %s', (all, most, text) => {
    expect(confirmedText(none, all, most)).toBe(text);
  });

  test('where some are confirmed, what to expect is said of those', () => {
    const chosen = { ...none, count: 2, rated: 2, expected_wrong: 0.1 };
    expect(confirmedText(chosen, 3, '0.50')).toBe('2 matches; about one in 20 of these turns out wrong');
  });
});
