import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { idAt } from '../../records/record-columns.ts';
import { EVIDENCE } from '../budget/decide.ts';
import { type FoundLink, type FoundLinks, SMALL_BOOK } from '../budget/found-links.ts';
import { REFERENCE } from '../comparison/levels.ts';
import { type Learned, referenceRatios } from '../estimation/learn.ts';
import type { Book } from '../estimation/read-book.ts';
import { mayCommitBy } from '../estimation/formulas.ts';
import { isAllowed } from '../marginals/likely-pairs.ts';
import type { EvidenceInput } from '../model/input.ts';
import { logOddsOf, weightOf } from '../model/weight.ts';
import type { Attempt, Bond, Finding } from './attempts.ts';
import { oddsGivenUp, type OpenLines } from './open-lines.ts';
import { sumOfRows } from './reference-groups.ts';

/** A rival with less than this share of a group's odds is ignored. */
const RIVAL = 0.01;
/** Factor on the odds of a group whose sum is not exact. */
export const OF_DIFFERENCE = 0.5;
const EVIDENCE_OF: Readonly<Record<Bond, number>> = {
  reference: EVIDENCE.reference,
  name: EVIDENCE.name,
  days: EVIDENCE.amount,
  amount: EVIDENCE.amount,
};

/** Returns the likely groups among the attempts, none of which share a line, the most likely first. */
export function chooseGroups(input: EvidenceInput, { open, attempts }: Finding, weigher: Weigher): FoundLink[] {
  const may = (attempt: Attempt): boolean => !holdsCancelled(open, attempt) && mayBe(input, open.a.free, open.b.free, attempt);
  const weighed = withoutDoubles(attempts.filter(may).map((attempt) => weigher.weigh(attempt)));
  const byLine = linesOf(weighed);
  const found: { readonly link: FoundLink; readonly attempt: Attempt }[] = [];
  for (const one of weighed) {
    const rivals = rivalsOf(byLine, one);
    const odds = one.odds / (1 + rivals);
    if (odds > 1) found.push({ link: linkOf(input, open, one, odds, rivals), attempt: one.attempt });
  }
  found.sort((left, right) => right.link.weight.logOdds - left.link.weight.logOdds || compare(left.attempt, right.attempt));
  const taken = new Set<number>();
  return found
    .filter(({ attempt }) => {
      const lines = keysOf(attempt);
      if (lines.some((line) => taken.has(line))) return false;
      for (const line of lines) taken.add(line);
      return true;
    })
    .map(({ link }) => link);
}

/** Most members of a group whose subsets are all examined. */
const MOST_TRIED = 12;

/**
 * Returns whether some members of a group add up to zero, such as a payment, its void and the true partner. Such members are no evidence for the
 * group, because the others make up the target without them. Members that share a reference are lines of one document, so they are accepted unless
 * one member alone makes up the target.
 */
function holdsCancelled(open: OpenLines, { isTargetOfA, target, members, bond, lacking }: Attempt): boolean {
  if (lacking !== 0) return false;
  const { values } = open[isTargetOfA ? 'b' : 'a'];
  const wanted = floatAt(open[isTargetOfA ? 'a' : 'b'].values, target);
  const parts = members.map((row) => floatAt(values, row));
  if (parts.includes(wanted)) return true;
  if (bond === 'reference' || parts.every((part) => part > 0 === wanted > 0)) return false;
  const known = new Set(parts);
  if (parts.some((part) => known.has(0 - part))) return true;
  if (parts.length > MOST_TRIED) return false;
  // Sum of each subset, built from the subset without its last member.
  const sums = new Float64Array(2 ** parts.length);
  for (let part = 1; part + 1 < sums.length; part += 1) {
    const last = 31 - Math.clz32(part);
    sums[part] = floatAt(sums, part - 2 ** last) + (parts[last] ?? 0);
    if (sums[part] === 0) return true;
  }
  return false;
}

function mayBe({ a, b, isBarred, isApart }: EvidenceInput, freeA: Int32Array, freeB: Int32Array, attempt: Attempt): boolean {
  const { rowsA, rowsB } = rowsOf(attempt);
  for (const rowA of rowsA) for (const rowB of rowsB) if (isBarred(intAt(freeA, rowA), intAt(freeB, rowB))) return false;
  return !isApart([...rowsA.map((row) => idAt(a.all, row)), ...rowsB.map((row) => idAt(b.all, row))]);
}

function rowsOf({ isTargetOfA, target, members }: Attempt): { readonly rowsA: readonly number[]; readonly rowsB: readonly number[] } {
  return isTargetOfA ? { rowsA: [target], rowsB: members } : { rowsA: members, rowsB: [target] };
}

