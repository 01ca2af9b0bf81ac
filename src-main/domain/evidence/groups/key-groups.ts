import { floatAt, intAt, itemAt } from '../../collections/typed-arrays.ts';
import { type Attempt, chanceOfSum, commonness, divisorOf, type Finding } from './attempts.ts';
import { type Frame, LINE, linesOfKeys, type OpenSide } from './open-lines.ts';
import { sumOfRows } from './reference-groups.ts';

/** Days from lines of A to those of B in which sums are looked up at least, whatever the days of pairs are. */
const LEAST_RANGE = [-2, 10] as const;
/** Members lie within so many days. */
const MOST_SPAN = 7;
const MOST_MEMBERS = 200;
/** Prior share of numbers on several lines of one side that name a batch of lines, and its weight in numbers. */
const PRIOR_OF_KEYS = 0.1;
const PRIOR_KEYS = 4;
/** Prior share of open lines that are the sum of lines entered one after the other, and its weight in lines. */
const PRIOR_OF_ROWS = 0.03;
const PRIOR_ROWS = 6;
const PRIOR_ROWS_OF_NAMES = 2;
const LEAST_OF_NAME = 3;
/** Most lines that were entered one after the other, most days between them, the same for lines of one name, and most sums of all runs. */
const MOST_IN_A_ROW = 40;
const MOST_APART = 1;
const MOST_APART_OF_NAME = 31;
const MOST_SUMS = 2_000_000;
/** A random sum lies anywhere between half of the target and twice the target. */
const [LOW, HIGH] = [0.5, 2];
const CANCEL_EVERY = 4_096;

/** Adds groups of lines that only their own side ties together: by a number that they share, such as that of a paying-in slip, or by their order. */
export function keyGroups(finding: Finding, frame: Frame): void {
  const [first, last] = finding.missing.usualRange();
  const targets = new Targets(frame.targets, [Math.min(first, LEAST_RANGE[0]), Math.max(last, LEAST_RANGE[1])]);
  sharedKeys(finding, frame, targets);
  rowsAsEntered(finding, frame, targets);
}

/** Open lines by currency and amount, ascending by day. */
class Targets {
  /** Days before and after a line in which its members lie. */
  readonly back: number;
  readonly ahead: number;
  readonly #days: Int32Array;
  readonly #rows = new Map<string, number[]>();

  /** `range` holds the days from A to B. */
  constructor(side: OpenSide, range: readonly [number, number]) {
    this.#days = side.features.days;
    [this.back, this.ahead] = side.side === 'b' ? [range[1], 0 - range[0]] : [0 - range[0], range[1]];
    for (let row = 0; row < side.features.count; row += 1) {
      const value = floatAt(side.values, row);
      if (side.state[row] === LINE.closed || value === 0) continue;
      const key = `${intAt(side.currencies, row)} ${value}`;
      const list = this.#rows.get(key);
      if (list === undefined) this.#rows.set(key, [row]);
      else list.push(row);
    }
  }

  /** Returns the lines with an amount whose day fits to members of these days. */
  of(currency: number, sum: number, firstDay: number, lastDay: number): number[] {
    return (this.#rows.get(`${currency} ${sum}`) ?? []).filter((row) => {
      const day = intAt(this.#days, row);
      return day >= lastDay - this.ahead && day <= firstDay + this.back;
    });
  }
}

/** Tries all open lines that share a number which the line of the other side does not have. */
function sharedKeys(finding: Finding, { targets, members }: Frame, open: Targets): void {
  const { features, currencies, values } = members;
  const density = densityOf(targets);
  for (const { origin, rows } of linesOfKeys(members)) {
    const [firstDay, lastDay] = [intAt(features.days, itemAt(rows, 0)), intAt(features.days, rows.at(-1) ?? 0)];
    if (rows.length < finding.least || rows.length > MOST_MEMBERS || lastDay - firstDay > MOST_SPAN) continue;
    const { sum, isExact } = sumOfRows({ ...members, values }, rows);
    if (sum === 0 || !isExact) continue;
    const family = finding.families.codeOf(`${targets.side} key ${origin}`, PRIOR_OF_KEYS, PRIOR_KEYS);
    const found = open.of(intAt(currencies, itemAt(rows, 0)), sum, firstDay, lastDay);
    const near = Math.max(1, density * (open.back + open.ahead + 1));
    const chanceAt = (target: number): number =>
      Math.min(1, near * chanceOfSum(sum, divisorOf(members, rows, sum), commonness(finding.amounts, targets, target)));
    finding.families.count(family, found.length > 0 ? 0 : 1, found.length > 0 ? chanceAt(itemAt(found, 0)) : 0);
    for (const target of found) {
      finding.attempts.push({ ...attemptOf(targets, target, rows, family), chance: chanceAt(target), unlisted: found.length - 1 });
    }
  }
}

/** Returns the open lines of a day. */
function densityOf({ features, state }: OpenSide): number {
  const open = state.reduce((count, of) => count + (of === LINE.closed ? 0 : 1), 0);
  const days = features.count === 0 ? 1 : intAt(features.days, features.count - 1) - intAt(features.days, 0) + 1;
  return open / days;
}

function attemptOf(targets: OpenSide, target: number, rows: readonly number[], family: number): Omit<Attempt, 'chance' | 'unlisted'> {
  const members = rows.toSorted((left, right) => left - right);
  return { bond: 'days', isTargetOfA: targets.side === 'a', target, members, family, share: 1, substitutes: 0, lacking: 0, isAlike: false };
}

