import type { ConditionOperand, EvidenceItem, SignConvention } from '../../../../src-shared/contract/index.ts';
import { assert, present } from '../../../../src-shared/values/assert.ts';
import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { capitalized, counted } from '../../../../src-shared/values/english.ts';
import { decimalText } from '../../../../src-shared/values/money.ts';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { intAt, itemAt } from '../../collections/typed-arrays.ts';
import { explainEvidence } from '../../evidence/explain-evidence.ts';
import { returnedWords } from '../../evidence/groups/group-words.ts';
import type { EvidenceParameters } from '../../evidence/model/parameters.ts';
import { type Part, weightOfPacked } from '../../evidence/model/weight.ts';
import { inContentOrder } from '../../records/content.ts';
import type { Kind, MetadataTypes } from '../../records/fields.ts';
import { columnsOfRecords, recordAt } from '../../records/record-columns.ts';
import type { EngineRecord } from '../../records/record.ts';
import { decimalValueText } from '../../records/values.ts';
import { daysApart, distanceOf, isListing, type LeafColumns, MISSING_CODE } from '../comparison/condition-columns.ts';
import { editsApart } from '../comparison/condition-test.ts';
import { holdsByAbsence, ruleView, type RuleView, trueBranch } from '../comparison/predicate.ts';
import { readColumns } from '../comparison/read-columns.ts';
import { textFields } from '../evidence/evidence-ground.ts';
import {
  daysOfMany,
  factsOfGroup,
  type GroupFacts,
  inPlaceOf,
  type Net,
  type RecordGroup,
  rolledView,
  type RolledView,
  spanOf,
  standingRow,
  totalOf,
  type Totals,
  totalsOf,
} from '../many-to-one/groups.ts';
import type { EngineFailure, EngineInput } from '../model/input.ts';
import type { Margin } from '../model/match.ts';
import type { EngineRule } from '../model/rule.ts';
import type { Leaf } from '../rules/compile-leaf.ts';
import type { CompiledRule } from '../rules/compile.ts';
import { groupValues, type RolledRule, rolledRule } from '../rules/grouping-rule.ts';
import { compiledRule } from '../rules/ready-rules.ts';
import { comparedText, quoted, quotedList, type QuotedPair, trimmed } from '../rules/value-text.ts';
import { grouped } from '../../../../src-shared/values/notation.ts';
import { phrase } from '../../../../src-shared/words/say.ts';

/** Kinds of evidence by their names in the contract. */
const FIELDS: Readonly<Record<Part, EvidenceItem['field']>> = {
  amount: 'amount',
  lag: 'date',
  text: 'text',
  references: 'reference',
  rivals: 'rivals',
};

/**
 * Returns a function that explains a match of evidence by its stored weight and its records. `learned` holds the parameters of the run, or null if
 * they are no longer stored.
 */
function evidenceExplainer(learned: EvidenceParameters | null) {
  return (sideA: readonly EngineRecord[], sideB: readonly EngineRecord[], { weight }: { readonly weight?: number | undefined }): Reason => {
    if (weight === undefined || sideA.length + sideB.length === 0) return { groupKey: null, explanation: [] };
    const facts = { fieldsA: fieldsOf(sideA), fieldsB: fieldsOf(sideB), parameters: learned };
    const lines = explainEvidence(sideA, sideB, weightOfPacked(weight), facts);
    const evidence = lines.map((line) => ({
      field: FIELDS[line.field],
      level: line.level,
      words: line.words,
      bits: line.bits,
    }));
    return { groupKey: null, explanation: evidence.map(({ words }) => words), evidence };
  };
}

const fieldsOf = (records: readonly EngineRecord[]) => textFields(records.map(({ metadata }) => metadata));

/** Certainty of a match, as far as its explanation mentions it. */
interface Sureness {
  readonly certainty: string | null;
  /** Packed weight of a match of evidence. */
  readonly weight?: number | undefined;
  readonly margin?: Margin | null | undefined;
}

/**
 * Explains why the records of one match were matched, and by what margin. Both sides hold at least one record, in any order. If `facts` is given, the
 * many side holds the representative of the group, and no other member is read.
 */
type ExplainMatch = (sideA: readonly EngineRecord[], sideB: readonly EngineRecord[], sureness: Sureness, facts?: GroupFacts) => Reason;

