import { describe, expect, it } from 'vitest';
import { proposeRules } from '../../../src-main/domain/proposals/propose.ts';
import { countByDay, isSampled, planSample } from '../../../src-main/domain/proposals/sample.ts';
import { PROPOSAL_LIMITS } from '../../../src-main/domain/proposals/types.ts';
import type { EngineRecord } from '../../../src-main/domain/records/record.ts';
import { engineRecord } from '../../support/inputs/matching-records.ts';
import { numbers, orderBook, proposalInput, proposed } from '../../support/books/proposal-book.ts';
import { longTest, quickTest } from '../../support/long.ts';

function side(base: number, count: number, content: (index: number) => Partial<EngineRecord>): EngineRecord[] {
  return Array.from({ length: count }, (_, index) => engineRecord(base + index, content(index)));
}

// No times are asserted: a step that is not near linear here does not end within the test's time limit.
describe('hard sides end', () => {
  it('empty ones, with a reason that names the side', () => {
    expect(proposed({})).toEqual({
      proposals: [],
      sampled: { a: 0, b: 0 },
      known: 0,
      tried: 0,
      nothing: expect.stringContaining('Neither side') as string,
    });
    expect(proposed({ sideA: [engineRecord(1)] }).nothing).toContain('Side B');
    expect(proposed({ sideB: [engineRecord(1)] }).nothing).toContain('Side A');
  });

  it('all records equal: nothing tells them apart', () => {
    const alike = (): Partial<EngineRecord> => ({ reference: 'R', description: 'the same', metadata: { a: 'b' } });
    const found = proposed({ sideA: side(1, 5_000, alike), sideB: side(100_000, 5_000, alike) });
    expect(found.proposals.filter(({ body }) => body.outcome === 'match')).toEqual([]);
  });

  it('amounts and dates alone', () => {
    expect(proposed({ sideA: side(1, 1, () => ({})), sideB: side(10, 1, () => ({})) }).nothing).toContain('Match some records by hand');
  });

  longTest('100,000 distinct texts a side, of which none stands on the other', () => {
    const next = numbers(5);
    const text =
      (name: string) =>
      (index: number): Partial<EngineRecord> => ({
        day: 20_000 + next(365),
        amountMinor: 100 + next(5_000_000),
        description: `${name}${next(1_000_000_000).toString(36)} ${name}-${index} ${next(1_000_000)}/${index} and more`,
        reference: `${name}${index}`,
        metadata: { [`${name}_code`]: `${name}${next(1_000_000_000)}`, note: `${name} ${index}` },
      });
    const found = proposed({ sideA: side(1, 100_000, text('left')), sideB: side(500_000, 100_000, text('right')) });
    expect(found.proposals).toEqual([]);
    expect(Math.max(found.sampled.a, found.sampled.b)).toBeLessThanOrEqual(2 * PROPOSAL_LIMITS.sample);
  });

  quickTest('a thousand metadata fields a record', () => {
    const many = (index: number): Partial<EngineRecord> => ({
      reference: `R${index}`,
      metadata: Object.fromEntries(Array.from({ length: 1_000 }, (_, field) => [`f${field}`, `${field} ${index}`])),
    });
    const found = proposed({ sideA: side(1, 60, many), sideB: side(1_000, 60, many) });
    expect(found.proposals.length).toBeGreaterThan(0);
    expect(found.proposals.length).toBeLessThanOrEqual(PROPOSAL_LIMITS.proposals);
  });

  quickTest('one long text a record', () => {
    const long = (index: number): Partial<EngineRecord> => ({ description: `${'a1-'.repeat(20_000)}${index}` });
    expect(proposed({ sideA: side(1, 50, long), sideB: side(1_000, 50, long) }).proposals.length).toBeLessThanOrEqual(5);
  });
});

describe('a cancelled search', () => {
  it('answers nothing, whenever it is stopped', () => {
    const book = orderBook(300, 3);
    const input = proposalInput(book);
    for (const stopAfter of [0, 1, 10, 20]) {
      let looks = 0;
      const isCancelled = (): boolean => {
        looks += 1;
        return looks > stopAfter;
      };
      expect(proposeRules(input, { onProgress: () => {}, isCancelled })).toBeNull();
    }
  });

  it('tells how far it is, never back and never past its end', () => {
    const seen: number[] = [];
    const book = orderBook(300, 3);
    const input = proposalInput(book);
    proposeRules(input, {
      onProgress: (done, total) => {
        expect(done).toBeLessThanOrEqual(total);
        seen.push(done);
      },
      isCancelled: () => false,
    });
    expect(seen).toEqual(seen.toSorted((left, right) => left - right));
  });
});

describe('the sample', () => {
  const days = (count: number, each: number) => Array.from({ length: count }, (_, index) => ({ day: 20_000 + index, count: each }));

  it('is everything where that is little', () => {
    expect(planSample(days(10, 5), days(10, 5), 100)).toMatchObject({ windows: [{ firstDay: 20_000, lastDay: 20_009 }] });
  });

  it('is whole stretches of days from all over the time that both sides have', () => {
    const { windows, amountClasses } = planSample(days(300, 1_000), days(200, 900), 20_000);
    expect(windows.map(({ firstDay }) => firstDay)).toEqual([20_000, 20_066, 20_133]);
    expect(windows.every(({ firstDay, lastDay }) => lastDay - firstDay >= 5 && lastDay <= 20_199)).toBe(true);
    expect(amountClasses).toBe(997);
  });

  it('keeps equal amounts together where a single day is too much', () => {
    const next = numbers(2);
    const amounts = Array.from({ length: 100_000 }, () => ({ day: 20_000, amountMinor: next(1_000_000) }));
    const plan = planSample(countByDay(amounts), countByDay(amounts), 10_000);
    const kept = amounts.filter((each) => isSampled(plan, each)).length;
    expect(kept).toBeGreaterThan(8_000);
    expect(kept).toBeLessThan(12_000);
  });
});
