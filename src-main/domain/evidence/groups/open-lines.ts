import { type RecordColumns, weightAt } from '../../records/record-columns.ts';
import type { Side } from '../../records/fields.ts';
import { floatAt, intAt, itemAt, layOut, rangeStarts } from '../../collections/typed-arrays.ts';
import { EVIDENCE, LEAST_COMMITTED } from '../budget/decide.ts';
import type { FoundLinks } from '../budget/found-links.ts';
import type { FreePairs } from '../comparison/free-lines.ts';
import type { Pairs } from '../comparison/pairs.ts';
import type { Book } from '../estimation/read-book.ts';
import type { LineFeatures } from '../features/line-features.ts';
import { linesByReference } from '../features/shared-references.ts';
import type { EvidenceInput } from '../model/input.ts';

/** State of a line after the pairs: matched for good, open, or in an uncertain pair. */
export const LINE = { closed: 0, open: 1, doubtful: 2 } as const;

/** Lines of one side in the form that the search for groups uses. Rows index all lines. */
export interface OpenSide {
  readonly side: Side;
  readonly features: LineFeatures;
  readonly columns: RecordColumns;
  /** By row: a value of `LINE`. */
  readonly state: Uint8Array;
  /** Signed by the convention, in units of the finest scale of the currency. */
  readonly values: Float64Array;
  /** Number of the currency, the same on both sides. */
  readonly currencies: Int32Array;
  /** Decimal places of those units, by currency. */
  readonly scales: readonly number[];
  /** By row: the row among the free lines, or -1. */
  readonly free: Int32Array;
}

export interface OpenLines {
  readonly a: OpenSide;
  readonly b: OpenSide;
  readonly pairs: Pairs;
  readonly odds: Float64Array;
  /** Pairs by row of B, with the start of each row, and the row of A of each pair. */
  readonly startsB: Int32Array;
  readonly pairsOfB: Int32Array;
  readonly rowOfPair: Int32Array;
}

/** Direction of a search: members on one side, targets on the other. */
export interface Frame {
  readonly targets: OpenSide;
  readonly members: OpenSide;
}

export function framesOf({ a, b }: OpenLines): readonly Frame[] {
  return [
    { targets: b, members: a },
    { targets: a, members: b },
  ];
}

/** Returns the open lines of a side that have a number in the same column, in the order of their days, with the number of that column. */
export function linesOfKeys({
  features,
  state,
  currencies,
}: OpenSide): readonly { readonly origin: number; readonly rows: readonly number[] }[] {
  const byKey = new Map<string, { readonly origin: number; readonly rows: number[] }>();
  for (let row = 0; row < features.count; row += 1) {
    if (state[row] === LINE.closed) continue;
    for (let at = intAt(features.starts, row); at < intAt(features.starts, row + 1); at += 1) {
      const origin = features.originOf[at] as number;
      const key = `${origin} ${intAt(currencies, row)} ${intAt(features.references, at)}`;
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, { origin, rows: [row] });
      else if (known.rows.at(-1) !== row) known.rows.push(row);
    }
  }
  return [...byKey.values()];
}

/** Returns the lines that the pairs leave open. `found` holds the pairs that were made. */
export function openLines(input: EvidenceInput, book: Book, free: FreePairs, found: FoundLinks): OpenLines {
  const { pairs, odds, freeA, freeB } = free;
  const [stateA, stateB] = [statesOf(freeA), statesOf(freeB)];
  const isTied = tiedElsewhere(book);
  for (let place = 0; place < found.length; place += 1) {
    const isSure = found.mayCommitAt(place) && found.logOddsAt(place) >= LEAST_COMMITTED;
    let isByChance = false;
    // A receipt of a deposit may have the amount of another line.
    if (isSure && found.classAt(place) === EVIDENCE.amount)
      found.eachRow(place, (row, isOfA) => {
        isByChance ||= isTied(row, isOfA);
      });
    found.eachRow(place, (row, isOfA) => {
      (isOfA ? stateA : stateB)[row] = isSure && !isByChance ? LINE.closed : LINE.doubtful;
    });
  }
  const { codes, scales } = currencyCodes(input);
  const side = (name: Side, features: LineFeatures, state: Uint8Array, rows: Int32Array): OpenSide => {
    const columns = input[name].all;
    const values = new Float64Array(columns.count);
    const currencies = new Int32Array(columns.count);
    for (let row = 0; row < columns.count; row += 1) {
      const code = codes.get(itemAt(columns.names, columns.currencies[row] as number)) ?? 0;
      currencies[row] = code;
      values[row] =
        weightAt(columns, row, name, input.signConvention) * 10 ** ((scales[code] ?? 0) - (columns.decimalPlaces[row] as number));
    }
    return { side: name, features, columns, state, values, currencies, scales, free: rows };
  };
  const rowOfPair = new Int32Array(pairs.count);
  for (let row = 0; row + 1 < pairs.starts.length; row += 1) rowOfPair.fill(row, intAt(pairs.starts, row), intAt(pairs.starts, row + 1));
  const columns = pairs.columns.subarray(0, pairs.count);
  const startsB = rangeStarts(columns, book.b.count);
  const a = side('a', book.a, stateA, freeA);
  const b = side('b', book.b, stateB, freeB);
  return { a, b, pairs, odds, startsB, pairsOfB: layOut(columns, startsB), rowOfPair };
}

/** Returns whether a line shares a number with another line of either side, so that it may belong to a group. */
function tiedElsewhere({ a, b, referenceCount }: Book): (row: number, isOfA: boolean) => boolean {
  const lines = new Int32Array(referenceCount);
  for (const side of [a, b])
    linesByReference(side, referenceCount).forEach((count, reference) => (lines[reference] = intAt(lines, reference) + count));
  return (row, isOfA) => {
    const { starts, references } = isOfA ? a : b;
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) if (intAt(lines, intAt(references, at)) > 1) return true;
    return false;
  };
}

function statesOf(free: Int32Array): Uint8Array {
  return Uint8Array.from(free, (row) => (row < 0 ? LINE.closed : LINE.open));
}

/** Returns numbers for the currencies, and the decimal places of their finest lines. */
export function currencyCodes({ a, b }: EvidenceInput): { readonly codes: Map<string, number>; readonly scales: number[] } {
  const codes = new Map<string, number>();
  const scales: number[] = [];
  for (const { all } of [a, b]) readCurrencies(all, codes, scales);
  return { codes, scales };
}

function readCurrencies({ count, currencies, decimalPlaces, names }: RecordColumns, codes: Map<string, number>, scales: number[]): void {
  for (let row = 0; row < count; row += 1) {
    const name = itemAt(names, currencies[row] as number);
    const code = codes.get(name) ?? codes.size;
    codes.set(name, code);
    scales[code] = Math.max(scales[code] ?? 0, decimalPlaces[row] as number);
  }
}

/** Returns the sum of odds of a row's pairs that a group would give up, leaving out pairs with certain rows of the other side. */
export function oddsGivenUp(
  { a, b, pairs, odds, startsB, pairsOfB, rowOfPair }: OpenLines,
  side: Side,
  row: number,
  but: (other: number) => boolean,
): number {
  let sum = 0;
  const isOfA = side === 'a';
  const starts = isOfA ? pairs.starts : startsB;
  for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
    const pair = isOfA ? at : intAt(pairsOfB, at);
    const other = isOfA ? intAt(pairs.columns, pair) : intAt(rowOfPair, pair);
    if ((isOfA ? b : a).state[other] !== LINE.closed && !but(other)) sum += floatAt(odds, pair);
  }
  return sum;
}
