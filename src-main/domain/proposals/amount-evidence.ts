import type { Condition, SignConvention } from '../../../src-shared/contract/index.ts';
import { differenceAtFinerScale } from '../records/values.ts';
import { signedUnits } from '../records/fields.ts';
import type { EngineRecord } from '../records/record.ts';

/** Two records that are known to belong together by something other than their amounts. */
export interface Pair {
  readonly a: EngineRecord;
  readonly b: EngineRecord;
}

/** How the amounts of known pairs relate to each other. */
export interface AmountEvidence {
  readonly condition: Condition;
  /** The tolerance in minor units or percent; null for none. */
  readonly tolerance: { readonly unit: 'minor' | 'percent'; readonly amount: number } | null;
  /** Number of pairs for which the condition holds, and of all pairs. */
  readonly agreeing: number;
  readonly pairs: number;
  /** Number of pairs with equal magnitudes whose signs contradict the reconciliation's sign convention. */
  readonly flipped: number;
}

/**
 * Differences of up to one whole currency unit count as small. Larger ones count only up to this share of the amount, and only if the share is
 * steady.
 */
const NEAR_SHARE = 0.05;
const STEADY = 0.5;
const CLEAR_SHARE = 0.98;
/** Round tolerances, as people would write them; multiplied by powers of ten. */
const ROUND_STEPS = [1, 2, 3, 5, 10, 15, 20, 25, 30, 50, 75, 100];

type Comparison = 'signed' | 'negated' | 'magnitude';

/** Returns the comparison that fits a convention and the directions of the pairs. */
function comparisonOf(pairs: readonly Pair[], convention: SignConvention): Comparison {
  if (convention !== 'any') return 'signed';
  const same = pairs.filter(({ a, b }) => a.direction === b.direction).length;
  if (pairs.length === 0) return 'magnitude';
  if (same >= CLEAR_SHARE * pairs.length) return 'signed';
  return pairs.length - same >= CLEAR_SHARE * pairs.length ? 'negated' : 'magnitude';
}

const CONDITIONS: Readonly<Record<Comparison, Condition>> = {
  signed: { key: 'signed_amount', value: 'signed_amount' },
  negated: { key: 'signed_amount', value: 'signed_amount', transforms: { value: 'negate' } },
  magnitude: { key: 'amount', value: 'amount' },
};

/** Returns A minus B in minor units at the finer scale, as the condition compares them; null if they cannot be compared. */
function differenceUnder({ a, b }: Pair, comparison: Comparison, convention: SignConvention): number | null {
  if (a.currency !== b.currency) return null;
  const units = (record: EngineRecord, side: 'a' | 'b'): number => {
    if (comparison === 'magnitude') return record.amountMinor;
    const signed = signedUnits(record, side, convention);
    return side === 'b' && comparison === 'negated' ? -signed : signed;
  };
  return differenceAtFinerScale({ units: units(a, 'a'), scale: a.decimalPlaces }, { units: units(b, 'b'), scale: b.decimalPlaces });
}

function magnitudeOf({ a, b }: Pair): number {
  const scale = Math.max(a.decimalPlaces, b.decimalPlaces);
  return Math.max(a.amountMinor * 10 ** (scale - a.decimalPlaces), b.amountMinor * 10 ** (scale - b.decimalPlaces));
}

/** Returns the least round number that is at least `value`. */
export function roundedUp(value: number): number {
  for (let power = 1; power < Number.MAX_SAFE_INTEGER / 1_000; power *= 10) {
    const step = ROUND_STEPS.find((each) => each * power >= value);
    if (step !== undefined) return step * power;
  }
  return Math.ceil(value);
}

interface Near {
  readonly difference: number;
  readonly share: number;
  /** Whether the difference is at most one whole currency unit. */
  readonly isSmall: boolean;
}

