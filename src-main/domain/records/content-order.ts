import { RadixSorter } from '../collections/radix-sort.ts';
import { firstNumbers, intAt, itemAt } from '../collections/typed-arrays.ts';
import { compareText, contentOrder, visibleContent } from './content.ts';
import { DESCRIPTION, pickRows, type RecordColumns, reorderRows } from './record-columns.ts';
import { comparePlaces } from './value-column.ts';

/**
 * Returns the rows in content order, which is the order of `inContentOrder`. Whole records are read only for rows with equal numbers and
 * descriptions.
 */
export function columnsInContentOrder(columns: RecordColumns): RecordColumns {
  if (columns.isInContentOrder) return columns;
  return { ...pickRows(columns, contentOrderOf(columns)), isInContentOrder: true };
}

/** Brings columns into content order within their own arrays. The given columns must not be used afterwards. */
export function broughtInContentOrder(columns: RecordColumns): RecordColumns {
  if (columns.isInContentOrder) return columns;
  reorderRows(columns, contentOrderOf(columns));
  return { ...columns, isInContentOrder: true };
}

function contentOrderOf(columns: RecordColumns): Int32Array {
  const order = byDay(columns);
  const { days, amounts } = columns;
  const open: Stretch[] = [];
  const compare = byColumns(columns);
  eachRun(
    order,
    (left, right) => days[left] === days[right],
    (from, to) => {
      sortByAmount(amounts, order, from, to);
      const ofDay = order.subarray(from, to);
      eachRun(
        ofDay,
        (left, right) => amounts[left] === amounts[right],
        (first, last) => {
          if (last - first > 1) settle(compare, order, from + first, from + last, open);
        },
      );
    },
  );
  if (open.length > 0) settleWhole(columns, order, open);
  return order;
}

/** A range of an order, `to` excluded. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Fewer than one of this many rows count as few. */
const FEW_IF_ONE_IN = 50;

/** Sorts runs of an order whose rows have the same day, amount, scale, direction and currency, by everything else that is visible. */
export function settleRuns(columns: RecordColumns, order: Int32Array, runs: readonly Stretch[]): void {
  const rows = runs.reduce((sum, { from, to }) => sum + to - from, 0);
  // For few rows it is faster to read whole records than all descriptions.
  if (rows <= columns.count / FEW_IF_ONE_IN) return settleWhole(columns, order, runs);
  const open: Stretch[] = [];
  const compare = byColumns(columns);
  for (const { from, to } of runs) settle(compare, order, from, to, open);
  if (open.length > 0) settleWhole(columns, order, open);
}

/** Calls `visit` for each run of equal neighbours. */
function eachRun(order: Int32Array, isSame: (left: number, right: number) => boolean, visit: (from: number, to: number) => void): void {
  for (let from = 0, to = 1; from < order.length; from = to, to += 1) {
    const row = intAt(order, from);
    while (to < order.length && isSame(row, intAt(order, to))) to += 1;
    visit(from, to);
  }
}

function byDay({ count, days }: RecordColumns): Int32Array {
  let first = Infinity;
  let last = -Infinity;
  for (const day of days) {
    if (day < first) first = day;
    if (day > last) last = day;
  }
  const keys = new Uint32Array(count);
  for (let row = 0; row < count; row += 1) keys[row] = intAt(days, row) - first;
  const order = firstNumbers(count);
  new RadixSorter().sort(keys, order, last - first);
  return order;
}

/** Sorts a range of rows by amount. Amount and index are sorted as one number if both fit into it. */
function sortByAmount(amounts: Float64Array, order: Int32Array, from: number, to: number): void {
  const size = to - from;
  if (size < 2) return;
  let most = 0;
  for (let at = from; at < to; at += 1) most = Math.max(most, amounts[intAt(order, at)] as number);
  if (!Number.isSafeInteger((most + 1) * size)) {
    order.subarray(from, to).sort((left, right) => (amounts[left] as number) - (amounts[right] as number));
    return;
  }
  const keys = new Float64Array(size);
  for (let at = 0; at < size; at += 1) keys[at] = (amounts[intAt(order, from + at)] as number) * size + at;
  keys.sort();
  const rows = order.slice(from, to);
  for (let at = 0; at < size; at += 1) order[from + at] = intAt(rows, (keys[at] as number) % size);
}

