import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRateLimiter } from '../../../src-main/transport/access/guards.ts';

const LIMITS = { requestsPerSecond: 200, requestBurst: 1_000 };

function limiterAt(limits = LIMITS) {
  let nowMs = 0;
  const limiter = createRateLimiter(limits, { monotonicMs: () => nowMs });
  return { limiter, to: (atMs: number) => (nowMs = atMs) };
}
const passed = (limiter: (holder: string) => number, times: number, holder = 'key:1') =>
  Array.from({ length: times }, () => limiter(holder)).filter((wait) => wait === 0).length;

test('a burst passes, then as many as the rate, and after a rest a burst again', () => {
  const { limiter, to } = limiterAt();
  expect(passed(limiter, 1_200)).toBe(1_000);
  to(500);
  expect(passed(limiter, 1_200)).toBe(100);
  to(60_000);
  expect(passed(limiter, 1_200)).toBe(1_000);
});

test('holders do not spend what is another one’s', () => {
  const { limiter } = limiterAt();
  expect(passed(limiter, 1_001)).toBe(1_000);
  expect(passed(limiter, 5, 'key:2')).toBe(5);
});

test('tells the whole seconds to wait, at least one', () => {
  const slow = limiterAt({ requestsPerSecond: 0.2, requestBurst: 1 });
  expect(slow.limiter('a')).toBe(0);
  expect(slow.limiter('a')).toBe(5);
  slow.to(4_000);
  expect(slow.limiter('a')).toBe(1);
  slow.to(5_000);
  expect(slow.limiter('a')).toBe(0);
});

test('over any time no more passes than the burst and the rate', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 300 }), { minLength: 1, maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (gaps, burst) => {
      const { limiter, to } = limiterAt({ requestsPerSecond: 10, requestBurst: burst });
      let atMs = 0;
      let count = 0;
      for (const gap of gaps) {
        atMs += gap;
        to(atMs);
        if (limiter('a') === 0) count += 1;
      }
      expect(count).toBeLessThanOrEqual(burst + atMs / 100 + 1e-6);
      expect(count).toBeGreaterThanOrEqual(Math.min(gaps.length, burst));
    }),
  );
});
