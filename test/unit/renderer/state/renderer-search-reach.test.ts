import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { notSearchedText } from '../../../../src-renderer/format/counts.ts';
import { followReach, type SearchReach } from '../../../../src-renderer/state/record-filters.ts';

const LONG_MS = 60_000;

describe('a search that does not cover all lines', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Gives the answers in order, repeats the last one, and records the time of each request. */
  function service(...answers: readonly (SearchReach | null)[]) {
    const startMs = Date.now();
    const askedMs: number[] = [];
    const ask = () => {
      askedMs.push(Date.now() - startMs);
      return Promise.resolve(answers[Math.min(askedMs.length, answers.length) - 1] ?? null);
    };
    return { ask, askedMs };
  }

  it('is repeated until it covers all, and then stops', async () => {
    const { ask, askedMs } = service({ found: 3, notSearched: 900 }, { found: 5, notSearched: 100 }, { found: 6, notSearched: 0 });
    const reported: SearchReach[] = [];
    followReach(ask, (reach) => reported.push(reach));
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(reported.map((reach) => [reach.found, reach.notSearched])).toEqual([
      [3, 900],
      [5, 100],
      [6, 0],
    ]);
    expect(askedMs).toHaveLength(3);
  });

  it('is repeated at growing intervals of at most ten seconds, whatever fails', async () => {
    const { ask, askedMs } = service(null, { found: 0, notSearched: 9 });
    const reported: SearchReach[] = [];
    followReach(ask, (reach) => reported.push(reach));
    await vi.advanceTimersByTimeAsync(LONG_MS);
    const waits = askedMs.slice(1).map((at, place) => at - (askedMs[place] ?? 0));
    expect(waits).toEqual(waits.toSorted((left, right) => left - right));
    expect(waits.at(-1)).toBe(10_000);
    expect(reported).toHaveLength(askedMs.length - 1);
  });

  it('stops on request, and a late answer is dropped', async () => {
    let answer: (reach: SearchReach) => void = () => undefined;
    const reported: SearchReach[] = [];
    const end = followReach(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
      (reach) => reported.push(reach),
    );
    await vi.advanceTimersByTimeAsync(2_000);
    end();
    answer({ found: 1, notSearched: 1 });
    await vi.advanceTimersByTimeAsync(LONG_MS);
    expect(reported).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has words', () => {
    expect(notSearchedText(1_204)).toBe('1,204 lines are not searchable yet');
    expect(notSearchedText(1)).toBe('1 line is not searchable yet');
  });
});
