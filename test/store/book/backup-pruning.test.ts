import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Prunable, toPrune } from '../../../src-main/book/store/backup-files.ts';

const NOW = Date.parse('2026-06-30T12:00:00Z');
const at = (text: string): number => Date.parse(`${text}:00Z`);
const daily = (text: string, more: Partial<Prunable> = {}): Prunable => ({
  name: text,
  madeAtMs: at(text),
  isByHand: false,
  isGood: true,
  ...more,
});
const kept = (backups: readonly Prunable[]): string[] => {
  const gone = new Set(toPrune(backups, NOW));
  return backups.map(({ name }) => name).filter((name) => !gone.has(name));
};

test('all of the last 14 days stay, and of each month the last one', () => {
  const backups = [
    '2026-06-30T08:00',
    '2026-06-20T08:00',
    '2026-06-16T12:01',
    '2026-06-16T11:00',
    '2026-06-01T08:00',
    '2026-05-31T23:59',
    '2026-05-30T08:00',
    '2026-04-02T08:00',
  ];
  expect(kept(backups.map((text) => daily(text)))).toEqual([
    '2026-06-30T08:00',
    '2026-06-20T08:00',
    '2026-06-16T12:01',
    '2026-05-31T23:59',
    '2026-04-02T08:00',
  ]);
});

test('twelve months stay, this one included; what is older goes', () => {
  const backups = ['2026-06-30T08:00', '2025-08-10T08:00', '2025-07-01T00:00', '2025-06-30T23:59'];
  expect(kept(backups.map((text) => daily(text)))).toEqual(['2026-06-30T08:00', '2025-08-10T08:00', '2025-07-01T00:00']);
});

test('what somebody asked for stays, and so does the only good one, however old', () => {
  expect(kept([daily('2020-01-01T00:00', { isByHand: true }), daily('2021-01-01T00:00'), daily('2022-01-01T00:00')])).toEqual([
    '2020-01-01T00:00',
    '2022-01-01T00:00',
  ]);
});

test('a backup that is not good takes no other one’s place', () => {
  const damaged = { isGood: false };
  expect(
    kept([daily('2026-06-29T00:00', damaged), daily('2026-05-31T00:00', damaged), daily('2026-05-30T00:00'), daily('2026-05-29T00:00')]),
  ).toEqual(['2026-06-29T00:00', '2026-05-30T00:00']);
});

test('whatever there is, the newest good backup stays and nothing of the last 14 days goes', () => {
  const backup = fc.record({ age: fc.integer({ min: 0, max: 900 }), isByHand: fc.boolean(), isGood: fc.boolean() });
  fc.assert(
    fc.property(fc.array(backup, { maxLength: 40 }), (ages) => {
      const backups = ages.map(({ age, isByHand, isGood }, index) => ({
        name: `${index}`,
        madeAtMs: NOW - age * 86_400_000,
        isByHand,
        isGood,
      }));
      const gone = new Set(toPrune(backups, NOW));
      const good = backups.filter(({ isGood }) => isGood);
      expect(good.length === 0 || good.some(({ name }) => !gone.has(name))).toBe(true);
      expect(backups.filter(({ name, madeAtMs, isByHand }) => gone.has(name) && (isByHand || NOW - madeAtMs < 14 * 86_400_000))).toEqual(
        [],
      );
      // A second run finds nothing more to do.
      const left = backups.filter(({ name }) => !gone.has(name));
      expect(toPrune(left, NOW)).toEqual([]);
    }),
    { seed: 20_260_630 },
  );
});
