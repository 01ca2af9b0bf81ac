import { expect, it } from 'vitest';
import { otherOfReturn, returnText } from '../../../../src-renderer/format/match-words.ts';

const none = { reverses_record_id: null, reversed_by_record_id: null, reversal_reason: null };
const other = { date: '2026-06-03', amount: 4_520, decimal_places: 2 };

it('a return names the returned line, and that line its return', () => {
  const back = { ...none, reverses_record_id: 7 };
  const original = { ...none, reversed_by_record_id: 8 };
  expect([otherOfReturn(back), otherOfReturn(original), otherOfReturn(none)]).toEqual([7, 8, null]);
  expect(returnText(back, other)).toBe('Return of 03/06/2026, 45.20');
  expect(returnText(original, other)).toBe('Returned on 03/06/2026, 45.20');
});
