import { createHash } from 'node:crypto';
import { describe, test, type TestContext } from 'vitest';

/**
 * Whether this is the long run. `npm test` must end in minutes, so it runs some of the cases and fewer random ones. `npm run test:long` runs all of
 * them, in the files that import this one.
 */
export const IS_LONG = process.env['TIEOUT_TESTS'] === 'long';

/** Returns all cases in the long run; else `count` of them, evenly spread, with the first and the last. */
export function some<T>(cases: readonly T[], count: number): readonly T[] {
  if (IS_LONG || cases.length <= count) return cases;
  return Array.from({ length: count }, (_, index) => cases[Math.round((index * (cases.length - 1)) / Math.max(1, count - 1))] as T);
}

/**
 * Returns all cases in the long run; else `count` of them, chosen by the hashes of their names. The choice is stable, spread over the list, and one
 * more case changes at most one of them.
 */
export function drawn<T>(cases: readonly T[], count: number, nameOf: (each: T) => string): readonly T[] {
  if (IS_LONG || cases.length <= count) return cases;
  const hashOf = (each: T): string => createHash('sha256').update(nameOf(each)).digest('hex');
  const last = cases.map(hashOf).toSorted()[count - 1] ?? '';
  return cases.filter((each) => hashOf(each) <= last);
}

/** Returns the number of tries of a property: a twentieth of `count` in `npm test`, and at least `fewest`. */
export const runs = (count: number, fewest = 4): number => (IS_LONG ? count : Math.min(count, Math.max(fewest, Math.ceil(count / 20))));

type Body = (context: TestContext) => unknown;
type Register = (name: string, ...rest: [Body] | [{ readonly timeout: number }, Body]) => void;

const notNow: Register = () => undefined;

/** Registers tests only for the long run. They take long, and `npm test` has similar ones. */
export const longTest: Register = IS_LONG ? (test as Register) : notNow;

/** Registers tests only for `npm test`. It runs before the long run, which need not repeat them. */
export const quickTest: typeof test = IS_LONG ? (Object.assign(() => undefined, { each: () => notNow }) as unknown as typeof test) : test;

/** Registers groups of tests only for `npm test`. */
export const quickDescribe: typeof describe = IS_LONG ? (notNow as unknown as typeof describe) : describe;

/** Skips a test that needs what is not on every machine, with the reason that `expected-skips.json` names. */
export function skipUnless(isThere: boolean, { skip, task }: TestContext, reason: string): void {
  if (!isThere) Object.assign(task.meta, { reason });
  skip(!isThere, reason);
}
