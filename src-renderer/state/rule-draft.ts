import type { Certainty, Condition, FieldError, RuleBody, RuleGroup } from '../../src-shared/contract/index.ts';
import type { ConditionOperand, ToleranceUnit, TransformInput, TransformName } from '../../src-shared/contract/rules/rule-language.ts';
import { groupingOf, FIRST_GROUPING, type GroupingDraft, isGroupingWritten } from './grouping-draft.ts';

/** A step by which a value is prepared before it is compared. */
export interface TransformDraft {
  readonly name: TransformName;
  /** Characters, of the first or the last ones. */
  readonly n: string;
  /** Of a part that fits. */
  readonly pattern: string;
}

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
  /** Neighbours of the same choice are alternatives: one of them has to hold. */
  readonly choice: number;
  /** Of side A's value and of side B's, in their order. */
  readonly transforms: { readonly key: readonly TransformDraft[]; readonly value: readonly TransformDraft[] };
}

export interface RuleDraft {
  readonly conditions: readonly ConditionDraft[];
  readonly description: string;
  readonly outcome: 'match' | 'propose';
  /** Which matches count at once; the others wait for a person. */
  readonly certainties: readonly Certainty[];
  readonly grouping: GroupingDraft;
}

type FieldKind = 'number' | 'date' | 'text';

const KINDS: Readonly<Record<string, FieldKind>> = { amount: 'number', signed_amount: 'number', date: 'date', value_date: 'date' };

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

const UNPREPARED: ConditionDraft['transforms'] = { key: [], value: [] };
/** What counts at once where a rule does not say. */
const USUAL_CERTAINTIES: readonly Certainty[] = ['unique', 'best', 'interchangeable'];

