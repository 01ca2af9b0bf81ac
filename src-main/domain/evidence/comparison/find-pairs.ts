import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import type { LineFeatures } from '../features/line-features.ts';
import { eachSharing, type SharedReferences } from '../features/shared-references.ts';
import type { AliasLevels } from '../frequencies/alias-levels.ts';
import { type Amounts, firstKeyFrom } from '../frequencies/amounts.ts';
import { ASKED, compareNames, type NameWeights, type Postings } from '../frequencies/name-weights.ts';
import { AMOUNT, amountLevel, BANDS, FIRST_LAG, lagBin, LAST_LAG, RARITY_LEVELS, REFERENCE, REFERENCE_LEVELS } from './levels.ts';
import { PairList } from './pairs.ts';

/** Most candidates of a line; the weakest are cut. */
const MOST_CANDIDATES = 24;
/** Most lines of the same amount that become candidates by amount alone. */
const MOST_OF_AMOUNT = 16;
/**
 * Windows of days in which lines of the same amount are searched, each narrower than the one before, until at most `MOST_OF_AMOUNT` lines lie inside.
 * They are turned where the lines of side B certainly come first.
 */
const WINDOWS = [
  [FIRST_LAG, LAST_LAG],
  [-10, 35],
  [-3, 14],
  [-1, 5],
  [0, 2],
] as const;
/**
 * If nothing else suggests a candidate, lines with an amount within this share and these days are compared, unless more than `MOST_NEAR` lines have
 * such an amount. Either line may be the earlier one: the bank is side A of some books, and its lines less a fee come days after the receipts.
 */
const NEAR = 0.06;
const NEAR_DAYS = 6;
const MOST_NEAR = 400;
/** Most lines that are visited for one line by the features of its name. */
const MOST_STEPS = 6_000;
/** Rare features that two names must share before they are compared, in bits. */
const LEAST_SHARED = 4;

interface PairSources {
  readonly a: LineFeatures;
  readonly b: LineFeatures;
  readonly amounts: Amounts;
  readonly references: SharedReferences;
  readonly weights: NameWeights;
  readonly postings: Postings;
  readonly aliases: AliasLevels;
  /** By level: what agreement at that level is worth before anything is learned, in bits. */
  readonly worth: {
    readonly amount: Float64Array;
    readonly lag: Float64Array;
    readonly text: Float64Array;
    readonly reference: Float64Array;
  };
  /** Days after a line, first and last, in which partners are searched by name. */
  readonly fromDay: number;
  readonly toDay: number;
  /** Whether the lines of side B certainly come first. */
  readonly isTurned: boolean;
  /** Called with the number of rows of A finished since the last call. */
  readonly advance: (rows: number) => void;
  readonly isCancelled: () => boolean;
}

export interface FoundPairs {
  readonly starts: Int32Array;
  readonly list: PairList;
  /** By row of A: first and last day after it in which all lines of its amount were listed; 0 and -1 if none were. */
  readonly listedFrom: Int8Array;
  readonly listedTo: Int8Array;
  readonly capped: number;
  /** Pairs that share a reference, by level, whatever their amounts and days. */
  readonly sharing: Float64Array;
}

const ROWS_PER_LOOK = 1_024;

/** Returns the pairs that may be true, or null when cancelled. */
export function findPairs(sources: PairSources): FoundPairs | null {
  const finder = new PairFinder(sources);
  const { a } = sources;
  for (let row = 0; row < a.count; row += 1) {
    if (row % ROWS_PER_LOOK === 0) {
      sources.advance(Math.min(ROWS_PER_LOOK, a.count - row));
      if (sources.isCancelled()) return null;
    }
    finder.find(row);
  }
  return {
    starts: finder.starts,
    list: finder.list,
    listedFrom: finder.listedFrom,
    listedTo: finder.listedTo,
    capped: finder.capped,
    sharing: finder.sharing,
  };
}

class PairFinder {
  readonly starts: Int32Array;
  readonly list = new PairList();
  readonly listedFrom: Int8Array;
  readonly listedTo: Int8Array;
  capped = 0;
  readonly sharing = new Float64Array(REFERENCE_LEVELS);
  readonly #sources: PairSources;
  readonly #hasAliases: boolean;
  /** By row of B: one plus the row of A that last met it. */
  readonly #met: Int32Array;
  /**
   * By row of B: the bits of rare features it shares with a row of A and that row plus one; the level of a shared reference and that row plus one.
   */
  readonly #shared: Float32Array;
  readonly #level: Uint8Array;
  readonly #levelOf: Int32Array;
  readonly #sharedOf: Int32Array;
  #found: number[] = [];
  #row = 0;

