import { counted } from '../../../src-shared/values/english.ts';
import type { Share } from './wilson.ts';

interface Figures {
  readonly agreements: number;
  readonly contradictions: number;
  readonly takenApart: number;
  /** Number of people's matches that the rule could have made. */
  readonly judged: number;
  /** Number of people's matches that reach outside the period. */
  readonly judgedOutside: number;
  /** Number of the rule's matches that are compared. */
  readonly matches: number;
  readonly precision: Share | null;
  readonly recall: Share | null;
}

/** Returns a share with four decimals as a percentage: `97.06 %` for 0.9706, `100 %` for 1. */
function percentText(value: number): string {
  return `${String(Math.round(value * 10_000) / 100)} %`;
}

function withInterval({ value, low, high }: Share): string {
  return `${percentText(value)} (95 % interval: ${percentText(low)} to ${percentText(high)})`;
}

/** Returns the result in words: how often the rule is right, and how much of people's work it would have done. */
export function summaryOf(figures: Figures): string {
  const { agreements, contradictions, takenApart, judged, judgedOutside, matches, precision, recall } = figures;
  const outside =
    judgedOutside === 0
      ? ''
      : ` ${counted(judgedOutside, 'match of people reaches', 'matches of people reach')} outside the period and judged nothing.`;
  if (matches === 0 && judged === 0)
    return `The rule would make no match, and nothing was matched by people that could judge it.${outside}`;
  if (precision === null && judged === 0) {
    const made = counted(matches, 'match', 'matches');
    return `Nothing was matched by people yet, so nothing says how right the ${made} of this rule would be: match lines by hand, or confirm proposals, and ask again.${outside}`;
  }
  const found =
    recall === null ? '' : ` Of ${counted(judged, 'match', 'matches')} of people it makes ${recall.count}: recall ${withInterval(recall)}.`;
  if (precision === null) return `No match of this rule touches what people decided, so nothing says how right it is.${found}${outside}`;
  const apart = takenApart === 0 ? '' : ` (${takenApart} taken apart by a person)`;
  const contrary = `${counted(contradictions, 'contradicts', 'contradict')} them${contradictions === 0 ? '' : apart}`;
  const agreeing = counted(agreements, 'agrees', 'agree');
  const touched = counted(agreements + contradictions, 'match', 'matches');
  return `Of the ${touched} of this rule that people judged, ${agreeing} with people and ${contrary}: precision ${withInterval(precision)}.${found}${outside}`;
}
