import { expect, test } from 'vitest';
import { dueOf, intervalMs, NetworkWatch, outerAddresses, retryMs } from '../../../src-main/sync/runner/open-syncs.ts';

const MINUTE = 60_000;
const NEVER_BROKEN = { endedAtMs: 1_000, failures: 0, isUnreachable: false };

test('an interval doubles after each failure up to six times itself, and a day at most', () => {
  const minutes = (every: number) => [0, 1, 2, 3, 9].map((failures) => intervalMs(every, failures, 0) / MINUTE);
  expect(minutes(15)).toEqual([15, 30, 60, 90, 90]);
  expect(minutes(240)).toEqual([240, 480, 960, 1_440, 1_440]);
  // One that is longer than a day is not made shorter.
  expect(minutes(10_080)).toEqual([10_080, 10_080, 10_080, 10_080, 10_080]);
});

test('jitter is a tenth at most', () => {
  expect(intervalMs(60, 0, 0.5) / MINUTE).toBe(63);
  expect(intervalMs(60, 0, 255 / 256)).toBeLessThan(66 * MINUTE);
});

test('what does not answer is tried again after a minute, two, four, an hour at most', () => {
  expect([1, 2, 3, 20].map((failures) => retryMs(failures, 0) / MINUTE)).toEqual([1, 2, 4, 60]);
});

test('the earlier of both times counts', () => {
  const unreachable = { endedAtMs: 0, failures: 1, isUnreachable: true };
  expect(dueOf({ everyMinutes: null, whenOnline: false }, unreachable, 0)).toBeNull();
  expect(dueOf({ everyMinutes: null, whenOnline: true }, NEVER_BROKEN, 0)).toBeNull();
  expect(dueOf({ everyMinutes: null, whenOnline: true }, unreachable, 0)).toEqual({ atMs: MINUTE, trigger: 'network' });
  expect(dueOf({ everyMinutes: 60, whenOnline: true }, unreachable, 0)).toEqual({ atMs: MINUTE, trigger: 'network' });
  expect(dueOf({ everyMinutes: 15, whenOnline: true }, { ...unreachable, failures: 9 }, 0)).toEqual({
    atMs: 60 * MINUTE,
    trigger: 'network',
  });
  expect(dueOf({ everyMinutes: 15, whenOnline: false }, NEVER_BROKEN, 0)).toEqual({ atMs: 1_000 + 15 * MINUTE, trigger: 'schedule' });
});

test('addresses of this machine alone, and of a bare cable, are no network', () => {
  const of = (address: string, internal = false) => ({ address, internal });
  expect([...outerAddresses({ lo: [of('127.0.0.1', true)], eth0: [of('10.0.0.7'), of('fe80::1')], none: undefined })]).toEqual([
    '10.0.0.7',
  ]);
});

test('the network is back when an address appears, once', () => {
  let now = new Set(['10.0.0.7']);
  const watch = new NetworkWatch(() => now);
  expect(watch.isBack()).toBe(false);
  now = new Set();
  expect(watch.isBack()).toBe(false);
  now = new Set(['10.0.0.7']);
  expect([watch.isBack(), watch.isBack()]).toEqual([true, false]);
});
