import { firstNumbers, intAt } from '../collections/typed-arrays.ts';
import { compareText } from './content.ts';
import { settleRuns, type Stretch } from './content-order.ts';
import { type RecordColumns, reorderRows, rowsBetween } from './record-columns.ts';

/**
 * Merges sorted stretches of columns into content order. `ends` are the rows at which stretches end, the last one being the count. Rows of several
 * stretches with equal numbers are ordered by their texts. The arrays of the given columns are reused. Merging stretches that hardly overlap takes
 * hardly any time.
 */
export function mergedInContentOrder(columns: RecordColumns, ends: readonly number[]): RecordColumns {
  const filled = [...new Set(ends)].filter((end) => end > 0);
  if (filled.length > 1) {
    const compare = byNumbers(columns);
    const order = mergedOrder(columns.count, compare, filled);
    settleRuns(columns, order, runsOfSeveral(compare, order, filled));
    for (const { from, to } of movedStretches(order)) {
      const moved = order.slice(from, to);
      for (let at = 0; at < moved.length; at += 1) moved[at] = intAt(moved, at) - from;
      reorderRows(rowsBetween(columns, from, to), moved);
    }
  }
  return { ...columns, isInContentOrder: true };
}

type Compare = (left: number, right: number) => number;

/** Returns the order of rows by their numbers and currency. */
function byNumbers({ days, amounts, decimalPlaces, credits, currencies, names }: RecordColumns): Compare {
  const ranks = new Uint16Array(names.length);
  for (const [rank, name] of [...names.entries()].toSorted(([, left], [, right]) => compareText(left, right)).entries())
    ranks[name[0]] = rank;
  return (left, right) =>
    intAt(days, left) - intAt(days, right) ||
    (amounts[left] as number) - (amounts[right] as number) ||
    (decimalPlaces[left] as number) - (decimalPlaces[right] as number) ||
    (credits[right] as number) - (credits[left] as number) ||
    (ranks[currencies[left] as number] as number) - (ranks[currencies[right] as number] as number);
}

/** Merges adjacent stretches in pairs until one is left. */
function mergedOrder(count: number, compare: Compare, ends: readonly number[]): Int32Array {
  const order = firstNumbers(count);
  for (let bounds = [0, ...ends]; bounds.length > 2;) {
    const next = [0];
    for (let at = 0; at + 1 < bounds.length; at += 2) {
      const [from, middle, to] = [bounds[at] ?? 0, bounds[at + 1] ?? 0, bounds[at + 2] ?? bounds[at + 1] ?? 0];
      if (middle < to) merge(compare, order, from, middle, to);
      next.push(to);
    }
    bounds = next;
  }
  return order;
}

/** Merges the range from `first` to `middle` with the one up to `last`. The merge is stable. */
function merge(compare: Compare, order: Int32Array, first: number, middle: number, last: number): void {
  // Rows before all of the other stretch, or after all of it, stay in place.
  const from = firstWhere(first, middle, (at) => compare(intAt(order, at), intAt(order, middle)) > 0);
  const to = firstWhere(middle, last, (at) => compare(intAt(order, at), intAt(order, middle - 1)) >= 0);
  if (from === middle) return;
  const lefts = order.slice(from, middle);
  let [left, right, next] = [0, middle, from];
  while (left < lefts.length && right < to) {
    const isLeft = compare(intAt(lefts, left), intAt(order, right)) <= 0;
    order[next] = isLeft ? intAt(lefts, left) : intAt(order, right);
    next += 1;
    if (isLeft) left += 1;
    else right += 1;
  }
  order.set(lefts.subarray(left), next);
}

/** Returns the first index from which on a condition holds, or `to` if it never holds. */
function firstWhere(from: number, to: number, holds: (at: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const at = (low + high) >>> 1;
    if (holds(at)) high = at;
    else low = at + 1;
  }
  return low;
}

/** Returns the ranges of an order in which rows have moved. Outside of them each row is at its own place. */
function movedStretches(order: Int32Array): Stretch[] {
  const moved: Stretch[] = [];
  for (let from = 0; from < order.length; from += 1) {
    let furthest = intAt(order, from);
    if (furthest === from) continue;
    let at = from + 1;
    for (; at <= furthest; at += 1) if (intAt(order, at) > furthest) furthest = intAt(order, at);
    moved.push({ from, to: at });
    from = at - 1;
  }
  return moved;
}

/** Returns runs of rows with equal numbers that come from more than one stretch. */
function runsOfSeveral(compare: Compare, order: Int32Array, ends: readonly number[]): Stretch[] {
  const runs: Stretch[] = [];
  const stretchOf = (row: number): number => firstWhere(0, ends.length, (at) => row < (ends[at] ?? 0));
  let covered = 0;
  const look = (at: number): void => {
    const [before, row] = [intAt(order, at - 1), intAt(order, at)];
    if (at < covered || stretchOf(before) === stretchOf(row) || compare(before, row) !== 0) return;
    const from = firstWhere(0, at, (place) => compare(intAt(order, place), row) >= 0);
    const to = firstWhere(at, order.length, (place) => compare(intAt(order, place), row) > 0);
    runs.push({ from, to });
    covered = to;
  };
  // If no row has moved, stretches meet only at their ends.
  const moved = movedStretches(order);
  const places = [...moved, ...ends.map((end) => ({ from: end, to: end }))].toSorted((left, right) => left.from - right.from);
  for (const { from, to } of places) for (let at = Math.max(1, from); at <= Math.min(to, order.length - 1); at += 1) look(at);
  return runs;
}
