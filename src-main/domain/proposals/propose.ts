import type { Certainty, Condition, Rollup, SignConvention } from '../../../src-shared/contract/index.ts';
import type { TransformInput } from '../../../src-shared/contract/rules/rule-language.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { ruleShape } from '../matching/index.ts';
import { canonicalJson, compareText, inContentOrder } from '../records/content.ts';
import type { EngineRecord } from '../records/record.ts';
import {
  amountEvidence,
  type AmountEvidence,
  amountsAgree,
  exactly,
  type Pair,
  roundedUp,
  windowOf,
  withinDays,
} from './amount-evidence.ts';
import { asRule, type Free, type Ground, judge, type Tied, trueConfidence, tryRules, turned, unexplained } from './dry-run.ts';
import {
  carriedPairs,
  EXACT,
  type Link,
  linkOf,
  NORMAL_FORMS,
  type NormalForm,
  pairsByAmount,
  pairsInBlocks,
  pseudoPairs,
  ValueIndex,
  WORDS,
} from './links.ts';
import { type Reading, readingsOf } from './readings.ts';
import { amountWords, equalityWords, nothingFound, sentence, windowWords } from './reasoning.ts';
import { countByDay, isSampled, planSample } from './sample.ts';
import {
  type Confidence,
  type KnownMatch,
  type Proposal,
  PROPOSAL_LIMITS,
  type ProposalControl,
  type ProposalInput,
  type Proposals,
  type ProposedBody,
} from './types.ts';

/** Origin of a candidate, strictest first. Rules are tried and run in this order. */
const TIERS = {
  sameField: 1,
  sameAfterChange: 2,
  insideText: 3,
  batch: 4,
  carried: 5,
  repeated: 6,
  learned: 7,
  amountAndDate: 8,
  days: 9,
} as const;

interface Candidate {
  readonly tier: number;
  /** Number of pairs or groups of the sample that support it. */
  readonly support: number;
  readonly body: ProposedBody;
  readonly confidence: Confidence;
  /** Whether only amounts and dates match its records. Such a rule must match more than chance would. */
  readonly isByChance: boolean;
}

interface Sides {
  readonly a: readonly EngineRecord[];
  readonly b: readonly EngineRecord[];
  readonly convention: SignConvention;
  readonly decimalPlaces: number;
}

const COMMITS: Certainty[] = ['unique', 'best', 'interchangeable'];

