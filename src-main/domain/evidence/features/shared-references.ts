import { floatAt, intAt, layOut, rangeStarts } from '../../collections/typed-arrays.ts';
import { AMOUNT, amountLevel, FIRST_LAG, LAST_LAG, MOST_FAMILIES, rarityOf } from '../comparison/levels.ts';
import type { LineFeatures } from './line-features.ts';
import { SHAPE } from './references.ts';

/** A reference that makes more pairs than this matches no lines. */
const MOST_PAIRS_OF_REFERENCE = 2_048;
/** Most pairs of one reference that are examined to see whether amounts agree. */
const MOST_LOOKED_AT = 64;
/** Least share of agreeing pairs of a family that matches lines. */
const LEAST_AGREEING = 0.01;

/** References that occur at one origin on A and one origin on B. */
interface Family {
  readonly originA: number;
  readonly originB: number;
  /** Pairs of lines that share such a reference. */
  pairs: number;
  /** Examined pairs, and those of them with equal and with near amounts. */
  seen: number;
  equal: number;
  near: number;
  /** Share of its pairs whose amounts agree beyond chance, 0..1. */
  belief: number;
}

/** Index from references to lines of B. */
interface ReferenceIndex {
  /** Occurrences on side B by reference, with the start of each reference. */
  readonly starts: Int32Array;
  readonly occurrences: Int32Array;
  /** Row of B, by occurrence. */
  readonly rowOfB: Int32Array;
  /** Number of lines of each side, by reference. */
  readonly countsA: Int32Array;
  readonly countsB: Int32Array;
}

/** Facts about references that remain after the search for pairs. */
export interface ReferenceFacts {
  /** Families that match lines, the best first. */
  readonly families: readonly Family[];
  /** Index in `families` by origins, `originA * originsB + originB`; -1 for none. */
  readonly familyOf: Int16Array;
  readonly originsB: number;
  /** By row of each side: bits of the families of its references. Two lines with a family in common that share no reference differ in that family. */
  readonly familiesOfA: Int32Array;
  readonly familiesOfB: Int32Array;
  /** By side: lines that repeat the reference and amount of another line, for each line that holds a reference. */
  readonly doubledA: number;
  readonly doubledB: number;
}

export interface SharedReferences extends ReferenceFacts {
  readonly index: ReferenceIndex;
}

export function sharedReferences(a: LineFeatures, b: LineFeatures, known: number): SharedReferences {
  const countsA = linesByReference(a, known);
  const countsB = linesByReference(b, known);
  const keys = Int32Array.from(b.references, (reference) => (intAt(countsA, reference) > 0 ? reference : -1));
  const starts = rangeStarts(keys, known);
  const occurrences = layOut(keys, starts);
  const rowOfB = rowsOf(b);
  const index = { starts, occurrences, rowOfB, countsA, countsB };
  const families = familiesOf(a, b, index);
  const originsB = b.origins.list.length;
  const familyOf = new Int16Array(a.origins.list.length * originsB).fill(-1);
  families.forEach(({ originA, originB }, place) => {
    familyOf[originA * originsB + originB] = place;
  });
  const doubledA = doubled(a, b, known, new Set(families.map(({ originA }) => originA)));
  const doubledB = doubled(b, a, known, new Set(families.map(({ originB }) => originB)));
  return { index, families, familyOf, originsB, ...familyMasks(a, b, families), doubledA, doubledB };
}

function rowsOf({ starts, count, references }: LineFeatures): Int32Array {
  const rows = new Int32Array(references.length);
  for (let row = 0; row < count; row += 1) rows.fill(row, intAt(starts, row), intAt(starts, row + 1));
  return rows;
}

/** Returns the number of lines that hold each reference. */
export function linesByReference({ starts, references, count }: LineFeatures, known: number): Int32Array {
  const counts = new Int32Array(known);
  const last = new Int32Array(known).fill(-1);
  for (let row = 0; row < count; row += 1) {
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      const reference = intAt(references, at);
      if (last[reference] === row) continue;
      last[reference] = row;
      counts[reference] = intAt(counts, reference) + 1;
    }
  }
  return counts;
}

