import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { DayRuns } from '../../groups/runs.ts';
import type { SumRange } from '../../groups/sums.ts';
import type { Names } from '../features/names.ts';
import type { NameWeights } from '../frequencies/name-weights.ts';
import { firstRowOn } from '../frequencies/pair-chances.ts';
import { chanceOfSum, commonness, divisorOf, type Finding, subsetsOf } from './attempts.ts';
import { type Frame, LINE, type OpenSide } from './open-lines.ts';
import { sumOfRows } from './reference-groups.ts';

/** Most words whose days are added up, those on the most open lines first, and least lines of such a word. */
const MOST_NAMES = 40;
const LEAST_LINES = 6;
/** Most days that are added up, and the days around them in which the target lies. */
const MOST_DAYS = 8;
const AFTER = 10;
const BEFORE = 2;
const MOST_MEMBERS = 200;
/** Lines before and after a group that are checked for substitutes. */
const MOST_AROUND = 40;
const MOST_STEPS = 20_000_000;
const STEPS_A_TARGET = 80;
/** Prior share of lines that are the sum of another kind of lines over some days. */
const PRIOR = 0.004;
const PRIOR_SUMS = 25;
const PRIOR_SUMS_OF_NAMES = 2;
const LEAST_OF_NAME = 3;
const PRIOR_OF_AMOUNTS = 0.05;
const CANCEL_EVERY = 4_096;
/** Limits of the search near a target when only amounts and days count. */
const MOST_SEARCHED = 14;
const MOST_SCANNED = 400;
const MOST_PICKED = 6;
const STEPS = 40_000;
const MOST_STEPS_OF_AMOUNTS = 100_000_000;
/** Days before and after a line of B in which members are searched, each window narrower, until few enough lines lie inside. */
const WINDOWS = [
  [7, 1],
  [4, 1],
  [3, 0],
  [2, 0],
  [1, 0],
] as const;

/** Lines of one kind, by day. */
interface Kind {
  readonly key: string;
  readonly currency: number;
  readonly lines: DayRuns<number>;
}

/** Adds groups of lines of one kind on consecutive days that add up to a line of the other side, such as the takings of a weekend. */
export function dayGroups(finding: Finding, frame: Frame, weights: NameWeights): void {
  const { targets } = frame;
  const asking: number[] = [];
  for (let row = 0; row < targets.features.count; row += 1) {
    if (targets.state[row] !== LINE.closed && floatAt(targets.values, row) !== 0) asking.push(row);
  }
  const most = Math.min(MOST_NAMES, Math.floor(MOST_STEPS / STEPS_A_TARGET / Math.max(1, asking.length)));
  const kinds = kindsOf(frame.members, most, weights);
  const linesOf = new Map<number, number>();
  for (const target of asking) {
    const name = intAt(targets.features.names, target);
    linesOf.set(name, (linesOf.get(name) ?? 0) + 1);
  }
  const { families } = finding;
  const wide = families.codeOf(`${targets.side} days`, PRIOR, PRIOR_SUMS);
  for (const kind of kinds) {
    // A relation between one kind of lines and a name can be learned only if several lines have the name.
    const known = new Map<number, number>();
    for (const [place, target] of asking.entries()) {
      if (place % CANCEL_EVERY === 0 && finding.isCancelled()) return;
      const name = intAt(targets.features.names, target);
      let family = known.get(name);
      if (family === undefined) {
        const key = `${targets.side} days ${name} ${kind.key}`;
        const isWide = (linesOf.get(name) ?? 0) < LEAST_OF_NAME && !families.isCounted(key);
        family = isWide ? wide : families.codeOf(key, PRIOR, PRIOR_SUMS_OF_NAMES, wide);
        known.set(name, family);
      }
      tryDays(finding, frame, target, kind, family);
    }
  }
}

