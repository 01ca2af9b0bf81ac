import {
  type AmountTerm,
  type LineTerms,
  lineTermsText,
  readAmountTerm,
  readLineTerms,
  type Reading,
  writeAmountTerm,
} from './line-filter.ts';

/**
 * The grammar of the search of matches: that of lines, of which one line of the match must meet all terms, and terms about the match itself.
 * `likely:>=99`, `likely:50..90` percent, `likely:unknown`; `difference:0`, `difference:<=0.50` a size in whole units of the currency;
 * `rule:3`, `rule:"By invoice"` what made it; `by:hand`, `by:rule`, `by:sync`; `sure:contested` its certainty.
 */
export interface MatchTerms {
  readonly lines: LineTerms;
  readonly likelihoods: readonly LikelihoodTerm[];
  readonly differences: readonly AmountTerm[];
  /** Ids or words of rules, of which one must have made the match. */
  readonly rules: readonly string[];
  readonly origins: readonly Origin[];
  readonly certainties: readonly Certainty[];
}

/** Bounds in percent; `unknown` for matches without a likelihood. */
type LikelihoodTerm = AmountTerm | 'unknown';

const ORIGINS = ['hand', 'rule', 'sync'] as const;
type Origin = (typeof ORIGINS)[number];
const CERTAINTIES = ['unique', 'best', 'interchangeable', 'contested'] as const;
type Certainty = (typeof CERTAINTIES)[number];

/** A token of the text; the first five names belong to matches, the others to lines. */
const TOKENS = /(?:likely|difference|rule|by|sure|account|party):"[^"]*"|"[^"]*"|\S+/gu;
const NAMED = /^(?<name>likely|difference|rule|by|sure):(?<value>.+)$/u;

/** Returns the size that a term bounds, or null where it has a sign: a likelihood and a difference have none. */
function sizeOf(text: string): AmountTerm | null {
  const term = readAmountTerm(text);
  return term === null || term.isSigned ? null : term;
}

function oneOf<T extends string>(values: readonly T[], text: string): readonly T[] | null {
  const found = values.find((value) => value === text.toLowerCase());
  return found === undefined ? null : [found];
}

/** Returns what a token says about the match itself; null for a term of lines. */
function ownTerm(token: string): Partial<Omit<MatchTerms, 'lines'>> | null {
  const named = NAMED.exec(token)?.groups;
  const value = (named?.['value'] ?? '').replaceAll('"', '').trim();
  if (named === undefined || value === '') return null;
  if (named['name'] === 'rule') return { rules: [value] };
  if (named['name'] === 'by') {
    const origins = oneOf(ORIGINS, value);
    return origins === null ? null : { origins };
  }
  if (named['name'] === 'sure') {
    const certainties = oneOf(CERTAINTIES, value);
    return certainties === null ? null : { certainties };
  }
  if (named['name'] === 'likely' && value.toLowerCase() === 'unknown') return { likelihoods: ['unknown'] };
  const size = sizeOf(named['name'] === 'likely' ? value.replaceAll('%', '') : value);
  if (size === null) return null;
  return named['name'] === 'likely' ? { likelihoods: [size] } : { differences: [size] };
}

/** Returns the terms of what a person types. */
export function readMatchTerms(text: string, reading: Reading): MatchTerms {
  const own: { [K in Exclude<keyof MatchTerms, 'lines'>]: MatchTerms[K][number][] } = {
    likelihoods: [],
    differences: [],
    rules: [],
    origins: [],
    certainties: [],
  };
  const rest: string[] = [];
  for (const token of text.match(TOKENS) ?? []) {
    const term = ownTerm(token);
    if (term === null) rest.push(token);
    own.likelihoods.push(...(term?.likelihoods ?? []));
    own.differences.push(...(term?.differences ?? []));
    own.rules.push(...(term?.rules ?? []));
    own.origins.push(...(term?.origins ?? []));
    own.certainties.push(...(term?.certainties ?? []));
  }
  return { lines: readLineTerms(rest.join(' '), reading), ...own };
}

/** Whether any term is about the lines of a match. */
export function hasLineTerms({ lines }: Pick<MatchTerms, 'lines'>): boolean {
  return Object.values(lines).some((terms: readonly unknown[]) => terms.length > 0);
}

/** Returns the terms as text that reads the same in every locale and on every day. */
export function matchTermsText(terms: MatchTerms, reading: Reading): string {
  return [
    lineTermsText(terms.lines, reading),
    ...terms.likelihoods.map((term) => `likely:${term === 'unknown' ? term : writeAmountTerm(term)}`),
    ...terms.differences.map((term) => `difference:${writeAmountTerm(term)}`),
    ...terms.rules.map((rule) => `rule:"${rule}"`),
    ...terms.origins.map((origin) => `by:${origin}`),
    ...terms.certainties.map((certainty) => `sure:${certainty}`),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Returns each term of a text on its own, as it was typed, so that it can be taken out. */
export function termsOf(text: string): readonly string[] {
  return text.match(TOKENS) ?? [];
}
