import type { DifferenceCode, Output, RecordItem, Separation } from '../../src-shared/contract/index.ts';
import { REASON_WORDS } from '../../src-shared/contract/matches/difference-reasons.ts';
import { likelihoodText } from '../../src-shared/values/notation.ts';
import { say } from '../../src-shared/words/say.ts';
import { countText } from './counts.ts';
import { dateText } from './dates.ts';
import { plainAmount } from './money.ts';

export { likelihoodText };

/** Returns the likelihood for use within a sentence, where `>` would be overlooked. */
function likelihoodWords(likelihood: number): string {
  return likelihoodText(likelihood).replace('> ', 'over ').replace('< ', 'under ');
}

/** Returns `99.80 % likely when it was matched, 61 % now`. */
export function reviewWords(before: number, now: number): string {
  const words = say('matches.likelihood.likelyWhenItWasMatched', {
    likelihood: likelihoodWords(before),
    likelihood2: likelihoodWords(now),
  });
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The types of an adjustment, in the order of the form. An error of the bank is not among them: the bank corrects it. */
export const ADJUSTED_CODES = ['book_error', 'bank_charge', 'interest', 'fx', 'rounding', 'write_off'] as const satisfies DifferenceCode[];
/** The types of a difference that stays. */
export const OPEN_CODES = ['left_open', 'bank_error'] as const satisfies DifferenceCode[];

/** Labels of the types of a difference that stays. */
export const OPEN_LABELS: Readonly<Record<(typeof OPEN_CODES)[number], string>> = {
  left_open: say('matches.openLabels.leftOpen'),
  bank_error: REASON_WORDS.bank_error,
};

/** Returns the label of an adjustment's type; null when it has none. */
export function adjustmentLabel({ metadata }: { readonly metadata: Readonly<Record<string, unknown>> }): string | null {
  const code = metadata['difference_code'];
  return typeof code === 'string' && Object.hasOwn(REASON_WORDS, code) ? REASON_WORDS[code as DifferenceCode] : null;
}

/** The fields of a line that say whether it returns another line or was returned. */
export type Returned = Pick<RecordItem, 'reverses_record_id' | 'reversed_by_record_id' | 'reversal_reason'>;

/** Returns the id of the other line of a return; null when the line is no part of one. */
export function otherOfReturn({ reverses_record_id: original, reversed_by_record_id: back }: Returned): number | null {
  return original ?? back;
}

/** Returns `Return of 3 Jun 2026, 45.20`, or for the line that was returned `Returned on 5 Jun 2026, 45.20`. */
export function returnText(line: Returned, other: Pick<RecordItem, 'date' | 'amount' | 'decimal_places'>): string {
  const what = `${dateText(other.date)}, ${plainAmount(other.amount, other.decimal_places)}`;
  return line.reverses_record_id === null ? say('records.return.returnedOn', { what }) : say('records.return.returnOf', { what });
}

type Facts = Pick<Separation, 'record_count' | 'gone_count' | 'match_id'> & {
  readonly records: readonly Pick<Separation['records'][number], 'side'>[];
};

function goneSentence({ record_count: count, gone_count: gone }: Facts): string | null {
  if (gone === 0) return null;
  if (gone === count) return say('matches.separations.itsLinesAreAllDeleted');
  return say('matches.separations.ofItsLinesAreDeleted', { gone, lines: count });
}

/** Returns one sentence for each fact about separated lines that the lines themselves do not show. */
export function separationNotes(facts: Facts): string[] {
  const left = facts.records.filter((record) => record.side === null).length;
  return [
    goneSentence(facts),
    left === 0 ? null : say('matches.separations.anAccountOfTheseLines'),
    facts.match_id === null ? null : say('matches.separations.theyAreMatchedAgain'),
  ].filter((sentence) => sentence !== null);
}

/** Returns how many remaining lines are not shown; null when all are. */
export function moreLinesText(facts: Facts, shown: number): string | null {
  const more = facts.record_count - facts.gone_count - shown;
  return more <= 0 ? null : say('matches.separations.andMoreLines', { more });
}

/** Shares below one in this many are shown as such. */
const RAREST = 10_000;

/** Returns how many turn out wrong where one in `one` does, rounded to its first digit. */
function oddsText(one: number): string {
  if (one >= RAREST) return say('matches.together.fewerThanOneInTurnsOutWrong', { one: countText(RAREST) });
  if (one < 1.5) return say('matches.together.mostTurnOutWrong');
  const digit = 10 ** Math.floor(Math.log10(one));
  return say('matches.together.aboutOneInTurnsOutWrong', { one: countText(Math.round(one / digit) * digit) });
}

/**
 * Returns what to expect of proposals that are confirmed together: `212 matches; about one in 2,000 of these turns out wrong`. `all` counts those that
 * leave a difference as well, where they are offered beside the others.
 */
export function expectedText({ count, rated, expected_wrong: wrong }: Output<'confirmations.expect'>, all = count): string {
  if (count === 0) {
    return all === 0 ? say('matches.together.noProposalFits') : say('matches.together.allLeaveADifference', { all });
  }
  const odds =
    rated === 0 ? say('matches.together.likelihoodIsNotKnown') : oddsText(wrong === 0 ? Number.POSITIVE_INFINITY : rated / wrong);
  const unrated = rated > 0 && rated < count ? [say('matches.together.unratedOfThem', { count: count - rated })] : [];
  const counted =
    all === count
      ? say('matches.together.matchesAndOdds', { count, odds })
      : say('matches.together.someLeaveNoDifference', { count: countText(count), all: countText(all), odds });
  return [counted, ...unrated].join(' · ');
}

/**
 * Returns what to expect of those of `all` proposals that are confirmed: the ones without a difference, or, where adjustments are recorded, those with
 * one of at most `most`, as it is typed; null where no difference is adjusted.
 */
export function confirmedText(chosen: Output<'confirmations.expect'>, all: number, most: string | null): string {
  if (chosen.count > 0 || all === 0) return expectedText(chosen);
  return most === null ? expectedText(chosen, all) : say('matches.together.allLeaveALargerDifference', { all, most });
}