const NOTHING: Reason = { groupKey: null, explanation: [] };

/**
 * Returns a function that explains matches of a rule from the rule and their records alone. Given the rule, types and convention of the run and the
 * unchanged records, the explanation is exact. If records have changed and the rule no longer holds between them, it contains no sentences on
 * conditions. Fails if the rule cannot run.
 */
export function matchExplainer(
  rule: EngineRule,
  types: MetadataTypes,
  convention: SignConvention,
  learned: EvidenceParameters | null = null,
): Result<ExplainMatch, EngineFailure> {
  const compiled = compiledRule(rule, types);
  if (!compiled.ok) return failed(compiled.error);
  const explain = (): ExplainMatch => {
    if (rule.evidence !== undefined) return evidenceExplainer(learned);
    if (rule.cardinality === 'one_to_one') return pairExplainer(compiled.value, convention);
    return groupExplainer(rolledRule(rule, compiled.value, types, convention), convention);
  };
  return success(orReturned(explain()));
}

/** Input of a run other than its records, with the parameters of its rules of evidence if they are stored. */
type ExplainedFacts = Pick<EngineInput, 'rules' | 'types' | 'signConvention'> & {
  readonly learned?: ReadonlyMap<number, EvidenceParameters>;
};

/** Returns the explainers of a run's rules by the rule's id; each is created on first use. */
export function explainersOf(facts: ExplainedFacts): (ruleId: number) => ExplainMatch {
  const made = new Map<number, ExplainMatch>();
  return (ruleId) => {
    const known = made.get(ruleId);
    if (known !== undefined) return known;
    const rule = present(
      facts.rules.find(({ id }) => id === ruleId),
      'rule of a match',
    );
    const explainer = matchExplainer(rule, facts.types, facts.signConvention, facts.learned?.get(ruleId) ?? null);
    assert(explainer.ok, 'a rule that has run can run');
    made.set(ruleId, explainer.value);
    return explainer.value;
  };
}

/** Explains a line and its reversal, both on one side, that the text of one of them ties. Reversals that evidence finds have other rivals: `best`. */
function orReturned(explain: ExplainMatch): ExplainMatch {
  return (sideA, sideB, sureness, facts) => {
    const lines = [...sideA, ...sideB];
    const isNamed = sureness.weight === undefined || sureness.certainty === 'unique';
    const isReturned = isNamed && lines.length === 2 && (sideA.length === 0 || sideB.length === 0);
    return isReturned ? { groupKey: null, explanation: returnedWords(lines) } : explain(sideA, sideB, sureness, facts);
  };
}

function pairExplainer(rule: CompiledRule, convention: SignConvention): ExplainMatch {
  return ([a], [b], { certainty, margin }) => {
    if (a === undefined || b === undefined) return NOTHING;
    const [sideA, sideB] = [columnsOfRecords([a]), columnsOfRecords([b])];
    const columns = readColumns(rule, sideA, sideB, convention);
    const { groupKey, explanation } = reasonOf(ruleView({ rule, columns, sideA, sideB, isBarred: () => false }), 0, 0, convention);
    // If the records have changed, neither conditions nor margin are mentioned.
    if (certainty !== 'best' || explanation.length === 0) return { groupKey, explanation };
    return { groupKey, explanation: [...explanation, marginSentence(margin ?? null, a, b)] };
  };
}

function groupExplainer(rolled: RolledRule, convention: SignConvention): ExplainMatch {
  return (sideA, sideB, _sureness, known) => {
    const [held, others] = rolled.manySide === 'a' ? [sideA, sideB] : [sideB, sideA];
    const members = inContentOrder(held);
    const single = others.slice(0, 1);
    if (members.length === 0 || single.length === 0) return NOTHING;
    const group = known === undefined ? groupOfAll(rolled, members, single, convention) : groupOfFacts(members, known);
    if (group === null) return NOTHING;
    const { standing, total, facts } = group;
    const given = rolledView(rolled, columnsOfRecords([standing]), { columns: columnsOfRecords(single), records: single }, convention);
    const totals = totalsOf(given, [ALONE], [inPlaceOf(standing, total)]);
    const key = keyOf(rolled, standing, facts);
    const explanation = groupReason({ given, totals, facts, key, members });
    return { groupKey: rolled.kind === 'subset' && key === '' ? null : key, explanation };
  };
}