/** Returns the coefficient of variation: standard deviation divided by mean. */
function spread(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return mean === 0 ? 0 : Math.sqrt(variance) / mean;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/**
 * Returns a tolerance that covers the usual differences: in percent if they are a steady share of the amounts, otherwise one that covers the small
 * ones. Returns null if differences are rare or of any size, because they are errors to be found then and not fees.
 */
function toleranceOf(near: readonly Near[], pairs: number): AmountEvidence['tolerance'] {
  const least = Math.max(3, pairs / 200);
  const shares = near.map(({ share }) => share);
  const isSteady = near.length >= 5 && spread(shares) <= STEADY && 2 * spread(shares) < spread(near.map(({ difference }) => difference));
  if (near.length >= least && isSteady) return { unit: 'percent', amount: Math.ceil(quantile(shares, 0.99) * 1_000) / 10 };
  const small = near.filter(({ isSmall }) => isSmall).map(({ difference }) => difference);
  return small.length >= least ? { unit: 'minor', amount: roundedUp(quantile(small, 0.99)) } : null;
}

/**
 * Returns what known pairs show about their amounts: signs, and whether small differences (fees, charges) are usual. A tolerance is proposed if at
 * least three pairs, and at least one in 200, differ slightly.
 */
export function amountEvidence(pairs: readonly Pair[], convention: SignConvention): AmountEvidence {
  const comparison = comparisonOf(pairs, convention);
  const base = CONDITIONS[comparison];
  let exact = 0;
  let flipped = 0;
  const near: Near[] = [];
  for (const pair of pairs) {
    const difference = differenceUnder(pair, comparison, convention);
    const magnitude = magnitudeOf(pair);
    if (difference === 0) exact += 1;
    else if (difference !== null && differenceUnder(pair, 'magnitude', convention) === 0) flipped += 1;
    else if (difference !== null) {
      const apart = Math.abs(difference);
      const unit = 10 ** Math.max(pair.a.decimalPlaces, pair.b.decimalPlaces);
      const isSmall = apart <= unit;
      if (isSmall || apart <= NEAR_SHARE * magnitude) near.push({ difference: apart, share: apart / Math.max(1, magnitude), isSmall });
    }
  }
  const tolerance = toleranceOf(near, pairs.length);
  if (tolerance === null) return { condition: base, tolerance, agreeing: exact, pairs: pairs.length, flipped };
  const held = near.filter(({ difference, share }) =>
    tolerance.unit === 'minor' ? difference <= tolerance.amount : share * 100 <= tolerance.amount,
  ).length;
  const condition: Condition = { ...base, tolerance_amount: tolerance.amount, tolerance_unit: tolerance.unit };
  return { condition, tolerance, agreeing: exact + held, pairs: pairs.length, flipped };
}

/** Returns whether the amounts of a pair agree under the condition of the evidence, including its tolerance. */
export function amountsAgree({ condition, tolerance }: AmountEvidence, pair: Pair, convention: SignConvention): boolean {
  const comparison = condition.key === 'amount' ? 'magnitude' : condition.transforms === undefined ? 'signed' : 'negated';
  const difference = differenceUnder(pair, comparison, convention);
  if (difference === null) return false;
  if (tolerance === null) return difference === 0;
  const apart = Math.abs(difference);
  return tolerance.unit === 'minor' ? apart <= tolerance.amount : (apart * 100) / Math.max(1, magnitudeOf(pair)) <= tolerance.amount;
}

/** Returns the distance in days that covers most of the pairs, or null if a window would have to be too wide. */
export function windowOf(pairs: readonly Pair[]): number | null {
  if (pairs.length === 0) return null;
  const days = quantile(
    pairs.map(({ a, b }) => Math.abs(a.day - b.day)),
    0.98,
  );
  return days <= 62 ? days : null;
}

/** Returns a condition without its tolerance. */
export function exactly(condition: Condition): Condition {
  const { tolerance_amount: _, tolerance_unit: __, ...exact } = condition;
  return exact;
}

/** Returns the condition that dates are at most this many days apart. */
export function withinDays(days: number): Condition {
  return { key: 'date', value: 'date', tolerance_amount: days, tolerance_unit: 'day' };
}
