import type { SignConvention } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { floatAt, grownTo, intAt, itemAt } from '../collections/typed-arrays.ts';
import type { Side } from '../records/fields.ts';

/** Limits: members of a combination, amounts in units, and candidates. Sums of that many amounts are exact. */
export const SUM_LIMITS = { records: 12, units: 2 ** 53 / 16, candidates: 2_000 } as const;

/** A record that may be part of the sum. */
export interface SumCandidate {
  /** Signed minor units at a common scale. A candidate of 0 adds nothing and one beyond `SUM_LIMITS.units` is not exact; both are left out. */
  readonly units: number;
  /** Days from the target; fewer are better. */
  readonly days: number;
  /** Returns equal texts for records that a person could not distinguish. */
  readonly likeness: () => string;
}

export interface SumProblem {
  /** In content order, which decides what nothing else decides. */
  readonly candidates: readonly SumCandidate[];
  /** Ranges of the wanted sum: at most two, disjoint and not adjacent, none containing 0. What lies beyond `SUM_LIMITS.units` is not searched. */
  readonly ranges: readonly SumRange[];
  readonly least: number;
  readonly most: number;
  /** Limit of the search, in steps of a few nanoseconds. */
  readonly work: number;
  /** Number of combinations to keep. Sizes are searched until there are as many, or to the end. */
  readonly wanted: number;
}

/**
 * Kind of a choice among equal amounts: `whole` takes all of them, `alike` takes some of several that are indistinguishable, `nearest` takes those
 * that are nearer than the rest, `open` takes some of several that are equally near.
 */
export type ChoiceOfEquals = 'whole' | 'alike' | 'nearest' | 'open';

interface SumCombination {
  /** Indexes of candidates, ascending. */
  readonly members: readonly number[];
  /** Sum of the days of all members. */
  readonly days: number;
  /** The weakest choice among all its amounts. */
  readonly choice: ChoiceOfEquals;
}

export interface SumsFound {
  /** Ordered by fewest records, then fewest days, then content. There is one for each set of amounts, which takes the nearest of equal amounts. */
  readonly combinations: readonly SumCombination[];
  /** Number of sets of amounts found; `combinations` may hold fewer. */
  readonly count: number;
  /** All combinations of at most this many records are known. */
  readonly knownUpTo: number;
  /** Whether the limit of work was reached before the search was complete. */
  readonly gaveUp: boolean;
  /** By candidate: 1 if it, or an equal amount, is in some combination found. */
  readonly touched: Uint8Array;
}

/** Candidates with equal amounts, nearest first, then by content. */
interface EqualAmounts {
  readonly units: number;
  readonly members: readonly number[];
}

interface Search {
  readonly problem: SumProblem;
  readonly groups: readonly EqualAmounts[];
  /** Group of each position. */
  readonly groupAt: Int32Array;
  readonly touchedGroups: Uint8Array;
  readonly kept: SumCombination[];
  count: number;
}

/**
 * Finds all ways to make up a sum, up to exchanging equal amounts, with bounded work. The result says whether the work was enough. Rules, evidence, the
 * causes of a close and suggestions ask it; each brings its own candidates and bounds, and decides by itself how far a sum can be trusted.
 */
export function findSums(given: SumProblem): SumsFound {
  const problem = { ...given, ranges: given.ranges.flatMap(exactRange) };
  const groups = groupsOf(problem);
  const picks = picksOf(groups, problem.most);
  const search: Search = { problem, groups, groupAt: picks.groupAt, touchedGroups: new Uint8Array(groups.length), kept: [], count: 0 };
  const work = { steps: problem.work };
  const subsets = new SubsetSearch(work, (positions) => keep(search, positions));
  subsets.load(picks);
  let knownUpTo = problem.least - 1;
  let gaveUp = false;
  while (!gaveUp && knownUpTo < problem.most && search.count < problem.wanted) {
    if (runSize(search, subsets, knownUpTo + 1)) knownUpTo += 1;
    else gaveUp = true;
  }
  return { combinations: search.kept, count: search.count, knownUpTo, gaveUp, touched: touchedBy(search) };
}

