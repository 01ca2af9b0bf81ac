import type { Output, SumSuggestion } from '../../src-shared/contract/index.ts';
import { countText, listText } from './counts.ts';
import { moneyText } from './money.ts';
import { say } from '../../src-shared/words/say.ts';

type SumAnswer = Output<'matches.suggest_sums'>;

/** Returns the missing amount without a sign: `£12.50`. */
export function missingText({ difference, currency, decimal_places: places }: SumAnswer, locale?: string): string {
  return moneyText(Math.abs(difference), currency, places, locale);
}

/** Returns `3 lines of side B, £1,250.00, within 2 days`. */
export function suggestionTitle({ side, records, total, day_span: days }: SumSuggestion, answer: SumAnswer, locale?: string): string {
  const amount = moneyText(total, answer.currency, answer.decimal_places, locale);
  const span =
    records.length < 2 ? '' : days === 0 ? say('matches.sums.onOneDay') : say('matches.sums.overDays', { days: days + 1 }, locale);
  return say('matches.sums.linesOfSide', { records: records.length, side: side.toUpperCase(), amount, span }, locale);
}

/** Returns a sentence for a search without a result. */
export function nothingText(answer: SumAnswer, days: number, locale?: string): string {
  const { searched } = answer;
  if (searched.length === 0) return say('matches.sums.theseLinesBalanceAlready');
  if (searched.every((side) => side.candidates === 0)) return say('matches.sums.noOtherLineIsOpenWithinDays', { days }, locale);
  return say('matches.sums.nothingWithinDaysAdds', { days, missing: missingText(answer, locale) }, locale);
}

/** Returns one sentence for each limit of the search. */
export function limitTexts({ searched }: SumAnswer, locale?: string): string[] {
  const cut = searched.filter((side) => side.is_cut);
  const names = (sides: SumAnswer['searched']) =>
    listText(sides.map((side) => say('matches.sums.side', { side: side.side.toUpperCase() })));
  const texts =
    cut.length === 0
      ? []
      : [say('matches.sums.onlyTheNearestOpen', { candidates: countText(cut[0]?.candidates ?? 0, locale), names: names(cut) })];
  const unfinished = searched.filter((side) => side.gave_up);
  if (unfinished.length === 0) return texts;
  const known = Math.min(...unfinished.map((side) => side.known_up_to));
  const what = known === 0 ? say('matches.sums.thereAreTooMany') : say('matches.sums.combinationsOfMoreThanLines', { known }, locale);
  return [...texts, say('matches.sums.thereMayBeOthers', { what })];
}
