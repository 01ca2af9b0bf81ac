import { floatAt, intAt } from './typed-arrays.ts';

const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
/** Fewer are sorted by comparing them. */
const LEAST_BY_DIGITS = 512;
const WIDEST = 0xffff_ffff;

/** Sorts each range of `order` by the values of its indices, those of equal values ascending, as they stand. Answers `order`. */
export function sortRanges(order: Int32Array, starts: Int32Array, values: Float64Array): Int32Array {
  const sorter = new RangeSorter(order, values);
  for (let range = 0; range + 1 < starts.length; range += 1) sorter.sort(intAt(starts, range), intAt(starts, range + 1));
  return order;
}

class RangeSorter {
  private readonly order: Int32Array;
  private readonly values: Float64Array;
  private readonly counts = new Int32Array(DIGITS);
  private keys: Uint32Array = new Uint32Array(0);
  private nextKeys: Uint32Array = new Uint32Array(0);
  private nextOrder: Int32Array = new Int32Array(0);

  constructor(order: Int32Array, values: Float64Array) {
    this.order = order;
    this.values = values;
  }

  sort(from: number, to: number): void {
    const { order, values } = this;
    if (this.isAscending(from, to)) return;
    const least = to - from < LEAST_BY_DIGITS ? null : this.makeKeys(from, to);
    if (least === null) {
      order.subarray(from, to).sort((left, right) => floatAt(values, left) - floatAt(values, right) || left - right);
    } else this.sortByKeys(from, to, least);
  }

  /** Rows are laid out by content, whose first words are the day and the amount: along these most ranges are in order already. */
  private isAscending(from: number, to: number): boolean {
    const { order, values } = this;
    for (let at = from + 1; at < to; at += 1) if (floatAt(values, intAt(order, at - 1)) > floatAt(values, intAt(order, at))) return false;
    return true;
  }

  /** Values of a range as whole numbers from 0 on; answers the largest, null where they are none or too far apart. */
  private makeKeys(from: number, to: number): number | null {
    const { order, values } = this;
    let low = Infinity;
    let high = -Infinity;
    for (let at = from; at < to; at += 1) {
      const value = floatAt(values, intAt(order, at));
      if (!Number.isInteger(value)) return null;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (!(high - low <= WIDEST)) return null;
    if (this.keys.length < to - from) {
      this.keys = new Uint32Array(to - from);
      this.nextKeys = new Uint32Array(to - from);
      this.nextOrder = new Int32Array(to - from);
    }
    for (let at = from; at < to; at += 1) this.keys[at - from] = floatAt(values, intAt(order, at)) - low;
    return high - low;
  }

  /** Digit by digit from the lowest on; each pass leaves equal digits as they were. */
  private sortByKeys(from: number, to: number, largest: number): void {
    const { order, counts } = this;
    const length = to - from;
    let [keys, nextKeys] = [this.keys, this.nextKeys];
    for (let shift = 0; shift < 32 && largest >>> shift > 0; shift += DIGIT_BITS) {
      counts.fill(0);
      for (let at = 0; at < length; at += 1) {
        const digit = ((keys[at] as number) >>> shift) & (DIGITS - 1);
        counts[digit] = intAt(counts, digit) + 1;
      }
      for (let digit = 0, next = 0; digit < DIGITS; digit += 1) {
        const count = intAt(counts, digit);
        counts[digit] = next;
        next += count;
      }
      for (let at = 0; at < length; at += 1) {
        const key = keys[at] as number;
        const digit = (key >>> shift) & (DIGITS - 1);
        const place = intAt(counts, digit);
        counts[digit] = place + 1;
        nextKeys[place] = key;
        this.nextOrder[place] = intAt(order, from + at);
      }
      order.set(this.nextOrder.subarray(0, length), from);
      [keys, nextKeys] = [nextKeys, keys];
    }
  }
}
