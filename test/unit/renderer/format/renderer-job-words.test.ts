import { expect, test } from 'vitest';
import { progressText } from '../../../../src-renderer/format/job-words.ts';

const READING = { phase: 'reading', progress: 45, processed: 24_700_000, total: 54_900_000 };

test('the progress of a file is given in rows and bytes, that of another job in its own count', () => {
  const file = { rows: 450_000, bytes: 24_700_000, total_bytes: 54_900_000 };
  expect(progressText({ ...READING, file })).toBe('45 % · Reading · 450,000 rows · 24.7 MB of 54.9 MB');
  expect(progressText({ ...READING, file: { ...file, rows: 0 } })).toBe('45 % · Reading · 24.7 MB of 54.9 MB');
  expect(progressText({ phase: 'matching', progress: 40, processed: 4, total: 10, file: null })).toBe('40 % · Matching · 4 of 10');
  expect(progressText({ phase: 'starting', progress: 0, processed: 0, total: 0, file: null })).toBe('0 % · Starting');
});
