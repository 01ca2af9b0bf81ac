import { floatAt, intAt, itemAt, layOut, rangeStarts } from '../../collections/typed-arrays.ts';
import { Runs } from '../../groups/runs.ts';
import type { SumRange } from '../../groups/sums.ts';
import { firstOn } from '../comparison/find-pairs.ts';
import { FIRST_LAG, LAST_LAG } from '../comparison/levels.ts';
import { compareNames, type NameWeights } from '../frequencies/name-weights.ts';
import { log2Of } from '../model/logarithm.ts';
import { type Attempt, chanceOfSum, commonness, divisorOf, type Finding, type MissingLines, subsetsOf } from './attempts.ts';
import { type Frame, LINE } from './open-lines.ts';
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

/** Instalments continue for longer than a single payment takes. */
const LAST_INSTALMENT = 190;
/** Most lines of one name that are examined, the nearest in days. */
const MOST_LINES = 64;

/** Open lines of one name near a day, ascending. */
interface NearLines {
  readonly rows: readonly number[];
  /** Probability of each line's days. */
  readonly usual: readonly number[];
  /** Their values in a row. */
  readonly runs: Runs;
}

const NOTHING: NearLines = { rows: [], usual: [], runs: new Runs(new Float64Array(0)) };

/**
 * Finds the open lines of a name near a target. The lines of the current day are cached, because targets are visited by day and a few names are near
 * all of them.
 */
export class NearLinesFinder {
  readonly #frame: Frame;
  readonly #missing: MissingLines;
  /** Rows grouped by name and currency, and by day within a group. */
  readonly #kinds = new Map<number, number>();
  readonly #starts: Int32Array;
  readonly #rows: Int32Array;
  #day = Number.NaN;
  readonly #known = new Map<number, NearLines>();

  constructor(frame: Frame, missing: MissingLines) {
    this.#frame = frame;
    this.#missing = missing;
    const { features, state, currencies } = frame.members;
    const keys = features.names.map((name, row) => {
      if (state[row] === LINE.closed || name < 0) return -1;
      const key = this.#keyOf(name, intAt(currencies, row));
      const kind = this.#kinds.get(key) ?? this.#kinds.size;
      this.#kinds.set(key, kind);
      return kind;
    });
    this.#starts = rangeStarts(keys, this.#kinds.size);
    this.#rows = layOut(keys, this.#starts);
  }

