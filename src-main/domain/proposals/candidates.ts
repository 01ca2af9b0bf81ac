import type { Certainty, Condition, Rollup, SignConvention } from '../../../src-shared/contract/index.ts';
import type { TransformInput } from '../../../src-shared/contract/rules/rule-language.ts';
import { canonicalJson, compareText } from '../records/content.ts';
import type { EngineRecord } from '../records/record.ts';
import { type AmountEvidence, amountEvidence, amountsAgree, exactly, type Pair, windowOf, withinDays } from './amount-evidence.ts';
import { pseudoPairs, pairsInBlocks } from './blocks.ts';
import { type Link, linkOf, NORMAL_FORMS, ValueIndex } from './links.ts';
import type { Reading } from './readings.ts';
import type { Confidence, ProposedBody } from './types.ts';
import { amountWords, equalityWords, sentence, windowWords } from './words.ts';

/** Origin of a candidate, strictest first. Rules are tried and run in this order. */
export const TIERS = {
  sameField: 1,
  sameAfterChange: 2,
  insideText: 3,
  batch: 4,
  repeated: 5,
  learned: 6,
  amountAndDate: 7,
  days: 8,
} as const;

export interface Candidate {
  readonly tier: number;
  /** Number of pairs or groups of the sample that support it. */
  readonly support: number;
  readonly body: ProposedBody;
  readonly confidence: Confidence;
  /** Whether only amounts and dates match its records. Such a rule must match more than chance would. */
  readonly isByChance: boolean;
}

export interface Sides {
  readonly a: readonly EngineRecord[];
  readonly b: readonly EngineRecord[];
  readonly convention: SignConvention;
  readonly decimalPlaces: number;
}

const COMMITS: Certainty[] = ['unique', 'best', 'interchangeable'];

export function bodyOf(
  description: string,
  rules: Condition[],
  given: {
    readonly outcome?: 'match' | 'propose';
    readonly commits?: Certainty[];
    readonly groupBy?: string[];
    readonly rollup?: Rollup;
  } = {},
): ProposedBody {
  return {
    description,
    filters: { operand: 'and', rules },
    outcome: given.outcome ?? 'match',
    commit_certainty: given.commits ?? COMMITS,
    cardinality: given.rollup === undefined ? 'one_to_one' : 'many_to_one',
    group_by: given.groupBy ?? [],
    rollup: given.rollup ?? null,
  };
}

function transformsOf(reading: Reading, form: Link['form']): TransformInput[] {
  const extract: TransformInput[] = reading.pattern === null ? [] : [{ name: 'extract', args: { pattern: reading.pattern } }];
  return [...extract, ...form.transforms];
}

/** Returns the condition that a link represents. */
export function equalityOf({ a, b, form }: Pick<Link, 'a' | 'b' | 'form'>): Condition {
  const key = transformsOf(a, form);
  const value = transformsOf(b, form);
  const transforms = { ...(key.length === 0 ? {} : { key }), ...(value.length === 0 ? {} : { value }) };
  return { key: a.field.name, value: b.field.name, ...(key.length + value.length === 0 ? {} : { transforms }) };
}

const FORM_WORDS = { exact: '', letters: ' but for case and signs', digits: ' in their digits', words: ' in their words' } as const;

export function linkWords({ a, b, form }: Pick<Link, 'a' | 'b' | 'form'>): string {
  const words = equalityWords({ name: a.field.name, pattern: a.pattern }, { name: b.field.name, pattern: b.pattern });
  return `${words}${FORM_WORDS[form.name]}`;
}

/** Returns the confidence in a rule, from the number of supporting pairs and how many of them agree. */
function confidenceOf(agreeing: number, all: number): Confidence {
  if (agreeing >= 20 && agreeing >= 0.95 * all) return 'high';
  return agreeing >= 5 && agreeing >= 0.8 * all ? 'medium' : 'low';
}

/** A link with the evidence of its pairs' amounts. */
export interface KeyLink {
  readonly link: Link;
  readonly pairs: readonly Pair[];
  readonly evidence: AmountEvidence;
}

function pairsOf(link: Link, sides: Sides): Pair[] {
  return link.singles.flatMap(({ a: [rowA], b: [rowB] }) => {
    const a = rowA === undefined ? undefined : sides.a[rowA];
    const b = rowB === undefined ? undefined : sides.b[rowB];
    return a === undefined || b === undefined ? [] : [{ a, b }];
  });
}

/** Returns, among the forms of two readings, the one that changes least and still matches nearly everything. */
function bestForm(links: readonly KeyLink[]): KeyLink | undefined {
  const strength = ({ link, evidence }: KeyLink): number =>
    evidence.agreeing + link.manyA.length + link.manyB.length + link.repeated.length;
  const most = links.reduce((top, link) => Math.max(top, strength(link)), 0);
  return links.find((link) => strength(link) >= Math.min(0.98 * most, most - 1));
}

/** Returns every pair of readings that have values in common, or null when cancelled. */
export function keyLinks(
  readingsA: readonly Reading[],
  readingsB: readonly Reading[],
  sides: Sides,
  tick: () => boolean,
): KeyLink[] | null {
  const index = new ValueIndex();
  const found: KeyLink[] = [];
  for (const a of readingsA) {
    for (const b of readingsB) {
      if (!tick()) return null;
      const links = NORMAL_FORMS.flatMap((form) => {
        const link = linkOf(index, a, b, form);
        if (link === null) return [];
        const pairs = pairsOf(link, sides);
        return [{ link, pairs, evidence: amountEvidence(pairs, sides.convention) }];
      });
      const best = bestForm(links);
      if (best !== undefined) found.push(best);
    }
  }
  return found;
}

