import type { Output, ReconciliationSummary, Run, SidedRecord, SumSuggestion } from '../../src-shared/contract/index.ts';
import { balancingPlace } from '../../src-shared/values/balancing.ts';
import { say } from '../../src-shared/words/say.ts';
import { countText, listText } from './counts.ts';
import { type CurrencySum, differencesOf, moneyText, rescaled, type SignConvention, sumsOf } from './money.ts';

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
export function sizeText({ difference }: Pick<Unbalanced, 'difference'>): string {
  return moneyText(Math.abs(difference.net), difference.currency, difference.decimal_places);
}

/** Returns a sentence when all lines are on one side; null when both sides have some. */
export function oneSideText(unbalanced: Unbalanced): string | null {
  const { lines } = unbalanced;
  const side = lines[0]?.side;
  if (lines.some((line) => line.side !== side) || side === undefined) return null;
  const [own, other] = side === 'a' ? ['A', 'B'] : ['B', 'A'];
  const all = lines.length === 2 ? say('matches.unbalanced.bothLinesAre') : say('matches.unbalanced.allLinesAre', { lines: lines.length });
  return say('matches.unbalanced.onSideWithNothing', { all, own, each: other, size: sizeText(unbalanced) });
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

type SumAnswer = Output<'matches.suggest_sums'>;

/** Returns the missing amount without a sign: `£12.50`. */
export function missingText({ difference, currency, decimal_places: places }: SumAnswer): string {
  return moneyText(Math.abs(difference), currency, places);
}

/** Returns `3 lines of side B, £1,250.00, within 2 days`. */
export function suggestionTitle({ side, records, total, day_span: days }: SumSuggestion, answer: SumAnswer): string {
  const amount = moneyText(total, answer.currency, answer.decimal_places);
  const lines = say('matches.sums.linesOfSide', { records: records.length, side: side.toUpperCase(), amount });
  if (records.length < 2) return lines;
  return days === 0 ? say('matches.sums.onOneDay', { lines }) : say('matches.sums.overDays', { lines, days: days + 1 });
}

/** Returns a sentence for a search without a result. */
export function nothingText(answer: SumAnswer, days: number): string {
  const { searched } = answer;
  if (searched.length === 0) return say('matches.sums.theseLinesBalanceAlready');
  if (searched.every((side) => side.candidates === 0)) return say('matches.sums.noOtherLineIsOpenWithinDays', { days });
  return say('matches.sums.nothingWithinDaysAdds', { days, missing: missingText(answer) });
}

/** Returns one sentence for each limit of the search. */
export function limitTexts({ searched }: SumAnswer): string[] {
  const cut = searched.filter((side) => side.is_cut);
  const names = (sides: SumAnswer['searched']) =>
    listText(sides.map((side) => say('matches.sums.side', { side: side.side.toUpperCase() })));
  const texts =
    cut.length === 0 ? [] : [say('matches.sums.onlyTheNearestOpen', { candidates: countText(cut[0]?.candidates ?? 0), names: names(cut) })];
  const unfinished = searched.filter((side) => side.gave_up);
  if (unfinished.length === 0) return texts;
  const known = Math.min(...unfinished.map((side) => side.known_up_to));
  const what = known === 0 ? say('matches.sums.thereAreTooMany') : say('matches.sums.combinationsOfMoreThanLines', { known });
  return [...texts, say('matches.sums.thereMayBeOthers', { what })];
}

type Apart = NonNullable<Run['no_shared_currency']>;

/** Returns the currencies of two sides that share none. Null while a side is empty or when they share one. */
export function currenciesApart({ side_a: a, side_b: b }: Pick<ReconciliationSummary, 'side_a' | 'side_b'>): Apart | null {
  const [sideA, sideB] = [a, b].map(({ totals }) => totals.map(({ currency }) => currency)) as [string[], string[]];
  const isApart = sideA.length > 0 && sideB.length > 0 && !sideA.some((currency) => sideB.includes(currency));
  return isApart ? { side_a: sideA, side_b: sideB } : null;
}

export function currenciesApartSentence({ side_a: a, side_b: b }: Apart): string {
  return say('runs.sharedCurrency.sideAIsInSide', { a: a.join(', '), b: b.join(', ') });
}
