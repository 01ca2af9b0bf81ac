import { decimalValueText } from '../../records/values.ts';
import type { Leaf, Term } from '../rules/compile-leaf.ts';
import { isExact } from '../rules/tolerances.ts';

/** Returns a sentence such as `Look up by equal date month.` */
export function lookUpWords(leaf: Leaf): string {
  return `Look up by equal ${both(leaf)}.`;
}

/** Returns a sentence such as `Look up side A's external id among the members of side B's ids.` */
export function listWords(leaf: Leaf): string {
  return `Look up ${sideA(leaf)} among the members of ${sideB(leaf)}.`;
}

/** Returns a sentence such as `Search sorted amount within 0.5 currency units.` */
export function searchWords(leaf: Leaf): string {
  return `Search sorted ${nearness(leaf)}.`;
}

/** Returns a sentence such as `Search date day by day within 3 days, and on each day sorted amount within 5 minor units.` */
export function gridWords(dates: Leaf, numbers: Leaf): string {
  return `Search ${both(dates)} day by day within ${toleranceWords(dates)}, and on each day sorted ${nearness(numbers)}.`;
}

/** Returns a condition in words: `side A's date is not less than side B's date`. */
export function conditionWords(leaf: Leaf): string {
  const apart = leaf.tolerance === null || isExact(leaf) ? '' : `, within ${toleranceWords(leaf)}`;
  return `${sideA(leaf)} ${relation(leaf)} ${sideB(leaf)}${apart}`;
}

function nearness(leaf: Leaf): string {
  return `${both(leaf)} within ${toleranceWords(leaf)}`;
}

function both(leaf: Leaf): string {
  const [a, b] = [described(leaf.key), described(leaf.value)];
  const what =
    leaf.tolerance?.unit === 'month' ? ' month' : leaf.tolerance?.unit === 'business_day' && isExact(leaf) ? ' business day' : '';
  return a === b ? `${a}${what}` : `${a}${what} and ${b}${what}`;
}

function sideA(leaf: Leaf): string {
  return `side A's ${described(leaf.key)}`;
}

function sideB(leaf: Leaf): string {
  return `side B's ${described(leaf.value)}`;
}

function described(term: Term): string {
  const { names } = term.transforms;
  return names.length === 0 ? term.field.label : `${term.field.label} (${names.join(', ')})`;
}

/** Singular and plural of each unit. */
const UNIT_WORDS = {
  minor: ['minor unit', 'minor units'],
  dollar: ['currency unit', 'currency units'],
  percent: ['percent of the larger', 'percent of the larger'],
  day: ['day', 'days'],
  business_day: ['business day', 'business days'],
  edit: ['edit', 'edits'],
  month: ['month', 'months'],
} as const;

function toleranceWords({ tolerance }: Leaf): string {
  if (tolerance === null) return 'nothing';
  const amount = decimalValueText(tolerance.amount, 0);
  return `${amount} ${UNIT_WORDS[tolerance.unit][amount === '1' ? 0 : 1]}`;
}

const OPERAND_WORDS = {
  eq: 'equals',
  neq: 'differs from',
  gt: 'is greater than',
  gte: 'is not less than',
  lt: 'is less than',
  lte: 'is not greater than',
  contains: 'contains',
  in: 'is in',
  not_in: 'is not in',
  eq_or_missing: 'equals (or one is missing)',
} as const;

function relation(leaf: Leaf): string {
  if (leaf.tolerance?.unit === 'month') return 'is in the month of';
  if (leaf.tolerance?.unit === 'business_day' && isExact(leaf)) return 'is the same business day as';
  return OPERAND_WORDS[leaf.operand];
}
