import type { Condition, RuleBody } from '../../src-shared/contract/index.ts';
import type { ConditionOperand, ToleranceUnit } from '../../src-shared/contract/rule-language.ts';

/** A condition while it is being written. */
export interface ConditionDraft {
  /** Stays the same while the row is edited. */
  readonly id: number;
  readonly key: string;
  readonly operand: ConditionOperand;
  readonly value: string;
  /** Empty for an exact condition; money in currency units. */
  readonly tolerance: string;
  readonly unit: ToleranceUnit;
}

export interface RuleDraft {
  readonly conditions: readonly ConditionDraft[];
  readonly description: string;
  readonly outcome: 'match' | 'propose';
}

export type FieldKind = 'number' | 'date' | 'text';

const KINDS: Readonly<Record<string, FieldKind>> = { amount: 'number', signed_amount: 'number', date: 'date' };

/** What a condition compares: metadata takes the kind of the other side, text between two of them. */
export function kindOf({ key, value }: Pick<ConditionDraft, 'key' | 'value'>): FieldKind {
  return KINDS[key] ?? KINDS[value] ?? 'text';
}

export const UNITS_OF: Readonly<Record<FieldKind, readonly ToleranceUnit[]>> = {
  number: ['minor', 'percent'],
  date: ['day', 'business_day', 'month'],
  text: ['edit'],
};

const ORDERED: readonly ConditionOperand[] = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'eq_or_missing'];
export const OPERANDS_OF: Readonly<Record<FieldKind, readonly ConditionOperand[]>> = {
  number: ORDERED,
  date: ORDERED,
  text: ['eq', 'neq', 'contains', 'in', 'not_in', 'eq_or_missing'],
};

export const FIRST_DRAFT: RuleDraft = {
  conditions: [
    { id: 1, key: 'signed_amount', operand: 'eq', value: 'signed_amount', tolerance: '', unit: 'minor' },
    { id: 2, key: 'date', operand: 'eq', value: 'date', tolerance: '3', unit: 'day' },
  ],
  description: '',
  outcome: 'match',
};

/** A change of a row; what does not go with its fields any more falls back to what does. */
export function changedCondition(row: ConditionDraft, change: Partial<Omit<ConditionDraft, 'id'>>): ConditionDraft {
  const next = { ...row, ...change };
  // Most conditions name the same field twice.
  if (change.key !== undefined && (row.value === '' || row.value === row.key)) Object.assign(next, { value: change.key });
  const kind = kindOf(next);
  if (!UNITS_OF[kind].includes(next.unit)) Object.assign(next, { unit: UNITS_OF[kind][0], tolerance: '' });
  if (!OPERANDS_OF[kind].includes(next.operand)) Object.assign(next, { operand: 'eq' });
  return next;
}

export function withCondition(draft: RuleDraft): RuleDraft {
  const id = Math.max(0, ...draft.conditions.map((row) => row.id)) + 1;
  return { ...draft, conditions: [...draft.conditions, { id, key: '', operand: 'eq', value: '', tolerance: '', unit: 'edit' }] };
}

/** Minor units of an amount in currency units, without a float between: `0.50` is 50 at scale 2. */
function minorOf(text: string, decimalPlaces: number): number {
  const [whole = '', fraction = ''] = text.split('.');
  const scaled = `${whole}${fraction.slice(0, decimalPlaces).padEnd(decimalPlaces, '0')}`;
  const rest = fraction.slice(decimalPlaces);
  return Number(rest === '' ? scaled : `${scaled}.${rest}`);
}

function conditionOf(row: ConditionDraft, decimalPlaces: number): Condition {
  const { key, value, operand, tolerance, unit } = row;
  const plain: Condition = operand === 'eq' ? { key, value } : { key, value, operand };
  if (operand !== 'eq') return plain;
  if (unit === 'month') return { ...plain, tolerance_unit: 'month' };
  if (tolerance.trim() === '') return plain;
  return {
    ...plain,
    tolerance_amount: unit === 'minor' ? minorOf(tolerance.trim(), decimalPlaces) : Number(tolerance),
    tolerance_unit: unit,
  };
}

/** The rule that a draft means; null while a row lacks a field or a tolerance is no number. */
export function ruleOf(draft: RuleDraft, decimalPlaces: number): RuleBody | null {
  const isWritten = ({ key, value, tolerance }: ConditionDraft): boolean =>
    key.trim() !== '' && value.trim() !== '' && /^(?:\d+(?:\.\d+)?)?$/.test(tolerance.trim());
  if (draft.conditions.length === 0 || !draft.conditions.every(isWritten)) return null;
  return {
    filters: { operand: 'and', rules: draft.conditions.map((row) => conditionOf(row, decimalPlaces)) },
    description: draft.description.trim() === '' ? null : draft.description.trim(),
    outcome: draft.outcome,
  };
}
