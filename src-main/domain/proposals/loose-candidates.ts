import type { Condition } from '../../../src-shared/contract/index.ts';
import { amountEvidence, amountsAgree, exactly, type Pair, windowOf, withinDays } from './amount-evidence.ts';
import { pairsByAmount } from './blocks.ts';
import { bodyOf, type Candidate, equalityOf, type KeyLink, LEAST_PAIRS, linkWords, type Sides, TIERS } from './candidates.ts';
import { EXACT, ValueIndex } from './links.ts';
import type { Reading } from './readings.ts';
import { PROPOSAL_LIMITS } from './types.ts';
import { amountWords, sentence, windowWords } from './words.ts';

const TOKEN = /[\p{L}\p{N}]+(?:[-_/.#][\p{L}\p{N}]+)*/gu;
/** Most days between records that only equal amounts connect. */
const MOST_DAYS = 10;
/** Widest date window of a rule by amount and date. */
const MOST_WINDOW = 31;
/** Days before the single record in which a group of days is searched. */
const LOOKBACKS = [3, 7] as const;
/** A side with this many times the records of the other one may be the many side of groups. */
const MANY = 1.3;
const SEGMENT_VALUES = { least: 2, most: 20 } as const;

/**
 * Returns rules for values of side B that occur inside a text of side A. They are needed if no pattern extracts the values; a rule with a pattern
 * would be stricter.
 */
export function containsCandidates(readingsA: readonly Reading[], readingsB: readonly Reading[], sides: Sides): Candidate[] {
  const index = new ValueIndex();
  const texts = readingsA.filter(({ pattern }) => pattern === null);
  const codes = readingsB.filter(({ pattern, distinct, filled, length }) => pattern === null && distinct >= 0.5 * filled && length >= 4);
  return texts.flatMap((text) =>
    codes.flatMap((code) => {
      if (text.length < 1.2 * code.length) return [];
      const rows = index.rowsOf(code, EXACT);
      const pairs = text.texts.flatMap((each, row): Pair[] => {
        const a = sides.a[row];
        if (each === null || a === undefined) return [];
        const held = new Set((each.slice(0, PROPOSAL_LIMITS.textLength).match(TOKEN) ?? []).flatMap((token) => rows.get(token) ?? []));
        const [rowB] = held;
        const b = rowB === undefined || held.size > 1 ? undefined : sides.b[rowB];
        return b === undefined ? [] : [{ a, b }];
      });
      const evidence = amountEvidence(pairs, sides.convention);
      if (evidence.agreeing < LEAST_PAIRS || evidence.agreeing < 0.5 * pairs.length) return [];
      const condition: Condition = { key: text.field.name, value: code.field.name, operand: 'contains' };
      const words = [`${text.field.label} contains ${code.field.label}`, amountWords(evidence.condition, sides.decimalPlaces)];
      return [
        {
          tier: TIERS.insideText,
          support: evidence.agreeing,
          body: bodyOf(sentence(words), [condition, evidence.condition]),
          confidence: evidence.agreeing >= 20 && evidence.agreeing >= 0.95 * pairs.length ? 'medium' : 'low',
          isByChance: false,
        } as const,
      ];
    }),
  );
}

/** Habits of known pairs besides their key: how far apart they are, and the condition under which their amounts are equal. */
export interface Habits {
  readonly amount: Condition;
  /** Null if the distance of counterparts is unknown. */
  readonly days: number | null;
  /** The key that matches most pairs. A rule without it must not match records that contradict it. */
  readonly key: KeyLink | null;
  /** Pairs by the best key, or else by amounts that occur once on each side. */
  readonly pairs: readonly Pair[];
}

/** Returns the habits of counterparts of these sides. */
export function habitsOf(links: readonly KeyLink[], sides: Sides): Habits {
  const keys = links.filter(({ evidence, pairs }) => evidence.agreeing >= 5 && evidence.agreeing >= 0.8 * pairs.length);
  const key = keys.reduce<KeyLink | null>((best, link) => (link.evidence.agreeing > (best?.evidence.agreeing ?? 0) ? link : best), null);
  const tied = key?.pairs.filter((pair) => amountsAgree(key.evidence, pair, sides.convention)) ?? [];
  const pairs = tied.length > 0 ? tied : pairsByAmount(sides.a, sides.b).filter(({ a, b }) => Math.abs(a.day - b.day) <= MOST_DAYS);
  const amount = exactly(amountEvidence(pairs, sides.convention).condition);
  const days = pairs.length < LEAST_PAIRS ? null : windowOf(pairs);
  return { amount, days: days === null || days > MOST_WINDOW ? null : days, key, pairs };
}

/** Returns a rule for equal amounts within the usual days of counterparts, which must not contradict the key if there is one. */
export function amountAndDate({ amount, days, key, pairs }: Habits, sides: Sides): Candidate[] {
  if (days === null) return [];
  const window = withinDays(days);
  const uncontradicted: Condition[] = key === null ? [] : [{ ...equalityOf(key.link), operand: 'eq_or_missing' }];
  const words = [amountWords(amount, sides.decimalPlaces), windowWords(days)];
  if (key !== null) words.push(`unless ${linkWords(key.link)} says otherwise`);
  const body = bodyOf(sentence(words), [amount, window, ...uncontradicted], { commits: ['unique'] });
  return [{ tier: TIERS.amountAndDate, support: pairs.length, body, confidence: 'medium', isByChance: true }];
}

/** Returns fields with few different values that occur on both sides under the same name, such as a till, a terminal or a branch. */
function segments(readingsA: readonly Reading[], readingsB: readonly Reading[]): string[] {
  const few = ({ pattern, distinct, filled }: Reading): boolean =>
    pattern === null && distinct >= SEGMENT_VALUES.least && distinct <= SEGMENT_VALUES.most && filled >= 4 * distinct;
  const names = new Set(readingsB.filter(few).map(({ field }) => field.name));
  return readingsA
    .filter(few)
    .map(({ field }) => field.name)
    .filter((name) => names.has(name))
    .slice(0, 1);
}

/** Returns rules for runs of days of the side with more records, each adding up to one record of the other side. */
export function dayCandidates(
  readingsA: readonly Reading[],
  readingsB: readonly Reading[],
  free: { readonly a: number; readonly b: number },
  habits: Habits,
): Candidate[] {
  const manySide = free.a >= MANY * free.b ? 'a' : free.b >= MANY * free.a ? 'b' : null;
  if (manySide === null) return [];
  const groupings = [...segments(readingsA, readingsB).map((name) => ['date', name]), ['date']];
  return groupings.flatMap((groupBy) =>
    LOOKBACKS.map((days): Candidate => {
      const each = groupBy.slice(1).map((name) => `for each ${name.replace('metadata.', '')}`);
      const words = [`the days of side ${manySide === 'a' ? 'A' : 'B'} add up to one record within ${days} days`, ...each];
      const rollup = { group_by_kind: 'date', many_side: manySide, lookback_days: days, date_field: 'date' } as const;
      const body = bodyOf(sentence(words), [habits.amount], { groupBy, rollup, commits: ['unique', 'best'] });
      return { tier: TIERS.days, support: groupBy.length, body, confidence: 'medium', isByChance: true };
    }),
  );
}
