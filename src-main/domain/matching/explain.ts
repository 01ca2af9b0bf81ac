import type { SignConvention } from '../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { distanceOf, type LeafColumns, MISSING_CODE } from './columns.ts';
import type { Leaf } from './compile-leaf.ts';
import { type Field, readDay, readNumber, readText, type Side } from './fields.ts';
import { holdsByAbsence, type RuleView, trueBranch } from './predicate.ts';
import { intAt, itemAt } from './typed.ts';
import type { EngineRecord } from './types.ts';
import { type Decimal, decimalValueText, INCOMPARABLE, narrow } from './values.ts';

export interface Reason {
  readonly groupKey: string | null;
  readonly explanation: readonly string[];
}

/** Longest text quoted in a sentence; the rest is an ellipsis. */
const QUOTED_LENGTH = 80;

/** Why a pair was tied: a sentence per condition of its true branch, and the equal values joined by `|`. */
export function reasonOf(view: RuleView, rowA: number, rowB: number, convention: SignConvention): Reason {
  const explanation: string[] = [];
  const values: string[] = [];
  const pair = { a: itemAt(view.sideA, rowA), b: itemAt(view.sideB, rowB), convention };
  for (const columns of trueBranch(view, rowA, rowB) ?? []) {
    if (holdsByAbsence(columns, rowA, rowB)) {
      explanation.push(absenceSentence(columns, rowA, rowB));
      continue;
    }
    const { leaf } = columns;
    if (leaf.tolerance === null) values.push(plainText(leaf.key.field, leaf, pair, 'a'));
    explanation.push(sentence(columns, rowA, rowB, pair));
  }
  return { groupKey: values.length === 0 ? null : values.join('|'), explanation };
}

interface Pair {
  readonly a: EngineRecord;
  readonly b: EngineRecord;
  readonly convention: SignConvention;
}

function absenceSentence(columns: LeafColumns, rowA: number, rowB: number): string {
  const missingA = intAt(columns.a.codes, rowA) === MISSING_CODE;
  const missingB = intAt(columns.b.codes, rowB) === MISSING_CODE;
  const key = columns.leaf.key.field;
  const value = columns.leaf.value.field;
  if (missingA && missingB) return `${nameBoth(key, value)} missing on both sides, so nothing speaks against.`;
  const where = missingA ? 'side A' : 'side B';
  return `${capital(missingA ? key.label : value.label)} is missing on ${where}, so nothing speaks against.`;
}

function nameBoth(key: Field, value: Field): string {
  return key.label === value.label ? `${capital(key.label)} is` : `${capital(key.label)} and ${value.label} are`;
}

function sentence(columns: LeafColumns, rowA: number, rowB: number, pair: Pair): string {
  const { leaf } = columns;
  if (leaf.kind === 'text') return textSentence(leaf, pair);
  const distance = distanceOf(columns, rowA, rowB);
  return leaf.kind === 'date' ? dateSentence(leaf, pair, Number(distance)) : numberSentence(columns, pair, distance);
}

function textSentence(leaf: Leaf, pair: Pair): string {
  const text = shortened(plainText(leaf.key.field, leaf, pair, 'a'));
  if (leaf.key.field.label === leaf.value.field.label) return `${capital(leaf.key.field.label)} ${text} is equal on both sides.`;
  return `${capital(leaf.key.field.label)} ${text} on side A equals ${leaf.value.field.label} ${text} on side B.`;
}

function dateSentence(leaf: Leaf, pair: Pair, days: number): string {
  const a = plainText(leaf.key.field, leaf, pair, 'a');
  const b = plainText(leaf.value.field, leaf, pair, 'b');
  const plural = `${capital(leaf.key.field.label)}s`;
  if (days === 0) {
    if (leaf.key.field.label === leaf.value.field.label) return `${capital(leaf.key.field.label)} ${a} is equal on both sides.`;
    return `${capital(leaf.key.field.label)} ${a} on side A equals ${leaf.value.field.label} ${b} on side B.`;
  }
  const named =
    leaf.key.field.label === leaf.value.field.label
      ? `${plural} ${a} and ${b}`
      : `${capital(leaf.key.field.label)} ${a} and ${leaf.value.field.label} ${b}`;
  return `${named} are ${days} ${days === 1 ? 'day' : 'days'} apart (allowed: ${String(leaf.tolerance?.amount.units ?? 0)}).`;
}

function numberSentence(columns: LeafColumns, pair: Pair, distance: number | bigint): string {
  const { leaf, scale } = columns;
  const a = `${grouped(plainText(leaf.key.field, leaf, pair, 'a'))} ${pair.a.currency}`;
  const b = `${grouped(plainText(leaf.value.field, leaf, pair, 'b', 'any'))} ${pair.b.currency}`;
  const turned = leaf.value.field.name === 'signed_amount' && pair.convention === 'opposite' ? ' with the sign turned' : '';
  const other = leaf.key.field.label === leaf.value.field.label ? b : `${leaf.value.field.label} ${b}`;
  if (BigInt(distance) === 0n) return `${capital(leaf.key.field.label)} ${a} equals ${other}${turned}.`;
  const places = Math.max(pair.a.decimalPlaces, pair.b.decimalPlaces);
  const apart = decimalValueText(trimmed({ units: distance, scale }), places);
  const allowed = leaf.tolerance?.amount ?? { units: 0, scale: 0 };
  const allowedText = decimalValueText(trimmed({ units: allowed.units, scale: allowed.scale + places }), places);
  return `${capital(leaf.key.field.label)} ${a} and ${other}${turned} are ${grouped(apart)} apart (allowed: ${grouped(allowedText)}).`;
}

/** The value as plain text: ISO dates, decimals at no less than the record's own scale. */
function plainText(field: Field, leaf: Leaf, pair: Pair, side: Side, convention: SignConvention = pair.convention): string {
  const record = pair[side];
  if (leaf.kind === 'date') {
    const day = readDay(field, record);
    return typeof day === 'number' ? isoFromDay(day) : '';
  }
  if (leaf.kind === 'number') {
    const decimal = readNumber(field, record, side, convention);
    return decimal === null || decimal === INCOMPARABLE ? '' : decimalValueText(trimmed(decimal), record.decimalPlaces);
  }
  const text = readText(field, record);
  return typeof text === 'string' ? text : '';
}

/** Without trailing zeros of the fraction, so that the least number of places is what the caller asks for. */
function trimmed(decimal: Decimal): Decimal {
  let units = BigInt(decimal.units);
  let { scale } = decimal;
  while (scale > 0 && units % 10n === 0n) {
    units /= 10n;
    scale -= 1;
  }
  return { units: narrow(units), scale };
}

/** `1234567.50` as `1,234,567.50`. */
function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const separated = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}

function shortened(text: string): string {
  return text.length <= QUOTED_LENGTH ? text : `${text.slice(0, QUOTED_LENGTH - 1)}…`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
