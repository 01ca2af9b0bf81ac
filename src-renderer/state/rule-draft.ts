import type { Certainty, Condition, FieldError, RuleBody, RuleGroup } from '../../src-shared/contract/index.ts';
import {
  type ConditionOperand,
  SUBSET_RECORDS,
  type ToleranceUnit,
  type TransformInput,
  type TransformName,
} from '../../src-shared/contract/rules/rule-language.ts';
import { decimalOfText } from '../../src-shared/values/amount-input.ts';
import { notation } from '../../src-shared/values/notation.ts';
import { typedAmount } from '../format/money.ts';

/** A grouping, by which several lines of one side match one line of the other, while the user edits it. */
export interface GroupingDraft {
  readonly isGrouped: boolean;
  /** The side with several lines. */
  readonly side: 'a' | 'b';
  /** The property that makes a group: a value that its lines share, their date, or their sum. */
  readonly kind: 'identifier' | 'date' | 'subset';
  /** The fields that group the lines. For `date`, `dateField` comes before them. */
  readonly groupBy: readonly string[];
  /** The most days between the lines of a group; empty for no limit. */
  readonly days: string;
  readonly dateField: string;
  /** The most lines of a group; only for `subset`. */
  readonly most: string;
}

export const FIRST_GROUPING: GroupingDraft = {
  isGrouped: false,
  side: 'a',
  kind: 'identifier',
  groupBy: [],
  days: '',
  dateField: 'date',
  most: String(SUBSET_RECORDS.default),
};

const isWhole = (text: string): boolean => /^[1-9]\d{0,5}$/.test(text.trim());

/** Returns the draft after a change. `subset` needs a number of days, so an empty one gets a default. */
export function changedGrouping(grouping: GroupingDraft, change: Partial<GroupingDraft>): GroupingDraft {
  const next = { ...grouping, ...change };
  // The fields of the other side do not exist on this one.
  if (change.side !== undefined && change.side !== grouping.side) Object.assign(next, { groupBy: [] });
  if (next.kind === 'subset' && next.days.trim() === '') Object.assign(next, { days: '5' });
  return next;
}

/** Returns whether the draft is complete enough to send. The service validates the rest. */
export function isGroupingWritten({ isGrouped, kind, groupBy, days, dateField, most }: GroupingDraft): boolean {
  if (!isGrouped) return true;
  if ((days.trim() !== '' && !isWhole(days)) || dateField.trim() === '') return false;
  if (kind === 'identifier') return groupBy.length > 0;
  return kind === 'date' || (isWhole(days) && isWhole(most));
}

/** Returns the members of a rule that describe the grouping; none for one-to-one matches. */
export function groupingOf({
  isGrouped,
  side,
  kind,
  groupBy,
  days,
  dateField,
  most,
}: GroupingDraft): Pick<RuleBody, 'cardinality' | 'group_by' | 'rollup'> {
  if (!isGrouped) return {};
  const bound = days.trim() === '' ? {} : { lookback_days: Number(days), date_field: dateField };
  return {
    cardinality: 'many_to_one',
    group_by: kind === 'date' ? [dateField, ...groupBy.filter((field) => field !== dateField)] : [...groupBy],
    rollup: { group_by_kind: kind, many_side: side, ...bound, ...(kind === 'subset' ? { max_records: Number(most) } : {}) },
  };
}

/** A transform that prepares a value before it is compared. */
export interface TransformDraft {
  readonly name: TransformName;
  /** The number of characters, for the transforms of the first or the last ones. */
  readonly n: string;
  /** The pattern, for the transform that extracts a part. */
  readonly pattern: string;
}

/** A condition while the user edits it. */
export interface ConditionDraft {
  /** Constant while the row is edited. */
  readonly id: number;
  readonly key: string;
  readonly operand: ConditionOperand;
  readonly value: string;
  /** Empty for an exact condition. Money is in currency units. */
  readonly tolerance: string;
  readonly unit: ToleranceUnit;
  /** Neighbouring rows with the same choice are alternatives: one of them must hold. */
  readonly choice: number;
  /** The transforms of side A's and side B's value, in the order of application. */
  readonly transforms: { readonly key: readonly TransformDraft[]; readonly value: readonly TransformDraft[] };
}

