import { capitalized, counted, grouped } from '../../../../src-shared/values/english.ts';
import type { EvidenceItem } from '../../../../src-shared/contract/index.ts';
import type { ConditionOperand, SignConvention } from '../../../../src-shared/contract/index.ts';
import { intAt } from '../../collections/typed-arrays.ts';
import type { Kind } from '../../records/fields.ts';
import { recordAt } from '../../records/record-columns.ts';
import { decimalValueText } from '../../records/values.ts';
import { daysApart, distanceOf, isListing, type LeafColumns, MISSING_CODE } from '../comparison/condition-columns.ts';
import { editsApart } from '../comparison/condition-test.ts';
import { holdsByAbsence, type RuleView, trueBranch } from '../comparison/predicate.ts';
import type { Leaf } from '../rules/compile-leaf.ts';
import { comparedText, quoted, quotedList, type QuotedPair, trimmed } from '../rules/value-text.ts';

export interface Reason {
  readonly groupKey: string | null;
  readonly explanation: readonly string[];
  /** For a match of evidence: the same sentences with the bits of each kind. */
  readonly evidence?: readonly EvidenceItem[];
}

/** Returns why a pair was matched: a sentence for each condition of its true branch, and the equal values joined by `|`. */
export function reasonOf(view: RuleView, rowA: number, rowB: number, convention: SignConvention): Reason {
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
export function conditionSentence(view: RuleView, columns: LeafColumns, rowA: number, rowB: number, convention: SignConvention): string {
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
    return `${both} missing on both sides, so nothing speaks against.`;
  }
  return `${capitalized(missingA ? key : value)} is missing on side ${missingA ? 'A' : 'B'}, so nothing speaks against.`;
}

function sentence(columns: LeafColumns, rowA: number, rowB: number, pair: QuotedPair): string {
  const { leaf } = columns;
  if (isListing(leaf)) {
    const verb = leaf.operand === 'in' ? 'is one of' : 'is none of';
    return `${sideA(leaf, pair)} ${verb} ${leaf.value.field.label} ${quotedList(leaf, pair)} on side B.`;
  }
  if (leaf.kind === 'text') return textSentence(columns, rowA, rowB, pair);
  if (leaf.kind === 'date') return dateSentence(columns, rowA, rowB, pair);
  return numberSentence(columns, pair, distanceOf(columns, rowA, rowB));
}

function sideA(leaf: Leaf, pair: QuotedPair): string {
  return `${capitalized(leaf.key.field.label)} ${quoted(leaf, 'a', pair)} on side A`;
}

function sideB(leaf: Leaf, pair: QuotedPair): string {
  return `${leaf.value.field.label} ${quoted(leaf, 'b', pair)} on side B`;
}

const ORDER_WORDS: Readonly<Record<Kind, Readonly<Partial<Record<ConditionOperand, string>>>>> = {
  text: {
    neq: 'differs from',
    contains: 'contains',
    gt: 'comes after',
    gte: 'does not come before',
    lt: 'comes before',
    lte: 'does not come after',
  },
  date: { neq: 'differs from', gt: 'is later than', gte: 'is not earlier than', lt: 'is earlier than', lte: 'is not later than' },
  number: { neq: 'differs from', gt: 'is more than', gte: 'is not less than', lt: 'is less than', lte: 'is not more than' },
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
  return `${capitalized(leaf.key.field.label)} ${quoted(leaf, 'a', pair)} is equal on both sides`;
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
  if (leaf.tolerance?.unit === 'month') return `${named} are in the same month, ${counted(days, 'day')} apart.`;
  const allowed = String(leaf.tolerance?.amount.units ?? 0);
  if (leaf.tolerance?.unit !== 'business_day') return `${named} are ${counted(days, 'day')} apart (allowed: ${allowed}).`;
  const steps = Number(distanceOf(columns, rowA, rowB));
  if (steps === 0) return `${named} count as the same business day.`;
  return `${named} are ${counted(steps, 'business day')} apart (allowed: ${allowed}).`;
}

function numberSentence(columns: LeafColumns, pair: QuotedPair, distance: number | bigint): string {
  const { leaf, scale } = columns;
  const a = quoted(leaf, 'a', pair);
  const isTurned =
    leaf.value.field.name === 'signed_amount' && pair.convention === 'opposite' && leaf.value.transforms.numbers.length === 0;
  const b = `${quoted(leaf, 'b', pair, isTurned ? 'any' : pair.convention)}${isTurned ? ' with the sign turned' : ''}`;
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
  if (tolerance?.unit === 'percent') return `${decimalValueText(trimmed({ units, scale }), 0)} percent of the larger`;
  const inUnits = tolerance?.unit === 'dollar' ? { units, scale } : { units, scale: scale + places };
  return grouped(decimalValueText(trimmed(inUnits), places));
}