const ALONE_ROW = Int32Array.of(0);
/** A group of one row. */
const ALONE: RecordGroup = { first: 0, rows: () => ALONE_ROW, untested: () => ALONE_ROW, cells: () => [0], firstDay: 0, lastDay: 0 };

interface Stood {
  readonly facts: GroupFacts;
  /** The representative of the group, and the group's net. */
  readonly standing: EngineRecord;
  readonly total: Net;
}

/** Returns all records of the many side, in content order, as one group, or null if they have no representative. */
function groupOfAll(
  rolled: RolledRule,
  members: readonly EngineRecord[],
  single: readonly EngineRecord[],
  convention: SignConvention,
): Stood | null {
  const net = totalOf(members);
  if (net === null) return null;
  const columns = columnsOfRecords(members);
  const given = rolledView(rolled, columns, { columns: columnsOfRecords(single), records: single }, convention);
  const rows = Int32Array.from(members, (_, row) => row);
  const days = daysOfMany(rolled, columns);
  const firstDay = days.reduce((earliest, day) => Math.min(earliest, day), Infinity);
  const lastDay = days.reduce((latest, day) => Math.max(latest, day), -Infinity);
  const first = standingRow(rolled, rows, days, firstDay);
  return { facts: factsOfGroup(given, { firstDay, lastDay }, rows, net), standing: itemAt(members, first), total: net };
}

function groupOfFacts(members: readonly EngineRecord[], facts: GroupFacts): Stood {
  const { units, scale } = facts;
  const total = { amountMinor: Math.abs(units), direction: units < 0 ? 'debit' : 'credit', decimalPlaces: scale } as const;
  return { facts, standing: itemAt(members, 0), total };
}

/** Returns the group key: the values of the fields of `group_by`, and the range of days for a run of days. */
function keyOf(rolled: RolledRule, standing: EngineRecord, { firstDay, lastDay }: GroupFacts): string {
  const segments = rolled.kind === 'date' ? rolled.groups.slice(1) : rolled.groups;
  const values = groupValues(segments, rolled.manySide, standing) ?? [];
  return (rolled.kind === 'date' ? [spanOf(firstDay, lastDay), ...values] : values).join('|');
}

/** A group, represented by a member and its total in the first rows, matched with the first single record. */
interface TiedGroup {
  readonly given: RolledView;
  readonly totals: Totals;
  readonly facts: GroupFacts;
  /** Name of the group for a person. */
  readonly key: string;
  /** All members for a rule that lists them; for others possibly only the representative. */
  readonly members: readonly EngineRecord[];
}

/** Returns why the group was matched: what was summed, then a sentence for each condition of the true branch. */
function groupReason(tied: TiedGroup): string[] {
  const { given, totals, facts, members } = tied;
  const { rolled, convention } = given;
  const total = itemAt(totals.records, 0);
  const sign = total.direction === 'debit' && total.amountMinor > 0 && convention !== 'any' ? '-' : '';
  const sum = grouped(decimalValueText({ units: total.amountMinor, scale: total.decimalPlaces }, total.decimalPlaces));
  const records = facts.records === 1 ? '1 record' : `${facts.records} records`;
  const of = named(tied);
  const parts = rolled.kind === 'subset' ? `: ${partsText(members, total, sign !== '')}` : '';
  const explanation = [
    `${records}${of === '' ? '' : ` of ${of}`} sum${facts.records === 1 ? 's' : ''} to ${sign}${sum} ${total.currency}${parts}.`,
  ];
  if (rolled.lookbackDays !== null) explanation.push(windowSentence(given, facts));
  for (const columns of trueBranch(totals.view, 0, 0) ?? []) {
    const { index } = columns.leaf;
    const sentence = conditionSentence(totals.view, columns, 0, 0, convention);
    const isSame = rolled.isOfTotal[index] === true || !facts.differing.includes(index);
    explanation.push(isSame ? sentence : `${sentence.slice(0, -1)}; ${othersFit(facts.records - 1)}.`);
  }
  return explanation;
}

/** Returns the sum written out, such as `500.00 + 450.00 - 20.00`. Debits are negative if the sum has a minus sign. */
function partsText(members: readonly EngineRecord[], total: EngineRecord, isNegative: boolean): string {
  return members
    .map((record, place) => {
      const isMinus = isNegative ? record.direction === 'debit' : record.direction !== total.direction;
      const sign = place === 0 ? (isMinus ? '-' : '') : isMinus ? ' - ' : ' + ';
      return `${sign}${grouped(decimalValueText({ units: record.amountMinor, scale: record.decimalPlaces }, record.decimalPlaces))}`;
    })
    .join('');
}

