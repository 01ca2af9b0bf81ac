import { floatAt, intAt, itemAt } from '../../../collections/typed-arrays.ts';
import type { SumRange } from '../../../groups/sums.ts';
import { log2Of } from '../../model/logarithm.ts';
import type { NameWeights } from '../../frequencies/name-weights.ts';
import type { Attempt, Finding } from '../attempt.ts';
import { chanceOfSum, commonness, divisorOf } from '../chance.ts';
import { type NearLines, NearLinesFinder, nearestRows } from '../near-lines.ts';
import { type Frame, LINE } from '../open-lines.ts';
import { type RelatedName, RelatedNames } from '../related-names.ts';
import { subsetsOf } from '../subsets.ts';
import { sumOfRows } from './reference-groups.ts';

/** Most lines of similar names among which sums are searched. */
const MOST_SEARCHED = 24;
/** Most steps of all searches together, and of one search. */
const MOST_STEPS = 400_000_000;
const STEPS = 200_000;
const LEAST_STEPS = 2_000;
/** Prior share of open lines, among those with several lines of their name, that are paid by those lines together. */
const PRIOR = 0.1;
/** The same prior if some of the names are much less similar, and the factor that counts as much less. */
const PRIOR_MIXED = 0.02;
const AS_LIKE = 8;
const PRIOR_SUMS = 4;
const PRIOR_SUMS_OF_NAMES = 2;
/** Shares of true groups that hold all open lines of the name, consecutive ones, or any of them. */
const SHARES = { all: 0.45, row: 0.3, some: 0.25 } as const;
/** Groups whose nearest line is further away are rarer: shares by days. */
const DISTANCES = [
  { days: 12, share: 1 },
  { days: 35, share: 0.5 },
] as const;
const FAR_SHARE = 0.15;
const CANCEL_EVERY = 1_024;

/** How lines are named: by all their words, or by the party among them. */
export interface Naming {
  readonly weights: NameWeights;
  /** Likelihood ratio of each text level. */
  readonly ofText: Float64Array;
  /** Keys of families: for a pair of names, for names of a similarity, and for some lines of such names. */
  readonly keys: {
    readonly names: (side: string, own: number, name: number) => string;
    readonly like: string;
    readonly some: string;
  };
}

/** Adds groups of lines with one name, or with similar names, that add up to a line of that name on the other side. */
export function nameGroups(finding: Finding, frame: Frame, naming: Naming): void {
  const { targets } = frame;
  const lines = new NearLinesFinder(frame, finding.missing);
  const related = new RelatedNames(naming.weights, naming.ofText, lines.names());
  const asking = targets.state.reduce((count, state) => count + (state === LINE.closed ? 0 : 1), 0);
  const steps = Math.max(LEAST_STEPS, Math.min(STEPS, Math.floor(MOST_STEPS / Math.max(1, asking))));
  for (let row = 0; row < targets.features.count; row += 1) {
    if (row % CANCEL_EVERY === 0 && finding.isCancelled()) return;
    if (targets.state[row] === LINE.closed || floatAt(targets.values, row) === 0) continue;
    const found = related.of(intAt(targets.features.names, row));
    if (found.length > 0) tryNames(finding, frame, row, found, lines, steps, naming.keys);
  }
}

function tryNames(
  finding: Finding,
  frame: Frame,
  target: number,
  related: readonly RelatedName[],
  lines: NearLinesFinder,
  steps: number,
  keys: Naming['keys'],
): void {
  const { targets } = frame;
  const { families } = finding;
  const own = intAt(targets.features.names, target);
  const near = related.map(({ name }) => lines.of(target, name));
  const pool = near.flatMap(({ rows }) => rows);
  if (pool.length < 2) return;
  let isFound = false;
  for (const [place, { name, ratio }] of related.entries()) {
    const ofName = itemAt(near, place);
    if (ofName.rows.length < 2) continue;
    const like = families.codeOf(`${targets.side} ${keys.like} ${Math.floor(log2Of(ratio))}`, PRIOR, PRIOR_SUMS);
    const family = families.codeOf(keys.names(targets.side, own, name), PRIOR, PRIOR_SUMS_OF_NAMES, like);
    isFound = tryRows(finding, frame, target, ofName, pool, family) || isFound;
  }
  if (isFound) return;
  const best = related[0]?.ratio ?? 1;
  const like = near.filter((_, place) => (related[place]?.ratio ?? 0) * AS_LIKE >= best).flatMap(({ rows }) => rows);
  const kind = `${targets.side} ${keys.some} ${Math.floor(log2Of(best))}`;
  if (trySome(finding, frame, target, like, families.codeOf(kind, PRIOR, PRIOR_SUMS), steps, 1) || like.length === pool.length) return;
  const worst = Math.min(...related.map(({ ratio }) => ratio));
  trySome(finding, frame, target, pool, families.codeOf(`${kind} mixed`, PRIOR_MIXED, PRIOR_SUMS), steps, best / worst);
}

