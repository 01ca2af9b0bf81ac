import { idAt } from '../../../records/record-columns.ts';
import { floatAt, intAt } from '../../../collections/typed-arrays.ts';
import { EVIDENCE } from '../../budget/decide.ts';
import type { FoundLink } from '../../budget/found-links.ts';
import type { EvidenceInput } from '../../model/input.ts';
import { logOddsOf, weightOf } from '../../model/parts.ts';
import { LINE, type OpenSide } from '../open-lines.ts';

/** Days within which a line is taken back. */
const MOST_DAYS_TO_REVERSAL = 45;
/** General experience: share of lines without a partner that are taken back. */
const PRIOR = 0.05;
/** Share of reversals so far away, by days. */
const SOON = 7;
const LATE_SHARE = 0.35;
/** The other side may have both lines, and they are only missing from its file: nothing on this side tells. */
const MOST_ODDS = 60;
/** Lines of one amount that are looked at. */
const MOST_LINES = 32;

interface Couple {
  readonly first: number;
  readonly second: number;
  readonly odds: number;
  readonly isByReference: boolean;
  readonly bond: number;
  /** Lines that chance would put there, and how much likelier a reversal is after so many days. */
  readonly expected: number;
  readonly soon: number;
}

/** A line and the one that takes it back, on one side, among the lines that have no partner at all. */
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

/** The likely couples, each line once; those that compete for a line share what speaks for them. */
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
