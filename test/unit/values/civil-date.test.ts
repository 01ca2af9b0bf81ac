import { describe, expect, it } from 'vitest';
import { dayFromIso, dayFromParts, isoFromDay } from '../../../src-shared/values/civil-date.ts';

describe('civil dates', () => {
  it('counts days from 1970-01-01', () => {
    expect(dayFromIso('1970-01-01')).toBe(0);
    expect(dayFromIso('2000-03-01')).toBe(11_017);
    expect(dayFromIso('1969-12-31')).toBe(-1);
  });

  it('agrees with the platform calendar on every day of four centuries', () => {
    const first = dayFromParts(1800, 1, 1) ?? 0;
    const disagreeing: string[] = [];
    for (let day = first; day < first + 146_097; day += 1) {
      const iso = new Date(day * 86_400_000).toISOString().slice(0, 10);
      if (isoFromDay(day) !== iso || dayFromIso(iso) !== day) disagreeing.push(iso);
    }
    expect(disagreeing).toEqual([]);
  });

  it.each(['2026-02-30', '2025-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '0000-01-01', ' 2026-01-01', '1900-02-29'])(
    'refuses %s',
    (text) => {
      expect(dayFromIso(text)).toBeNull();
    },
  );
});