function bodyOf(
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
function equalityOf({ a, b, form }: Pick<Link, 'a' | 'b' | 'form'>): Condition {
  const key = transformsOf(a, form);
  const value = transformsOf(b, form);
  const transforms = { ...(key.length === 0 ? {} : { key }), ...(value.length === 0 ? {} : { value }) };
  return { key: a.field.name, value: b.field.name, ...(key.length + value.length === 0 ? {} : { transforms }) };
}

function linkWords({ a, b, form }: Pick<Link, 'a' | 'b' | 'form'>): string {
  const words = equalityWords({ name: a.field.name, pattern: a.pattern }, { name: b.field.name, pattern: b.pattern });
  switch (form.name) {
    case 'letters':
      return phrase('rules.propose.butForCaseAndSigns', { words });
    case 'digits':
      return phrase('rules.propose.inTheirDigits', { words });
    case 'words':
      return phrase('rules.propose.inTheirWords', { words });
    default:
      return words;
  }
}

/** Returns the confidence in a rule, from the number of supporting pairs and how many of them agree. */
function confidenceOf(agreeing: number, all: number): Confidence {
  if (agreeing >= 20 && agreeing >= 0.95 * all) return 'high';
  return agreeing >= 5 && agreeing >= 0.8 * all ? 'medium' : 'low';
}

/** A link with the evidence of its pairs' amounts. */
interface KeyLink {
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
function keyLinks(readingsA: readonly Reading[], readingsB: readonly Reading[], sides: Sides, tick: () => boolean): KeyLink[] | null {
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
const LEAST_PAIRS = 3;
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
    const total =
      evidence.tolerance === null ? phrase('rules.propose.addingUpToTheAmount') : amountWords(evidence.condition, sides.decimalPlaces);
    const side = manySide === 'a' ? 'A' : 'B';
    const description = sentence([phrase('rules.propose.severalRecordsOfSideTogether', { side }), linkWords(link), total]);
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

/** Returns rules for records of one side that share a value which the other side need not know, as a deposit slip, and add up to one record there. */
function carriedCandidates(readings: Readonly<Record<'a' | 'b', readonly Reading[]>>, sides: Sides): Candidate[] {
  const index = new ValueIndex();
  return (['a', 'b'] as const).flatMap((manySide) =>
    readings[manySide].flatMap((reading): Candidate[] => {
      if (reading.pattern !== null) return [];
      const { pairs, groups, days } = carriedPairs(index.rowsOf(reading, EXACT), sides, manySide, MOST_DAYS);
      const evidence = amountEvidence(pairs, sides.convention);
      if (evidence.agreeing < LEAST_PAIRS || evidence.agreeing < LEAST_AGREEMENT * groups) return [];
      const condition = exactly(evidence.condition);
      const side = manySide === 'a' ? 'A' : 'B';
      const words = [
        phrase('rules.propose.recordsOfSideWithOne', { side, label: reading.field.label }),
        phrase('rules.propose.addingUpToTheAmount'),
        windowWords(days),
      ];
      const rollup: Rollup = { group_by_kind: 'identifier', many_side: manySide, lookback_days: null, date_field: null };
      const body = bodyOf(sentence(words), [condition, withinDays(days)], { groupBy: [reading.field.name], rollup, commits: ['unique'] });
      const confidence = confidenceOf(evidence.agreeing, groups);
      return [{ tier: TIERS.carried, support: evidence.agreeing, body, confidence, isByChance: true }];
    }),
  );
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
function inOrder(candidates: readonly Candidate[]): Candidate[] {
  const shape = ({ body }: Candidate): string => canonicalJson(body);
  return candidates.toSorted(
    (left, right) => left.tier - right.tier || worth(right) - worth(left) || compareText(shape(left), shape(right)),
  );
}

function keyedCandidates(links: readonly KeyLink[], sides: Sides): Candidate[] {
  return links.flatMap((link) => [...keyCandidate(link, sides), ...batchCandidates(link, sides), ...repeatedCandidate(link, sides)]);
}

const TOKEN = /[\p{L}\p{N}]+(?:[-_/.#][\p{L}\p{N}]+)*/gu;
/** Most days between records that only equal amounts connect. */
const MOST_DAYS = 10;
/** Widest date window of a rule by amount and date. */
const MOST_LOOSE_WINDOW = 31;
/** Days before the single record in which a group of days is searched. */
const LOOKBACKS = [3, 7] as const;
/** A side with this many times the records of the other one may be the many side of groups. */
const MANY = 1.3;
const SEGMENT_VALUES = { least: 2, most: 20 } as const;

/**
 * Returns rules for values of side B that occur inside a text of side A. They are needed if no pattern extracts the values; a rule with a pattern
 * would be stricter.
 */
function containsCandidates(readingsA: readonly Reading[], readingsB: readonly Reading[], sides: Sides): Candidate[] {
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
interface Habits {
  readonly amount: Condition;
  /** Null if the distance of counterparts is unknown. */
  readonly days: number | null;
  /** The key that matches most pairs. A rule without it must not match records that contradict it. */
  readonly key: KeyLink | null;
  /** Pairs by the best key, or else by amounts that occur once on each side. */
  readonly pairs: readonly Pair[];
}

/** Returns the habits of counterparts of these sides. */
function habitsOf(links: readonly KeyLink[], sides: Sides): Habits {
  const keys = links.filter(({ evidence, pairs }) => evidence.agreeing >= 5 && evidence.agreeing >= 0.8 * pairs.length);
  const key = keys.reduce<KeyLink | null>((best, link) => (link.evidence.agreeing > (best?.evidence.agreeing ?? 0) ? link : best), null);
  const tied = key?.pairs.filter((pair) => amountsAgree(key.evidence, pair, sides.convention)) ?? [];
  const pairs = tied.length > 0 ? tied : pairsByAmount(sides.a, sides.b).filter(({ a, b }) => Math.abs(a.day - b.day) <= MOST_DAYS);
  const amount = exactly(amountEvidence(pairs, sides.convention).condition);
  const days = pairs.length < LEAST_PAIRS ? null : windowOf(pairs);
  return { amount, days: days === null || days > MOST_LOOSE_WINDOW ? null : days, key, pairs };
}

/** Returns a rule for equal amounts within the usual days of counterparts, which must not contradict the key if there is one. */
function amountAndDate({ amount, days, key, pairs }: Habits, sides: Sides): Candidate[] {
  if (days === null) return [];
  const window = withinDays(days);
  const uncontradicted: Condition[] = key === null ? [] : [{ ...equalityOf(key.link), operand: 'eq_or_missing' }];
  const words = [amountWords(amount, sides.decimalPlaces), windowWords(days)];
  if (key !== null) words.push(phrase('rules.propose.unlessSaysOtherwise', { link: linkWords(key.link) }));
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
function dayCandidates(
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
      const each = groupBy.slice(1).map((name) => phrase('rules.propose.forEach', { name: name.replace('metadata.', '') }));
      const words = [phrase('rules.propose.theDaysOfSideB', { isManySide: manySide === 'a' ? 'yes' : 'no', days }), ...each];
      const rollup = { group_by_kind: 'date', many_side: manySide, lookback_days: days, date_field: 'date' } as const;
      const body = bodyOf(sentence(words), [habits.amount], { groupBy, rollup, commits: ['unique', 'best'] });
      return { tier: TIERS.days, support: groupBy.length, body, confidence: 'medium', isByChance: true };
    }),
  );
}

/** Least number of people's matches for a learned rule, and the least share of them that must have a property in common. */
const LEAST_MATCHES = 3;
const COMMON = 0.9;
/** Highest probability that two records share the value by chance. */
const MOST_CHANCE = 0.2;
/** Most equal fields of a learned rule. */
const MOST_EQUALITIES = 2;
const MOST_WINDOW = 92;
const MOST_PERCENT = 10;

interface Common {
  readonly a: Reading;
  readonly b: Reading;
  readonly form: NormalForm;
  readonly chance: number;
}

interface LearnedTied {
  readonly pair: Pair;
  readonly rowA: number;
  readonly rowB: number;
}

function tiedPairs(known: readonly KnownMatch[], sides: Sides): LearnedTied[] {
  const rowsOf = (records: readonly EngineRecord[]) => new Map(records.map(({ id }, row) => [id, row]));
  const [rowsA, rowsB] = [rowsOf(sides.a), rowsOf(sides.b)];
  return known.flatMap(({ aIds: [idA, ...moreA], bIds: [idB, ...moreB] }) => {
    if (idA === undefined || idB === undefined || moreA.length + moreB.length > 0) return [];
    const rowA = rowsA.get(idA);
    const rowB = rowsB.get(idB);
    if (rowA === undefined || rowB === undefined) return [];
    return [{ rowA, rowB, pair: { a: present(sides.a[rowA], 'record of a row'), b: present(sides.b[rowB], 'record of a row') } }];
  });
}

/** Returns the probability that a record of one side and one of the other have the same value by chance. */
function chanceOf(index: ValueIndex, a: Reading, b: Reading, form: NormalForm): number {
  const rowsB = index.rowsOf(b, form);
  let pairs = 0;
  for (const [value, rows] of index.rowsOf(a, form)) pairs += rows.length * (rowsB.get(value)?.length ?? 0);
  return pairs / Math.max(1, a.filled * b.filled);
}

function valuesByRow(index: ValueIndex, reading: Reading, form: NormalForm): Map<number, string> {
  const values = new Map<number, string>();
  for (const [value, rows] of index.rowsOf(reading, form)) for (const row of rows) values.set(row, value);
  return values;
}

/** Returns the fields that nearly all pairs have in common, those that are rarest by chance first; each field once. */
function commonOf(tied: readonly LearnedTied[], readingsA: readonly Reading[], readingsB: readonly Reading[]): Common[] {
  const index = new ValueIndex();
  const found: Common[] = [];
  const forms = [...NORMAL_FORMS, WORDS];
  const known = new Map<Reading, Map<NormalForm, Map<number, string>>>();
  const values = (reading: Reading, form: NormalForm): Map<number, string> => {
    const byForm = known.get(reading) ?? new Map<NormalForm, Map<number, string>>();
    known.set(reading, byForm);
    const there = byForm.get(form) ?? valuesByRow(index, reading, form);
    byForm.set(form, there);
    return there;
  };
  for (const a of readingsA) {
    for (const b of readingsB) {
      for (const form of forms) {
        const [ofA, ofB] = [values(a, form), values(b, form)];
        const equal = tied.filter(({ rowA, rowB }) => ofA.has(rowA) && ofA.get(rowA) === ofB.get(rowB)).length;
        if (equal < COMMON * tied.length) continue;
        const chance = chanceOf(index, a, b, form);
        if (chance <= MOST_CHANCE) found.push({ a, b, form, chance });
        break;
      }
    }
  }
  const kept: Common[] = [];
  for (const each of found.toSorted((left, right) => left.chance - right.chance)) {
    if (kept.length === MOST_EQUALITIES) break;
    if (!kept.some(({ a, b }) => a.field.name === each.a.field.name || b.field.name === each.b.field.name)) kept.push(each);
  }
  return kept;
}

/** Returns the condition on amounts that nearly all pairs satisfy: equal, or at most ten percent apart; null if there is none. */
function commonAmount(pairs: readonly Pair[], sides: Sides): Condition | null {
  const evidence = amountEvidence(pairs, sides.convention);
  if (evidence.agreeing >= COMMON * pairs.length) return evidence.condition;
  const condition = exactly(evidence.condition);
  const percents = pairs.map(({ a, b }) => {
    const scale = Math.max(a.decimalPlaces, b.decimalPlaces);
    const [left, right] = [a, b].map((record) => record.amountMinor * 10 ** (scale - record.decimalPlaces));
    return (Math.abs((left ?? 0) - (right ?? 0)) * 100) / Math.max(1, left ?? 0, right ?? 0);
  });
  const percent = percents.toSorted((left, right) => left - right)[Math.ceil(COMMON * percents.length) - 1] ?? 100;
  if (percent > MOST_PERCENT) return null;
  const wide: Condition = { ...condition, tolerance_amount: roundedUp(percent), tolerance_unit: 'percent' };
  const asEvidence = { ...evidence, tolerance: { unit: 'percent' as const, amount: wide.tolerance_amount ?? 0 } };
  const held = pairs.filter((pair) => amountsAgree(asEvidence, pair, sides.convention)).length;
  return held >= COMMON * pairs.length ? wide : null;
}

/**
 * Returns a rule of what people's matches have in common: equal fields after transforms, the distance of the amounts, the distance in days. It is
 * learned from pairs only; groups are found in the data itself.
 */
function learnedCandidates(
  known: readonly KnownMatch[],
  readingsA: readonly Reading[],
  readingsB: readonly Reading[],
  sides: Sides,
): Candidate[] {
  const tied = tiedPairs(known, sides);
  if (tied.length < LEAST_MATCHES) return [];
  const pairs = tied.map(({ pair }) => pair);
  const equal = commonOf(tied, readingsA, readingsB);
  const amount = commonAmount(pairs, sides);
  if (amount === null && equal.length === 0) return [];
  const furthest = pairs.reduce((most, { a, b }) => Math.max(most, Math.abs(a.day - b.day)), 0);
  const days = furthest <= MOST_WINDOW ? furthest : null;
  const window = days === null ? [] : [withinDays(days)];
  const isLoose = amount === null || (amount.tolerance_amount ?? 0) > 0 || equal.length === 0;
  // Without a key and a window, a record would fit every other one of its amount.
  if (isLoose && window.length === 0) return [];
  const words = [
    ...equal.map(linkWords),
    ...(amount === null ? [] : [amountWords(amount, sides.decimalPlaces)]),
    ...(days === null ? [] : [windowWords(days)]),
  ];
  const rules = [...equal.map(equalityOf), ...(amount === null ? [] : [amount]), ...window];
  const isExactKey = equal.some(({ form, chance }) => form === EXACT && chance < 0.01);
  const body = bodyOf(phrase('rules.propose.learntFromMatchesMadeByPeople', { sentence: sentence(words), tied: tied.length }), rules, {
    commits: ['unique'],
  });
  const confidence = isExactKey && tied.length >= 10 ? 'high' : 'medium';
  return [{ tier: TIERS.learned, support: tied.length, body, confidence, isByChance: !isExactKey }];
}

/** Least number of records that a rule must match beyond the stricter rules. */
const LEAST_GAIN = { records: 4, share: 0.01 } as const;
/** A rule by amounts and dates must match this many times what chance would, and at most this share of what it commits may be due to chance. */
const CHANCE = { times: 2, committed: 0.02 } as const;
/** Rotations of the days, as shares of all days, to measure matches by chance. A single rotation would often miss rare ones. */
const TURNS = [1 / 8, 2 / 8, 3 / 8, 4 / 8, 5 / 8, 6 / 8, 7 / 8] as const;
/** Records that chance may match in all rotations together although none was seen: three pairs, by the rule of three for 95 %. */
const UNSEEN = 6;
/** Highest share of a rule's judged matches that may contradict people. */
const MOST_CONTRADICTIONS = 0.05;

/** Pairs of the opposite sign that indicate a wrong sign convention. */
const CONTRARY = { pairs: 5, times: 2 } as const;

interface Work {
  readonly input: ProposalInput;
  readonly ground: Ground;
  readonly known: readonly KnownMatch[];
  readonly sides: Sides;
  readonly readingsA: readonly Reading[];
  readonly readingsB: readonly Reading[];
  readonly step: () => void;
  /** Reports which kind of candidates is tried now. */
  readonly report: (message: string) => void;
  /** Returns what a rule matches of the whole sample when it runs alone; computed once for each rule. */
  readonly alone: (body: ProposedBody) => Tied | null;
}

interface Accepted {
  readonly candidate: Candidate;
  readonly body: ProposedBody;
  readonly confidence: Proposal['confidence'];
  readonly gain: number;
}

/** Up to this many times the sample size, all records are examined, because the input was sampled before. */
const WHOLE = 3;

/** Returns the records to examine, in content order. */
export function sampled(input: Pick<ProposalInput, 'sideA' | 'sideB'>): Free {
  if (Math.max(input.sideA.length, input.sideB.length) <= WHOLE * PROPOSAL_LIMITS.sample) {
    return { a: inContentOrder(input.sideA), b: inContentOrder(input.sideB) };
  }
  const plan = planSample(countByDay(input.sideA), countByDay(input.sideB), PROPOSAL_LIMITS.sample);
  const take = (records: readonly EngineRecord[]) => inContentOrder(records.filter((record) => isSampled(plan, record)));
  return { a: take(input.sideA), b: take(input.sideB) };
}

/** Returns the matches of people whose records are all in the sample. */
function knownOf(known: readonly KnownMatch[], { a, b }: Free): KnownMatch[] {
  const ids = [a, b].map((side) => new Set(side.map(({ id }) => id)));
  return known.filter(({ aIds, bIds }) => aIds.every((id) => ids[0]?.has(id)) && bIds.every((id) => ids[1]?.has(id)));
}

function mostDecimalPlaces(records: readonly EngineRecord[]): number {
  const counts = new Map<number, number>();
  for (const { decimalPlaces } of records) counts.set(decimalPlaces, (counts.get(decimalPlaces) ?? 0) + 1);
  return [...counts].toSorted((left, right) => right[1] - left[1] || left[0] - right[0])[0]?.[0] ?? 2;
}

function onceEach(work: (body: ProposedBody) => Tied | null): Work['alone'] {
  const known = new Map<ProposedBody, Tied | null>();
  return (body) => {
    const there = known.get(body);
    if (there !== undefined) return there;
    const found = work(body);
    known.set(body, found);
    return found;
  };
}

/** Returns the days around a record that a rule searches. */
function reachOf({ filters, rollup }: ProposedBody): number {
  const windows = filters.rules.map((each) => ('rules' in each || each.key !== 'date' ? 0 : (each.tolerance_amount ?? 0)));
  return Math.max(rollup?.lookback_days ?? 0, ...windows);
}

/**
 * Decides whether a rule that relies on amounts and dates (or a common name) may commit, may only propose, or is dropped. The measure is what it
 * matches after the days are rotated, when no record has its counterpart any more. Returns null to drop it.
 */
function soberly({ ground }: Work, candidate: Candidate, free: Free, records: number): Pick<Accepted, 'body' | 'confidence'> | null {
  const { body } = candidate;
  const others = TURNS.map((share) => turned(free, reachOf(body), share)).filter((other) => other !== null);
  const byChance = others.reduce((sum, other) => sum + (tryRules(ground, [asRule(body)], other)?.records ?? 0), 0);
  const turns = others.length;
  if (turns > 0 && records < CHANCE.times * (byChance / turns) + LEAST_GAIN.records) return null;
  if (turns > 0 && (byChance + UNSEEN) / turns <= CHANCE.committed * records) return { body, confidence: candidate.confidence };
  return { body: { ...body, outcome: 'propose', commit_certainty: ['unique', 'best', 'interchangeable'] }, confidence: 'low' };
}

/** Returns what a candidate adds to the rules before it, or null if that is too little to propose it. */
function weigh(work: Work, candidate: Candidate, free: Free): { readonly accepted: Accepted; readonly left: Free } | null {
  const { ground, known } = work;
  const tied = tryRules(ground, [asRule(candidate.body)], free);
  const least = Math.max(LEAST_GAIN.records, LEAST_GAIN.share * Math.min(work.sides.a.length, work.sides.b.length));
  if (tied === null || tied.records < least) return null;
  const sober = candidate.isByChance
    ? soberly(work, candidate, free, tied.records)
    : { body: candidate.body, confidence: candidate.confidence };
  if (sober === null) return null;
  const { agrees, contradicts } = judge(tied.matches, known);
  if (contradicts > agrees) return null;
  const isDoubtful = contradicts > MOST_CONTRADICTIONS * (agrees + contradicts);
  const settled = isDoubtful ? ({ body: { ...sober.body, outcome: 'propose' }, confidence: 'low' } as const) : sober;
  const after = settled.body === candidate.body ? tied : tryRules(ground, [asRule(settled.body)], free);
  if (after === null) return null;
  return { accepted: { candidate, ...settled, gain: after.records }, left: after.left };
}

/** Tries candidates, strictest first; each sees the records that the ones before it left. */
class Selection {
  readonly accepted: Accepted[] = [];
  readonly shapes = new Set<string>();
  readonly work: Work;
  wereExcluded = 0;
  tried = 0;
  free: Free;

  constructor(work: Work, free: Free) {
    this.work = work;
    this.free = free;
  }

  /** @param by description of the candidates' basis, for the progress message */
  tryEach(by: string, candidates: readonly Candidate[]): void {
    if (candidates.length > 0) this.work.report(phrase('rules.propose.tryingOnTheseRecords', { by }));
    for (const candidate of inOrder(candidates).slice(0, PROPOSAL_LIMITS.candidates)) {
      this.work.step();
      if (this.work.ground.isCancelled()) return;
      const shape = ruleShape(candidate.body);
      if (this.shapes.has(shape)) continue;
      this.shapes.add(shape);
      this.tried += 1;
      const found = weigh(this.work, candidate, this.free);
      if (found === null) continue;
      if (this.work.input.excludedShapes.has(shape)) {
        // The records of an excluded rule must not lead to a looser rule, because a person has already decided about it.
        this.wereExcluded += 1;
        this.free = found.left;
        continue;
      }
      this.accepted.push(found.accepted);
      this.free = found.left;
    }
  }
}

function proposalsOf(work: Work, accepted: readonly Accepted[]): Proposal[] {
  const { sides, input } = work;
  const best = new Set(accepted.toSorted((left, right) => right.gain - left.gain).slice(0, PROPOSAL_LIMITS.proposals));
  return accepted
    .filter((each) => best.has(each))
    .map(({ body, confidence }) => {
      const alone = work.alone(body);
      const sure = trueConfidence(alone?.matches ?? [], input.trusted ?? [], confidence);
      return { body, confidence: sure, matched: alone?.records ?? 0, sampled: sides.a.length + sides.b.length };
    });
}

/** Returns whether keys match records whose signs contradict the reconciliation's sign convention. */
function areContrary(links: readonly KeyLink[]): boolean {
  const agreeing = links.reduce((most, { evidence }) => Math.max(most, evidence.agreeing), 0);
  return links.some(({ evidence: { flipped } }) => flipped >= CONTRARY.pairs && flipped > CONTRARY.times * agreeing);
}

/** Tries rules by common fields first, then rules learned from people's matches, then rules by amounts and days. */
function select(work: Work, links: readonly KeyLink[], habits: Habits): Selection {
  const { input, ground, sides, readingsA, readingsB } = work;
  const running = input.active.length === 0 ? null : tryRules(ground, input.active, sides);
  const selection = new Selection(work, running?.left ?? sides);
  selection.tryEach(phrase('rules.propose.rulesByFieldsThatStand'), [
    ...keyedCandidates(links, sides),
    ...containsCandidates(readingsA, readingsB, sides),
    ...carriedCandidates({ a: readingsA, b: readingsB }, sides),
  ]);
  const made = [...(running?.matches ?? []), ...selection.accepted.flatMap(({ body }) => work.alone(body)?.matches ?? [])];
  selection.tryEach(
    phrase('rules.propose.rulesLearntFromMatchesOfPeople'),
    learnedCandidates(unexplained(made, work.known), readingsA, readingsB, sides),
  );
  selection.tryEach(phrase('rules.propose.rulesByAmountAndDate'), amountAndDate(habits, sides));
  const left = { a: selection.free.a.length, b: selection.free.b.length };
  selection.tryEach(phrase('rules.propose.rulesByDaysThatAdd'), dayCandidates(readingsA, readingsB, left, habits));
  return selection;
}

function comparingWords(counts: Proposals['sampled'], a: number, b: number): string {
  return phrase('rules.propose.comparingWays', { a, a2: counts.a, b, b2: counts.b });
}

/**
 * Returns rules that the data supports: fields whose values occur on both sides, also inside texts and after transforms; groups that add up; amounts
 * and days if they match more than chance; and properties of people's own matches. Each rule runs on a sample and is kept if it adds to the stricter
 * ones. The same records in any order give the same rules.
 *
 * @returns null when cancelled
 */
export function proposeRules(input: ProposalInput, control: ProposalControl): Proposals | null {
  const free = sampled(input);
  const counts = { a: free.a.length, b: free.b.length };
  const known = knownOf(input.known, free);
  const looked = { sampled: counts, known: known.length, tried: 0 };
  if (counts.a === 0 || counts.b === 0)
    return { proposals: [], ...looked, nothing: nothingFound({ counts, wereExcluded: 0, isContrary: false }) };
  const sides: Sides = { ...free, convention: input.signConvention, decimalPlaces: mostDecimalPlaces([...free.a, ...free.b]) };
  const readingsA = readingsOf(sides.a);
  const readingsB = readingsOf(sides.b);
  control.onStep?.('comparing', comparingWords(counts, readingsA.length, readingsB.length));
  const total = readingsA.length * readingsB.length + 2 * PROPOSAL_LIMITS.candidates + PROPOSAL_LIMITS.proposals;
  let done = 0;
  const step = (): void => {
    done += 1;
    control.onProgress(Math.min(done, total), total);
  };
  const { signConvention, types, separations, returned = [] } = input;
  const ground: Ground = { signConvention, types, separations, returned, isCancelled: control.isCancelled };
  const links = keyLinks(readingsA, readingsB, sides, () => {
    step();
    return !control.isCancelled();
  });
  if (links === null) return null;
  if (areContrary(links)) return { proposals: [], ...looked, nothing: nothingFound({ counts, wereExcluded: 0, isContrary: true }) };
  const work: Work = {
    input,
    ground,
    known,
    sides,
    readingsA,
    readingsB,
    step,
    report: (message) => control.onStep?.('trying', message),
    alone: onceEach((body) => tryRules(ground, [asRule(body)], sides)),
  };
  const selection = select(work, links, habitsOf(links, sides));
  if (control.isCancelled()) return null;
  const proposals = proposalsOf(work, selection.accepted);
  if (control.isCancelled()) return null;
  const nothing = proposals.length > 0 ? null : nothingFound({ counts, wereExcluded: selection.wereExcluded, isContrary: false });
  control.onProgress(total, total);
  return { proposals, ...looked, tried: selection.tried, nothing };
}
