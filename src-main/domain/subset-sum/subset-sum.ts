import { present } from '../../../src-shared/values/assert.ts';
import { intAt, itemAt } from '../collections/typed-arrays.ts';
import { type SumRange, SubsetSearch } from './meet-in-the-middle.ts';

/** Limits: members of a combination, amounts in units, and candidates. Sums of that many amounts are exact. */
export const SUM_LIMITS = { records: 12, units: 2 ** 53 / 16, candidates: 2_000 } as const;

/** A record that may be part of the sum. */
export interface SumCandidate {
  /** Signed minor units at a common scale, at most `SUM_LIMITS.units`. A candidate of 0 adds nothing and is left out. */
  readonly units: number;
  /** Days from the target; fewer are better. */
  readonly days: number;
  /** Returns equal texts for records that a person could not distinguish. */
  readonly likeness: () => string;
}

export interface SumProblem {
  /** In content order, which decides what nothing else decides. */
  readonly candidates: readonly SumCandidate[];
  /** Ranges of the wanted sum: at most two, disjoint and not adjacent, none containing 0. */
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

/** Finds all ways to make up a sum, up to exchanging equal amounts, with bounded work. The result says whether the work was enough. */
export function findSums(problem: SumProblem): SumsFound {
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
    if (candidate.units === 0) continue;
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
