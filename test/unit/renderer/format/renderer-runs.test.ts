import { describe, expect, it } from 'vitest';
import { durationText, elapsedText } from '../../../../src-renderer/format/dates.ts';
import { ruleNotes } from '../../../../src-renderer/format/job-words.ts';

const FIGURES = { matches: 10, records: 20, proposed: 5, elapsed_ms: 12 };

describe('notes on a rule in a run', () => {
  it('are empty when everything was computed to the end', () => {
    expect(ruleNotes(FIGURES)).toEqual([]);
    expect(ruleNotes({ ...FIGURES, exact_matches: 15, gave_up: 0 })).toEqual([]);
  });

  it('count the pairs that may not be the nearest, and the abandoned searches', () => {
    expect(ruleNotes({ ...FIGURES, exact_matches: 12 })).toEqual([
      '3 of 15 belong to groups too large to be paired exactly: as many pairs as there can be, not necessarily the nearest ones.',
    ]);
    expect(ruleNotes({ ...FIGURES, gave_up: 1 })).toEqual(['The search for sums was stopped for 1 line: combinations may be missing.']);
    expect(ruleNotes({ ...FIGURES, exact_matches: 12, gave_up: 2 })).toEqual([
      '3 of 15 belong to groups too large to be paired exactly: pairs with near dates and amounts, not necessarily the nearest ones.',
      'The search for partners was stopped for 2 lines: pairs may be missing.',
    ]);
  });

  it('write the time of a rule as that of its run, so that no part seems longer than the whole', () => {
    const start = '2026-06-30T12:00:00.000Z';
    for (const ms of [0, 99, 999, 1_650, 9_960, 59_400, 61_000, 150_000]) {
      expect(elapsedText(ms)).toBe(durationText(start, new Date(Date.parse(start) + ms).toISOString()));
    }
    expect([40, 1_650, 12_400, 180_000].map(elapsedText)).toEqual(['< 0.1 s', '1.7 s', '12 s', '3 min']);
  });
});
