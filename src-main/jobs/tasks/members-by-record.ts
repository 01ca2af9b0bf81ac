import type { FoundMatches } from '../../domain/matching/found-matches.ts';
import { floatAt, intAt } from '../../domain/matching/typed.ts';

/** Members of matches, in the order of their records. */
export interface MembersByRecord {
  readonly length: number;
  readonly recordAt: (index: number) => number;
  /** Place of the match among the matches. */
  readonly matchAt: (index: number) => number;
  readonly isSideBAt: (index: number) => boolean;
}

const DIGIT_BITS = 11;
const DIGITS = 2 ** DIGIT_BITS;

/** Indices of numbers in ascending order, those of equal numbers as they were: sorted digit by digit, since there are millions. */
function ascending(numbers: Float64Array): Int32Array {
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (const number of numbers) {
    if (number < least) least = number;
    if (number > most) most = number;
  }
  let order = Int32Array.from({ length: numbers.length }, (_, index) => index);
  let next = new Int32Array(numbers.length);
  const digits = new Int32Array(numbers.length);
  const starts = new Int32Array(DIGITS + 1);
  for (let divisor = 1; divisor <= most - least; divisor *= DIGITS) {
    starts.fill(0);
    for (let index = 0; index < numbers.length; index += 1) {
      const digit = Math.floor((floatAt(numbers, index) - least) / divisor) % DIGITS;
      digits[index] = digit;
      starts[digit + 1] = intAt(starts, digit + 1) + 1;
    }
    for (let digit = 0; digit < DIGITS; digit += 1) starts[digit + 1] = intAt(starts, digit + 1) + intAt(starts, digit);
    for (let index = 0; index < order.length; index += 1) {
      const item = intAt(order, index);
      const digit = intAt(digits, item);
      const place = intAt(starts, digit);
      next[place] = item;
      starts[digit] = place + 1;
    }
    [order, next] = [next, order];
  }
  return order;
}

/** Every member of every match, by record. */
export function membersByRecord(matches: FoundMatches): MembersByRecord {
  let length = 0;
  for (let match = 0; match < matches.length; match += 1) length += matches.sizeAt(match);
  const records = new Float64Array(length);
  const places = new Float64Array(length);
  let member = 0;
  for (let match = 0; match < matches.length; match += 1) {
    const size = matches.sizeAt(match);
    const sideA = matches.sideASizeAt(match);
    for (let place = 0; place < size; place += 1) {
      records[member] = matches.memberAt(match, place);
      places[member] = match * 2 + (place < sideA ? 0 : 1);
      member += 1;
    }
  }
  const order = ascending(records);
  return {
    length,
    recordAt: (index) => floatAt(records, intAt(order, index)),
    matchAt: (index) => Math.floor(floatAt(places, intAt(order, index)) / 2),
    isSideBAt: (index) => floatAt(places, intAt(order, index)) % 2 === 1,
  };
}
