import type { RuleBacktest, Verdict } from '../../src-shared/contract/index.ts';
import { counted, countText } from './counts.ts';

type Share = NonNullable<RuleBacktest['precision']>;

export const VERDICT_TITLES: Readonly<Record<Verdict, string>> = {
  agreement: 'As people matched them',
  partial_agreement: 'Part of a larger match of people',
  tied_otherwise: 'People matched these lines differently',
  taken_apart: 'People took these apart',
  same_as_automatic: 'Matched the same by a rule before',
  differs_from_automatic: 'Matched otherwise by a rule before',
  outside_period: 'Matched with lines outside the period',
  new: 'Not matched before',
};

/** Whether an example supports the rule, contradicts it, or says nothing. */
export const VERDICT_SIDES: Readonly<Record<Verdict, 'for' | 'against' | 'neither'>> = {
  agreement: 'for',
  partial_agreement: 'neither',
  tied_otherwise: 'against',
  taken_apart: 'against',
  same_as_automatic: 'neither',
  differs_from_automatic: 'neither',
  outside_period: 'neither',
  new: 'neither',
};

/** Returns a share as a percentage with up to two decimal places, `97.06 %`. */
export function shareText(value: number, locale?: string): string {
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(value * 100)} %`;
}

/** Returns an interval, `85.08 % to 99.48 %`. */
export function intervalText({ low, high }: Share, locale?: string): string {
  return `${shareText(low, locale)} to ${shareText(high, locale)}`;
}

/** Returns one sentence for each outcome of the matches that the rule would make. Outcomes with a count of 0 are omitted. */
export function countTexts(found: RuleBacktest, locale?: string): string[] {
  const several = (count: number, text: string): string[] => (count === 0 ? [] : [`${countText(count, locale)} ${text}`]);
  return [
    ...several(found.agreements, 'as people matched them'),
    ...several(found.partial_agreements, 'part of a larger match of people, which counts neither way'),
    ...several(found.tied_otherwise, 'with a line that people matched otherwise'),
    ...several(found.taken_apart, 'that people took apart or rejected'),
    ...several(found.same_as_automatic, 'made the same by a rule before, confirmed by nobody'),
    ...several(found.differs_from_automatic, 'with a line that a rule matched otherwise before'),
    ...several(found.outside_period, 'with a line whose match reaches outside the period'),
    ...several(newOnes(found), 'of lines that no match held'),
  ];
}

function newOnes({ unjudged, same_as_automatic: same, differs_from_automatic: differs, outside_period: outside }: RuleBacktest): number {
  return unjudged - same - differs - outside;
}

/** Returns one sentence for each limit of the figures. */
export function leftOutTexts(found: RuleBacktest, locale?: string): string[] {
  const { waiting, judged_outside: outside, gave_up: gaveUp, outside_window: outsideWindow } = found;
  return [
    ...(waiting === 0 ? [] : [`${counted(waiting, 'further match', 'further matches', locale)} would wait for you.`]),
    ...(outside === 0
      ? []
      : [
          `${counted(outside, 'match of people reaches', 'matches of people reach', locale)} outside the period and ${outside === 1 ? 'judges' : 'judge'} nothing.`,
        ]),
    ...(gaveUp === 0 ? [] : [`For ${counted(gaveUp, 'line', 'lines', locale)} the search was not brought to its end.`]),
    ...(outsideWindow === 0
      ? []
      : [`${counted(outsideWindow, 'group of lines fits', 'groups of lines fit', locale)} but for the time window of the rule.`]),
  ];
}