/** Returns the group's name in words: `batch id BATCH-7`, or `2026-06-01 to 2026-06-03, store S1`. */
function named({ given: { rolled }, key, facts: { firstDay, lastDay } }: TiedGroup): string {
  const labels = rolled.groups.map((leaf) => leaf.key.field.label);
  if (rolled.kind !== 'date') return key === '' ? '' : `${labels.join(', ')} ${key.replaceAll('|', ', ')}`;
  const days = firstDay === lastDay ? isoFromDay(firstDay) : `${isoFromDay(firstDay)} to ${isoFromDay(lastDay)}`;
  const segment = key.split('|').slice(1).join(', ');
  return segment === '' ? days : `${days}, ${labels.slice(1).join(', ')} ${segment}`;
}

/** Returns a sentence such as `They lie 1 to 3 days before 2026-06-08, the date on side B (allowed: 3).` */
function windowSentence({ rolled, single }: RolledView, { records, firstDay, lastDay }: GroupFacts): string {
  const { day } = itemAt(single, 0);
  const date = phrase('rules.explainMatch.theDateOnSideA', { day: isoFromDay(day), isManySide: rolled.manySide === 'a' ? 'yes' : 'no' });
  const [least, most] = [day - lastDay, day - firstDay];
  if (most === 0) return phrase('rules.explainMatch.liesOnTheDay', { records, date });
  const values = { records, most, date, allowed: String(rolled.lookbackDays) };
  if (least === most) return phrase('rules.explainMatch.liesDaysBefore', values);
  return least === 0
    ? phrase('rules.explainMatch.liesUpToDaysBefore', values)
    : phrase('rules.explainMatch.liesBetweenDaysBefore', { ...values, least });
}

/** Mentions members with another value than the one that is quoted. */
function othersFit(count: number): string {
  return phrase('rules.explainMatch.othersFit', { count });
}

/** Returns a sentence on how much worse the best pairing without the pair is; null means that it was not computed. */
function marginSentence(margin: Margin | null, a: EngineRecord, b: EngineRecord): string {
  if (margin === null) return phrase('rules.explainMatch.everyOtherPairingIsWorse');
  if (margin.pairs > 0) return phrase('rules.explainMatch.withoutThisMatch', { pairs: margin.pairs });
  return phrase('rules.explainMatch.nextBestPairingIsWorse', { worse: worse(margin, a, b) });
}

/** The first figure that is not 0 decides. */
function worse({ days, units, edits }: Margin, a: EngineRecord, b: EngineRecord): string {
  if (days > 0) return counted(days, 'day');
  if (units > 0) return `${grouped(decimalText(units, Math.max(a.decimalPlaces, b.decimalPlaces)))} ${a.currency}`;
  return counted(edits, 'edit');
}

interface Reason {
  readonly groupKey: string | null;
  readonly explanation: readonly string[];
  /** For a match of evidence: the same sentences with the bits of each kind. */
  readonly evidence?: readonly EvidenceItem[];
}

/** Returns why a pair was matched: a sentence for each condition of its true branch, and the equal values joined by `|`. */
function reasonOf(view: RuleView, rowA: number, rowB: number, convention: SignConvention): Reason {
  const explanation: string[] = [];
  const values: string[] = [];
  const pair: QuotedPair = { a: recordAt(view.sideA, rowA), b: recordAt(view.sideB, rowB), convention };
  for (const columns of trueBranch(view, rowA, rowB) ?? []) {
    explanation.push(conditionSentence(view, columns, rowA, rowB, convention));
    const value = holdsByAbsence(columns, rowA, rowB) ? null : tyingValue(columns.leaf, pair);
    if (value !== null) values.push(value);
  }
  return { groupKey: values.length === 0 ? null : values.join('|'), explanation };
}

/** Returns why one condition held between two rows. */
function conditionSentence(view: RuleView, columns: LeafColumns, rowA: number, rowB: number, convention: SignConvention): string {
  if (holdsByAbsence(columns, rowA, rowB)) return absenceSentence(columns, rowA, rowB);
  return sentence(columns, rowA, rowB, { a: recordAt(view.sideA, rowA), b: recordAt(view.sideB, rowB), convention });
}

