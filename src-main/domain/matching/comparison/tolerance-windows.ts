import { floatAt } from '../../collections/typed-arrays.ts';
import type { Tolerance } from '../rules/compile-leaf.ts';
import { shareOf, WIDEST_SAFE } from '../rules/tolerances.ts';
import { type Column, exactUnits, type LeafColumns } from './condition-columns.ts';

/** Returns whether two numbers differ by at most a percentage of the larger magnitude, computed exactly: |a - b| * 100 <= p * max(|a|, |b|). */
export function isWithinPercent(columns: LeafColumns, tolerance: Tolerance, rowA: number, rowB: number): boolean {
  const { a, b } = columns;
  const hundred = 100 * 10 ** tolerance.amount.scale;
  const percent = Number(tolerance.amount.units);
  if (a.wide === null && b.wide === null && tolerance.amount.scale <= 6) {
    const left = Math.abs(floatAt(a.axis, rowA) - floatAt(b.axis, rowB)) * hundred;
    const right = Math.max(Math.abs(floatAt(a.axis, rowA)), Math.abs(floatAt(b.axis, rowB))) * percent;
    if (left < WIDEST_SAFE && right < WIDEST_SAFE) return left <= right;
  }
  const magnitude = (value: bigint) => (value < 0n ? -value : value);
  const unitsA = exactUnits(a, rowA);
  const unitsB = exactUnits(b, rowB);
  const larger = magnitude(unitsA) > magnitude(unitsB) ? magnitude(unitsA) : magnitude(unitsB);
  return magnitude(unitsA - unitsB) * 100n * 10n ** BigInt(tolerance.amount.scale) <= BigInt(tolerance.amount.units) * larger;
}

/** Range of one side's axis that contains every partner of a value of the other side. Both ends increase with the value. */
export interface Window {
  readonly low: (value: number) => number;
  readonly high: (value: number) => number;
}

export const EVERYTHING: Window = { low: () => -Infinity, high: () => Infinity };

/** Allowance for the rounding of doubles, as a share of a value. */
export const ROUNDING = 2 ** -48;

export function windowOf(columns: LeafColumns): Window {
  const { tolerance } = columns.leaf;
  if (tolerance !== null && tolerance.unit === 'percent') {
    const kept = 1 - shareOf(tolerance);
    // Partners of a positive value v lie between kept * v and v / kept; for a negative value the ends are exchanged.
    const near = (value: number) => value * kept;
    const far = (value: number) => value / kept;
    return {
      low: (value) => lower(value > 0 ? near(value) : far(value)),
      high: (value) => upper(value > 0 ? far(value) : near(value)),
    };
  }
  const width = widthOf(columns);
  return { low: (value) => value - width, high: (value) => value + width };
}

function lower(bound: number): number {
  return bound - Math.abs(bound) * ROUNDING;
}

function upper(bound: number): number {
  return bound + Math.abs(bound) * ROUNDING;
}

function widthOf({ a, b, allowed }: LeafColumns): number {
  const widest = allowed.reduce<number>((width, distance) => Math.max(width, Number(distance)), 0);
  if (a.wide === null && b.wide === null) return widest;
  // The axis of a wide column is rounded to doubles, so both ends and the width need an allowance.
  const largest = (column: Column) => column.axis.reduce((most, value) => Math.max(most, Math.abs(value)), widest);
  return widest + Math.max(largest(a), largest(b)) * 2 ** -50;
}

/** Returns whether the condition allows every pair within the window. The decimal places are those of both sides' records. */
export function isExactWindow({ leaf, a, b, allowed }: LeafColumns, placesA: Uint8Array, placesB: Uint8Array): boolean {
  if (leaf.operand !== 'eq' || leaf.tolerance === null || leaf.tolerance.unit === 'percent') return false;
  if (a.wide !== null || b.wide !== null || typeof allowed.at(-1) !== 'number') return false;
  if (leaf.kind === 'date') return true;
  // A tolerance in minor units has another size for records with other decimal places.
  const places = placesA[0] ?? placesB[0] ?? 0;
  const isSame = (other: number): boolean => other === places;
  return placesA.every(isSame) && placesB.every(isSame);
}
