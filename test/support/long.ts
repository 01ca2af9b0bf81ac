import { test } from 'vitest';

/**
 * `npm test` runs in minutes, so some of the cases and fewer random ones; `npm run test:long` runs all of them, in the files that import this one.
 */
const IS_LONG = process.env['TIEOUT_TESTS'] === 'long';

/** All cases, or `count` of them, the first and the last among them. */
export function some<T>(cases: readonly T[], count: number): readonly T[] {
  if (IS_LONG || cases.length <= count) return cases;
  return Array.from({ length: count }, (_, index) => cases[Math.round((index * (cases.length - 1)) / Math.max(1, count - 1))] as T);
}

/** How often a property is tried. */
export const runs = (count: number): number => (IS_LONG ? count : Math.max(5, Math.ceil(count / 10)));

type Register = (name: string, ...rest: [() => unknown] | [{ readonly timeout: number }, () => unknown]) => void;

const notNow: Register = () => undefined;

/** Registers tests that take long and whose like runs in `npm test` too. */
export const longTest: Register = IS_LONG ? (test as Register) : notNow;