/** Returns the value that both records share, or null if the condition does not require one. */
function tyingValue(leaf: Leaf, pair: QuotedPair): string | null {
  if (leaf.tolerance?.unit === 'month') return comparedText(leaf, 'a', pair).slice(0, 'YYYY-MM'.length);
  const isTying = leaf.tolerance === null && (leaf.operand === 'eq' || leaf.operand === 'eq_or_missing' || leaf.operand === 'in');
  return isTying ? comparedText(leaf, 'a', pair) : null;
}

function absenceSentence(columns: LeafColumns, rowA: number, rowB: number): string {
  const missingA = intAt(columns.a.codes, rowA) === MISSING_CODE;
  const missingB = intAt(columns.b.codes, rowB) === MISSING_CODE;
  const key = columns.leaf.key.field.label;
  const value = columns.leaf.value.field.label;
  if (missingA && missingB) {
    const both = key === value ? `${capitalized(key)} is` : `${capitalized(key)} and ${value} are`;
    return phrase('rules.explainMatch.missingOnBothSides', { both });
  }
  return phrase('rules.explainMatch.isMissingOnSideB', {
    missingA: capitalized(missingA ? key : value),
    missingA2: missingA ? 'yes' : 'no',
  });
}

function sentence(columns: LeafColumns, rowA: number, rowB: number, pair: QuotedPair): string {
  const { leaf } = columns;
  if (isListing(leaf)) {
    const verb = leaf.operand === 'in' ? phrase('rules.explainMatch.isOneOf') : phrase('rules.explainMatch.isNoneOf');
    return phrase('rules.explainMatch.onSideB', {
      sideA: sideA(leaf, pair),
      verb,
      label: leaf.value.field.label,
      quotedList: quotedList(leaf, pair),
    });
  }
  if (leaf.kind === 'text') return textSentence(columns, rowA, rowB, pair);
  if (leaf.kind === 'date') return dateSentence(columns, rowA, rowB, pair);
  return numberSentence(columns, pair, distanceOf(columns, rowA, rowB));
}

function sideA(leaf: Leaf, pair: QuotedPair): string {
  return phrase('rules.explainMatch.onSideA', { label: capitalized(leaf.key.field.label), leaf: quoted(leaf, 'a', pair) });
}

function sideB(leaf: Leaf, pair: QuotedPair): string {
  return phrase('rules.explainMatch.leafOnSideB', { label: leaf.value.field.label, leaf: quoted(leaf, 'b', pair) });
}

const ORDER_WORDS: Readonly<Record<Kind, Readonly<Partial<Record<ConditionOperand, string>>>>> = {
  text: {
    neq: phrase('rules.explainMatch.differsFrom'),
    contains: 'contains',
    gt: phrase('rules.explainMatch.comesAfter'),
    gte: phrase('rules.explainMatch.doesNotComeBefore'),
    lt: phrase('rules.explainMatch.comesBefore'),
    lte: phrase('rules.explainMatch.doesNotComeAfter'),
  },
  date: {
    neq: phrase('rules.explainMatch.differsFrom'),
    gt: phrase('rules.explainMatch.isLaterThan'),
    gte: phrase('rules.explainMatch.isNotEarlierThan'),
    lt: phrase('rules.explainMatch.isEarlierThan'),
    lte: phrase('rules.explainMatch.isNotLaterThan'),
  },
  number: {
    neq: phrase('rules.explainMatch.differsFrom'),
    gt: phrase('rules.explainMatch.isMoreThan'),
    gte: phrase('rules.explainMatch.isNotLessThan'),
    lt: phrase('rules.explainMatch.isLessThan'),
    lte: phrase('rules.explainMatch.isNotMoreThan'),
  },
};

function textSentence(columns: LeafColumns, rowA: number, rowB: number, pair: QuotedPair): string {
  const { leaf } = columns;
  const word = ORDER_WORDS.text[leaf.operand];
  if (word !== undefined) return `${sideA(leaf, pair)} ${word} ${sideB(leaf, pair)}.`;
  const edits = leaf.tolerance === null ? 0 : editsApart(columns, rowA, rowB);
  if (edits > 0) {
    const allowed = String(leaf.tolerance?.amount.units ?? 0);
    return `${sideA(leaf, pair)} and ${sideB(leaf, pair)} are ${counted(edits, 'edit')} apart (allowed: ${allowed}).`;
  }
  return isSaidOnce(leaf, pair) ? `${equalOnBoth(leaf, pair)}.` : `${sideA(leaf, pair)} equals ${sideB(leaf, pair)}.`;
}

