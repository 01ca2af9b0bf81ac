import type { Condition } from '../../../src-shared/contract/index.ts';
import { capitalized } from '../../../src-shared/values/english.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { fieldOf } from '../records/fields.ts';
import type { Proposal, Proposals } from './types.ts';

/** Returns the label of a field, with the pattern that extracts a part of it. */
function named(name: string, pattern: string | null): string {
  const label = fieldOf(name)?.label ?? name;
  return pattern === null ? label : `${pattern} in ${label}`;
}

/** Returns an equality of texts in words: `same order id`, `order id equals reference`. */
export function equalityWords(
  a: { readonly name: string; readonly pattern: string | null },
  b: { readonly name: string; readonly pattern: string | null },
): string {
  const left = named(a.name, a.pattern);
  const right = named(b.name, b.pattern);
  return left === right ? `same ${left}` : `${left} equals ${right}`;
}

/** Returns the amount condition of a rule in words: `same amount`, `amounts up to 0.50 apart`. */
export function amountWords({ tolerance_amount: tolerance, tolerance_unit: unit, transforms }: Condition, decimalPlaces: number): string {
  const kind = transforms === undefined ? 'amount' : phrase('rules.reasoning.oppositeAmount');
  if (tolerance === undefined || tolerance === 0) return `same ${kind}`;
  return unit === 'percent'
    ? phrase('rules.reasoning.sUpToApart', { kind, tolerance })
    : phrase('rules.reasoning.valuesApart', { kind, decimal: decimalText(tolerance, decimalPlaces) });
}

export function windowWords(days: number): string {
  if (days === 0) return phrase('rules.reasoning.onTheSameDay');
  return days === 1 ? phrase('rules.reasoning.atMost1DayApart') : phrase('rules.reasoning.atMostDaysApart', { days });
}

/** Returns a sentence joined from its parts, without a full stop. */
export function sentence(parts: readonly string[]): string {
  return capitalized(parts.join(', '));
}

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Returns a sentence such as `“Order id equals order id” ties 24 of 24 records (high confidence).` */
function evidenceOf({ body, confidence, matched, sampled }: Proposal): string {
  const values = { description: body.description ?? '', matched, sampled: counted(sampled, 'record'), confidence };
  return body.outcome === 'propose' ? phrase('rules.reasoning.tiesAndAsks', values) : phrase('rules.reasoning.ties', values);
}

/**
 * Returns one paragraph about what a search examined, tried and found.
 *
 * @param kept the proposals that wait for a review
 * @param nothing why there are none; null if there are some
 */
export function reasoningOf({ sampled, tried, known }: Proposals, kept: readonly Proposal[], nothing: string | null): string {
  if (sampled.a === 0 || sampled.b === 0) return nothing ?? '';
  const learnt = known === 0 ? '' : ` and ${counted(known, 'match', 'matches')} of people`;
  const looked = phrase('rules.reasoning.lookedAtRecordsOfSide', { a: sampled.a, b: sampled.b, learnt, tried });
  if (nothing !== null) return `${looked} ${nothing}`;
  const rules =
    kept.length === 1
      ? phrase('rules.reasoning.wasProposed')
      : phrase('rules.reasoning.wereProposedEachTriedByItself', { kept: kept.length });
  const waits =
    kept.length === 1 ? phrase('rules.reasoning.itMatchesNothingUntilAPerson') : phrase('rules.reasoning.noneMatchesAnythingUntilAPerson');
  return `${looked} ${rules} ${kept.map(evidenceOf).join(' ')} ${waits}`;
}

/** Result of a search that proposed nothing. */
interface Search {
  /** Number of records examined. */
  readonly counts: { readonly a: number; readonly b: number };
  /** Number of rules left out because they exist already or were dismissed. */
  readonly wereExcluded: number;
  /** Whether keys match records whose amounts are equal under the opposite sign convention. */
  readonly isContrary: boolean;
}

/** Returns why nothing is proposed, and what to do about it. */
export function nothingFound({ counts, wereExcluded, isContrary }: Search): string {
  if (counts.a === 0 || counts.b === 0) {
    const side = counts.a === 0 ? (counts.b === 0 ? phrase('rules.reasoning.neitherSide') : 'Side A') : 'Side B';
    return phrase('rules.reasoning.hasNoRecordToLook', { side, isSide: side === 'Neither side' ? 'yes' : 'no' });
  }
  if (isContrary) {
    return phrase('rules.reasoning.recordsThatCarryTheSame');
  }
  if (wereExcluded > 0) {
    return phrase('rules.reasoning.allThatTheDataSpeaks');
  }
  return phrase('rules.reasoning.inRecordsOfSide', { a: counts.a, b: counts.b });
}