/** Sorts rows of one day and amount by the other columns, and adds runs that stay equal to `open`. */
function settle(compare: (left: number, right: number) => number, order: Int32Array, from: number, to: number, open: Stretch[]): void {
  const rows = order.subarray(from, to);
  rows.sort(compare);
  eachRun(
    rows,
    (left, right) => compare(left, right) === 0,
    (first, last) => {
      if (last - first > 1) open.push({ from: from + first, to: from + last });
    },
  );
}

/** Returns the order of rows of one day and amount: by decimal places, direction, currency and description. */
function byColumns(columns: RecordColumns): (left: number, right: number) => number {
  const { decimalPlaces, credits, currencies, names, places, source } = columns;
  const descriptions = source.column(DESCRIPTION);
  return (left, right) => {
    const numbers =
      (decimalPlaces[left] as number) - (decimalPlaces[right] as number) || (credits[right] as number) - (credits[left] as number);
    if (numbers !== 0) return numbers;
    if (currencies[left] !== currencies[right]) {
      return compareText(itemAt(names, currencies[left] as number), itemAt(names, currencies[right] as number));
    }
    return comparePlaces(descriptions, intAt(places, left), intAt(places, right));
  };
}

/** Most records that are read whole at a time. */
const WHOLE_AT_ONCE = 20_000;

function settleWhole(columns: RecordColumns, order: Int32Array, open: readonly Stretch[]): void {
  const compare = contentOrder();
  for (let next = 0; next < open.length;) {
    const taken: Stretch[] = [];
    let count = 0;
    while (next < open.length && (count === 0 || count + itemAt(open, next).to - itemAt(open, next).from <= WHOLE_AT_ONCE)) {
      const stretch = itemAt(open, next);
      taken.push(stretch);
      count += stretch.to - stretch.from;
      next += 1;
    }
    const rows = new Int32Array(count);
    let filled = 0;
    for (const { from, to } of taken) {
      rows.set(order.subarray(from, to), filled);
      filled += to - from;
    }
    const records = columns.source.records(rows.map((row) => intAt(columns.places, row)));
    let begin = 0;
    for (const { from, to } of taken) {
      const places = Array.from({ length: to - from }, (_, index) => begin + index);
      places.sort((left, right) => compare(itemAt(records, left), itemAt(records, right)));
      for (const [index, place] of places.entries()) order[from + index] = intAt(rows, place);
      begin += to - from;
    }
  }
}

/** Returns whether some rows are indistinguishable for a person. Whole records are read if numbers and descriptions are equal. */
export function areAlike(columns: RecordColumns, rows: Int32Array, from: number, to: number): boolean {
  const first = intAt(rows, from);
  const { amounts, days, decimalPlaces, credits, currencies, streams, places, source } = columns;
  const looks = source.looks();
  const look = intAt(looks, intAt(places, first));
  for (let at = from + 1; at < to; at += 1) {
    const row = intAt(rows, at);
    // Looks differ most often, because the rows in question have equal numbers.
    const isSame =
      intAt(looks, intAt(places, row)) === look &&
      days[row] === days[first] &&
      amounts[row] === amounts[first] &&
      decimalPlaces[row] === decimalPlaces[first] &&
      credits[row] === credits[first] &&
      currencies[row] === currencies[first] &&
      streams[row] === streams[first];
    if (!isSame) return false;
  }
  const records = source.records(rows.slice(from, to).map((row) => intAt(places, row)));
  const content = visibleContent(itemAt(records, 0));
  return records.every((record) => visibleContent(record) === content);
}
