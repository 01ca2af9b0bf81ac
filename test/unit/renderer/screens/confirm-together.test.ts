import { expect, test } from 'vitest';
import { expectedText } from '../../../../src-renderer/screens/rules/confirm-together.tsx';

test.each([
  [{ count: 0, differing: 0, rated: 0, expected_wrong: 0 }, 'no proposal fits'],
  [{ count: 212, differing: 0, rated: 212, expected_wrong: 0.106 }, 'about one in 2,000 of these turns out wrong'],
  [{ count: 10, differing: 0, rated: 10, expected_wrong: 0.9 }, 'about one in 10 of these turns out wrong'],
  [{ count: 4, differing: 0, rated: 4, expected_wrong: 3 }, 'most of these turn out wrong'],
  [{ count: 900, differing: 0, rated: 900, expected_wrong: 0.000_9 }, 'fewer than one in 10,000 of these turns out wrong'],
  [{ count: 3, differing: 1, rated: 0, expected_wrong: 0 }, 'how likely they are is not known · 1 of them gets an adjustment'],
  [
    { count: 3, differing: 2, rated: 2, expected_wrong: 0.1 },
    'about one in 20 of these turns out wrong · 1 of them has no likelihood · 2 of them get an adjustment',
  ],
])('%j reads: %s', (expected, text) => {
  expect(expectedText(expected)).toBe(text);
});