/** Returns the lines of the words on the most open lines, and all lines by currency and sign. */
export function kindsOf({ features, state, currencies, values }: OpenSide, most: number, weights: NameWeights): Kind[] {
  const words = new Map<string, number[]>();
  const classes = new Map<string, number[]>();
  for (let row = 0; row < features.count; row += 1) {
    if (state[row] === LINE.closed) continue;
    const currency = intAt(currencies, row);
    const name = intAt(features.names, row);
    put(classes, `${floatAt(values, row) < 0 ? '-' : '+'} ${currency}`, row);
    if (name < 0) continue;
    for (let at = intAt(weights.starts, name); at < intAt(weights.starts, name + 1); at += 1) {
      put(words, `${intAt(weights.features, at)} ${currency}`, row);
    }
  }
  const seen = new Set<string>();
  const common = [...words]
    .filter(([, rows]) => rows.length >= LEAST_LINES)
    .toSorted(
      ([, left], [, right]) => right.length - left.length || (left[0] ?? 0) - (right[0] ?? 0) || (left.at(-1) ?? 0) - (right.at(-1) ?? 0),
    )
    .filter(([, rows]) => {
      // Features on the same lines make one kind.
      const lines = `${rows.length} ${rows[0]} ${rows[rows.length >> 1]} ${rows.at(-1)}`;
      if (seen.has(lines)) return false;
      seen.add(lines);
      return true;
    })
    .slice(0, most);
  return [...common, ...classes].map(([key, rows]) => ({
    key,
    currency: intAt(currencies, rows[0] ?? 0),
    lines: new DayRuns(rows, { day: (row) => intAt(features.days, row), units: (row) => floatAt(values, row) }),
  }));
}

function put(lists: Map<string, number[]>, key: string, row: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [row]);
  else list.push(row);
}

/** Lines of side A come before those of side B, apart from a few days. */
function windowOf({ targets }: Frame, target: number): readonly [number, number] {
  const day = intAt(targets.features.days, target);
  return targets.side === 'b' ? [day - AFTER, day + BEFORE] : [day - BEFORE, day + AFTER];
}

function tryDays(finding: Finding, frame: Frame, target: number, kind: Kind, family: number): void {
  const { targets, members } = frame;
  const wanted = floatAt(targets.values, target);
  const [first, last] = windowOf(frame, target);
  if (kind.currency !== intAt(targets.currencies, target)) return;
  const { days, starts, items: rows, runs } = kind.lines;
  const around: SumRange = wanted > 0 ? { low: wanted / 2, high: 2 * wanted } : { low: 2 * wanted, high: wanted / 2 };
  const found: (readonly [number, number])[] = [];
  let near = 0;
  let end = 0;
  for (let from = kind.lines.placeOf(first - MOST_DAYS + 1); from < days.length && intAt(days, from) <= last; from += 1) {
    const until = Math.min(last, intAt(days, from) + MOST_DAYS - 1);
    end = Math.max(end, from);
    while (end < days.length && intAt(days, end) <= until) end += 1;
    runs.startingAt(from, end, around, (_, to, sum) => {
      const lines = intAt(starts, to + 1) - intAt(starts, from);
      if (lines < finding.least || lines > MOST_MEMBERS || intAt(days, to) < first) return;
      const ratio = sum / wanted;
      if (ratio > 0.5 && ratio < 2) near += 1;
      if (sum === wanted) found.push([intAt(starts, from), intAt(starts, to + 1)]);
    });
  }
  if (near === 0) return;
  const common = commonness(finding.amounts, targets, target);
  finding.families.count(family, found.length > 0 ? 0 : 1, near * chanceOfSum(wanted, 1, common));
  const [way] = found;
  if (way === undefined) return;
  const chosen = rows.slice(...way);
  const neighbours = rows.slice(Math.max(0, way[0] - MOST_AROUND), way[1] + MOST_AROUND);
  const chance = near * chanceOfSum(wanted, divisorOf(members, chosen, wanted), common);
  const shared = { bond: 'days', isTargetOfA: targets.side === 'a', target, family, share: 1, lacking: 0, isAlike: false } as const;
  const unlisted = found.length - 1 + finding.missing.exchanges(frame, target, chosen, neighbours);
  const substitutes = finding.missing.substitutes(frame, target, chosen, neighbours);
  finding.attempts.push({ ...shared, members: chosen, chance: Math.min(1, chance), unlisted, substitutes });
}

/** Adds groups of open lines near a line of the other side that add up to it and have nothing else in common. */
export function amountGroups(finding: Finding, frame: Frame, names: Names): void {
  const { targets, members } = frame;
  const exact = finding.attempts.filter(({ isTargetOfA, lacking }) => isTargetOfA === (targets.side === 'a') && lacking === 0);
  const has = new Set(exact.map(({ target }) => target));
  const isTold = new Set(exact.filter(({ bond }) => bond !== 'days').map(({ target }) => target));
  const family = finding.families.codeOf(`${targets.side} amounts`, PRIOR_OF_AMOUNTS, PRIOR_SUMS);
  const asking = targets.state.reduce((count, state) => count + (state === LINE.open ? 1 : 0), 0);
  const steps = Math.min(STEPS, Math.floor(MOST_STEPS_OF_AMOUNTS / Math.max(1, asking)));
  for (let target = 0; target < targets.features.count; target += 1) {
    if (target % CANCEL_EVERY === 0 && finding.isCancelled()) return;
    if (targets.state[target] !== LINE.open || isTold.has(target)) continue;
    const wanted = floatAt(targets.values, target);
    const day = intAt(targets.features.days, target);
    const rows = rowsNear(frame, target, wanted, day);
    if (rows.length < 2) continue;
    kindGroups(finding, frame, target, rows, names);
    if (has.has(target)) continue;
    const ways = subsetsOf(finding, members, targets, target, rows, steps, MOST_PICKED);
    finding.families.count(family, ways.length > 0 ? 0 : 1, ways[0]?.chance ?? 0);
    for (const way of ways) {
      const substitutes = finding.missing.substitutes(frame, target, way.members, rows);
      finding.attempts.push({
        ...way,
        substitutes,
        bond: 'amount',
        isTargetOfA: targets.side === 'a',
        target,
        family,
        share: 1,
        lacking: 0,
      });
    }
  }
}

