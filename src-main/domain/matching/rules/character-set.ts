/** A set of code points as ranges, both ends inclusive, ascending and not adjacent. */
export type CharacterSet = readonly (readonly [number, number])[];

const LAST_CODE_POINT = 0x10_ff_ff;
/** Case variants are looked up one by one. No range of letters that a person writes is larger than this. */
const MAX_CASED_RANGE = 2_000;

export function setOf(ranges: readonly (readonly [number, number])[]): CharacterSet {
  const merged: [number, number][] = [];
  for (const [low, high] of ranges.toSorted((left, right) => left[0] - right[0])) {
    const last = merged.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else merged.push([low, high]);
  }
  return merged;
}

export function complement(set: CharacterSet): CharacterSet {
  const rest: [number, number][] = [];
  let from = 0;
  for (const [low, high] of set) {
    if (low > from) rest.push([from, low - 1]);
    from = high + 1;
  }
  if (from <= LAST_CODE_POINT) rest.push([from, LAST_CODE_POINT]);
  return rest;
}

export function intersects(left: CharacterSet, right: CharacterSet): boolean {
  return left.some(([low, high]) => right.some(([otherLow, otherHigh]) => low <= otherHigh && otherLow <= high));
}

export function contains(set: CharacterSet, codePoint: number): boolean {
  for (const [low, high] of set) if (codePoint <= high) return codePoint >= low;
  return false;
}

/** Returns the set with the other case of each letter. */
export function withBothCases(set: CharacterSet): CharacterSet {
  const more: (readonly [number, number])[] = [...set];
  for (const [low, high] of set) {
    if (high - low > MAX_CASED_RANGE) continue;
    for (let codePoint = low; codePoint <= high; codePoint += 1) {
      const letter = String.fromCodePoint(codePoint);
      for (const variant of [letter.toLowerCase(), letter.toUpperCase()]) {
        const other = variant.codePointAt(0);
        if (other !== undefined && String.fromCodePoint(other) === variant) more.push([other, other]);
      }
    }
  }
  return setOf(more);
}

export const DIGITS: CharacterSet = [[0x30, 0x39]];
export const WORD: CharacterSet = setOf([
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
/** The characters of `\s` in JavaScript. */
export const SPACE: CharacterSet = setOf([
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x16_80, 0x16_80],
  [0x20_00, 0x20_0a],
  [0x20_28, 0x20_29],
  [0x20_2f, 0x20_2f],
  [0x20_5f, 0x20_5f],
  [0x30_00, 0x30_00],
  [0xfe_ff, 0xfe_ff],
]);
/** The characters that `.` excludes. */
export const LINE_ENDS: CharacterSet = setOf([
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x20_28, 0x20_29],
]);
