import type { Leaf, Tolerance } from './compile-leaf.ts';

export const WIDEST_SAFE = 2 ** 53;

/** Equality that a hash finds: equal values, the same month, the same business day. */
export function isExact({ operand, tolerance }: Leaf): boolean {
  if (operand !== 'eq') return false;
  return tolerance === null || tolerance.unit === 'month' || (tolerance.unit === 'business_day' && tolerance.amount.units === 0);
}

/** A tolerance that a sorted sweep finds. From 100 percent on, a percentage allows pairs however far apart. */
export function isSortable(leaf: Leaf): boolean {
  const { tolerance } = leaf;
  if (leaf.operand !== 'eq' || tolerance === null || isExact(leaf) || tolerance.unit === 'edit') return false;
  return tolerance.unit !== 'percent' || shareOf(tolerance) < 1;
}

/** A percentage as a share of 1, rounded to a double: for windows, never for the decision. */
export function shareOf({ amount }: Tolerance): number {
  return Number(amount.units) / 10 ** amount.scale / 100;
}

/**
 * The tolerance of a number condition in units at `scale`, for each number of decimal places that the finer record can have. Whole
 * currency units are floored to minor units of those places. Places below `least`, which no pair has, allow nothing, so that they widen no
 * window. Empty for percentages.
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
