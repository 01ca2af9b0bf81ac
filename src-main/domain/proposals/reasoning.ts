import type { Condition } from '../../../src-shared/contract/index.ts';
import { capitalized } from '../../../src-shared/values/english.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
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
  const kind = transforms === undefined ? 'amount' : 'opposite amount';
  if (tolerance === undefined || tolerance === 0) return `same ${kind}`;
  return unit === 'percent' ? `${kind}s up to ${tolerance} % apart` : `${kind}s up to ${decimalText(tolerance, decimalPlaces)} apart`;
}

export function windowWords(days: number): string {
  if (days === 0) return 'on the same day';
  return days === 1 ? 'at most 1 day apart' : `at most ${days} days apart`;
}

/** Returns a sentence joined from its parts, without a full stop. */
export function sentence(parts: readonly string[]): string {
  return capitalized(parts.join(', '));
}

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Returns a sentence such as `“Order id equals order id” ties 24 of 24 records (high confidence).` */
function evidenceOf({ body, confidence, matched, sampled }: Proposal): string {
  const asks = body.outcome === 'propose' ? ', and its matches wait for a person' : '';
  return `“${body.description}” ties ${matched} of ${counted(sampled, 'record')} (${confidence} confidence${asks}).`;
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
  const looked = `Looked at ${counted(sampled.a, 'record')} of side A and ${counted(sampled.b, 'record')} of side B${learnt}, and tried ${counted(tried, 'candidate rule')} on them, the strictest first.`;
  if (nothing !== null) return `${looked} ${nothing}`;
  const rules = kept.length === 1 ? '1 was proposed:' : `${kept.length} were proposed, each tried by itself:`;
  const waits =
    kept.length === 1 ? 'It matches nothing until a person takes it into use.' : 'None matches anything until a person takes it into use.';
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
    const side = counts.a === 0 ? (counts.b === 0 ? 'Neither side' : 'Side A') : 'Side B';
    return `${side} has ${side === 'Neither side' ? 'a record' : 'no record'} to look at. Import or add records first.`;
  }
  if (isContrary) {
    return 'Records that carry the same reference have amounts of the other sign. Change the sign convention of the reconciliation, then look again.';
  }
  if (wereExcluded > 0) {
    return 'All that the data speaks for are rules that are here already or that you dismissed.';
  }
  return (
    `In ${counts.a} records of side A and ${counts.b} of side B no field of one side stands often enough on the other, and equal amounts ` +
    'close in date are no more frequent than by chance. Match some records by hand: what they have in common is learnt from.'
  );
}
