import { floatAt, intAt } from '../../collections/typed-arrays.ts';

/** Days of one segment, ascending, each with its net. */
export interface DayNets {
  readonly days: Float64Array;
  /** Sum of the nets before each day; one more than there are days. Units at the rule's scale. */
  readonly sums: Float64Array;
  /** By how much rounding may have changed a difference of two sums; 0 where all are exact. */
  readonly slack: number;
}

export function dayNets(days: readonly number[], nets: readonly number[], magnitude: number): DayNets {
  const sums = new Float64Array(nets.length + 1);
  for (const [index, net] of nets.entries()) sums[index + 1] = floatAt(sums, index) + net;
  const slack = magnitude <= Number.MAX_SAFE_INTEGER ? 0 : magnitude * nets.length * 2 ** -50;
  return { days: Float64Array.from(days), sums, slack };
}

/** A stretch of amounts, both ends included. */
export interface Stretch {
  readonly low: number;
  readonly high: number;
}

type RunVisit = (first: number, last: number) => void;

/** Finds the runs of days whose net lies in a stretch. Runs of up to this many days are tried one by one. */
const TRIED = 40;

/**
 * Calls `visit` for each run of days from `from` to `to` (exclusive) whose net lies in the stretch: all runs where there are few, else for
 * each last day those first days before which the sum is the one that is missing, found among the sorted sums.
 */
export function runFinder(nets: DayNets): (from: number, to: number, stretch: Stretch, visit: RunVisit) => void {
  const { sums, slack } = nets;
  let sorted: { readonly order: Int32Array; readonly values: Float64Array } | null = null;
  return (from, to, { low, high }, visit) => {
    if (to - from <= TRIED) {
      for (let last = to - 1; last >= from; last -= 1) {
        const end = floatAt(sums, last + 1);
        for (let first = last; first >= from; first -= 1) {
          const net = end - floatAt(sums, first);
          if (net >= low - slack && net <= high + slack) visit(first, last);
        }
      }
      return;
    }
    sorted ??= sortedSums(sums);
    const { order, values } = sorted;
    for (let last = to - 1; last >= from; last -= 1) {
      const end = floatAt(sums, last + 1);
      for (let at = placeOf(values, end - high - slack); at < values.length && floatAt(values, at) <= end - low + slack; at += 1) {
        const first = intAt(order, at);
        if (first >= from && first <= last) visit(first, last);
      }
    }
  };
}

function sortedSums(sums: Float64Array) {
  const order = Int32Array.from(sums, (_, index) => index).toSorted(
    (left, right) => floatAt(sums, left) - floatAt(sums, right) || left - right,
  );
  return { order, values: Float64Array.from(order, (index) => floatAt(sums, index)) };
}

/** First place whose value is at least `value`. */
export function placeOf(values: Float64Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (floatAt(values, middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
