import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { notSearchedText } from '../../../../src-renderer/format/counts.ts';
import { followReach, type SearchReach } from '../../../../src-renderer/state/search-reach.ts';

const LONG_MS = 60_000;

describe('a search that does not reach all lines', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Answers in turn, the last one for ever; keeps when it was asked. */
  function service(...answers: readonly (SearchReach | null)[]) {
    const startMs = Date.now();
    const askedMs: number[] = [];
    const ask = () => {
      askedMs.push(Date.now() - startMs);
      return Promise.resolve(answers[Math.min(askedMs.length, answers.length) - 1] ?? null);
    };
    return { ask, askedMs };
  }

  it('is asked again until it reaches all, and then no more', async () => {
    const { ask, askedMs } = service({ found: 3, notSearched: 900 }, { found: 5, notSearched: 100 }, { found: 6, notSearched: 0 });
    const told: SearchReach[] = [];
    followReach(ask, (reach) => told.push(reach));
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(told.map((reach) => [reach.found, reach.notSearched])).toEqual([
      [3, 900],
      [5, 100],
      [6, 0],
    ]);
    expect(askedMs).toHaveLength(3);
  });

  it('is asked ever less often, at least every ten seconds, whatever fails', async () => {
    const { ask, askedMs } = service(null, { found: 0, notSearched: 9 });
    const told: SearchReach[] = [];
    followReach(ask, (reach) => told.push(reach));
    await vi.advanceTimersByTimeAsync(LONG_MS);
    const waits = askedMs.slice(1).map((at, place) => at - (askedMs[place] ?? 0));
    expect(waits).toEqual(waits.toSorted((left, right) => left - right));
    expect(waits.at(-1)).toBe(10_000);
    expect(told).toHaveLength(askedMs.length - 1);
  });

  it('is left alone once it is over, and a late answer is told to nobody', async () => {
    let answer: (reach: SearchReach) => void = () => undefined;
    const told: SearchReach[] = [];
    const end = followReach(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
      (reach) => told.push(reach),
    );
    await vi.advanceTimersByTimeAsync(2_000);
    end();
    answer({ found: 1, notSearched: 1 });
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(told).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is said in words', () => {
    expect(notSearchedText(1_204, 'en-GB')).toBe('1,204 lines are not searchable yet');
    expect(notSearchedText(1, 'en-GB')).toBe('1 line is not searchable yet');
  });
});