/**
 * Searches among the lines whose names are similar to the target's; returns whether any of them add up. `mixed` is the ratio of the best to the worst
 * likelihood ratio of the names, by which a missing line of the best name is more likely than a line of the worst.
 */
function trySome(
  finding: Finding,
  frame: Frame,
  target: number,
  pool: readonly number[],
  family: number,
  steps: number,
  mixed: number,
): boolean {
  if (pool.length < 2) return false;
  const { targets, members } = frame;
  const rows = nearestRows(frame, target, pool, MOST_SEARCHED);
  const ways = subsetsOf(finding, members, targets, target, rows, steps);
  finding.families.count(family, ways.length > 0 ? 0 : 1, ways[0]?.chance ?? 0);
  for (const way of ways) {
    const share = SHARES.some * shareOfDistance(frame, target, way.members);
    const substitutes = mixed * finding.missing.substitutes(frame, target, way.members, pool);
    finding.attempts.push({ ...way, substitutes, bond: 'name', isTargetOfA: targets.side === 'a', target, family, share, lacking: 0 });
  }
  return ways.length > 0;
}

/** Tries all rows and consecutive rows; returns whether any of them add up. `pool` holds these rows and those of similar names. */
function tryRows(finding: Finding, frame: Frame, target: number, near: NearLines, pool: readonly number[], family: number): boolean {
  const { targets, members } = frame;
  const { rows } = near;
  const wanted = floatAt(targets.values, target);
  if (!sumOfRows(members, rows).isExact) return false;
  const divisor = divisorOf(members, rows, wanted);
  const one = chanceOfSum(wanted, divisor, commonness(finding.amounts, targets, target));
  const { found, count, weight } = rowsInARow(near, wanted);
  finding.families.count(family, found.length > 0 ? 0 : 1, Math.max(one, Math.min(1, count * one)));
  const shared: Pick<Attempt, 'bond' | 'isTargetOfA' | 'target' | 'family' | 'lacking' | 'isAlike'> = {
    bond: 'name',
    isTargetOfA: targets.side === 'a',
    target,
    family,
    lacking: 0,
    isAlike: false,
  };
  const listed = found.toSorted((left, right) => right.weight - left.weight || left.from - right.from).slice(0, MOST_LISTED);
  for (const stretch of listed) {
    const chosen = rows.slice(stretch.from, stretch.to);
    const isAll = chosen.length === rows.length;
    const unlisted = finding.missing.exchanges(frame, target, chosen, pool);
    const substitutes = finding.missing.substitutes(frame, target, chosen, pool);
    const chance = isAll ? one : Math.min(1, (one * weight) / stretch.weight);
    const share = isAll ? SHARES.all * shareOfDistance(frame, target, chosen) : SHARES.row;
    finding.attempts.push({ ...shared, members: chosen, share, chance, unlisted, substitutes });
  }
  return found.length > 0;
}

const MOST_LISTED = 4;

/** Consecutive rows, `to` excluded. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  /** Average probability of the days of its rows. */
  readonly weight: number;
}

/**
 * Returns the runs of at least two rows that add up. `count` is the number of runs whose sum is between half and twice the amount; `weight` is the
 * total weight of these.
 */
function rowsInARow(
  { rows, usual, runs }: NearLines,
  wanted: number,
): { readonly found: readonly Stretch[]; readonly count: number; readonly weight: number } {
  const found: Stretch[] = [];
  const around: SumRange = wanted > 0 ? { low: wanted / 2, high: 2 * wanted } : { low: 2 * wanted, high: wanted / 2 };
  let count = 0;
  let all = 0;
  for (let from = 0; from < rows.length; from += 1) {
    let [days, end] = [0, from];
    runs.startingAt(from, rows.length, around, (_, to, sum) => {
      for (; end <= to; end += 1) days += itemAt(usual, end);
      const ratio = sum / wanted;
      if (to === from || !(ratio > 0.5 && ratio < 2)) return;
      const weight = days / (to + 1 - from);
      count += 1;
      all += weight;
      if (sum === wanted) found.push({ from, to: to + 1, weight });
    });
  }
  return { found, count, weight: all };
}

/** Returns the share of groups whose nearest line is this many days away. */
function shareOfDistance({ targets, members }: Frame, target: number, rows: readonly number[]): number {
  const day = intAt(targets.features.days, target);
  let least = Infinity;
  for (const row of rows) least = Math.min(least, Math.abs(intAt(members.features.days, row) - day));
  return DISTANCES.find(({ days }) => least <= days)?.share ?? FAR_SHARE;
}
