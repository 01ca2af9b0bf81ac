import { expect, test } from 'vitest';
import { fileText } from '../../../src-main/commands/session.ts';

/** It said "0.0 of 0.0 MB" of every file below 100 KB. */
test('the command line tells how far a small file is read in kilobytes', () => {
  expect(fileText({ rows: 12, bytes: 450, total_bytes: 1_960 })).toBe('12 rows, 0.4 of 1.9 KB');
  expect(fileText({ rows: 450_000, bytes: 24_700_000, total_bytes: 54_900_000 })).toBe('450000 rows, 24.7 of 54.9 MB');
  expect(fileText({ rows: 0, bytes: 0, total_bytes: 900 })).toBe('0.0 of 0.9 KB');
  expect(fileText(null)).toBe('');
});