/** Fewer pairs may be due to chance. */
export const LEAST_PAIRS = 3;
/** Least share of a key's pairs whose amounts must agree. */
const LEAST_AGREEMENT = 0.5;

/** Average length in characters from which on a field counts as a text that contains a code, not as a code. */
const TEXT_LENGTH = 12;

function keyTier({ a, b, form }: Link): number {
  if (a.pattern !== null || b.pattern !== null) return TIERS.insideText;
  if (form.name === 'digits' && Math.max(a.length, b.length) > TEXT_LENGTH) return TIERS.insideText;
  return form.name === 'exact' ? TIERS.sameField : TIERS.sameAfterChange;
}

function keyCandidate({ link, pairs, evidence }: KeyLink, sides: Sides): Candidate[] {
  if (evidence.agreeing < LEAST_PAIRS || evidence.agreeing < LEAST_AGREEMENT * pairs.length) return [];
  const description = sentence([linkWords(link), amountWords(evidence.condition, sides.decimalPlaces)]);
  return [
    {
      tier: keyTier(link),
      support: evidence.agreeing,
      body: bodyOf(description, [equalityOf(link), evidence.condition]),
      confidence: confidenceOf(evidence.agreeing, pairs.length),
      isByChance: false,
    },
  ];
}

/** Returns rules for several records of one side that share a value and add up to the single record of the other side with that value. */
function batchCandidates({ link }: KeyLink, sides: Sides): Candidate[] {
  return (['a', 'b'] as const).flatMap((manySide) => {
    const many = manySide === 'a' ? link.a : link.b;
    const blocks = manySide === 'a' ? link.manyA : link.manyB;
    // Groups are formed by the unchanged field.
    if (many.pattern !== null) return [];
    const pairs = pseudoPairs(blocks, sides, manySide);
    const evidence = amountEvidence(pairs, sides.convention);
    if (evidence.agreeing < 2 || evidence.agreeing < LEAST_AGREEMENT * blocks.length) return [];
    const total = evidence.tolerance === null ? 'adding up to the amount' : amountWords(evidence.condition, sides.decimalPlaces);
    const side = manySide === 'a' ? 'A' : 'B';
    const description = sentence([`several records of side ${side} together`, linkWords(link), total]);
    return [
      {
        tier: TIERS.batch,
        support: evidence.agreeing,
        body: bodyOf(description, [equalityOf(link), evidence.condition], {
          groupBy: [many.field.name],
          rollup: { group_by_kind: 'identifier', many_side: manySide, lookback_days: null, date_field: null },
        }),
        confidence: confidenceOf(evidence.agreeing * 2, blocks.length * 2),
        isByChance: false,
      },
    ];
  });
}

/** Returns a rule for a value that recurs on both sides (a customer, a name), combined with the amount and the date. */
function repeatedCandidate({ link, pairs: singles }: KeyLink, sides: Sides): Candidate[] {
  const inBlocks = pairsInBlocks(link.repeated, sides);
  if (inBlocks.length < LEAST_PAIRS) return [];
  const pairs = [...singles, ...inBlocks];
  const evidence = amountEvidence(pairs, sides.convention);
  const days = windowOf(pairs.filter((pair) => amountsAgree(evidence, pair, sides.convention)));
  if (days === null || evidence.agreeing < LEAST_AGREEMENT * pairs.length) return [];
  const condition = exactly(evidence.condition);
  const window = withinDays(days);
  const description = sentence([linkWords(link), amountWords(condition, sides.decimalPlaces), windowWords(days)]);
  return [
    {
      tier: TIERS.repeated,
      support: evidence.agreeing,
      body: bodyOf(description, [equalityOf(link), condition, window], { commits: ['unique', 'interchangeable'] }),
      confidence: confidenceOf(evidence.agreeing, pairs.length) === 'low' ? 'low' : 'medium',
      isByChance: true,
    },
  ];
}

/** A pattern is stricter than `contains`, so `contains` is preferred only if it matches much more. */
const CONTAINS_WORTH = 0.7;

/** Returns the rank of a candidate within its tier. Of two that match about the same, the one with fewer transforms ranks higher. */
function worth({ support, body }: Candidate): number {
  const changes = body.filters.rules.reduce((sum, rule) => {
    const { key, value } = ('rules' in rule ? undefined : rule.transforms) ?? {};
    return sum + [key, value].reduce((steps, each) => steps + (Array.isArray(each) ? each.length : 0), 0);
  }, 0);
  const isLoose = body.filters.rules.some((rule) => !('rules' in rule) && rule.operand === 'contains');
  return support * (1 - Math.min(0.5, 0.02 * changes)) * (isLoose ? CONTAINS_WORTH : 1);
}

/** Returns candidates in the order in which they are tried: the strictest first, then those with the most support. */
export function inOrder(candidates: readonly Candidate[]): Candidate[] {
  const shape = ({ body }: Candidate): string => canonicalJson(body);
  return candidates.toSorted(
    (left, right) => left.tier - right.tier || worth(right) - worth(left) || compareText(shape(left), shape(right)),
  );
}

export function keyedCandidates(links: readonly KeyLink[], sides: Sides): Candidate[] {
  return links.flatMap((link) => [...keyCandidate(link, sides), ...batchCandidates(link, sides), ...repeatedCandidate(link, sides)]);
}