/** Returns whether both sides name the same field and hold the same value in it. */
function isSaidOnce(leaf: Leaf, pair: QuotedPair): boolean {
  return leaf.key.field.label === leaf.value.field.label && quoted(leaf, 'a', pair) === quoted(leaf, 'b', pair);
}

function equalOnBoth(leaf: Leaf, pair: QuotedPair): string {
  return phrase('rules.explainMatch.isEqualOnBothSides', { label: capitalized(leaf.key.field.label), leaf: quoted(leaf, 'a', pair) });
}

function dateSentence(columns: LeafColumns, rowA: number, rowB: number, pair: QuotedPair): string {
  const { leaf } = columns;
  const days = daysApart(columns, rowA, rowB);
  const word = ORDER_WORDS.date[leaf.operand];
  if (word !== undefined) {
    const by = days === 0 ? '' : ` by ${counted(days, 'day')}`;
    return `${sideA(leaf, pair)} ${word} ${sideB(leaf, pair)}${by}.`;
  }
  if (days === 0) return isSaidOnce(leaf, pair) ? `${equalOnBoth(leaf, pair)}.` : `${sideA(leaf, pair)} equals ${sideB(leaf, pair)}.`;
  const [key, value] = [leaf.key.field.label, leaf.value.field.label];
  const a = quoted(leaf, 'a', pair);
  const b = quoted(leaf, 'b', pair);
  const named = key === value ? `${capitalized(key)}s ${a} and ${b}` : `${capitalized(key)} ${a} and ${value} ${b}`;
  if (leaf.tolerance?.unit === 'month') return phrase('rules.explainMatch.areInTheSameMonth', { named, days });
  const allowed = String(leaf.tolerance?.amount.units ?? 0);
  if (leaf.tolerance?.unit !== 'business_day') return `${named} are ${counted(days, 'day')} apart (allowed: ${allowed}).`;
  const steps = Number(distanceOf(columns, rowA, rowB));
  if (steps === 0) return phrase('rules.explainMatch.countAsTheSameBusiness', { named });
  return `${named} are ${counted(steps, phrase('rules.explainMatch.businessDay'))} apart (allowed: ${allowed}).`;
}

function numberSentence(columns: LeafColumns, pair: QuotedPair, distance: number | bigint): string {
  const { leaf, scale } = columns;
  const a = quoted(leaf, 'a', pair);
  const isTurned =
    leaf.value.field.name === 'signed_amount' && pair.convention === 'opposite' && leaf.value.transforms.numbers.length === 0;
  const amount = quoted(leaf, 'b', pair, isTurned ? 'any' : pair.convention);
  const b = isTurned ? phrase('rules.explainMatch.withTheSignTurned', { amount }) : amount;
  const key = capitalized(leaf.key.field.label);
  const other = leaf.key.field.label === leaf.value.field.label ? b : `${leaf.value.field.label} ${b}`;
  const places = Math.max(pair.a.decimalPlaces, pair.b.decimalPlaces);
  const apart = grouped(decimalValueText(trimmed({ units: distance, scale }), places));
  const word = ORDER_WORDS.number[leaf.operand];
  if (word !== undefined) return `${key} ${a} ${word} ${other}${BigInt(distance) === 0n ? '' : ` by ${apart}`}.`;
  if (BigInt(distance) === 0n) return `${key} ${a} equals ${other}.`;
  return `${key} ${a} and ${other} are ${apart} apart (allowed: ${allowedText(leaf, places)}).`;
}

function allowedText({ tolerance }: Leaf, places: number): string {
  const { units, scale } = tolerance?.amount ?? { units: 0, scale: 0 };
  if (tolerance?.unit === 'percent')
    return phrase('rules.explainMatch.percentOfTheLarger', { decimalValue: decimalValueText(trimmed({ units, scale }), 0) });
  const inUnits = tolerance?.unit === 'dollar' ? { units, scale } : { units, scale: scale + places };
  return grouped(decimalValueText(trimmed(inUnits), places));
}