function familiesOf(a: LineFeatures, b: LineFeatures, index: ReferenceIndex): Family[] {
  const known = new Map<number, Family>();
  const familyAt = (originA: number, originB: number): Family => {
    const key = originA * 65_536 + originB;
    let family = known.get(key);
    if (family === undefined) {
      family = { originA, originB, pairs: 0, seen: 0, equal: 0, near: 0, belief: 0 };
      known.set(key, family);
    }
    return family;
  };
  const { starts, occurrences, rowOfB } = index;
  for (let row = 0; row < a.count; row += 1) {
    for (let at = intAt(a.starts, row); at < intAt(a.starts, row + 1); at += 1) {
      const reference = intAt(a.references, at);
      const from = intAt(starts, reference);
      const to = intAt(starts, reference + 1);
      for (let place = from; place < to; place += 1) {
        const occurrence = intAt(occurrences, place);
        const family = familyAt(a.originOf[at] as number, b.originOf[occurrence] as number);
        if (place - from >= MOST_LOOKED_AT) {
          family.pairs += to - place;
          break;
        }
        family.pairs += 1;
        look(a, row, b, intAt(rowOfB, occurrence), family);
      }
    }
  }
  return believed([...known.values()], a, b);
}

function look(a: LineFeatures, rowA: number, b: LineFeatures, rowB: number, family: Family): void {
  family.seen += 1;
  if (intAt(a.classes, rowA) !== intAt(b.classes, rowB)) return;
  const lag = intAt(b.days, rowB) - intAt(a.days, rowA);
  if (lag < FIRST_LAG * 2 || lag > LAST_LAG * 2) return;
  const level = amountLevel(floatAt(a.values, rowA), floatAt(b.values, rowB));
  if (level === AMOUNT.equal) family.equal += 1;
  else if (level !== AMOUNT.far) family.near += 1;
}

/** Random pairs examined to see how often amounts agree by chance. */
const RANDOM_PAIRS = 4_096;

function believed(all: readonly Family[], a: LineFeatures, b: LineFeatures): Family[] {
  const chance: Family = { originA: 0, originB: 0, pairs: 0, seen: 0, equal: 0, near: 0, belief: 0 };
  const pairs = a.count === 0 || b.count === 0 ? 0 : RANDOM_PAIRS;
  for (let at = 0; at < pairs; at += 1)
    look(a, Math.floor((at * a.count) / RANDOM_PAIRS), b, (Math.imul(at, 0x9e3779b1) >>> 0) % b.count, chance);
  const ofEqual = (chance.equal + 0.5) / (chance.seen + 1);
  const ofNear = (chance.near + 0.5) / (chance.seen + 1);
  for (const family of all) {
    const { seen, equal, near } = family;
    const beyond = equal - seen * ofEqual + Math.max(0, near - seen * ofNear - 2 * Math.sqrt(seen * ofNear));
    family.belief = Math.max(0, beyond) / Math.max(1, seen);
  }
  return all
    .filter(({ belief, seen, equal, near }) => belief >= LEAST_AGREEING && (seen < 50 || equal + near > 3 * seen * ofEqual + 3))
    .toSorted(
      (left, right) => right.belief * right.seen - left.belief * left.seen || left.originA - right.originA || left.originB - right.originB,
    )
    .slice(0, MOST_FAMILIES);
}

/** Prior: this many lines hold references, and this many of them are duplicates. */
const PRIOR_LINES = 10;
const PRIOR_DOUBLED = 0.02;
/** A reference on more lines than this identifies no single item. */
const MOST_LINES = 8;

/**
 * Returns the share of duplicates, such as second payments and double bookings: lines with the reference and amount of another line of their side.
 * Parts of one line of the other side are no duplicates.
 */
function doubled(lines: LineFeatures, others: LineFeatures, known: number, origins: ReadonlySet<number>): number {
  const { references, originOf, starts, count, classes, values } = lines;
  const first = new Int32Array(known).fill(-1);
  const counterpart = firstRows(others, known);
  const seen = new Int32Array(known);
  let holding = 0;
  let twice = 0;
  for (let row = 0; row < count; row += 1) {
    let holds = false;
    let isTwice = false;
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      if (!origins.has(originOf[at] as number)) continue;
      const reference = intAt(references, at);
      const before = intAt(first, reference);
      holds = true;
      if (before < 0) first[reference] = row;
      else if (before !== row && intAt(seen, reference) < MOST_LINES) {
        seen[reference] = intAt(seen, reference) + 1;
        const opposite = intAt(counterpart, reference);
        isTwice ||=
          classes[before] === classes[row] && values[before] === values[row] && (opposite < 0 || others.values[opposite] === values[row]);
      }
    }
    if (holds) holding += 1;
    if (isTwice) twice += 1;
  }
  return (twice + PRIOR_DOUBLED) / (holding + PRIOR_LINES);
}