export interface RuleDraft {
  readonly conditions: readonly ConditionDraft[];
  readonly description: string;
  readonly outcome: 'match' | 'propose';
  /** The certainties whose matches count at once; the others wait for a person. */
  readonly certainties: readonly Certainty[];
  readonly grouping: GroupingDraft;
}

type FieldKind = 'number' | 'date' | 'text';

const KINDS: Readonly<Record<string, FieldKind>> = { amount: 'number', signed_amount: 'number', date: 'date', value_date: 'date' };

/** Returns the kind of the compared values. Metadata takes the kind of the other side; two metadata fields compare as text. */
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
/** The certainties that count at once when a rule does not say. */
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

/** Returns a row after a change. Settings that the new fields do not allow return to a default. */
export function changedCondition(row: ConditionDraft, change: Partial<Omit<ConditionDraft, 'id'>>): ConditionDraft {
  const next = { ...row, ...change };
  // Most conditions compare fields of the same name.
  if (change.key !== undefined && (row.value === '' || row.value === row.key)) Object.assign(next, { value: change.key });
  const kind = kindOf(next);
  if (!UNITS_OF[kind].includes(next.unit)) Object.assign(next, { unit: UNITS_OF[kind][0], tolerance: '' });
  if (!OPERANDS_OF[kind].includes(next.operand)) Object.assign(next, { operand: 'eq' });
  return next;
}

/** Returns the draft with an empty condition at the end, or as an alternative after the row `beside`. */
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

/** Returns the rows of each choice, in order. Most choices have one row. */
export function choicesOf({ conditions }: Pick<RuleDraft, 'conditions'>): readonly (readonly ConditionDraft[])[] {
  return [...Map.groupBy(conditions, (row) => row.choice).values()];
}

/** Whether a tolerance is empty, or a number with the decimal mark of the book or the other. */
export function isTolerance(text: string): boolean {
  return text.trim() === '' || decimalOfText(text) !== null;
}

/** Returns the minor units of an amount in currency units: `0.50` is 50 at scale 2. It works on the text, so no float rounds it. */
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
  const typed = decimalOfText(tolerance);
  if (typed === null) return plain;
  return { ...plain, tolerance_amount: unit === 'minor' ? minorOf(typed, decimalPlaces) : Number(typed), tolerance_unit: unit };
}

/** Returns whether a transform has everything that it needs beside its name. */
export function isStepWritten({ name, n, pattern }: TransformDraft): boolean {
  if (name === 'extract') return pattern !== '';
  return (name !== 'first_n_chars' && name !== 'last_n_chars') || /^[1-9]\d*$/.test(n.trim());
}

function isRowWritten({ key, value, tolerance, transforms }: ConditionDraft): boolean {
  const isPrepared = [...transforms.key, ...transforms.value].every(isStepWritten);
  return key.trim() !== '' && value.trim() !== '' && isPrepared && isTolerance(tolerance);
}

const sameCertainties = (left: readonly Certainty[], right: readonly Certainty[]): boolean =>
  left.length === right.length && left.every((each) => right.includes(each));

/** Returns the rule of a draft; null while something required is missing or a number is invalid. */
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

/** Sentences of the service by their subject: `row 3`, the path of a member that is no condition, or `rule`. */
export type Faults = ReadonlyMap<string, readonly string[]>;
export const NO_FAULTS: Faults = new Map();

export const rowPlace = ({ id }: Pick<ConditionDraft, 'id'>): string => `row ${id}`;
const GROUPING_PLACES = ['group_by', 'rollup.lookback_days', 'rollup.date_field', 'rollup.max_records', 'rollup'];

/** Returns the service's errors about a draft's rule, by their place in the draft. */
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

/** Returns the errors that still hold after a change: those about unchanged parts of the draft. */
export function faultsAfter(faults: Faults, before: RuleDraft, after: RuleDraft): Faults {
  const same = new Set(after.conditions.filter((row) => before.conditions.includes(row)).map(rowPlace));
  const stays = (place: string): boolean => {
    if (place.startsWith('row ')) return same.has(place);
    return place !== 'rule' && before.grouping === after.grouping;
  };
  return new Map([...faults].filter(([place]) => stays(place)));
}

type Steps = NonNullable<Condition['transforms']>['key'];

/** Returns the transforms of one side of a stored rule as drafts. A single one may stand alone. */
const stepDrafts = (steps: Steps): TransformDraft[] =>
  (Array.isArray(steps) ? steps : [steps]).flatMap((step) => (step === undefined || step === null ? [] : [stepDraft(step)]));

