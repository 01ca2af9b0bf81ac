import { decimalText } from '../../../../src-shared/values/money.ts';
import { grouped } from '../../../../src-shared/values/notation.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { AMOUNT } from '../comparison/levels.ts';
import type { Pairs } from '../comparison/pairs.ts';
import type { LineFeatures } from '../features/line-features.ts';
import type { Amounts } from '../frequencies/amounts.ts';
import type { Formula } from '../model/parameters.ts';

/**
 * Formulas of differences, such as a rate and a fixed fee that a processor keeps of each payment, or a discount. They are learned from the most
 * likely pairs, and must be exact to the cent. A pair that a formula explains is as rare as its exact amount and may be committed.
 */

/** Rates go up to 6 %, in hundredths of a percent, and fixed parts up to 5.00, in minor units. */
export const MOST_RATE = 600;
export const MOST_FIXED = 500;
/** The last band of amounts in which a fee or a discount can lie. */
const LAST_BAND = 5;
const MOST_PAIRS = 2_000;
/**
 * Requirements of a formula: pairs that are exact to the cent, their least share of all differences, and the number of different amounts among them.
 */
const LEAST_EXACT = 12;
const LEAST_SHARE = 0.2;
const LEAST_AMOUNTS = 6;
const MOST_FORMULAS = 3;
/** A difference within this share of a formula's result counts as an attempt at it. At least half of the attempts must be exact. */
const NEAR = 0.1;
const LEAST_FOLLOWING = 0.5;
/** Exact pairs, and their share of the attempts, from which on a formula is good enough to commit pairs. */
const COMMITTING = 20;
const COMMITTING_SHARE = 0.8;

interface Lines {
  readonly a: LineFeatures;
  readonly b: LineFeatures;
  readonly amounts: Amounts;
}

interface Difference {
  readonly gross: number;
  readonly lacking: number;
}

function lackingBy({ rate, fixed }: Pick<Formula, 'rate' | 'fixed'>, gross: number): number {
  return Math.round((gross * rate) / 10_000) + fixed;
}

/** Returns what a formula of sums keeps of some lines. */
export function keptOf(formula: Pick<Formula, 'rate' | 'fixed' | 'per'>, gross: readonly number[]): number {
  if (formula.per === 'line')
    return Math.abs(gross.reduce((kept, value) => kept + Math.sign(value) * lackingBy(formula, Math.abs(value)), 0));
  return lackingBy(formula, Math.abs(gross.reduce((sum, value) => sum + value, 0)));
}

/** Returns whether a formula turns one amount into the other, exact to the cent. Amounts are unsigned and in the same units. */
export function isExplainedBy(formula: Formula, a: number, b: number): boolean {
  const [gross, net] = formula.grossOn === 'a' ? [a, b] : [b, a];
  return gross > net && gross - net === lackingBy(formula, gross);
}

/** Returns whether a formula was seen often enough, with few enough exceptions, to commit pairs by it. */
export function mayCommitBy({ exact, of }: Formula): boolean {
  return exact >= COMMITTING && exact >= COMMITTING_SHARE * of;
}

/** Returns the formulas of a book, those that explain most pairs first. `places` is the number of decimal places of the book's finest line. */
export function formulasOf(pairs: Pairs, lines: Lines, odds: Float64Array, places: number): Formula[] {
  const found = (['a', 'b'] as const).flatMap((grossOn) => {
    let left = differencesOf(pairs, lines, odds, grossOn);
    const all = left.length;
    const formulas: Formula[] = [];
    while (formulas.length < MOST_FORMULAS && left.length >= Math.max(LEAST_EXACT, LEAST_SHARE * all)) {
      const best = bestFormula(left, grossOn, places);
      if (best === null || best.exact < LEAST_SHARE * all) break;
      formulas.push(best);
      left = left.filter(({ gross, lacking }) => lacking !== lackingBy(best, gross));
    }
    return formulas;
  });
  return found.toSorted((left, right) => right.exact - left.exact || left.rate - right.rate);
}

