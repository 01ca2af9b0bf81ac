import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { idAt } from '../../records/record-columns.ts';
import { EVIDENCE } from '../budget/decide.ts';
import type { FoundLink } from '../budget/found-links.ts';
import type { EvidenceInput } from '../model/input.ts';
import { logOddsOf, weightOf } from '../model/weight.ts';
import { LINE, type OpenSide } from './open-lines.ts';

/** Most days between a line and its reversal. */
const MOST_DAYS_TO_REVERSAL = 45;
/** Prior share of lines without a partner that are reversed. */
const PRIOR = 0.05;
/** Days that count as soon, and the share of reversals that come later. */
const SOON = 7;
const LATE_SHARE = 0.35;
/** Upper bound of the odds, because both lines may have partners that are missing from the other file, which this side cannot show. */
const MOST_ODDS = 60;
/** Most lines of one amount that are compared. */
const MOST_LINES = 32;

interface Couple {
  readonly first: number;
  readonly second: number;
  readonly odds: number;
  readonly isByReference: boolean;
  readonly bond: number;
  /** Lines expected there by chance, and how much likelier a reversal is after this many days. */
  readonly expected: number;
  readonly soon: number;
}

/** Returns lines with their reversals on the same side, among the lines that have no partner. */
export function reversals(input: EvidenceInput, side: OpenSide, isUsed: (row: number) => boolean): FoundLink[] {
  const byAmount = new Map<string, number[]>();
  const { features, state, values, currencies, columns } = side;
  for (let row = 0; row < features.count; row += 1) {
    if (state[row] !== LINE.open || isUsed(row) || floatAt(values, row) === 0) continue;
    const key = `${intAt(currencies, row)} ${Math.abs(floatAt(values, row))}`;
    const list = byAmount.get(key);
    if (list === undefined) byAmount.set(key, [row]);
    else list.push(row);
  }
  const counts = countNames(side);
  const found: Couple[] = [];
  for (const rows of byAmount.values()) {
    if (rows.length < 2 || rows.length > MOST_LINES) continue;
    for (const [place, first] of rows.entries()) {
      for (const second of rows.slice(place + 1)) {
        const couple = coupleOf(side, first, second, rows.length, counts);
        if (couple !== null && !input.isApart([idAt(columns, first), idAt(columns, second)])) found.push(couple);
      }
    }
  }
  return chosen(found).map((couple) => linkOf(side, couple));
}

function countNames({ features }: OpenSide): Map<number, number> {
  const counts = new Map<number, number>();
  for (const name of features.names) if (name >= 0) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function coupleOf(side: OpenSide, first: number, second: number, alike: number, counts: ReadonlyMap<number, number>): Couple | null {
  const { features, columns } = side;
  if (columns.credits[first] === columns.credits[second]) return null;
  const days = intAt(features.days, second) - intAt(features.days, first);
  if (days > MOST_DAYS_TO_REVERSAL) return null;
  const isByReference = sharesReference(side, first, second);
  const name = intAt(features.names, first);
  const isSameName = name >= 0 && name === intAt(features.names, second);
  if (!isByReference && !isSameName) return null;
  const nameShare = isSameName ? (counts.get(name) ?? 1) / features.count : 1;
  const bond = 1 / Math.max(nameShare * (isByReference ? 0.01 : 1), 1 / features.count);
  // Lines of this amount and the opposite sign that chance would put near this one.
  const expected = Math.max(0.02, (alike - 2) / 2);
  const isSoon = days <= SOON;
  const odds = (PRIOR * (isSoon ? 1 : LATE_SHARE) * bond) / expected;
  const soon = isSoon ? ((1 - LATE_SHARE) * MOST_DAYS_TO_REVERSAL) / SOON : LATE_SHARE;
  return { first, second, odds: Math.min(odds, MOST_ODDS), isByReference, bond, expected, soon };
}

function sharesReference({ features: { starts, references } }: OpenSide, left: number, right: number): boolean {
  for (let at = intAt(starts, left); at < intAt(starts, left + 1); at += 1) {
    for (let other = intAt(starts, right); other < intAt(starts, right + 1); other += 1) {
      if (references[at] === references[other]) return true;
    }
  }
  return false;
}

/** Returns the likely couples, each line at most once. Couples that compete for a line share its odds. */
function chosen(found: readonly Couple[]): Couple[] {
  const sums = new Map<number, number>();
  for (const { first, second, odds } of found) for (const row of [first, second]) sums.set(row, (sums.get(row) ?? 0) + odds);
  const used = new Set<number>();
  return found
    .map((couple) => {
      const rivals = (sums.get(couple.first) ?? 0) + (sums.get(couple.second) ?? 0) - 2 * couple.odds;
      return { ...couple, odds: couple.odds / (1 + Math.max(0, rivals)) };
    })
    .filter(({ odds }) => odds > 1)
    .toSorted((left, right) => right.odds - left.odds || left.first - right.first || left.second - right.second)
    .filter(({ first, second }) => {
      if (used.has(first) || used.has(second)) return false;
      used.add(first).add(second);
      return true;
    });
}

function linkOf({ side }: OpenSide, { first, second, odds, isByReference, bond, expected, soon }: Couple): FoundLink {
  const logOdds = logOddsOf(odds);
  const rows = [first, second];
  return {
    kind: 'reversal',
    rowsA: side === 'a' ? rows : [],
    rowsB: side === 'b' ? rows : [],
    certainty: 'best',
    differenceMinor: 0,
    weight: weightOf(logOdds, [1 / expected, soon, isByReference ? 1 : bond, isByReference ? bond : 1]),
    alone: 0,
    evidence: isByReference ? EVIDENCE.reference : EVIDENCE.name,
    mayCommit: false,
  };
}