function firstRows({ references, starts, count }: LineFeatures, known: number): Int32Array {
  const rows = new Int32Array(known).fill(-1);
  for (let row = count - 1; row >= 0; row -= 1) {
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) rows[intAt(references, at)] = row;
  }
  return rows;
}

/** Index of the description among the fields of a side. */
const DESCRIPTION_FIELD = 0;
/** Bits after those of the families, for prefixes that both sides write even if no number occurs on both. */
const MOST_PREFIXES = 31 - MOST_FAMILIES;

/** Returns, by row, the families of its references as bits: for A by their origin on A, for B by their origin on B. */
function familyMasks(
  a: LineFeatures,
  b: LineFeatures,
  families: readonly Family[],
): { readonly familiesOfA: Int32Array; readonly familiesOfB: Int32Array } {
  const prefixesOf = ({ origins }: LineFeatures): string[] =>
    origins.list.flatMap(({ shape, prefix }) => (shape === SHAPE.lettered && prefix !== '*' ? [prefix] : []));
  const isOfFields = ({ originA, originB }: Family): boolean =>
    a.origins.list[originA]?.field !== DESCRIPTION_FIELD && b.origins.list[originB]?.field !== DESCRIPTION_FIELD;
  const ofB = new Set(prefixesOf(b));
  const prefixes = [...new Set(prefixesOf(a))].filter((prefix) => ofB.has(prefix)).slice(0, MOST_PREFIXES);
  const bitsOf = (lines: LineFeatures, originOf: (family: Family) => number): Int32Array => {
    const bits = new Int32Array(lines.origins.list.length);
    families.forEach((family, place) => {
      const own = lines.origins.list[originOf(family)];
      lines.origins.list.forEach(({ field }, origin) => {
        // A field of its own is compared with the same field, however it is written. A text may hold numbers of many kinds, so there the origin
        // decides.
        const isOfFamily = isOfFields(family) ? field === own?.field : origin === originOf(family);
        if (isOfFamily) bits[origin] = intAt(bits, origin) | (1 << place);
      });
    });
    lines.origins.list.forEach(({ shape, prefix }, origin) => {
      const place = shape === SHAPE.lettered ? prefixes.indexOf(prefix) : -1;
      if (place >= 0) bits[origin] = intAt(bits, origin) | (1 << (MOST_FAMILIES + place));
    });
    return bits;
  };
  return {
    familiesOfA: masks(
      a,
      bitsOf(a, ({ originA }) => originA),
    ),
    familiesOfB: masks(
      b,
      bitsOf(b, ({ originB }) => originB),
    ),
  };
}

function masks({ count, starts, originOf }: LineFeatures, bits: Int32Array): Int32Array {
  const found = new Int32Array(count);
  for (let row = 0; row < count; row += 1) {
    let mask = 0;
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) mask |= intAt(bits, originOf[at] as number);
    found[row] = mask;
  }
  return found;
}

/** Calls `visit` for each line of B that shares a reference of a known family with a row of A, with the family's index and the rarity. */
export function eachSharing(
  a: LineFeatures,
  b: LineFeatures,
  shared: SharedReferences,
  row: number,
  visit: (rowB: number, family: number, rarity: number) => void,
): void {
  const { familyOf, originsB } = shared;
  const { starts, occurrences, rowOfB, countsA, countsB } = shared.index;
  for (let at = intAt(a.starts, row); at < intAt(a.starts, row + 1); at += 1) {
    const reference = intAt(a.references, at);
    const from = intAt(starts, reference);
    const to = intAt(starts, reference + 1);
    if (from === to) continue;
    const pairs = intAt(countsA, reference) * intAt(countsB, reference);
    if (pairs > MOST_PAIRS_OF_REFERENCE) continue;
    const rarity = rarityOf(pairs);
    for (let place = from; place < to; place += 1) {
      const occurrence = intAt(occurrences, place);
      const family = familyOf[(a.originOf[at] as number) * originsB + (b.originOf[occurrence] as number)] as number;
      if (family >= 0) visit(intAt(rowOfB, occurrence), family, rarity);
    }
  }
}
