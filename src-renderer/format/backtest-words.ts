import type { RuleBacktest, Verdict } from '../../src-shared/contract/index.ts';
import type { AgentStatus } from '../../src-shared/contract/rules/proposals.ts';
import { numberText } from '../../src-shared/values/notation.ts';
import { say } from '../../src-shared/words/say.ts';
import { countText } from './counts.ts';
import { agoText } from './dates.ts';

type Share = NonNullable<RuleBacktest['precision']>;

export const VERDICT_TITLES: Readonly<Record<Verdict, string>> = {
  agreement: say('rules.verdictTitles.agreement'),
  partial_agreement: say('rules.verdictTitles.partialAgreement'),
  tied_otherwise: say('rules.verdictTitles.tiedOtherwise'),
  taken_apart: say('rules.verdictTitles.takenApart'),
  same_as_automatic: say('rules.verdictTitles.sameAsAutomatic'),
  differs_from_automatic: say('rules.verdictTitles.differsFromAutomatic'),
  outside_period: say('rules.verdictTitles.outsidePeriod'),
  new: say('rules.verdictTitles.new'),
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

/** Returns a share as a percentage with up to two decimal places, `97.06 %`. Only a share of 1 reads as 100 %, and only one of 0 as 0 %. */
export function shareText(value: number): string {
  if (value < 1 && value > MOST_SHARE) return `> ${numberText(MOST_SHARE * 100, 2)} %`;
  if (value > 0 && value < LEAST_SHARE) return `< ${numberText(LEAST_SHARE * 100, 2)} %`;
  return `${numberText(value * 100, 2)} %`;
}

const MOST_SHARE = 0.9999;
const LEAST_SHARE = 0.0001;

/** Returns an interval, `85.08 % to 99.48 %`. */
export function intervalText({ low, high }: Share): string {
  return say('rules.backtest.to', { share: shareText(low), share2: shareText(high) });
}

/** Returns one sentence for each outcome of the matches that the rule would make. Outcomes with a count of 0 are omitted. */
export function countTexts(found: RuleBacktest): string[] {
  const several = (count: number, text: string): string[] => (count === 0 ? [] : [`${countText(count)} ${text}`]);
  return [
    ...several(found.agreements, say('rules.backtest.asPeopleMatchedThem')),
    ...several(found.partial_agreements, say('rules.backtest.partOfALarger')),
    ...several(found.tied_otherwise, say('rules.backtest.withALineThatPeopleMatchedOtherwise')),
    ...several(found.taken_apart, say('rules.backtest.thatPeopleTookApart')),
    ...several(found.same_as_automatic, say('rules.backtest.madeTheSameByARuleBefore')),
    ...several(found.differs_from_automatic, say('rules.backtest.withALineThatARule')),
    ...several(found.outside_period, say('rules.backtest.withALineWhoseMatch')),
    ...several(newOnes(found), say('rules.backtest.ofLinesThatNoMatchHeld')),
  ];
}

function newOnes({ unjudged, same_as_automatic: same, differs_from_automatic: differs, outside_period: outside }: RuleBacktest): number {
  return unjudged - same - differs - outside;
}

/** Returns one sentence for each limit of the figures. */
export function leftOutTexts(found: RuleBacktest): string[] {
  const { waiting, judged_outside: outside, gave_up: gaveUp, outside_window: outsideWindow } = found;
  return [
    ...(waiting === 0 ? [] : [say('rules.backtest.furtherMatchesWouldWaitForYou', { waiting })]),
    ...(outside === 0 ? [] : [say('rules.backtest.matchesOfPeopleReach', { outside })]),
    ...(gaveUp === 0 ? [] : [say('rules.backtest.forLinesTheSearch', { gaveUp })]),
    ...(outsideWindow === 0 ? [] : [say('rules.backtest.groupsOfLinesFit', { outsideWindow })]),
  ];
}

type Shown = Pick<AgentStatus, 'status' | 'progress' | 'last_run_at'>;

/** Returns the state of the search for rules in one line; null before the first search. `nowMs` is in milliseconds since 1970. */
export function searchLine({ status, progress, last_run_at: endedAt }: Shown, nowMs: number): string | null {
  const last = progress.at(-1);
  if (last === undefined) return null;
  if (status === 'running') return last.step === 'asked' ? say('records.search.theSearchForRules') : last.message;
  const ago = endedAt === null ? '' : ` ${agoText(endedAt, nowMs)}`;
  if (status === 'failed') return say('records.search.theLastSearchForRulesFailed', { ago, message: last.message });
  if (last.step === 'cancelled') return say('records.search.theLastSearchForRules', { ago });
  return say('records.search.lastSearchForRules', { ago, message: last.message });
}
