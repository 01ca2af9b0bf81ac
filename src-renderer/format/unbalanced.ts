import type { SidedRecord } from '../../src-shared/contract/index.ts';
import { balancingPlace } from '../../src-shared/values/balancing.ts';
import { type CurrencySum, differencesOf, moneyText, rescaled, type SignConvention, sumsOf } from './money.ts';
import { say } from '../../src-shared/words/say.ts';

/** The fields of a line that the window needs to match it. */
export type SidedLine = Pick<
  SidedRecord,
  'id' | 'side' | 'date' | 'description' | 'external_id' | 'amount' | 'direction' | 'currency' | 'decimal_places'
>;

/** Lines of one currency that do not balance. */
export interface Unbalanced {
  readonly lines: readonly SidedLine[];
  /** Side A minus side B under the convention; never 0. */
  readonly difference: CurrencySum;
  readonly convention: SignConvention;
}

const ofSide = (lines: readonly SidedLine[], side: 'a' | 'b') => lines.filter((line) => line.side === side);

/** Returns the difference that a match of these lines would have. Null when they balance, and when they have several currencies. */
export function unbalancedOf(lines: readonly SidedLine[], convention: SignConvention): Unbalanced | null {
  const [difference, ...more] = differencesOf(sumsOf(ofSide(lines, 'a')), sumsOf(ofSide(lines, 'b')), convention);
  return difference === undefined || difference.net === 0 || more.length > 0 ? null : { lines, difference, convention };
}

/** Returns the difference without a sign, `£72.00`. */
export function sizeText({ difference }: Pick<Unbalanced, 'difference'>, locale?: string): string {
  return moneyText(Math.abs(difference.net), difference.currency, difference.decimal_places, locale);
}

/** Returns a sentence when all lines are on one side; null when both sides have some. */
export function oneSideText(unbalanced: Unbalanced, locale?: string): string | null {
  const { lines } = unbalanced;
  const side = lines[0]?.side;
  if (lines.some((line) => line.side !== side) || side === undefined) return null;
  const [own, other] = side === 'a' ? ['A', 'B'] : ['B', 'A'];
  const all =
    lines.length === 2 ? say('matches.unbalanced.bothLinesAre') : say('matches.unbalanced.allLinesAre', { lines: lines.length }, locale);
  return say('matches.unbalanced.onSideWithNothing', { all, own, each: other, size: sizeText(unbalanced, locale) });
}

/** The adjustment that would make the lines balance. */
interface AdjustmentPreview {
  readonly side: 'a' | 'b';
  readonly date: string;
  /** Credits positive, debits negative, in minor units at the difference's scale. */
  readonly net: number;
}

export function adjustmentOf({ lines, difference, convention }: Unbalanced): AdjustmentPreview {
  const net = (side: 'a' | 'b') =>
    sumsOf(ofSide(lines, side)).reduce((sum, part) => sum + BigInt(rescaled(part.net, part.decimal_places, difference.decimal_places)), 0n);
  const isOfSideA = lines.every((line) => line.side === 'a');
  const { side, isCredit } = balancingPlace({ a: net('a'), b: net('b') }, difference.net, convention, isOfSideA);
  const size = Math.abs(difference.net);
  const date = lines
    .map((line) => line.date)
    .toSorted()
    .at(-1);
  return { side, date: date ?? '', net: isCredit ? size : -size };
}

/**
 * Returns two amounts that differ by two swapped neighbouring digits, a common typing error: `891.00 and 819.00`. Null when they do not. `write`
 * formats the amount of a line.
 */
export function transposedText({ lines }: Pick<Unbalanced, 'lines'>, write: (line: SidedLine) => string): string | null {
  const [one, two, ...more] = lines;
  if (one === undefined || two === undefined || more.length > 0 || one.side === two.side) return null;
  const [left, right] = [String(one.amount), String(two.amount)];
  if (one.decimal_places !== two.decimal_places || left.length !== right.length) return null;
  const places = [...left].flatMap((digit, place) => (digit === right[place] ? [] : [place]));
  const [first = 0, second = 0] = places;
  const isSwapped = places.length === 2 && second === first + 1 && left[first] === right[second] && left[second] === right[first];
  return isSwapped ? say('matches.unbalanced.twoDigitsMayBeTransposed', { write: write(one), write2: write(two) }) : null;
}