/** Returns a transform of a stored rule as a draft. */
function stepDraft(step: TransformInput): TransformDraft {
  if (typeof step === 'string') return { name: step, n: '', pattern: '' };
  const args: Readonly<Record<string, unknown>> = 'args' in step && typeof step.args === 'object' ? { ...step.args } : {};
  const text = (name: string): string => (args[name] === undefined ? '' : String(args[name]));
  return { name: step.name, n: text('n'), pattern: text('pattern') };
}

function conditionDraft(condition: Condition, id: number, choice: number, decimalPlaces: number): ConditionDraft {
  const { key, value, operand = 'eq', tolerance_amount: amount, tolerance_unit: unit, transforms } = condition;
  const [usual = 'edit'] = UNITS_OF[kindOf({ key, value })];
  const own = unit ?? usual;
  const isWholeMinor = own === 'minor' && amount !== undefined && Number.isSafeInteger(amount);
  return {
    id,
    key,
    operand,
    value,
    tolerance:
      amount === undefined ? '' : isWholeMinor ? typedAmount(amount, decimalPlaces) : String(amount).replace('.', notation().decimal),
    unit: own,
    choice,
    transforms: { key: stepDrafts(transforms?.key), value: stepDrafts(transforms?.value) },
  };
}

function groupingDraft({ cardinality, group_by: groupBy = [], rollup }: RuleBody): GroupingDraft {
  if (cardinality !== 'many_to_one') return FIRST_GROUPING;
  const kind = rollup?.group_by_kind ?? 'date';
  const dateField = rollup?.date_field ?? (kind === 'date' ? (groupBy[0] ?? 'date') : 'date');
  return {
    isGrouped: true,
    side: rollup?.many_side ?? 'a',
    kind,
    groupBy: kind === 'date' ? groupBy.filter((field) => field !== dateField) : [...groupBy],
    days: String(rollup?.lookback_days ?? ''),
    dateField,
    most: String(rollup?.max_records ?? SUBSET_RECORDS.default),
  };
}

/** Returns all that a rule says, in one form whatever is left out, so that two that mean the same are equal. */
function wholeRule({ filters, description, outcome = 'match', commit_certainty: certainties, ...rest }: RuleBody): string {
  const leaf = (condition: Condition) => {
    const [usual] = UNITS_OF[kindOf(condition)];
    const { key, value, operand = 'eq', tolerance_amount: amount, tolerance_unit: unit, transforms = {} } = condition;
    const tolerance = unit === 'month' ? 'month' : amount === undefined || amount === 0 ? null : [amount, unit ?? usual];
    return { key, value, operand, tolerance, transforms: [stepDrafts(transforms.key), stepDrafts(transforms.value)] };
  };
  const group = ({ operand = 'and', rules }: RuleGroup): unknown => ({
    operand,
    rules: rules.map((each) => ('rules' in each ? group(each) : leaf(each))),
  });
  const { cardinality = 'one_to_one', group_by: groupBy = [], rollup, method = 'conditions' } = rest;
  const certain = outcome === 'propose' ? null : [...(certainties ?? USUAL_CERTAINTIES)].toSorted();
  const kept =
    cardinality === 'one_to_one'
      ? null
      : [
          groupBy,
          Object.entries(rollup ?? {})
            .filter(([, value]) => value !== null)
            .toSorted(),
        ];
  return JSON.stringify([group(filters), description ?? null, outcome, certain, cardinality, kept, method]);
}

/** Returns a rule as the form shows it; null where the form cannot show all that it says, so that only its JSON has it. */
export function draftOf(body: RuleBody, decimalPlaces: number): RuleDraft | null {
  const { filters, description, outcome = 'match', commit_certainty: certainties = USUAL_CERTAINTIES } = body;
  const conditions: ConditionDraft[] = [];
  for (const [place, each] of filters.rules.entries()) {
    for (const one of 'rules' in each ? each.rules : [each]) {
      if ('rules' in one) return null;
      conditions.push(conditionDraft(one, conditions.length + 1, place + 1, decimalPlaces));
    }
  }
  const draft: RuleDraft = { conditions, description: description ?? '', outcome, certainties, grouping: groupingDraft(body) };
  const written = ruleOf(draft, decimalPlaces);
  return written !== null && wholeRule(written) === wholeRule(body) ? draft : null;
}