  /** Returns the names of open lines, ascending. */
  names(): number[] {
    const { scales } = this.#frame.members;
    return [...new Set(Array.from(this.#kinds.keys(), (key) => Math.floor(key / scales.length)))].toSorted((left, right) => left - right);
  }

  of(target: number, name: number): NearLines {
    const { targets } = this.#frame;
    const day = intAt(targets.features.days, target);
    if (day !== this.#day) this.#known.clear();
    this.#day = day;
    const kind = this.#kinds.get(this.#keyOf(name, intAt(targets.currencies, target)));
    if (kind === undefined) return NOTHING;
    const known = this.#known.get(kind);
    if (known !== undefined) return known;
    const found = this.#described(target, this.#nearest(kind, day));
    this.#known.set(kind, found);
    return found;
  }

  #keyOf(name: number, currency: number): number {
    return name * this.#frame.members.scales.length + currency;
  }

  /** Returns the lines nearest to a day; among equally distant ones the first. */
  #nearest(kind: number, day: number): number[] {
    const frame = this.#frame;
    const starts = this.#starts;
    const rows = this.#rows;
    const { days } = frame.members.features;
    const [back, ahead] = frame.targets.side === 'b' ? [LAST_LAG, 0 - FIRST_LAG] : [0 - FIRST_LAG, LAST_INSTALMENT];
    const from = firstOn(days, rows, intAt(starts, kind), intAt(starts, kind + 1), day - back);
    const to = firstOn(days, rows, from, intAt(starts, kind + 1), day + ahead + 1);
    if (to - from <= MOST_LINES) return Array.from(rows.subarray(from, to));
    const within = (away: number): readonly [number, number] => [
      firstOn(days, rows, from, to, day - away),
      firstOn(days, rows, from, to, day + away + 1),
    ];
    // Binary search for the smallest distance within which there are too many lines.
    let [low, high] = [0, Math.max(back, ahead)];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const [first, end] = within(middle);
      if (end - first > MOST_LINES) high = middle;
      else low = middle + 1;
    }
    const [edge] = within(low);
    const [first, end] = low === 0 ? [edge, edge] : within(low - 1);
    const before = Math.min(first - edge, MOST_LINES - (end - first));
    const after = MOST_LINES - (end - first) - before;
    return [...rows.subarray(edge, edge + before), ...rows.subarray(first, end + after)];
  }

  #described(target: number, rows: readonly number[]): NearLines {
    const { values } = this.#frame.members;
    const usual = rows.map((row) => this.#missing.usualDays(this.#frame, target, row));
    return { rows, usual, runs: new Runs(Float64Array.from(rows, (row) => floatAt(values, row))) };
  }
}

/** Returns the rows nearest to a target in days, at most `most`, ascending; among equally distant ones the first. */
export function nearestRows({ targets, members }: Frame, target: number, rows: readonly number[], most: number): number[] {
  const day = intAt(targets.features.days, target);
  const away = (row: number): number => Math.abs(intAt(members.features.days, row) - day);
  const ascending = (left: number, right: number): number => left - right;
  if (rows.length <= most) return rows.toSorted(ascending);
  const counts = new Int32Array(LAST_INSTALMENT + 1);
  for (const row of rows) counts[away(row)] = intAt(counts, away(row)) + 1;
  let edge = 0;
  let left = most;
  for (; intAt(counts, edge) <= left; edge += 1) left -= intAt(counts, edge);
  const inside = rows.filter((row) => away(row) < edge);
  const atEdge = rows.filter((row) => away(row) === edge).toSorted(ascending);
  return [...inside, ...atEdge.slice(0, left)].toSorted(ascending);
}

/** Names with a smaller likelihood ratio are not related. */
const LEAST_RATIO = 8;
const MOST_RELATED = 6;
/** Most features by which related names are looked up, the rarest first, and most names of a feature that is used. */
const ASKED = 8;
const MOST_NAMES = 256;

interface RelatedName {
  readonly name: number;
  /** Likelihood ratio of two lines with such names. */
  readonly ratio: number;
}

/** Finds names of lines of one side that are similar to a name of the other side. */
class RelatedNames {
  readonly #weights: NameWeights;
  readonly #ofText: Float64Array;
  readonly #namesOf = new Map<number, number[]>();
  readonly #known = new Map<number, readonly RelatedName[]>();

  /** `names` holds the names to find, ascending; `ofText` the likelihood ratio of each text level. */
  constructor(weights: NameWeights, ofText: Float64Array, names: readonly number[]) {
    this.#weights = weights;
    this.#ofText = ofText;
    for (const name of names) {
      for (const feature of this.#rarest(name)) {
        const found = this.#namesOf.get(feature);
        if (found === undefined) this.#namesOf.set(feature, [name]);
        else found.push(name);
      }
    }
  }

  /** Returns the related names, the most similar first. */
  of(name: number): readonly RelatedName[] {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const seen = new Set<number>();
    for (const feature of this.#rarest(name)) {
      const names = this.#namesOf.get(feature) ?? [];
      if (names.length <= MOST_NAMES) for (const other of names) seen.add(other);
    }
    const found: RelatedName[] = [];
    for (const other of seen) {
      const ratio = floatAt(this.#ofText, compareNames(this.#weights, name, other));
      if (ratio >= LEAST_RATIO) found.push({ name: other, ratio });
    }
    found.sort((left, right) => right.ratio - left.ratio || left.name - right.name);
    const related = found.slice(0, MOST_RELATED);
    this.#known.set(name, related);
    return related;
  }

  #rarest(name: number): number[] {
    if (name < 0) return [];
    const { starts, features, bits } = this.#weights;
    const found: number[] = [];
    for (let at = intAt(starts, name); at < intAt(starts, name + 1); at += 1) {
      if ((bits[intAt(features, at)] as number) > 0) found.push(intAt(features, at));
    }
    return found.toSorted((left, right) => (bits[right] as number) - (bits[left] as number) || left - right).slice(0, ASKED);
  }
}