/** Returns whether no other combination of up to `most` records adds up, apart from exchanging indistinguishable ones. */
export function isOnly({ count, knownUpTo, combinations }: SumsFound, most: number): boolean {
  const choice = combinations[0]?.choice;
  return count === 1 && knownUpTo === most && (choice === 'whole' || choice === 'alike');
}

/** Returns the whole units of a range within which sums are exact, or nothing. */
function exactRange({ low, high }: SumRange): SumRange[] {
  const range = { low: Math.max(Math.ceil(low), -SUM_LIMITS.units), high: Math.min(Math.floor(high), SUM_LIMITS.units) };
  return range.low <= range.high ? [{ low: range.low + 0, high: range.high + 0 }] : [];
}

/** Returns false if the work was used up. */
function runSize(search: Search, subsets: SubsetSearch, count: number): boolean {
  for (const range of search.problem.ranges) {
    if (count > 1) {
      if (!subsets.run(count, range)) return false;
      continue;
    }
    for (const [position, group] of search.groupAt.entries()) {
      const { units } = itemAt(search.groups, group);
      const isFirst = position === 0 || intAt(search.groupAt, position - 1) !== group;
      if (isFirst && units >= range.low && units <= range.high) keep(search, Int32Array.of(position));
    }
  }
  return true;
}

/** Returns groups of equal amounts, the largest first, without those that no combination can contain. */
function groupsOf({ candidates, ranges, most }: SumProblem): EqualAmounts[] {
  const byUnits = new Map<number, number[]>();
  for (const [index, candidate] of candidates.entries()) {
    if (candidate.units === 0 || Math.abs(candidate.units) > SUM_LIMITS.units) continue;
    const members = byUnits.get(candidate.units);
    if (members === undefined) byUnits.set(candidate.units, [index]);
    else members.push(index);
  }
  const low = Math.min(...ranges.map((range) => range.low));
  const high = Math.max(...ranges.map((range) => range.high));
  const units = [...byUnits.keys()].toSorted((left, right) => right - left);
  const others = extremesOf(units, byUnits, most - 1);
  const days = (index: number): number => itemAt(candidates, index).days;
  return units
    .filter((value) => value + others.most >= low && value + others.least <= high)
    .map((value) => ({
      units: value,
      members: present(byUnits.get(value), 'records of an amount').toSorted((left, right) => days(left) - days(right) || left - right),
    }));
}

/** Returns the largest and smallest sum of up to `count` of the amounts. `units` is descending. */
function extremesOf(
  units: readonly number[],
  byUnits: ReadonlyMap<number, readonly number[]>,
  count: number,
): { most: number; least: number } {
  const extreme = (inOrder: readonly number[], isUseful: (value: number) => boolean): number => {
    let sum = 0;
    let left = count;
    for (const value of inOrder) {
      if (left === 0 || !isUseful(value)) break;
      const taken = Math.min(left, byUnits.get(value)?.length ?? 0);
      sum += value * taken;
      left -= taken;
    }
    return sum;
  };
  return { most: extreme(units, (value) => value > 0), least: extreme(units.toReversed(), (value) => value < 0) };
}

function picksOf(groups: readonly EqualAmounts[], most: number): { units: Float64Array; copy: Int32Array; groupAt: Int32Array } {
  const groupAt: number[] = [];
  const copy: number[] = [];
  for (const [group, { members }] of groups.entries()) {
    for (let index = 0; index < Math.min(members.length, most); index += 1) {
      groupAt.push(group);
      copy.push(index);
    }
  }
  return {
    units: Float64Array.from(groupAt, (group) => itemAt(groups, group).units),
    copy: Int32Array.from(copy),
    groupAt: Int32Array.from(groupAt),
  };
}