  constructor(sources: PairSources) {
    const { a, b } = sources;
    this.#sources = sources;
    this.#hasAliases = sources.aliases.levels.length > 0;
    this.starts = new Int32Array(a.count + 1);
    this.listedFrom = new Int8Array(a.count);
    this.listedTo = new Int8Array(a.count).fill(-1);
    this.#met = new Int32Array(b.count);
    this.#shared = new Float32Array(b.count);
    this.#sharedOf = new Int32Array(b.count);
    this.#level = new Uint8Array(b.count);
    this.#levelOf = new Int32Array(b.count);
  }

  find(row: number): void {
    this.#row = row;
    this.#found = [];
    this.#byReference();
    this.#byAmount();
    if (this.#found.length === 0) this.#byNearAmount();
    this.#byName();
    if (this.#hasAliases) this.#byAlias();
    this.#keep();
    this.starts[row + 1] = this.list.count;
  }

  #meet(rowB: number): void {
    if (this.#met[rowB] === this.#row + 1) return;
    this.#met[rowB] = this.#row + 1;
    this.#found.push(rowB);
  }

  #byReference(): void {
    const { a, b, references } = this.#sources;
    const row = this.#row;
    const level = this.#level;
    const levelOf = this.#levelOf;
    eachSharing(a, b, references, row, (rowB, family, rarity) => {
      const found = REFERENCE.first + family * RARITY_LEVELS + rarity;
      // Of several shared references the one of the best family counts, and within a family the rarest.
      if (levelOf[rowB] === row + 1) {
        const before = level[rowB] as number;
        if (before <= found) return;
        this.sharing[before] = floatAt(this.sharing, before) - 1;
      }
      this.sharing[found] = floatAt(this.sharing, found) + 1;
      level[rowB] = found;
      levelOf[rowB] = row + 1;
      if (this.#mayBe(rowB)) this.#meet(rowB);
    });
  }

  #mayBe(rowB: number): boolean {
    const { a, b } = this.#sources;
    if (intAt(a.classes, this.#row) !== intAt(b.classes, rowB)) return false;
    const lag = intAt(b.days, rowB) - intAt(a.days, this.#row);
    if (lag < FIRST_LAG * 3 || lag > LAST_LAG * 3) return false;
    return amountLevel(floatAt(a.values, this.#row), floatAt(b.values, rowB)) !== AMOUNT.far;
  }

  #byAmount(): void {
    const { a, b, amounts, isTurned } = this.#sources;
    const row = this.#row;
    if (floatAt(a.values, row) === 0) return;
    const { startsB, rowsB } = amounts;
    const key = intAt(amounts.keyOfA, row);
    const [from, to] = [intAt(startsB, key), intAt(startsB, key + 1)];
    if (from === to) {
      this.listedFrom[row] = FIRST_LAG;
      this.listedTo[row] = LAST_LAG;
      return;
    }
    const day = intAt(a.days, row);
    for (const [earliest, latest] of WINDOWS) {
      const [first, last] = isTurned ? [0 - latest, 0 - earliest] : [earliest, latest];
      const begin = firstOn(b.days, rowsB, from, to, day + first);
      const end = firstOn(b.days, rowsB, begin, to, day + last + 1);
      if (end - begin > MOST_OF_AMOUNT) continue;
      for (let at = begin; at < end; at += 1) this.#meet(intAt(rowsB, at));
      this.listedFrom[row] = first;
      this.listedTo[row] = last;
      return;
    }
  }

  /** Adds lines of nearly the same amount within some days, as a fee produces them, if there are few of them. */
  #byNearAmount(): void {
    const { a, b, amounts } = this.#sources;
    const row = this.#row;
    const value = floatAt(a.values, row);
    const group = intAt(a.classes, row);
    if (value === 0) return;
    const from = intAt(amounts.startsB, firstKeyFrom(amounts, group, value * (1 - NEAR)));
    const to = intAt(amounts.startsB, firstKeyFrom(amounts, group, value * (1 + NEAR)));
    if (to - from > MOST_NEAR) return;
    const day = intAt(a.days, row);
    for (let at = from; at < to; at += 1) {
      const rowB = intAt(amounts.rowsB, at);
      if (Math.abs(intAt(b.days, rowB) - day) <= NEAR_DAYS) this.#meet(rowB);
    }
  }

  #byName(): void {
    const { a, b, weights, postings, fromDay, toDay } = this.#sources;
    const row = this.#row;
    const shared = this.#shared;
    const sharedOf = this.#sharedOf;
    const name = intAt(a.names, row);
    if (name < 0) return;
    const value = floatAt(a.values, row);
    const widest = BANDS[BANDS.length - 1] ?? 0;
    const [low, high] = [value * (1 - widest), value / (1 - widest)];
    const [firstDay, lastDay] = [intAt(a.days, row) + fromDay, intAt(a.days, row) + toDay];
    const group = intAt(a.classes, row);
    let steps = 0;
    const from = intAt(postings.rareStarts, name);
    const to = Math.min(from + ASKED, intAt(postings.rareStarts, name + 1));
    for (let at = from; at < to && steps < MOST_STEPS; at += 1) {
      const feature = intAt(postings.rare, at);
      const bits = weights.bits[feature] as number;
      const end = intAt(postings.starts, feature + 1);
      for (let place = firstOn(b.days, postings.rows, intAt(postings.starts, feature), end, firstDay); place < end; place += 1) {
        const rowB = intAt(postings.rows, place);
        if (intAt(b.days, rowB) > lastDay) break;
        steps += 1;
        const valueB = floatAt(b.values, rowB);
        if (valueB < low || valueB > high || intAt(b.classes, rowB) !== group) continue;
        const before = sharedOf[rowB] === row + 1 ? (shared[rowB] as number) : 0;
        sharedOf[rowB] = row + 1;
        shared[rowB] = before + bits;
        if (before + bits >= LEAST_SHARED) this.#meet(rowB);
      }
    }
  }

  /** Adds lines whose name has an alias for the name of this line, if amount and day are near. */
  #byAlias(): void {
    const { a, b, aliases, fromDay, toDay } = this.#sources;
    const [firstDay, lastDay] = [intAt(a.days, this.#row) + fromDay, intAt(a.days, this.#row) + toDay];
    let steps = 0;
    for (const rows of aliases.rowsFor(intAt(a.names, this.#row))) {
      for (let place = firstOn(b.days, rows, 0, rows.length, firstDay); place < rows.length && steps < MOST_STEPS; place += 1) {
        const rowB = intAt(rows, place);
        if (intAt(b.days, rowB) > lastDay) break;
        steps += 1;
        if (this.#mayBe(rowB)) this.#meet(rowB);
      }
    }
  }

  /** Compares the lines that were met and keeps the best. */
  #keep(): void {
    const { list } = this;
    const found = this.#found;
    if (found.length === 0) return;
    const scored = found.map((rowB) => this.#compared(rowB));
    if (scored.length > MOST_CANDIDATES) {
      this.capped += 1;
      scored.sort((left, right) => right.worth - left.worth || left.rowB - right.rowB);
      scored.length = MOST_CANDIDATES;
    }
    scored.sort((left, right) => left.rowB - right.rowB);
    for (const { rowB, amount, lag, text, reference } of scored) list.add(rowB, amount, lag, text, reference);
  }

  #compared(rowB: number): Compared {
    const { a, b, weights, aliases, references, worth } = this.#sources;
    const row = this.#row;
    const amount = amountLevel(floatAt(a.values, row), floatAt(b.values, rowB));
    const lag = lagBin(intAt(b.days, rowB) - intAt(a.days, row));
    const nameA = intAt(a.names, row);
    const nameB = intAt(b.names, rowB);
    const alias = this.#hasAliases ? aliases.levelOf(nameA, nameB) : -1;
    const text = alias >= 0 ? alias : compareNames(weights, nameA, nameB);
    const isMissing = (intAt(references.familiesOfA, row) & intAt(references.familiesOfB, rowB)) === 0;
    const own = isMissing ? REFERENCE.missing : REFERENCE.differ;
    const reference = this.#levelOf[rowB] === row + 1 ? (this.#level[rowB] as number) : own;
    const sum = floatAt(worth.amount, amount) + floatAt(worth.lag, lag) + floatAt(worth.text, text) + floatAt(worth.reference, reference);
    return { rowB, amount, lag, text, reference, worth: sum };
  }
}

interface Compared {
  readonly rowB: number;
  readonly amount: number;
  readonly lag: number;
  readonly text: number;
  readonly reference: number;
  readonly worth: number;
}

/** Returns the first index in `from..to` whose row is dated on `day` or later. */
export function firstOn(days: Int32Array, rows: Int32Array, from: number, to: number, day: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (intAt(days, intAt(rows, middle)) < day) low = middle + 1;
    else high = middle;
  }
  return low;
}
