import type { Leaf, Tolerance } from './compile-leaf.ts';

export const WIDEST_SAFE = 2 ** 53;

/** Returns whether a condition is an equality that a hash table can look up: equal values, the same month, or the same business day. */
export function isExact({ operand, tolerance }: Leaf): boolean {
  if (operand !== 'eq') return false;
  return tolerance === null || tolerance.unit === 'month' || (tolerance.unit === 'business_day' && tolerance.amount.units === 0);
}

/** Returns whether a sorted sweep can find the tolerance. A percentage of 100 or more allows any distance. */
export function isSortable(leaf: Leaf): boolean {
  const { tolerance } = leaf;
  if (leaf.operand !== 'eq' || tolerance === null || isExact(leaf) || tolerance.unit === 'edit') return false;
  return tolerance.unit !== 'percent' || shareOf(tolerance) < 1;
}

/** Returns a percentage as a share of 1, rounded to a double. It serves windows, never the decision. */
export function shareOf({ amount }: Tolerance): number {
  return Number(amount.units) / 10 ** amount.scale / 100;
}

/**
 * Returns the tolerance of a number condition in units at `scale`, for each number of decimal places that the finer record may have. Whole currency
 * units are rounded down to minor units of these places. Entries below `least`, which no pair has, are 0, so that they do not widen a window. Empty
 * for percentages.
 */
export function allowedDistances({ unit, amount }: Tolerance, scale: number, least: number, most: number): (number | bigint)[] {
  if (unit === 'percent') return [];
  return Array.from({ length: most + 1 }, (_, finer) => {
    if (finer < least) return 0;
    const perMinor = 10n ** BigInt(scale - finer);
    const divisor = 10n ** BigInt(amount.scale);
    const units = BigInt(amount.units);
    const allowed = unit === 'dollar' ? ((units * 10n ** BigInt(finer)) / divisor) * perMinor : (units * perMinor) / divisor;
    return allowed <= BigInt(WIDEST_SAFE) ? Number(allowed) : allowed;
  });
}
