import type { PairCodes } from '../../collections/hash-table.ts';
import { intAt } from '../../collections/typed-arrays.ts';
import type { LineFeatures } from './line-features.ts';
import { hashOfReference, type LongNumber, SHAPE, withoutZeros } from './references.ts';

/** Least and most digits of a reference within a long number. */
const LEAST_PART = 6;
const MOST_PART = 20;
/** Most long numbers that are searched on a side. */
const MOST_NUMBERS = 100_000;

/** Returns the lines, with references added where a long number consists entirely of numbers that the other side writes. */
export function withPartsOfNumbers(lines: LineFeatures, long: readonly LongNumber[], others: LineFeatures, codes: PairCodes): LineFeatures {
  if (long.length === 0) return lines;
  const isOfOthers = new Uint8Array(codes.count);
  for (const reference of others.references) isOfOthers[reference] = 1;
  const added = new Map<number, { readonly code: number; readonly origin: number }[]>();
  for (const { row, field, digits } of long.slice(0, MOST_NUMBERS)) {
    const parts = partsOf(digits, (part) => {
      const code = codes.find(...hashOfReference(part));
      return code >= 0 && isOfOthers[code] === 1 ? code : -1;
    });
    if (parts.length === 0) continue;
    const origin = lines.origins.codeOf(field, SHAPE.core, '');
    added.set(row, [...(added.get(row) ?? []), ...parts.map((code) => ({ code, origin }))]);
  }
  return added.size === 0 ? lines : withReferences(lines, added);
}

/** Returns the codes of the fewest known numbers that together make up the digits, or none. */
function partsOf(digits: string, codeOf: (part: string) => number): number[] {
  const fewest = new Int32Array(digits.length + 1).fill(-1);
  const code = new Int32Array(digits.length + 1);
  const from = new Int32Array(digits.length + 1);
  fewest[0] = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const before = intAt(fewest, at);
    if (before < 0) continue;
    for (let end = at + LEAST_PART; end <= Math.min(digits.length, at + MOST_PART); end += 1) {
      if (intAt(fewest, end) >= 0 && intAt(fewest, end) <= before + 1) continue;
      const found = codeOf(withoutZeros(digits.slice(at, end)));
      if (found < 0) continue;
      [fewest[end], code[end], from[end]] = [before + 1, found, at];
    }
  }
  const parts: number[] = [];
  if (intAt(fewest, digits.length) < 2) return parts;
  for (let at = digits.length; at > 0; at = intAt(from, at)) parts.push(intAt(code, at));
  return parts;
}

function withReferences(
  lines: LineFeatures,
  added: ReadonlyMap<number, readonly { readonly code: number; readonly origin: number }[]>,
): LineFeatures {
  const starts = new Int32Array(lines.count + 1);
  const references: number[] = [];
  const originOf: number[] = [];
  for (let row = 0; row < lines.count; row += 1) {
    for (let at = intAt(lines.starts, row); at < intAt(lines.starts, row + 1); at += 1) {
      references.push(intAt(lines.references, at));
      originOf.push(lines.originOf[at] as number);
    }
    for (const { code, origin } of added.get(row) ?? []) {
      references.push(code);
      originOf.push(origin);
    }
    starts[row + 1] = references.length;
  }
  return { ...lines, starts, references: Int32Array.from(references), originOf: Uint16Array.from(originOf) };
}
