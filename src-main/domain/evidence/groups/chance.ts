import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { Amounts } from '../frequencies/amounts.ts';
import { exp2Of } from '../model/logarithm.ts';
import type { OpenSide } from './open-lines.ts';

/** Least probability that a sum comes out by chance. */
const LEAST_CHANCE = 2 ** -22;
const ROOT_TWO_PI = 2.506_628_274_631;

/** Returns the greatest common divisor of amounts and of one that is not 0. */
export function greatestDivisor(values: Iterable<number>, first: number): number {
  let divisor = Math.abs(first);
  for (const value of values) {
    divisor = commonDivisor(divisor, value);
    if (divisor === 1) break;
  }
  return divisor;
}

/** Returns the same for the amounts of some lines. */
export function divisorOf({ values }: OpenSide, rows: readonly number[], first: number): number {
  let divisor = Math.abs(first);
  for (const row of rows) {
    divisor = commonDivisor(divisor, floatAt(values, row));
    if (divisor === 1) break;
  }
  return divisor;
}

function commonDivisor(left: number, right: number): number {
  let [divisor, other] = [left, Math.abs(right)];
  while (other !== 0) [divisor, other] = [other, divisor % other];
  return divisor;
}

/** Returns the share of all other lines that have a line's amount. */
export function commonness(amounts: Amounts, { side, features }: OpenSide, row: number): number {
  const key = intAt(side === 'a' ? amounts.keyOfA : amounts.keyOfB, row);
  const lines =
    intAt(amounts.startsA, key + 1) - intAt(amounts.startsA, key) + intAt(amounts.startsB, key + 1) - intAt(amounts.startsB, key);
  const all = amounts.keyOfA.length + amounts.keyOfB.length;
  return features.count === 0 ? 0 : (lines - 1) / all;
}

/**
 * Returns the probability that an unrelated sum equals a line's amount. Such sums are spread evenly in steps of the divisor, and an amount that many
 * lines have is hit more often.
 */
export function chanceOfSum(target: number, divisor: number, common: number): number {
  return Math.min(1, Math.max(LEAST_CHANCE, divisor / Math.max(1, Math.abs(target)) + common));
}

/** Returns the expected number of sums of up to `most` of these amounts that equal the target by chance, estimated from their number and spread. */
export function sumsByChance(values: readonly number[], target: number, divisor: number, most: number): number {
  const count = values.length;
  if (count < 2) return LEAST_CHANCE;
  let sum = 0;
  let squares = 0;
  for (const value of values) {
    sum += value;
    squares += value * value;
  }
  const mean = sum / count;
  const variance = Math.max(squares / count - mean * mean, divisor * divisor);
  const magnitudes = values.map(Math.abs).toSorted((left, right) => left - right);
  let [low, high, ways, expected] = [magnitudes[0] ?? 0, magnitudes[count - 1] ?? 0, count, 0];
  for (let size = 2; size <= Math.min(most, count); size += 1) {
    ways = (ways * (count - size + 1)) / size;
    low += magnitudes[size - 1] ?? 0;
    high += magnitudes[count - size] ?? 0;
    const spread = Math.sqrt(Math.max(size * variance * (1 - (size - 1) / Math.max(1, count - 1)), divisor * divisor));
    const away = (target - size * mean) / spread;
    const normal = (exp2Of((-away * away * Math.LOG2E) / 2) * divisor) / (spread * ROOT_TWO_PI);
    const even = Math.abs(target) >= low && Math.abs(target) <= high ? divisor / Math.max(divisor, high - low) : 0;
    expected += ways * Math.min(1, Math.max(normal, even));
  }
  return Math.max(LEAST_CHANCE, expected);
}
