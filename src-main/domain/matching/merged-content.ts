import { compareText } from './content.ts';
import { settleRuns, type Stretch } from './content-columns.ts';
import { type RecordColumns, reorderRows } from './record-columns.ts';
import { intAt } from './typed.ts';

/**
 * Brings columns into the order of their content whose rows stand in it by stretches: `ends` are the rows at which stretches end, the last
 * the count. What numbers leave open between rows of several stretches is settled by texts. The arrays of the given columns are used.
 */
export function mergedInContentOrder(columns: RecordColumns, ends: readonly number[]): RecordColumns {
  const filled = [...new Set(ends)].filter((end) => end > 0);
  if (filled.length > 1) {
    const order = mergedOrder(columns, filled);
    settleRuns(columns, order, runsOfSeveral(columns, order, filled));
    reorderRows(columns, order);
  }
  return { ...columns, isInContentOrder: true };
}

type Compare = (left: number, right: number) => number;

/** Order of rows by what numbers and the currency tell. */
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

/** Merges neighbouring stretches two by two until one is left. */
function mergedOrder(columns: RecordColumns, ends: readonly number[]): Int32Array {
  const compare = byNumbers(columns);
  let order = new Int32Array(columns.count);
  for (let row = 0; row < order.length; row += 1) order[row] = row;
  let other = new Int32Array(columns.count);
  for (let bounds = [0, ...ends]; bounds.length > 2;) {
    const next = [0];
    for (let at = 0; at + 1 < bounds.length; at += 2) {
      const [from, middle, to] = [bounds[at] ?? 0, bounds[at + 1] ?? 0, bounds[at + 2] ?? bounds[at + 1] ?? 0];
      merge(compare, order, from, middle, to, other);
      next.push(to);
    }
    [order, other] = [other, order];
    bounds = next;
  }
  return order;
}

function merge(compare: Compare, order: Int32Array, from: number, middle: number, to: number, into: Int32Array): void {
  let [left, right, next] = [from, middle, from];
  // Stretches that lie apart are only copied.
  if (left < middle && right < to && compare(intAt(order, middle - 1), intAt(order, right)) <= 0) left = middle;
  into.set(order.subarray(from, left), next);
  next += left - from;
  while (left < middle && right < to) {
    const isLeft = compare(intAt(order, left), intAt(order, right)) <= 0;
    into[next] = intAt(order, isLeft ? left : right);
    next += 1;
    if (isLeft) left += 1;
    else right += 1;
  }
  into.set(order.subarray(left, middle), next);
  into.set(order.subarray(right, to), next + middle - left);
}

/** Runs of rows that numbers do not tell apart and that come from more than one stretch, as pairs of their first place and that behind their last. */
function runsOfSeveral(columns: RecordColumns, order: Int32Array, ends: readonly number[]): Stretch[] {
  const compare = byNumbers(columns);
  const runs: Stretch[] = [];
  // Rows of one stretch follow each other; only where the stretch changes can a run be of several.
  const bounds = Float64Array.from(ends);
  const stretchOf = (row: number): number => {
    let stretch = 0;
    while (row >= (bounds[stretch] as number)) stretch += 1;
    return stretch;
  };
  let covered = 0;
  let before = stretchOf(intAt(order, 0));
  for (let at = 1; at < order.length; at += 1) {
    const stretch = stretchOf(intAt(order, at));
    if (stretch === before) continue;
    before = stretch;
    if (at < covered || compare(intAt(order, at - 1), intAt(order, at)) !== 0) continue;
    let from = at - 1;
    while (from > 0 && compare(intAt(order, from - 1), intAt(order, at)) === 0) from -= 1;
    let to = at + 1;
    while (to < order.length && compare(intAt(order, to), intAt(order, at)) === 0) to += 1;
    runs.push({ from, to });
    covered = to;
  }
  return runs;
}