function keep(search: Search, positions: Int32Array): void {
  const { problem, groups, groupAt, kept } = search;
  search.count += 1;
  let days = 0;
  const members: number[] = [];
  let ofGroup = 0;
  for (const [index, position] of positions.entries()) {
    const group = intAt(groupAt, position);
    ofGroup = index > 0 && intAt(groupAt, intAt(positions, index - 1)) === group ? ofGroup + 1 : 0;
    search.touchedGroups[group] = 1;
    const member = itemAt(itemAt(groups, group).members, ofGroup);
    members.push(member);
    days += itemAt(problem.candidates, member).days;
  }
  members.sort((left, right) => left - right);
  const last = kept.at(-1);
  const isFull = kept.length >= problem.wanted;
  if (isFull && last !== undefined && compareCombinations({ members, days }, last) > 0) return;
  const place = kept.findIndex((other) => compareCombinations({ members, days }, other) < 0);
  kept.splice(place < 0 ? kept.length : place, 0, { members, days, choice: choiceOf(search, positions) });
  if (kept.length > problem.wanted) kept.pop();
}

/** Compares by number of records, then days, then content. */
function compareCombinations(left: Pick<SumCombination, 'members' | 'days'>, right: Pick<SumCombination, 'members' | 'days'>): number {
  const bySize = left.members.length - right.members.length || left.days - right.days;
  if (bySize !== 0) return bySize;
  const place = left.members.findIndex((member, index) => member !== right.members[index]);
  return place < 0 ? 0 : itemAt(left.members, place) - itemAt(right.members, place);
}

const WEAKER: readonly ChoiceOfEquals[] = ['whole', 'alike', 'nearest', 'open'];

function choiceOf({ problem, groups, groupAt }: Search, positions: Int32Array): ChoiceOfEquals {
  let weakest = 0;
  for (let start = 0; start < positions.length;) {
    const group = intAt(groupAt, intAt(positions, start));
    let end = start + 1;
    while (end < positions.length && intAt(groupAt, intAt(positions, end)) === group) end += 1;
    weakest = Math.max(weakest, WEAKER.indexOf(choiceAmong(problem, itemAt(groups, group).members, end - start)));
    start = end;
  }
  return itemAt(WEAKER, weakest);
}

/** Returns the kind of a choice of `taken` of `members`, which have equal amounts and are ordered by distance in days. */
function choiceAmong({ candidates }: SumProblem, members: readonly number[], taken: number): ChoiceOfEquals {
  if (taken === members.length) return 'whole';
  const candidateAt = (place: number): SumCandidate => itemAt(candidates, itemAt(members, place));
  const isAlike = (from: number, to: number): boolean => {
    const first = candidateAt(from).likeness();
    for (let place = from + 1; place < to; place += 1) if (candidateAt(place).likeness() !== first) return false;
    return true;
  };
  if (isAlike(0, members.length)) return 'alike';
  const bound = candidateAt(taken - 1).days;
  if (candidateAt(taken).days > bound) return 'nearest';
  const from = members.findIndex((_, place) => candidateAt(place).days === bound);
  let to = taken;
  while (to < members.length && candidateAt(to).days === bound) to += 1;
  return isAlike(from, to) ? 'nearest' : 'open';
}

function touchedBy({ problem, groups, touchedGroups }: Search): Uint8Array {
  const touched = new Uint8Array(problem.candidates.length);
  for (const [group, isTouched] of touchedGroups.entries()) {
    if (isTouched === 1) for (const member of itemAt(groups, group).members) touched[member] = 1;
  }
  return touched;
}

/** Credits minus debits of each side, in minor units at one scale. */
interface Nets {
  readonly a: bigint;
  readonly b: bigint;
}

/**
 * Returns what further records of a side must sum up to, credits minus debits, so that the nets of the sides differ by at most `tolerance` minor
 * units. Returns no range if they already do. Under `any`, which compares magnitudes, there are two ranges.
 */
