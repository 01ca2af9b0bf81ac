import { floatAt, intAt, itemAt } from '../collections/typed-arrays.ts';
import type { SumRange } from './sums.ts';

/** First and last index of a run, both included, and its total. */
export type Run = readonly [first: number, last: number, total: number];

type RunVisit = (...run: Run) => void;

/** Up to this many amounts, all runs are tried one by one. */
const TRIED = 40;

/**
 * Amounts in a row, and the search for runs of them whose total lies in a range: the days of a rule, the days of one kind of lines, or the lines of one
 * name. For few amounts it tries all runs. Otherwise it looks up, for each last amount, the first ones among the sorted sums.
 */
export class Runs {
  readonly #units: Float64Array;
  /** Largest rounding error of a total; 0 if all are exact. */
  readonly slack: number;
  /** By index: sum of the negative amounts, and of the positive ones, from there on. A run cannot change by more. */
  readonly #below: Float64Array;
  readonly #above: Float64Array;
  #sorted: { readonly sums: Float64Array; readonly order: Int32Array; readonly values: Float64Array } | null = null;

  /** `magnitude` is the sum of all magnitudes behind the amounts; it is left out if totals are used only where they equal an amount. */
  constructor(units: Float64Array, magnitude = 0) {
    this.#units = units;
    this.slack = magnitude <= Number.MAX_SAFE_INTEGER ? 0 : magnitude * units.length * 2 ** -50;
    this.#below = new Float64Array(units.length + 1);
    this.#above = new Float64Array(units.length + 1);
    for (let index = units.length - 1; index >= 0; index -= 1) {
      const value = floatAt(units, index);
      this.#below[index] = floatAt(this.#below, index + 1) + Math.min(0, value);
      this.#above[index] = floatAt(this.#above, index + 1) + Math.max(0, value);
    }
  }

  /** Visits the runs from `first` on that end before `end`, the shortest first. */
  startingAt(first: number, end: number, range: SumRange, visit: RunVisit): void {
    const [units, below, above] = [this.#units, this.#below, this.#above];
    const low = range.low - this.slack;
    const high = range.high + this.slack;
    let total = 0;
    for (let last = first; last < end; last += 1) {
      total += floatAt(units, last);
      if (total >= low && total <= high) visit(first, last, total);
      // No further amount brings the total back into the range.
      if (total + floatAt(below, last + 1) > high || total + floatAt(above, last + 1) < low) break;
    }
  }

  /** Visits all runs between `from` and `end`, excluded. */
  within(from: number, end: number, range: SumRange, visit: RunVisit): void {
    if (end - from <= TRIED) {
      for (let first = from; first < end; first += 1) this.startingAt(first, end, range, visit);
      return;
    }
    const { sums, order, values } = (this.#sorted ??= sortedSums(this.#units));
    for (let last = from; last < end; last += 1) {
      const sum = floatAt(sums, last + 1);
      const most = sum - range.low + this.slack;
      for (let at = placeOf(values, sum - range.high - this.slack); at < values.length && floatAt(values, at) <= most; at += 1) {
        const first = intAt(order, at);
        if (first >= from && first <= last) visit(first, last, sum - floatAt(sums, first));
      }
    }
  }
}

function sortedSums(units: Float64Array) {
  const sums = new Float64Array(units.length + 1);
  for (let index = 0; index < units.length; index += 1) sums[index + 1] = floatAt(sums, index) + floatAt(units, index);
  const order = Int32Array.from(sums, (_, index) => index).toSorted(
    (left, right) => floatAt(sums, left) - floatAt(sums, right) || left - right,
  );
  return { sums, order, values: Float64Array.from(order, (index) => floatAt(sums, index)) };
}

/** Returns the first index whose value is at least `value`. */
function placeOf(values: Float64Array | Int32Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How items are put into days. */
interface DayReader<T> {
  readonly day: (item: T) => number;
  readonly units: (item: T) => number;
  /** Magnitude of what an item adds up; see `Runs`. */
  readonly magnitude?: (item: T) => number;
}

/** Items by day, with the total of each day. */
export class DayRuns<T> {
  readonly runs: Runs;
  /** Days on which there are items, ascending. */
  readonly days: Int32Array;
  /** Start of the items of each day, with one entry more than there are days. */
  readonly starts: Int32Array;
  readonly items: readonly T[];

  /** `items` are ordered by day. */
  constructor(items: readonly T[], { day, units, magnitude }: DayReader<T>) {
    const starts = new Int32Array(items.length + 1);
    const days = new Int32Array(items.length);
    const totals = new Float64Array(items.length);
    let [count, sum] = [0, 0];
    for (let place = 0; place < items.length; place += 1) {
      const item = itemAt(items, place);
      const own = day(item);
      if (count === 0 || days[count - 1] !== own) {
        days[count] = own;
        starts[count] = place;
        count += 1;
      }
      totals[count - 1] = floatAt(totals, count - 1) + units(item);
      if (magnitude !== undefined) sum += magnitude(item);
    }
    starts[count] = items.length;
    this.items = items;
    this.starts = starts.slice(0, count + 1);
    this.days = days.slice(0, count);
    this.runs = new Runs(totals.slice(0, count), sum);
  }

  /** Returns the index of the first day that is not before `day`. */
  placeOf(day: number): number {
    return placeOf(this.days, day);
  }

  /** Returns the items of a run of days. */
  itemsOf(first: number, last: number): T[] {
    return this.items.slice(intAt(this.starts, first), intAt(this.starts, last + 1));
  }
}