/** A run of lines in the order in which they were entered. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly target: number;
}

/** Tries lines that were entered one after the other. A line that has a partner of its own ends a run. */
function rowsAsEntered(finding: Finding, frame: Frame, open: Targets): void {
  const { targets, members } = frame;
  const { families } = finding;
  const order = orderOfEntry(members);
  if (order === null) return;
  const { found, sums } = runsThatAddUp(members, order, open);
  const linesOf = new Map<number, number>();
  for (const name of targets.features.names) linesOf.set(name, (linesOf.get(name) ?? 0) + 1);
  const wide = families.codeOf(`${targets.side} entered`, PRIOR_OF_ROWS, PRIOR_ROWS);
  for (let target = 0; target < targets.features.count; target += 1) {
    if (target % CANCEL_EVERY === 0 && finding.isCancelled()) return;
    const wanted = floatAt(targets.values, target);
    if (targets.state[target] === LINE.closed || wanted === 0) continue;
    const near = sums.near(targets, target, open);
    if (near === 0) continue;
    const name = intAt(targets.features.names, target);
    const isWide = name < 0 || (linesOf.get(name) ?? 0) < LEAST_OF_NAME;
    const family = isWide ? wide : families.codeOf(`${targets.side} entered ${name}`, PRIOR_OF_ROWS, PRIOR_ROWS_OF_NAMES, wide);
    const ways = found.get(target) ?? [];
    const common = commonness(finding.amounts, targets, target);
    const chanceOf = (rows: readonly number[]): number => Math.min(1, near * chanceOfSum(wanted, divisorOf(members, rows, wanted), common));
    const lists = ways.map(({ from, to }) => Array.from(order.subarray(from, to)));
    families.count(family, lists.length > 0 ? 0 : 1, lists[0] === undefined ? near * chanceOfSum(wanted, 1, common) : chanceOf(lists[0]));
    for (const rows of lists) {
      const shared = attemptOf(targets, target, rows, family);
      const substitutes = finding.missing.substitutes(frame, target, shared.members, shared.members);
      finding.attempts.push({ ...shared, substitutes, chance: chanceOf(rows), unlisted: lists.length - 1 });
    }
  }
}

/** Returns the rows by their running number, or null if the side has none. */
function orderOfEntry({ features: { entered } }: OpenSide): Int32Array | null {
  if (entered === null) return null;
  const rows = Int32Array.from(entered.keys()).filter((row) => !Number.isNaN(floatAt(entered, row)));
  return rows.toSorted((left, right) => floatAt(entered, left) - floatAt(entered, right) || left - right);
}

/** Sums of runs by the first day of a run, to count how many lie near an amount. */
class SumsByDay {
  readonly #sums = new Map<number, number[]>();
  #isSorted = false;

  add(day: number, sum: number): void {
    const list = this.#sums.get(day);
    if (list === undefined) this.#sums.set(day, [sum]);
    else list.push(sum);
  }

  /** Returns the number of runs whose day fits to a line and whose sum is between half of its amount and twice the amount. */
  near(targets: OpenSide, target: number, { back, ahead }: Targets): number {
    if (!this.#isSorted) for (const list of this.#sums.values()) list.sort((left, right) => left - right);
    this.#isSorted = true;
    const wanted = floatAt(targets.values, target);
    const [low, high] = wanted > 0 ? [LOW * wanted, HIGH * wanted] : [HIGH * wanted, LOW * wanted];
    const day = intAt(targets.features.days, target);
    let count = 0;
    for (let of = day - back; of <= day + ahead; of += 1) {
      const list = this.#sums.get(of);
      if (list !== undefined) count += placeOf(list, high) - placeOf(list, low);
    }
    return count;
  }
}

/** Returns how many of the ascending numbers are below a value. */
function placeOf(list: readonly number[], value: number): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (itemAt(list, middle) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

function runsThatAddUp(
  { features, state, currencies, values }: OpenSide,
  order: Int32Array,
  open: Targets,
): { readonly found: ReadonlyMap<number, Stretch[]>; readonly sums: SumsByDay } {
  const found = new Map<number, Stretch[]>();
  const sums = new SumsByDay();
  let left = MOST_SUMS;
  for (let from = 0; from < order.length && left > 0; from += 1) {
    const first = intAt(order, from);
    if (state[first] === LINE.closed) continue;
    const currency = intAt(currencies, first);
    let [sum, firstDay, lastDay] = [floatAt(values, first), intAt(features.days, first), intAt(features.days, first)];
    let isOfName = intAt(features.names, first) >= 0;
    for (let to = from + 1; to < Math.min(order.length, from + MOST_IN_A_ROW); to += 1) {
      const row = intAt(order, to);
      if (state[row] === LINE.closed || intAt(currencies, row) !== currency || floatAt(values, row) > 0 !== sum > 0) break;
      const day = intAt(features.days, row);
      [firstDay, lastDay] = [Math.min(firstDay, day), Math.max(lastDay, day)];
      isOfName &&= intAt(features.names, row) === intAt(features.names, first);
      if (lastDay - firstDay > (isOfName ? MOST_APART_OF_NAME : MOST_APART)) break;
      sum += floatAt(values, row);
      left -= 1;
      sums.add(firstDay, sum);
      for (const target of open.of(currency, sum, firstDay, lastDay)) {
        const ways = found.get(target) ?? [];
        found.set(target, [...ways, { from, to: to + 1, target }]);
      }
    }
  }
  return { found, sums };
}
