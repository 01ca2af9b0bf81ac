import type { Condition, SignConvention } from '../../../src-shared/contract/index.ts';
import { differenceAtFinerScale } from '../records/values.ts';
import { signedUnits } from '../records/fields.ts';
import type { EngineRecord } from '../records/record.ts';

/** Two records that something else than their amounts ties. */
export interface Pair {
  readonly a: EngineRecord;
  readonly b: EngineRecord;
}

/** How the amounts of tied records lie to each other. */
export interface AmountEvidence {
  readonly condition: Condition;
  /** The tolerance in minor units, or percent; null for none. */
  readonly tolerance: { readonly unit: 'minor' | 'percent'; readonly amount: number } | null;
  /** Of all pairs, those that the condition holds for. */
  readonly agreeing: number;
  readonly pairs: number;
  /** Pairs of equal magnitude whose signs are not those that the reconciliation's sign convention says. */
  readonly flipped: number;
}

/** Differences up to one whole currency unit are small; larger ones only up to this share of the amount, and when the share is steady. */
const NEAR_SHARE = 0.05;
const STEADY = 0.5;
const CLEAR_SHARE = 0.98;
/** Round tolerances, as people would write them, times powers of ten. */
const ROUND_STEPS = [1, 2, 3, 5, 10, 15, 20, 25, 30, 50, 75, 100];

type Comparison = 'signed' | 'negated' | 'magnitude';

/** The condition that fits a convention and the directions of the pairs. */
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

/** A minus B in minor units at the finer scale, as the condition compares them; null where they cannot be compared. */
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

/** The least round number that is not below a value. */
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
  /** No more than one whole currency unit. */
  readonly isSmall: boolean;
}

/** How widely values spread: standard deviation by mean. */
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
 * The tolerance that covers usual differences: percent where they are a steady share of the amounts, else what covers the small
 * ones. Null where differences are rare, or of any size: then they are errors to be found, not fees.
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
 * What pairs that something else ties say about their amounts: signs, and whether small differences (fees, charges) are usual. A
 * tolerance is proposed where at least three pairs, and at least one in 200, differ by little.
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

/** Whether the amounts of a pair agree under the condition of the evidence, tolerance included. */
export function amountsAgree({ condition, tolerance }: AmountEvidence, pair: Pair, convention: SignConvention): boolean {
  const comparison = condition.key === 'amount' ? 'magnitude' : condition.transforms === undefined ? 'signed' : 'negated';
  const difference = differenceUnder(pair, comparison, convention);
  if (difference === null) return false;
  if (tolerance === null) return difference === 0;
  const apart = Math.abs(difference);
  return tolerance.unit === 'minor' ? apart <= tolerance.amount : (apart * 100) / Math.max(1, magnitudeOf(pair)) <= tolerance.amount;
}

/** Days that most of the pairs lie apart; null where they lie further apart than a window would help. */
export function windowOf(pairs: readonly Pair[]): number | null {
  if (pairs.length === 0) return null;
  const days = quantile(
    pairs.map(({ a, b }) => Math.abs(a.day - b.day)),
    0.98,
  );
  return days <= 62 ? days : null;
}

/** A condition without its tolerance. */
export function exactly(condition: Condition): Condition {
  const { tolerance_amount: _, tolerance_unit: __, ...exact } = condition;
  return exact;
}

/** Dates that lie so many days apart at most. */
export function withinDays(days: number): Condition {
  return { key: 'date', value: 'date', tolerance_amount: days, tolerance_unit: 'day' };
}