/** Returns the differences between lines that are each other's most likely partner. */
function differencesOf({ starts, columns, amount }: Pairs, { a, b }: Lines, odds: Float64Array, grossOn: 'a' | 'b'): Difference[] {
  const best = new Int32Array(b.count).fill(-1);
  const bestOf = (row: number): number => {
    let found = -1;
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1)
      if (floatAt(odds, at) > 0 && (found < 0 || floatAt(odds, at) > floatAt(odds, found))) found = at;
    return found;
  };
  for (let row = 0; row < a.count; row += 1) {
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      const column = intAt(columns, at);
      if (intAt(best, column) < 0 || floatAt(odds, at) > floatAt(odds, intAt(best, column))) best[column] = at;
    }
  }
  const found: Difference[] = [];
  for (let row = 0; row < a.count; row += 1) {
    const at = bestOf(row);
    if (at < 0 || intAt(best, intAt(columns, at)) !== at) continue;
    const level = amount[at] as number;
    if (level === AMOUNT.equal || level > LAST_BAND) continue;
    const [own, other] = [floatAt(a.values, row), floatAt(b.values, intAt(columns, at))];
    const [gross, net] = grossOn === 'a' ? [own, other] : [other, own];
    if (gross > net) found.push({ gross, lacking: gross - net });
  }
  const step = Math.max(1, Math.ceil(found.length / MOST_PAIRS));
  return found.filter((_, place) => place % step === 0);
}

/** Returns the rate and fixed part that explain most differences to the cent, or null if they explain too few. */
function bestFormula(differences: readonly Difference[], grossOn: 'a' | 'b', places: number): Formula | null {
  let best = { rate: 0, fixed: 0, exact: 0 };
  const counts = new Int32Array(MOST_FIXED + 1);
  for (let rate = 0; rate <= MOST_RATE; rate += 1) {
    counts.fill(0);
    for (const { gross, lacking } of differences) {
      const fixed = lacking - Math.round((gross * rate) / 10_000);
      if (fixed < 0 || fixed > MOST_FIXED || !Number.isInteger(fixed)) continue;
      counts[fixed] = intAt(counts, fixed) + 1;
      if (intAt(counts, fixed) > best.exact) best = { rate, fixed, exact: intAt(counts, fixed) };
    }
  }
  if (best.exact < LEAST_EXACT) return null;
  const exact = differences.filter(({ gross, lacking }) => lacking === lackingBy(best, gross));
  if (new Set(exact.map(({ gross }) => gross)).size < LEAST_AMOUNTS) return null;
  const of = differences.filter(({ gross, lacking }) => Math.abs(lacking - lackingBy(best, gross)) <= Math.max(1, NEAR * lacking)).length;
  return exact.length < LEAST_FOLLOWING * of ? null : { grossOn, ...best, places, exact: exact.length, of };
}

/** Sets the probability of pairs that a formula explains to that of their exact amount, in place of that of all amounts near it. */
export function countExplained(pairs: Pairs, { a, b, amounts }: Lines, formulas: readonly Formula[]): void {
  const { starts, columns, amount, ofAmount } = pairs;
  const { startsA, startsB, keyOfB, expected } = amounts;
  for (let row = 0; row < a.count; row += 1) {
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      const level = amount[at] as number;
      if (level === AMOUNT.equal || level > LAST_BAND) continue;
      const column = intAt(columns, at);
      const formula = formulas.find((each) => isExplainedBy(each, floatAt(a.values, row), floatAt(b.values, column)));
      if (formula === undefined) continue;
      const key = intAt(keyOfB, column);
      const lines = intAt(startsA, key + 1) - intAt(startsA, key) + intAt(startsB, key + 1) - intAt(startsB, key);
      const chance = (Math.max(0, lines - 1) + (expected[key] as number)) / (a.count + b.count);
      const follows = formula.exact / formula.of;
      ofAmount[at] = Math.min(ofAmount[at] as number, chance / follows);
    }
  }
}

/** Returns a formula as people write it: `1.4 % + 0.20`, or `1.4 % + 0.20 a line` for sums. */
export function formulaText({ rate, fixed, places, per }: Formula): string {
  const fee = grouped(decimalText(fixed, places));
  const fees = fixed === 0 ? [] : [per === 'line' ? phrase('rules.formulas.feeOfALine', { fee }) : fee];
  return [...(rate === 0 ? [] : [`${rate / 100} %`]), ...fees].join(' + ');
}
