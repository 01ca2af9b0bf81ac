import { expect, test } from 'vitest';
import { changeText } from '../../../../src-renderer/format/history-words.ts';

test.each([
  ['is_sample', null, 'true', 'after', 'Sample book: yes'],
  ['optional', 'true', 'false', 'both', 'Optional: yes → no'],
  ['bank_account_id', null, '3', 'after', 'Bank account changed'],
  ['side_a_stream_ids', null, '[1,2]', 'after', 'Side a stream changed'],
  ['links', null, '[{"key":"bank"}]', 'after', 'Links changed'],
  ['external_id', 'R-1', 'R-2', 'both', 'Reference: R-1 → R-2'],
  ['owner', null, 'Ana', 'both', 'Owner: nothing → Ana'],
  ['decimal', 'computer', ',', 'both', 'Decimal mark: As this computer does → Comma: 1.234,50'],
  ['days', null, 'mdy', 'after', 'Order of a date: Month, day, year'],
  ['amount', '-1755.53 GBP', '765.53 GBP', 'both', 'Amount: −£1,755.53 → £765.53'],
] as const)('a change of %s from %s to %s reads as words', (field, before, after, known, text) => {
  expect(changeText({ field, before, after, known })).toBe(text);
});