/** Keeps the strongest attempt for each set of lines, in the order of the lines. */
function withoutDoubles(all: readonly Weighed[]): Weighed[] {
  const known = new Map<string, Weighed>();
  for (const one of all) {
    const key = `${one.attempt.isTargetOfA ? 'a' : 'b'}${one.attempt.target}:${one.attempt.members.join(',')}`;
    if (!((known.get(key)?.odds ?? -1) >= one.odds)) known.set(key, one);
  }
  return [...known.values()];
}

/** Returns the lines as numbers, even for those of A and odd for those of B. */
function keysOf({ isTargetOfA, target, members }: Attempt): number[] {
  const own = isTargetOfA ? 0 : 1;
  return [target * 2 + own, ...members.map((row) => row * 2 + 1 - own)];
}

function linesOf(weighed: readonly Weighed[]): Map<number, Weighed[]> {
  const byLine = new Map<number, Weighed[]>();
  for (const one of weighed) {
    for (const line of keysOf(one.attempt)) {
      const list = byLine.get(line);
      if (list === undefined) byLine.set(line, [one]);
      else list.push(one);
    }
  }
  return byLine;
}

/** Returns the odds of all other groups that share a line with this one. A group with a difference is no rival of an exact one. */
function rivalsOf(byLine: ReadonlyMap<number, readonly Weighed[]>, one: Weighed): number {
  const others = new Set<Weighed>();
  for (const line of keysOf(one.attempt)) for (const other of byLine.get(line) ?? []) others.add(other);
  let sum = 0;
  for (const other of others) if (other !== one && (other.attempt.lacking === 0 || one.attempt.lacking !== 0)) sum += other.odds;
  return sum;
}

function compare(left: Attempt, right: Attempt): number {
  return (
    left.members.length - right.members.length ||
    Number(right.isTargetOfA) - Number(left.isTargetOfA) ||
    left.target - right.target ||
    (left.members[0] ?? 0) - (right.members[0] ?? 0) ||
    (left.members.at(-1) ?? 0) - (right.members.at(-1) ?? 0)
  );
}

function linkOf(input: EvidenceInput, open: OpenLines, { attempt, belief }: Weighed, odds: number, rivals: number): FoundLink {
  const { bond, chance, lacking, isAlike, members } = attempt;
  const { rowsA, rowsB } = rowsOf(attempt);
  const logOdds = logOddsOf(odds);
  const { differenceMinor, larger } = differenceOf(open, attempt);
  const mayDiffer =
    isAllowed(input.rule.maxDifference, differenceMinor, larger) || (attempt.fee !== undefined && mayCommitBy(attempt.fee.formula));
  const ofBond = belief / (1 - belief);
  const isPlain = bond === 'reference' || isLarge(input);
  return {
    kind: members.length === 1 ? 'pair' : 'group',
    rowsA,
    rowsB,
    certainty: isAlike ? 'interchangeable' : rivals >= RIVAL * odds ? 'best' : 'unique',
    differenceMinor,
    weight: weightOf(logOdds, [
      lacking === 0 ? 1 / chance : OF_DIFFERENCE,
      1,
      bond === 'reference' ? 1 : ofBond,
      bond === 'reference' ? ofBond : 1,
    ]),
    // The rest of the doubt is about which lines belong to the group.
    alone: 1 / (1 + rivals),
    evidence: EVIDENCE_OF[bond],
    mayCommit: isPlain && mayDiffer,
  };
}

function isLarge({ a, b }: EvidenceInput): boolean {
  return Math.min(a.all.count, b.all.count) >= SMALL_BOOK;
}

/** Returns A minus B, and the larger amount of the two, at the finest scale of the group's lines. */
export function differenceOf(
  { a, b }: OpenLines,
  { isTargetOfA, target, members }: Pick<Attempt, 'isTargetOfA' | 'target' | 'members'>,
): { readonly differenceMinor: number; readonly larger: number } {
  const [own, other] = isTargetOfA ? [a, b] : [b, a];
  let places = own.columns.decimalPlaces[target] as number;
  for (const row of members) places = Math.max(places, other.columns.decimalPlaces[row] as number);
  const finest = own.scales[intAt(own.currencies, target)] ?? places;
  const unit = 10 ** (finest - places);
  const wanted = floatAt(own.values, target);
  const { sum } = sumOfRows(other, members);
  return {
    differenceMinor: (isTargetOfA ? wanted - sum : sum - wanted) / unit + 0,
    larger: Math.max(Math.abs(wanted), Math.abs(sum)) / unit,
  };
}

const MOST_ODDS = 2 ** 40;
/** Least and most share of lines that may be missing from the files. */
const LEAST_MISSING = 0.02;
const MOST_MISSING = 0.5;
/** Weight of the prior in lines, and the share of these that is missing. */
const PRIOR_WEIGHT = 10;
const PRIOR_MISSING = 0.2;
/** Factor for a payment that combines both signs, if no reference says so. */
const BOTH_SIGNS = 0.1;
/** A sum with a larger probability by chance explains no lines. */
const TELLING = 0.01;