export function rangesToBalance(nets: Nets, side: Side, convention: SignConvention, tolerance: bigint): SumRange[] {
  const own = nets[side];
  const other = nets[side === 'a' ? 'b' : 'a'];
  const goals = convention === 'any' ? [-magnitude(other), magnitude(other)] : [convention === 'opposite' ? -other : other];
  const ranges: { low: bigint; high: bigint }[] = [];
  for (const goal of goals) {
    const range = { low: goal - own - tolerance, high: goal - own + tolerance };
    if (range.low <= 0n && range.high >= 0n) return [];
    const last = ranges.at(-1);
    // Goals are ascending, so adjacent ranges touch at their ends.
    if (last !== undefined && last.high + 1n >= range.low) last.high = range.high;
    else ranges.push(range);
  }
  return ranges.map(({ low, high }) => ({ low: Number(low), high: Number(high) }));
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Most sums that a table holds; with six positions each it takes about 10 MB. */
const MAX_SUMS = 1 << 18;

const LEAST_SLOTS = 1 << 8;

/**
 * A table of the sums of small sets of positions, looked up by a range of sums. All ranges have the same width, so a range touches at most two
 * buckets. `reset` empties the table and keeps its memory. Filling a table with sets of three takes 40 ms and 16 MB; a Map of arrays takes 530 ms and
 * 47 MB. Small searches take as long with either.
 */
class SumTable {
  #heads = new Int32Array(LEAST_SLOTS);
  #mask = LEAST_SLOTS - 1;
  #next = new Int32Array(LEAST_SLOTS);
  #sums = new Float64Array(LEAST_SLOTS);
  #positions = new Int32Array(LEAST_SLOTS);
  #arity = 1;
  #width = 1;
  #count = 0;

  /** Empties the table. `arity` is the number of positions in a set; `width` is the number of whole units in a range. */
  reset(arity: number, width: number, expected: number): void {
    this.#arity = arity;
    this.#width = width;
    this.#count = 0;
    let slots = LEAST_SLOTS;
    while (slots < expected && slots < MAX_SUMS) slots *= 2;
    if (this.#heads.length < slots) this.#heads = new Int32Array(slots);
    this.#mask = slots - 1;
    this.#heads.fill(-1, 0, slots);
  }

  /** Adds a sum; returns false if the table is full. */
  add(sum: number, positions: Int32Array): boolean {
    if (this.#count === MAX_SUMS) return false;
    if (this.#count === this.#next.length) this.#grow();
    if ((this.#count + 1) * this.#arity > this.#positions.length) this.#positions = grownTo(this.#positions, this.#positions.length + 1);
    const slot = this.#slotOf(Math.floor(sum / this.#width));
    this.#sums[this.#count] = sum;
    for (let index = 0; index < this.#arity; index += 1) this.#positions[this.#count * this.#arity + index] = intAt(positions, index);
    this.#next[this.#count] = intAt(this.#heads, slot);
    this.#heads[slot] = this.#count;
    this.#count += 1;
    return true;
  }

  /** Returns the first entry that may be in a bucket, or -1; `after` returns the next one. Entries of other buckets may be in between. */
  first(bucket: number): number {
    return intAt(this.#heads, this.#slotOf(bucket));
  }

  after(entry: number): number {
    return intAt(this.#next, entry);
  }

  bucketOf(sum: number): number {
    return Math.floor(sum / this.#width);
  }

  sumOf(entry: number): number {
    return floatAt(this.#sums, entry);
  }

  positionOf(entry: number, index: number): number {
    return intAt(this.#positions, entry * this.#arity + index);
  }

  #slotOf(bucket: number): number {
    const low = bucket | 0;
    const high = Math.floor(bucket / 4_294_967_296) | 0;
    const mixed = Math.imul(low ^ Math.imul(high, 0x85eb_ca6b), 0x9e37_79b1);
    return ((mixed >>> 15) ^ mixed) & this.#mask;
  }

  #grow(): void {
    this.#next = grownTo(this.#next, this.#count + 1);
    this.#sums = grownTo(this.#sums, this.#count + 1);
  }
}

/** Cost of processing a combination, in steps. */
const STEPS_PER_WAY = 24;
/** Costs of adding a sum to the table and of a lookup, which mostly wait for memory. */
const STEPS_PER_SUM = 16;
const STEPS_PER_LOOK = 12;
/** Cost of a binary search among the amounts. */
const STEPS_PER_HALVING = 8;

/** Sums from `low` to `high`, both included, in units. */
export interface SumRange {
  readonly low: number;
  readonly high: number;
}

/** Amounts to choose from, in descending order, so that equal ones are adjacent. */
interface Picks {
  readonly units: Float64Array;
  /** By position: how many equal amounts come before it. */
  readonly copy: Int32Array;
}

/** Remaining work of a search, in steps of a few nanoseconds. */
interface WorkLeft {
  steps: number;
}

/**
 * Finds every way to choose a number of positions whose amounts add up to a sum in a range. Equal amounts count as one, and the first of them are
 * chosen. The search meets in the middle: a combination is the sorted list of its positions, divided at a cut. The sums of left parts are added to a
 * table while the cut moves right, so that each combination is found exactly once. Both parts are pruned when the largest or smallest sums that are
 * still possible miss the range.
 */
class SubsetSearch {
  readonly #table = new SumTable();
  readonly #work: WorkLeft;
  readonly #onFound: (positions: Int32Array) => void;
  #units: Float64Array = new Float64Array(0);
  #copy: Int32Array = new Int32Array(0);
  /** `before[n]` is the sum of the first n amounts. */
  #before = new Float64Array(1);
  #size = 0;
  #low = 0;
  #high = 0;
  #leftSize = 0;
  #rightSize = 0;
  #cut = 0;
  #leftPositions = new Int32Array(0);
  #positions = new Int32Array(0);

  constructor(work: WorkLeft, onFound: (positions: Int32Array) => void) {
    this.#work = work;
    this.#onFound = onFound;
  }

  load({ units, copy }: Picks): void {
    this.#units = units;
    this.#copy = copy;
    this.#size = units.length;
    this.#before = new Float64Array(this.#size + 1);
    for (let index = 0; index < this.#size; index += 1) this.#before[index + 1] = floatAt(this.#before, index) + floatAt(units, index);
  }

  /** Passes all combinations of `count` (2 or more) positions to `onFound`, ascending; returns false if the work was used up before the end. */
  run(count: number, range: SumRange): boolean {
    if (count > this.#size) return true;
    this.#low = range.low;
    this.#high = range.high;
    const { leftSize, expected } = this.#split(count);
    this.#leftSize = leftSize;
    this.#rightSize = count - leftSize;
    this.#leftPositions = new Int32Array(leftSize);
    this.#positions = new Int32Array(count);
    this.#table.reset(leftSize, range.high - range.low + 1, expected);
    for (let first = leftSize; first <= this.#size - this.#rightSize; first += 1) {
      this.#work.steps -= 1;
      this.#leftPositions[leftSize - 1] = first - 1;
      this.#cut = first;
      if (!this.#pickLeft(1, first - 1, floatAt(this.#units, first - 1))) return false;
      this.#positions[leftSize] = first;
      if (!this.#pickRight(1, first, floatAt(this.#units, first))) return false;
    }
    return this.#work.steps > 0;
  }

  /** Returns how many positions the left part has: half of them, or fewer if the table could not hold them. */
  #split(count: number): { leftSize: number; expected: number } {
    let leftSize = 1;
    let expected = this.#size;
    while (leftSize < count >> 1) {
      const more = (expected * (this.#size - leftSize)) / (leftSize + 1);
      if (more > MAX_SUMS) break;
      expected = more;
      leftSize += 1;
    }
    return { leftSize, expected };
  }

  /** Returns the sum of the positions from `from` up to but excluding `to`. */
  #total(from: number, to: number): number {
    return floatAt(this.#before, to) - floatAt(this.#before, from);
  }

  /**
   * Extends the left part downwards from `lowest`, the last position chosen. Equal amounts are chosen from the first on, so the position before a
   * copy must be chosen too.
   */
  #pickLeft(picked: number, lowest: number, sum: number): boolean {
    const missing = this.#leftSize - picked;
    if (missing === 0) return intAt(this.#copy, lowest) > 0 || this.#remember(sum);
    const low = this.#low;
    const high = this.#high;
    const size = this.#size;
    const cut = this.#cut;
    const rightSize = this.#rightSize;
    const most = this.#total(cut, cut + rightSize) + this.#total(0, missing - 1);
    const least = this.#total(size - rightSize, size);
    const isForced = intAt(this.#copy, lowest) > 0;
    const end = isForced ? lowest - 1 : missing - 1;
    for (let position = lowest - 1; position >= end && position >= missing - 1; position -= 1) {
      if ((this.#work.steps -= 1) < 0) return false;
      const next = sum + floatAt(this.#units, position);
      if (next + least + this.#total(position - missing + 1, position) > high) break;
      if (next + most < low) continue;
      this.#leftPositions[missing - 1] = position;
      if (!this.#pickLeft(picked + 1, position, next)) return false;
    }
    return true;
  }

  #remember(sum: number): boolean {
    this.#work.steps -= STEPS_PER_SUM;
    const isKept = this.#table.add(sum, this.#leftPositions);
    if (!isKept) this.#work.steps = 0;
    return isKept;
  }

  #pickRight(picked: number, highest: number, sum: number): boolean {
    const missing = this.#rightSize - picked;
    if (missing === 0) return this.#lookUp(sum);
    const low = this.#low;
    const high = this.#high;
    const size = this.#size;
    const cut = this.#cut;
    const leftSize = this.#leftSize;
    const most = this.#total(0, leftSize);
    const least = this.#total(cut - leftSize, cut) + this.#total(size - missing + 1, size);
    this.#work.steps -= STEPS_PER_HALVING;
    let position = this.#firstAtMost(high - sum - least, highest + 1);
    // Equal amounts are chosen from the first on: the next copy, or the first of another amount.
    for (; position <= size - missing; position += 1) {
      if ((this.#work.steps -= 1) < 0) return false;
      if (intAt(this.#copy, position) > 0 && position !== highest + 1) continue;
      const next = sum + floatAt(this.#units, position);
      if (next + most + this.#total(position + 1, position + missing) < low) break;
      this.#positions[this.#leftSize + picked] = position;
      if (!this.#pickRight(picked + 1, position, next)) return false;
    }
    return true;
  }

  /** Returns the first position from `from` on whose amount is at most `units`. */
  #firstAtMost(units: number, from: number): number {
    let low = from;
    let high = this.#size;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (floatAt(this.#units, middle) <= units) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #lookUp(sum: number): boolean {
    const low = this.#low - sum;
    const high = this.#high - sum;
    const lastBucket = this.#table.bucketOf(high);
    const isCopy = intAt(this.#copy, this.#cut) > 0;
    this.#work.steps -= STEPS_PER_LOOK;
    for (let bucket = this.#table.bucketOf(low); bucket <= lastBucket; bucket += 1) {
      for (let entry = this.#table.first(bucket); entry >= 0; entry = this.#table.after(entry)) {
        if ((this.#work.steps -= 1) < 0) return false;
        const left = this.#table.sumOf(entry);
        // Two buckets may share a slot, so an entry counts only under its own bucket.
        if (left < low || left > high || this.#table.bucketOf(left) !== bucket) continue;
        // A copy may follow only its predecessor, which must be the last position of the left part.
        if (isCopy && this.#table.positionOf(entry, this.#leftSize - 1) !== this.#cut - 1) continue;
        for (let index = 0; index < this.#leftSize; index += 1) this.#positions[index] = this.#table.positionOf(entry, index);
        this.#work.steps -= STEPS_PER_WAY;
        this.#onFound(this.#positions);
      }
    }
    return this.#work.steps >= 0;
  }
}
