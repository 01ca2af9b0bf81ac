import { floatAt, intAt, itemAt } from '../../collections/typed-arrays.ts';
import type { Pairs } from '../comparison/pairs.ts';
import { keptOf, MOST_FIXED, MOST_RATE } from '../estimation/formulas.ts';
import type { NameWeights } from '../frequencies/name-weights.ts';
import type { Formula } from '../model/parameters.ts';
import { kindsOf } from './day-groups.ts';
import { type Frame, framesOf, LINE, linesOfKeys, type OpenLines, type OpenSide } from './open-lines.ts';

/**
 * Sums that reach the other side less a fee, such as a day's card sales that a processor pays out at once. The fee is a rate and a fixed part, of each line
 * or of the sum. A formula is learned from sums of lines that belong together anyhow: those of one key, and those of one kind on a day or a few. Once
 * it is known, the lines are looked at less their fee, and the finders of groups see exact sums.
 */

/** Most share of a sum that is kept, days around the lines on which the rest arrives, and days that one payout is for. */
const MOST_KEPT = 0.07;
const BEFORE = 2;
const AFTER = 10;
const MOST_DAYS = 4;
const MOST_MEMBERS = 200;
const MOST_KINDS = 12;
/** Most sums that are compared with lines, and most sums with a line that is a little less. */
const MOST_SUMS = 60_000;
const MOST_NET = 24_000;
/** Lines that a formula explains to the cent, at least; how often chance would explain them; and their least share of the near ones of their kind. */
const LEAST_EXACT = 12;
const BEYOND_CHANCE = 4;
const LEAST_FOLLOWING = 0.5;
/** Differences this near to a formula's count as an attempt at it; those within so many units show how many chance brings. */
const NEAR = 0.1;
const AROUND = 20;
/** Cells of rates and fixed parts that are verified to the cent. */
const VERIFIED = 24;
const MOST_FORMULAS = 2;

/** A sum of lines, and a line of the other side that is a little less. */
interface NetSum {
  readonly target: number;
  readonly gross: readonly number[];
  readonly sum: number;
  readonly kept: number;
  /** What the lines have in common. */
  readonly kind: string;
}

/** Returns the formulas of sums. Lines that a pair explains take no part. */
export function formulasOfSums(open: OpenLines, weights: NameWeights, places: number): Formula[] {
  return framesOf(open).flatMap((frame) => {
    let sums = netSums(frame, weights);
    const found: Formula[] = [];
    while (found.length < MOST_FORMULAS && sums.length >= LEAST_EXACT) {
      const formula = bestFormula(sums, frame.members.side, places);
      if (formula === null) break;
      found.push(formula);
      const explained = new Set(sums.filter((sum) => sum.kept === keptOf(formula, sum.gross)).map(({ target }) => target));
      sums = sums.filter(({ target }) => !explained.has(target));
    }
    return found;
  });
}

/** Marks the lines as closed that have a likely partner. */
export function closePaired({ a, b }: OpenLines, { starts, columns }: Pairs, odds: Float64Array): void {
  for (let row = 0; row + 1 < starts.length; row += 1) {
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      if (floatAt(odds, at) <= 1) continue;
      a.state[row] = LINE.closed;
      b.state[intAt(columns, at)] = LINE.closed;
    }
  }
}

function netSums({ targets, members }: Frame, weights: NameWeights): NetSum[] {
  const open = new NetTargets(targets);
  const found: NetSum[] = [];
  let visited = 0;
  const visit = (kind: string, rows: readonly number[], currency: number): void => {
    visited += 1;
    if (visited > MOST_SUMS) return;
    let sum = 0;
    for (const row of rows) sum += floatAt(members.values, row);
    if (sum === 0 || !Number.isSafeInteger(sum)) return;
    const [first, last] = [intAt(members.features.days, itemAt(rows, 0)), intAt(members.features.days, rows.at(-1) ?? 0)];
    const gross = rows.map((row) => floatAt(members.values, row));
    for (const target of open.below(currency, sum, first, last))
      found.push({ target, gross, sum, kept: Math.abs(sum) - Math.abs(floatAt(targets.values, target)), kind });
  };
  eachOfKey(members, visit);
  for (const { key, currency, lines } of kindsOf(members, MOST_KINDS, weights)) {
    const { days, starts, items } = lines;
    for (let from = 0; from < days.length; from += 1) {
      for (let to = from; to < days.length && intAt(days, to) - intAt(days, from) < MOST_DAYS; to += 1) {
        const rows = items.slice(intAt(starts, from), intAt(starts, to + 1));
        if (rows.length > MOST_MEMBERS) break;
        if (rows.length > 1) visit(`${key} ${to - from}`, rows, currency);
      }
    }
  }
  const step = Math.max(1, Math.ceil(found.length / MOST_NET));
  return found.filter((_, place) => place % step === 0);
}

/** Visits the open lines that share a number, in a few days. */
function eachOfKey(side: OpenSide, visit: (kind: string, rows: readonly number[], currency: number) => void): void {
  const { features, currencies } = side;
  for (const { origin, rows } of linesOfKeys(side)) {
    const days = intAt(features.days, rows.at(-1) ?? 0) - intAt(features.days, itemAt(rows, 0));
    if (rows.length < 2 || rows.length > MOST_MEMBERS || days > AFTER) continue;
    visit(`key ${origin}`, rows, intAt(currencies, itemAt(rows, 0)));
  }
}

/** Open lines by currency and amount. */
class NetTargets {
  readonly #side: OpenSide;
  readonly #rows = new Map<number, number[]>();