interface Weighed {
  readonly attempt: Attempt;
  /** Odds against the lines being unrelated, before rivals. */
  readonly odds: number;
  readonly belief: number;
}

/**
 * Computes the odds of groups: how likely a sum is to be true, compared with chance, with lines that may be missing, and with the pairs that it would
 * replace.
 */
export class Weigher {
  readonly #finding: Finding;
  readonly #book: Book;
  readonly #differing: number;
  readonly #missing: { readonly a: number; readonly b: number };

  constructor(finding: Finding, book: Book, learned: Learned, found: FoundLinks) {
    this.#finding = finding;
    this.#book = book;
    this.#differing = Math.min(1, floatAt(referenceRatios(book.counted, learned), REFERENCE.differ));
    // Unexplained lines of one side indicate missing lines of the other.
    this.#missing = { a: unexplained(finding, book.b.count, found, false), b: unexplained(finding, book.a.count, found, true) };
  }

  weigh(attempt: Attempt): Weighed {
    const { family, share, chance, lacking, unlisted, substitutes, isTargetOfA, bond } = attempt;
    const families = attempt.fee?.families ?? this.#finding.families;
    const ofDifference = lacking === 0 ? 0 : families.oddsOfDifference(family, lacking / this.#amountOf(attempt));
    const belief = lacking === 0 ? families.belief(family, bond === 'reference') : ofDifference / (1 + ofDifference);
    const against = bond === 'reference' ? 1 : this.#signs(attempt) * this.#references(attempt);
    // What speaks against this group speaks against no line outside the files.
    const plain = ((belief / (1 - belief)) * share) / chance;
    const others = plain * (unlisted * against + substitutes * (isTargetOfA ? this.#missing.b : this.#missing.a));
    return { attempt, odds: Math.min(MOST_ODDS, (plain * against) / (1 + others) / this.#givenUp(attempt)), belief };
  }

  #amountOf({ isTargetOfA, target }: Attempt): number {
    return floatAt(this.#finding.open[isTargetOfA ? 'a' : 'b'].values, target);
  }

  #signs({ isTargetOfA, members }: Attempt): number {
    const { values } = this.#finding.open[isTargetOfA ? 'b' : 'a'];
    const isNegative = floatAt(values, members[0] ?? 0) < 0;
    return members.every((row) => floatAt(values, row) < 0 === isNegative) ? 1 : BOTH_SIGNS;
  }

  /** Both sides hold references of a common kind and share none. */
  #references({ isTargetOfA, target, members }: Attempt): number {
    const { familiesOfA, familiesOfB } = this.#book.references;
    const differs = members.some((row) => {
      const [rowA, rowB] = isTargetOfA ? [target, row] : [row, target];
      return (intAt(familiesOfA, rowA) & intAt(familiesOfB, rowB)) !== 0;
    });
    return differs ? this.#differing : 1;
  }

  /**
   * Returns the odds of the pairs that the group would replace. A group held together by a reference or by days is true or false as a whole, so only
   * its strongest pair counts.
   */
  #givenUp({ isTargetOfA, target, members, bond }: Attempt): number {
    const { open } = this.#finding;
    const inGroup = new Set(members);
    const [own, other] = isTargetOfA ? (['a', 'b'] as const) : (['b', 'a'] as const);
    const ofTarget = 1 + oddsGivenUp(open, own, target, (row) => inGroup.has(row));
    let ofMembers = 1;
    for (const member of members) {
      const weight = 1 + oddsGivenUp(open, other, member, (row) => row === target);
      ofMembers = bond === 'name' || bond === 'amount' ? ofMembers * weight : Math.max(ofMembers, weight);
    }
    return ofTarget * ofMembers;
  }
}

/** Returns the share of a side's lines that no pair, sum or earlier run explains. */
function unexplained({ open, attempts }: Finding, lines: number, found: FoundLinks, isOfA: boolean): number {
  const explained = Uint8Array.from((isOfA ? open.a : open.b).free, (free) => (free < 0 ? 1 : 0));
  for (let place = 0; place < found.length; place += 1) {
    found.eachRow(place, (row, ofA) => {
      if (ofA === isOfA) explained[row] = 1;
    });
  }
  for (const { isTargetOfA, target, members, lacking, chance } of attempts) {
    if (lacking !== 0 || chance > TELLING) continue;
    if (isTargetOfA === isOfA) explained[target] = 1;
    else for (const row of members) explained[row] = 1;
  }
  const share = (explained.reduce((left, mark) => left - mark, lines) + PRIOR_WEIGHT * PRIOR_MISSING) / (lines + PRIOR_WEIGHT);
  return Math.min(MOST_MISSING, Math.max(LEAST_MISSING, share));
}
