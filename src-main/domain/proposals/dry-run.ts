import type { SignConvention } from '../../../src-shared/contract/index.ts';
import { DEFAULT_BUDGET } from '../../../src-shared/contract/rules/rules.ts';
import { type EngineRule, findMatches, type FoundMatch, type ReturnedLine, separationKey } from '../matching/index.ts';
import type { MetadataTypes } from '../records/fields.ts';
import type { EngineRecord } from '../records/record.ts';
import type { Confidence, KnownMatch, ProposedBody } from './types.ts';

/** Settings under which a rule is tried. */
export interface Ground {
  readonly signConvention: SignConvention;
  readonly types: MetadataTypes;
  readonly separations: ReadonlySet<string>;
  /** Lines with a reversal. They are withheld from default rules only, and rules on trial are not default rules. */
  readonly returned: readonly ReturnedLine[];
  readonly isCancelled: () => boolean;
}

export interface Free {
  readonly a: readonly EngineRecord[];
  readonly b: readonly EngineRecord[];
}

/** Matches of a trial. */
export interface Tied {
  readonly matches: readonly FoundMatch[];
  /** Number of records of both sides in matches that take effect; for a rule that proposes its matches, in those. */
  readonly records: number;
  readonly left: Free;
}

/** Returns a proposed body as a rule of the engine. */
export function asRule(body: ProposedBody): EngineRule {
  return {
    id: 1,
    priority: 1,
    filters: body.filters,
    outcome: body.outcome,
    commitCertainty: body.commit_certainty,
    cardinality: body.cardinality,
    groupBy: body.group_by,
    rollup: body.rollup,
    ...(body.method === 'evidence' ? { evidence: { budget: body.budget ?? DEFAULT_BUDGET, maxDifference: null } } : {}),
  };
}

/** Runs rules over a part of the sample. Returns null if they cannot run on it (too many candidates), or when cancelled. */
export function tryRules(ground: Ground, rules: readonly EngineRule[], free: Free): Tied | null {
  const { signConvention, types, separations, returned, isCancelled } = ground;
  const input = { sideA: free.a, sideB: free.b, rules, signConvention, types, separations, returned };
  const result = findMatches(input, { onProgress: () => {}, isCancelled });
  if (!result.ok) return null;
  const proposing = new Set(rules.filter(({ outcome }) => outcome === 'propose').map(({ id }) => id));
  const counted = [...result.value.matches].filter(({ status, ruleId }) => status === 'matched' || proposing.has(ruleId));
  const used = new Set(counted.flatMap(({ aIds, bIds }) => [...aIds, ...bIds]));
  const isLeft = ({ id }: EngineRecord): boolean => !used.has(id);
  return { matches: counted, records: used.size, left: { a: free.a.filter(isLeft), b: free.b.filter(isLeft) } };
}

/**
 * Returns the same records with side B's days rotated by a share of all days. No record keeps its counterpart, while the frequencies of amounts and
 * days stay the same. Returns null if there are too few days.
 *
 * @param reach days around a record that the rule searches
 */
export function turned(free: Free, reach: number, share: number): Free | null {
  const days = [...free.a, ...free.b].map(({ day }) => day);
  if (days.length === 0) return null;
  const first = days.reduce((least, day) => Math.min(least, day));
  const last = days.reduce((most, day) => Math.max(most, day));
  const span = last - first + 1;
  const shift = Math.floor(span * share);
  if (Math.min(shift, span - shift) <= 2 * reach + 1) return null;
  return { a: free.a, b: free.b.map((record) => ({ ...record, day: first + ((record.day - first + shift) % span) })) };
}

/** Agreement of a rule's matches with those of people. */
interface Judgement {
  readonly agrees: number;
  readonly contradicts: number;
}

/** Counts the matches of a rule that equal a match of people, and those that share records with one but differ. */
export function judge(matches: readonly FoundMatch[], known: readonly KnownMatch[]): Judgement {
  const keys = new Set(known.map(({ aIds, bIds }) => separationKey([...aIds, ...bIds])));
  const records = new Set(known.flatMap(({ aIds, bIds }) => [...aIds, ...bIds]));
  let agrees = 0;
  let contradicts = 0;
  for (const { aIds, bIds } of matches) {
    const ids = [...aIds, ...bIds];
    if (keys.has(separationKey(ids))) agrees += 1;
    else if (ids.some((id) => records.has(id))) contradicts += 1;
  }
  return { agrees, contradicts };
}

/** Returns the matches of people that are not among a rule's matches. */
export function unexplained(matches: readonly FoundMatch[], known: readonly KnownMatch[]): KnownMatch[] {
  const made = new Set(matches.map(({ aIds, bIds }) => separationKey([...aIds, ...bIds])));
  return known.filter(({ aIds, bIds }) => !made.has(separationKey([...aIds, ...bIds])));
}

/** Least number of a rule's matches that evidence must judge before it affects the confidence. */
const FEWEST_JUDGED = 30;
/** Highest share of wrong links among the committed ones, by confidence. */
const WRONG = { high: 0.01, medium: 0.05 } as const;

/** `wrong` is the share of wrong links, 0..1. */
export function confidenceOf(wrong: number): Confidence {
  if (wrong < WRONG.high) return 'high';
  return wrong < WRONG.medium ? 'medium' : 'low';
}

/** Returns the confidence in a rule, measured by certain links if these judge enough of its matches, otherwise as it was estimated. */
export function trueConfidence(tied: readonly FoundMatch[], trusted: readonly KnownMatch[], seeming: Confidence): Confidence {
  const { agrees, contradicts } = judge(tied, trusted);
  const judged = agrees + contradicts;
  return judged < FEWEST_JUDGED ? seeming : confidenceOf(contradicts / judged);
}