  constructor(side: OpenSide) {
    this.#side = side;
    const { features, state, values, currencies } = side;
    for (let row = 0; row < features.count; row += 1) {
      if (state[row] === LINE.closed || floatAt(values, row) === 0) continue;
      const list = this.#rows.get(intAt(currencies, row));
      if (list === undefined) this.#rows.set(intAt(currencies, row), [row]);
      else list.push(row);
    }
    for (const rows of this.#rows.values()) rows.sort((left, right) => floatAt(values, left) - floatAt(values, right) || left - right);
  }

  /** Returns the lines that are a little less than a sum of lines of these days. */
  below(currency: number, sum: number, firstDay: number, lastDay: number): number[] {
    const { side, values, features } = this.#side;
    const rows = this.#rows.get(currency) ?? [];
    const net = sum * (1 - MOST_KEPT);
    const [low, high] = sum > 0 ? [net, sum] : [sum, net];
    const [back, ahead] = side === 'b' ? [BEFORE, AFTER] : [AFTER, BEFORE];
    const found: number[] = [];
    for (let place = placeFrom(rows, values, low); place < rows.length && floatAt(values, itemAt(rows, place)) <= high; place += 1) {
      const row = itemAt(rows, place);
      const day = intAt(features.days, row);
      if (floatAt(values, row) !== sum && day >= firstDay - back && day <= lastDay + ahead) found.push(row);
    }
    return found;
  }
}

function placeFrom(rows: readonly number[], values: Float64Array, least: number): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (floatAt(values, itemAt(rows, middle)) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Terms = Pick<Formula, 'rate' | 'fixed' | 'per'>;

/** Returns the formula that explains most lines to the cent, or null if none explains enough. */
function bestFormula(sums: readonly NetSum[], grossOn: Formula['grossOn'], places: number): Formula | null {
  const tried = [...likelyTerms(sums, 'line'), ...likelyTerms(sums, 'sum')];
  let best: Terms | null = null;
  let most = 0;
  for (const terms of tried) {
    const exact = targetsOf(sums.filter(({ gross, kept }) => kept === keptOf(terms, gross)));
    if (exact > most) [best, most] = [terms, exact];
  }
  return best === null || most < LEAST_EXACT ? null : provenFormula(sums, { ...best, grossOn, places });
}

/** Returns the rates and fixed parts that most sums are near to. */
function likelyTerms(sums: readonly NetSum[], per: 'line' | 'sum'): Terms[] {
  const votes: { readonly terms: Terms; readonly count: number }[] = [];
  const counts = new Int32Array(MOST_FIXED + 1);
  for (let rate = 0; rate <= MOST_RATE; rate += 1) {
    counts.fill(0);
    for (const { gross, sum, kept } of sums) {
      const fixed = (kept - (Math.abs(sum) * rate) / 10_000) / (per === 'line' ? gross.length : 1);
      const whole = Math.round(fixed);
      if (whole >= 0 && whole <= MOST_FIXED) counts[whole] = intAt(counts, whole) + 1;
    }
    let fixed = 0;
    for (let each = 1; each <= MOST_FIXED; each += 1) if (intAt(counts, each) > intAt(counts, fixed)) fixed = each;
    votes.push({ terms: { rate, fixed, per }, count: intAt(counts, fixed) });
    if (fixed !== 0) votes.push({ terms: { rate, fixed: 0, per }, count: intAt(counts, 0) });
  }
  return votes
    .toSorted((left, right) => right.count - left.count || left.terms.rate - right.terms.rate || left.terms.fixed - right.terms.fixed)
    .slice(0, VERIFIED)
    .map(({ terms }) => terms);
}

function targetsOf(sums: readonly NetSum[]): number {
  return new Set(sums.map(({ target }) => target)).size;
}

/** Returns a formula with its counts if it explains far more than chance does, and most of what comes near it. */
function provenFormula(sums: readonly NetSum[], terms: Omit<Formula, 'exact' | 'of'>): Formula | null {
  const off = ({ gross, kept }: NetSum): number => Math.abs(kept - keptOf(terms, gross));
  const byChance = sums.filter((sum) => off(sum) > 1 && off(sum) <= AROUND).length / (2 * AROUND - 2);
  const exactSums = sums.filter((sum) => off(sum) === 0);
  // Only sums of the kind that the formula explains are attempts at it. Other sums come near by chance.
  const ofKind = new Map<string, number>();
  for (const { kind } of exactSums) ofKind.set(kind, (ofKind.get(kind) ?? 0) + 1);
  const most = Math.max(0, ...ofKind.values());
  const kinds = new Set([...ofKind].filter(([, count]) => 2 * count >= most).map(([kind]) => kind));
  const exact = targetsOf(exactSums);
  const of = targetsOf([...exactSums, ...sums.filter((sum) => kinds.has(sum.kind) && off(sum) <= Math.max(1, NEAR * sum.kept))]);
  if (exact < LEAST_EXACT || exact < BEYOND_CHANCE * byChance || exact < LEAST_FOLLOWING * of) return null;
  return { ...terms, exact, of };
}

/** Returns a frame in which the formula's fee is taken off the lines, or added to what they come to. */
export function netFrame({ targets, members }: Frame, formula: Formula): Frame {
  if (formula.per === 'sum')
    return {
      targets: { ...targets, values: targets.values.map((value) => Math.sign(value) * grossOf(formula, Math.abs(value))) },
      members,
    };
  const values = members.values.map((value) => (value === 0 ? 0 : Math.sign(value) * (Math.abs(value) - keptOf(formula, [value]))));
  return { targets, members: { ...members, values } };
}

/** Returns the least amount of which a formula leaves `net`, or 0, for which no sums are searched, if there is none. */
function grossOf(formula: Formula, net: number): number {
  const near = Math.round((net + formula.fixed) / (1 - formula.rate / 10_000));
  for (const gross of [near - 1, near, near + 1]) if (gross - keptOf(formula, [gross]) === net) return gross;
  return 0;
}
