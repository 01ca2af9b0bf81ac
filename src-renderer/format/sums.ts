import type { Output, SumSuggestion } from '../../src-shared/contract/index.ts';
import { counted, countText, listText } from './counts.ts';
import { moneyText } from './money.ts';

type SumAnswer = Output<'matches.suggest_sums'>;

/** Returns the missing amount without a sign: `£12.50`. */
export function missingText({ difference, currency, decimal_places: places }: SumAnswer, locale?: string): string {
  return moneyText(Math.abs(difference), currency, places, locale);
}

/** Returns `3 lines of side B, £1,250.00, within 2 days`. */
export function suggestionTitle({ side, records, total, day_span: days }: SumSuggestion, answer: SumAnswer, locale?: string): string {
  const amount = moneyText(total, answer.currency, answer.decimal_places, locale);
  const span = records.length < 2 ? '' : days === 0 ? ', on one day' : `, over ${counted(days + 1, 'day', 'days', locale)}`;
  return `${counted(records.length, 'line', 'lines', locale)} of side ${side.toUpperCase()}, ${amount}${span}`;
}

/** Returns a sentence for a search without a result. */
export function nothingText(answer: SumAnswer, days: number, locale?: string): string {
  const { searched } = answer;
  if (searched.length === 0) return 'These lines balance already.';
  if (searched.every((side) => side.candidates === 0)) return `No other line is open within ${counted(days, 'day', 'days', locale)}.`;
  return `Nothing within ${counted(days, 'day', 'days', locale)} adds up to ${missingText(answer, locale)}.`;
}

/** Returns one sentence for each limit of the search. */
export function limitTexts({ searched }: SumAnswer, locale?: string): string[] {
  const cut = searched.filter((side) => side.is_cut);
  const names = (sides: SumAnswer['searched']) => listText(sides.map((side) => `side ${side.side.toUpperCase()}`));
  const texts =
    cut.length === 0 ? [] : [`Only the nearest ${countText(cut[0]?.candidates ?? 0, locale)} open lines of ${names(cut)} were tried.`];
  const unfinished = searched.filter((side) => side.gave_up);
  if (unfinished.length === 0) return texts;
  const known = Math.min(...unfinished.map((side) => side.known_up_to));
  const what =
    known === 0
      ? 'There are too many lines to try all combinations'
      : `Combinations of more than ${counted(known, 'line', 'lines', locale)} were not all tried`;
  return [...texts, `${what}: there may be others.`];
}
