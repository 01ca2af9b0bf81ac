import { createHash } from 'node:crypto';
import { describe, test } from 'vitest';

/**
 * `npm test` runs in minutes, so some of the cases and fewer random ones; `npm run test:long` runs all of them, in the files that import this one.
 */
export const IS_LONG = process.env['TIEOUT_TESTS'] === 'long';

/** All cases, or `count` of them, the first and the last among them. */
export function some<T>(cases: readonly T[], count: number): readonly T[] {
  if (IS_LONG || cases.length <= count) return cases;
  return Array.from({ length: count }, (_, index) => cases[Math.round((index * (cases.length - 1)) / Math.max(1, count - 1))] as T);
}

/** All cases, or `count` of them as the hashes of their names fall: always the same ones, from all over the list, and one more case moves at most one. */
export function drawn<T>(cases: readonly T[], count: number, nameOf: (each: T) => string): readonly T[] {
  if (IS_LONG || cases.length <= count) return cases;
  const hashOf = (each: T): string => createHash('sha256').update(nameOf(each)).digest('hex');
  const last = cases.map(hashOf).toSorted()[count - 1] ?? '';
  return cases.filter((each) => hashOf(each) <= last);
}

/** How often a property is tried, and of what it meets how much at least: a twentieth in `npm test`, and no less than `fewest`. */
export const runs = (count: number, fewest = 4): number => (IS_LONG ? count : Math.min(count, Math.max(fewest, Math.ceil(count / 20))));

type Register = (name: string, ...rest: [() => unknown] | [{ readonly timeout: number }, () => unknown]) => void;

const notNow: Register = () => undefined;

/** Registers tests that take long and whose like runs in `npm test` too. */
export const longTest: Register = IS_LONG ? (test as Register) : notNow;

/** Registers tests that are the same in both runs: `npm test` goes before the long one, which need not repeat them. */
export const quickTest: typeof test = IS_LONG ? (Object.assign(() => undefined, { each: () => notNow }) as unknown as typeof test) : test;

/** The same of tests that stand together. */
export const quickDescribe: typeof describe = IS_LONG ? (notNow as unknown as typeof describe) : describe;