export const FIRST_DRAFT: RuleDraft = {
  conditions: [
    {
      id: 1,
      key: 'signed_amount',
      operand: 'eq',
      value: 'signed_amount',
      tolerance: '',
      unit: 'minor',
      choice: 1,
      transforms: UNPREPARED,
    },
    { id: 2, key: 'date', operand: 'eq', value: 'date', tolerance: '3', unit: 'day', choice: 2, transforms: UNPREPARED },
  ],
  description: '',
  outcome: 'match',
  certainties: USUAL_CERTAINTIES,
  grouping: FIRST_GROUPING,
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

/** With an empty condition behind all others, or as an alternative behind a row. */
export function withCondition(draft: RuleDraft, beside?: ConditionDraft): RuleDraft {
  const { conditions } = draft;
  const next = (of: (row: ConditionDraft) => number): number => Math.max(0, ...conditions.map(of)) + 1;
  const choice = beside?.choice ?? next((row) => row.choice);
  const added: ConditionDraft = {
    id: next((row) => row.id),
    key: '',
    operand: 'eq',
    value: '',
    tolerance: '',
    unit: 'edit',
    choice,
    transforms: UNPREPARED,
  };
  const place = beside === undefined ? conditions.length : conditions.findLastIndex((row) => row.choice === choice) + 1;
  return { ...draft, conditions: conditions.toSpliced(place, 0, added) };
}

/** The rows of each choice, in their order; most choices are one row. */
export function choicesOf({ conditions }: Pick<RuleDraft, 'conditions'>): readonly (readonly ConditionDraft[])[] {
  return [...Map.groupBy(conditions, (row) => row.choice).values()];
}

/** Minor units of an amount in currency units, without a float between: `0.50` is 50 at scale 2. */
function minorOf(text: string, decimalPlaces: number): number {
  const [whole = '', fraction = ''] = text.split('.');
  const scaled = `${whole}${fraction.slice(0, decimalPlaces).padEnd(decimalPlaces, '0')}`;
  const rest = fraction.slice(decimalPlaces);
  return Number(rest === '' ? scaled : `${scaled}.${rest}`);
}

function transformsOf(list: readonly TransformDraft[]): TransformInput[] {
  return list.map(({ name, n, pattern }) => {
    if (name === 'extract') return { name, args: { pattern } };
    return name === 'first_n_chars' || name === 'last_n_chars' ? { name, args: { n: Number(n) } } : name;
  });
}

function conditionOf(row: ConditionDraft, decimalPlaces: number): Condition {
  const { key, value, operand, tolerance, unit, transforms } = row;
  const [keySteps, valueSteps] = [transformsOf(transforms.key), transformsOf(transforms.value)];
  const prepared = { ...(keySteps.length === 0 ? {} : { key: keySteps }), ...(valueSteps.length === 0 ? {} : { value: valueSteps }) };
  const fields = { key, value, ...(Object.keys(prepared).length === 0 ? {} : { transforms: prepared }) };
  const plain: Condition = operand === 'eq' ? fields : { ...fields, operand };
  if (operand !== 'eq') return plain;
  if (unit === 'month') return { ...plain, tolerance_unit: 'month' };
  if (tolerance.trim() === '') return plain;
  return {
    ...plain,
    tolerance_amount: unit === 'minor' ? minorOf(tolerance.trim(), decimalPlaces) : Number(tolerance),
    tolerance_unit: unit,
  };
}

/** Whether what a step needs beside its name is given. */
export function isStepWritten({ name, n, pattern }: TransformDraft): boolean {
  if (name === 'extract') return pattern !== '';
  return (name !== 'first_n_chars' && name !== 'last_n_chars') || /^[1-9]\d*$/.test(n.trim());
}

function isRowWritten({ key, value, tolerance, transforms }: ConditionDraft): boolean {
  const isPrepared = [...transforms.key, ...transforms.value].every(isStepWritten);
  return key.trim() !== '' && value.trim() !== '' && isPrepared && /^(?:\d+(?:\.\d+)?)?$/.test(tolerance.trim());
}

const sameCertainties = (left: readonly Certainty[], right: readonly Certainty[]): boolean =>
  left.length === right.length && left.every((each) => right.includes(each));

/** The rule that a draft means; null while something lacks that it cannot do without, or a number is none. */
export function ruleOf(draft: RuleDraft, decimalPlaces: number): RuleBody | null {
  const { conditions, grouping, certainties, outcome } = draft;
  if (conditions.length === 0 || !conditions.every(isRowWritten) || !isGroupingWritten(grouping)) return null;
  const rules = choicesOf(draft).map((rows): Condition | RuleGroup => {
    const each = rows.map((row) => conditionOf(row, decimalPlaces));
    const [only] = each;
    return each.length === 1 && only !== undefined ? only : { operand: 'or', rules: each };
  });
  return {
    filters: { operand: 'and', rules },
    description: draft.description.trim() === '' ? null : draft.description.trim(),
    outcome,
    ...(outcome === 'propose' || sameCertainties(certainties, USUAL_CERTAINTIES) ? {} : { commit_certainty: [...certainties] }),
    ...groupingOf(grouping),
  };
}

/** Sentences of the service by what they speak of: `row 3`, the path of a member beside the conditions, or `rule`. */
export type Faults = ReadonlyMap<string, readonly string[]>;
export const NO_FAULTS: Faults = new Map();

export const rowPlace = ({ id }: Pick<ConditionDraft, 'id'>): string => `row ${id}`;
const GROUPING_PLACES = ['group_by', 'rollup.lookback_days', 'rollup.date_field', 'rollup.max_records', 'rollup'];

/** What the service said against the rule that a draft meant, at the places of the draft. */
export function placeFaults(draft: RuleDraft, errors: readonly FieldError[]): Faults {
  const rows = choicesOf(draft).flatMap((choice, index) =>
    choice.map((row, place) => ({ row, path: choice.length === 1 ? `filters.rules.${index}` : `filters.rules.${index}.rules.${place}` })),
  );
  const placeOf = (path: string): string => {
    const isBelow = (node: string): boolean => path === node || path.startsWith(`${node}.`);
    const found = rows.find((each) => isBelow(each.path));
    return found === undefined ? (GROUPING_PLACES.find(isBelow) ?? 'rule') : rowPlace(found.row);
  };
  return new Map([...Map.groupBy(errors, ({ path }) => placeOf(path))].map(([place, list]) => [place, list.map(({ message }) => message)]));
}

/** What still speaks of a draft after a change of it: nothing of what was changed. */
export function faultsAfter(faults: Faults, before: RuleDraft, after: RuleDraft): Faults {
  const same = new Set(after.conditions.filter((row) => before.conditions.includes(row)).map(rowPlace));
  const stays = (place: string): boolean => {
    if (place.startsWith('row ')) return same.has(place);
    return place !== 'rule' && before.grouping === after.grouping;
  };
  return new Map([...faults].filter(([place]) => stays(place)));
}
