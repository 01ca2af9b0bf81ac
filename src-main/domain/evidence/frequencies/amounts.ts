import { firstNumbers, floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { LineFeatures } from '../features/line-features.ts';

/** An amount is taken to be as common as other amounts of its roundness within this share of it. */
const NEAR = 0.1;
/** Roundness is the number of zeros at the end, up to this many. */
const MOST_ZEROS = 4;
/** Least number of lines expected at any amount, because a coincidence is possible in the smallest files. */
const LEAST_EXPECTED = 0.02;

/** Amounts of both sides ordered by class and value. A key is the index of one amount of one class. */
export interface Amounts {
  readonly keys: number;
  readonly values: Float64Array;
  readonly classes: Int32Array;
  readonly keyOfA: Int32Array;
  readonly keyOfB: Int32Array;
  /** Rows by key, ascending within a key and therefore by day. */
  readonly startsA: Int32Array;
  readonly rowsA: Int32Array;
  readonly startsB: Int32Array;
  readonly rowsB: Int32Array;
  /** By key: lines of both sides that chance alone would put at such an amount. */
  readonly expected: Float32Array;
}

interface Sorted {
  readonly order: Int32Array;
  readonly features: LineFeatures;
}

function sorted(features: LineFeatures): Sorted {
  const { classes, values, count } = features;
  const order = firstNumbers(count);
  order.sort(
    (left, right) => intAt(classes, left) - intAt(classes, right) || floatAt(values, left) - floatAt(values, right) || left - right,
  );
  return { order, features };
}

export function amountsOf(a: LineFeatures, b: LineFeatures): Amounts {
  const [ofA, ofB] = [sorted(a), sorted(b)];
  const most = a.count + b.count;
  const values = new Float64Array(most);
  const classes = new Int32Array(most);
  const [keyOfA, keyOfB] = [new Int32Array(a.count), new Int32Array(b.count)];
  const [startsA, startsB] = [new Int32Array(most + 1), new Int32Array(most + 1)];
  let keys = 0;
  let atA = 0;
  let atB = 0;
  while (atA < a.count || atB < b.count) {
    const fromA = atA < a.count && (atB >= b.count || order(ofA, atA, ofB, atB) <= 0);
    const { features, order: rows } = fromA ? ofA : ofB;
    const row = intAt(rows, fromA ? atA : atB);
    const value = floatAt(features.values, row);
    const group = intAt(features.classes, row);
    values[keys] = value;
    classes[keys] = group;
    for (; atA < a.count && isAt(ofA, atA, group, value); atA += 1) keyOfA[intAt(ofA.order, atA)] = keys;
    for (; atB < b.count && isAt(ofB, atB, group, value); atB += 1) keyOfB[intAt(ofB.order, atB)] = keys;
    keys += 1;
    startsA[keys] = atA;
    startsB[keys] = atB;
  }
  const table = {
    keys,
    values: values.slice(0, keys),
    classes: classes.slice(0, keys),
    keyOfA,
    keyOfB,
    startsA: startsA.slice(0, keys + 1),
    rowsA: ofA.order,
    startsB: startsB.slice(0, keys + 1),
    rowsB: ofB.order,
  };
  return { ...table, expected: expectedAt(table) };
}

function order(left: Sorted, atLeft: number, right: Sorted, atRight: number): number {
  const [rowA, rowB] = [intAt(left.order, atLeft), intAt(right.order, atRight)];
  return (
    intAt(left.features.classes, rowA) - intAt(right.features.classes, rowB) ||
    floatAt(left.features.values, rowA) - floatAt(right.features.values, rowB)
  );
}

function isAt({ features, order }: Sorted, at: number, group: number, value: number): boolean {
  const row = intAt(order, at);
  return intAt(features.classes, row) === group && floatAt(features.values, row) === value;
}

/** Returns the number of zeros at the end of a number of minor units. */
function zerosOf(value: number): number {
  let zeros = 0;
  for (let rest = value; zeros < MOST_ZEROS && rest >= 10 && rest % 10 === 0; rest /= 10) zeros += 1;
  return zeros;
}

/** Returns, by key, the lines expected at one amount, from the lines of the same roundness within a tenth of it. */
function expectedAt(table: Omit<Amounts, 'expected'>): Float32Array {
  const { keys, values, classes, startsA, startsB } = table;
  const expected = new Float32Array(keys);
  const roundness = new Uint8Array(keys);
  for (let key = 0; key < keys; key += 1) roundness[key] = zerosOf(floatAt(values, key));
  for (let zeros = 0; zeros <= MOST_ZEROS; zeros += 1) {
    const step = 10 ** zeros * (zeros === MOST_ZEROS ? 1 : 10 / 9);
    let first = 0;
    let last = 0;
    let inside = 0;
    // An amount that many lines have says nothing about how common the amounts near it are.
    const linesAt = (key: number): number =>
      roundness[key] === zeros
        ? Math.min(3, intAt(startsA, key + 1) - intAt(startsA, key) + intAt(startsB, key + 1) - intAt(startsB, key))
        : 0;
    for (let key = 0; key < keys; key += 1) {
      const group = intAt(classes, key);
      const value = floatAt(values, key);
      for (
        ;
        last < keys && (intAt(classes, last) < group || (intAt(classes, last) === group && floatAt(values, last) <= value * (1 + NEAR)));
        last += 1
      ) {
        inside += linesAt(last);
      }
      for (; intAt(classes, first) < group || floatAt(values, first) < value * (1 - NEAR); first += 1) inside -= linesAt(first);
      if (roundness[key] !== zeros) continue;
      const places = Math.max(1, (value * 2 * NEAR) / step);
      expected[key] = Math.max(LEAST_EXPECTED, (inside - linesAt(key)) / places);
    }
  }
  return expected;
}

/** Returns the first key of a class whose value is at least `value`. */
export function firstKeyFrom({ values, classes, keys }: Amounts, group: number, value: number): number {
  let low = 0;
  let high = keys;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const of = intAt(classes, middle);
    if (of < group || (of === group && floatAt(values, middle) < value)) low = middle + 1;
    else high = middle;
  }
  return low;
}