/** Returns the open lines of the widest window around a target that holds few enough of them, ascending; none if even the narrowest holds more. */
function rowsNear({ targets, members }: Frame, target: number, wanted: number, day: number): number[] {
  const currency = intAt(targets.currencies, target);
  for (const [before, after] of WINDOWS) {
    const [first, last] = targets.side === 'b' ? [day - before, day + after] : [day - after, day + before];
    const from = firstRowOn(members.features, first);
    const until = firstRowOn(members.features, last + 1);
    if (until - from > MOST_SCANNED) continue;
    const rows: number[] = [];
    for (let row = from; row < until && rows.length <= MOST_SEARCHED; row += 1) {
      const value = floatAt(members.values, row);
      const fits = members.state[row] === LINE.open && value / wanted > 0 && value / wanted < 1;
      if (fits && intAt(members.currencies, row) === currency) rows.push(row);
    }
    if (rows.length <= MOST_SEARCHED) return rows;
  }
  return [];
}

/** Prior share of lines without a name that pay all open lines of one word near them, if these add up to a similar amount. */
const PRIOR_OF_KIND = 0.2;
const PRIOR_SUMS_OF_KIND = 8;
/** A word's lines add up to a similar amount between half of a line and twice the line. */
const [LOW, HIGH] = [0.5, 2];

/**
 * Adds groups of all open lines near a target that contain one word, even if the target does not, such as one customer's payments at the till that
 * are banked together. `rows` holds the open lines near the target, ascending.
 */
function kindGroups(finding: Finding, frame: Frame, target: number, rows: readonly number[], names: Names): void {
  const { targets, members } = frame;
  const { families, amounts, missing } = finding;
  const wanted = floatAt(targets.values, target);
  const kinds = kindsAmong(frame, rows, names).filter((kind) => {
    const share = sumOfRows(members, kind).sum / wanted;
    return share > LOW && share < HIGH;
  });
  if (kinds.length === 0) return;
  const common = commonness(amounts, targets, target);
  // A random sum lies anywhere between half of the target and twice the target.
  const chanceOf = (divisor: number): number => Math.min(1, kinds.length * (chanceOfSum(wanted, divisor, 0) / (HIGH - LOW) + common));
  const hits = kinds.filter((kind) => sumOfRows(members, kind).sum === wanted);
  const family = families.codeOf(`${targets.side} kinds`, PRIOR_OF_KIND, PRIOR_SUMS_OF_KIND);
  const divisors = hits.map((kind) => divisorOf(members, kind, wanted));
  families.count(family, hits.length > 0 ? 0 : 1, chanceOf(divisors[0] ?? 1));
  for (const [place, chosen] of hits.entries()) {
    finding.attempts.push({
      bond: 'amount',
      isTargetOfA: targets.side === 'a',
      target,
      members: chosen,
      family,
      share: 1,
      chance: chanceOf(divisors[place] ?? 1),
      unlisted: 0,
      substitutes: missing.substitutes(frame, target, chosen, rows),
      lacking: 0,
      isAlike: false,
    });
  }
}

/** Returns the rows by word, for words on at least two rows; words on the same rows are merged. */
function kindsAmong({ members }: Frame, rows: readonly number[], names: Names): (readonly number[])[] {
  const byWord = new Map<number, number[]>();
  for (const row of rows) {
    const name = intAt(members.features.names, row);
    const words = new Set<number>();
    if (name >= 0) names.eachWord(name, (word) => words.add(word));
    for (const word of words) {
      const list = byWord.get(word);
      if (list === undefined) byWord.set(word, [row]);
      else list.push(row);
    }
  }
  const kinds = new Map<string, readonly number[]>();
  for (const kind of byWord.values()) if (kind.length > 1) kinds.set(kind.join(','), kind);
  return [...kinds.values()];
}
