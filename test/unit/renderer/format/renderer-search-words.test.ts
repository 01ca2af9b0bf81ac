import { expect, test } from 'vitest';
import { searchLine } from '../../../../src-renderer/format/backtest-words.ts';

const AT = '2026-07-01T09:00:00.000Z';
const NOW_MS = Date.parse(AT) + 3 * 60_000;
const step = (name: 'asked' | 'trying' | 'completed' | 'failed' | 'cancelled', message: string) => ({ step: name, message, at: AT });

test.each([
  ['nothing before the first search', 'idle', null, null, null],
  ['that it begins', 'running', step('asked', 'A search for rules was asked for.'), null, 'The search for rules begins soon.'],
  ['the step under way', 'running', step('trying', 'Trying rules.'), AT, 'Trying rules.'],
  [
    'what was found',
    'idle',
    step('completed', '3 rules were proposed for review.'),
    AT,
    'Last search for rules 3 minutes ago: 3 rules were proposed for review.',
  ],
  ['why it failed', 'failed', step('failed', 'The disk is full.'), AT, 'The last search for rules failed 3 minutes ago: The disk is full.'],
  [
    'that it was cancelled',
    'idle',
    step('cancelled', 'It was cancelled.'),
    AT,
    'The last search for rules was cancelled 3 minutes ago; nothing of it was kept.',
  ],
] as const)('the line of the search tells %s', (_, status, last, endedAt, line) => {
  expect(searchLine({ status, progress: last === null ? [] : [last], last_run_at: endedAt }, NOW_MS)).toBe(line);
});
