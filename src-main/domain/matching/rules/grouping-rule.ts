import type { Cardinality, FieldError, RollupInput, SignConvention } from '../../../../src-shared/contract/index.ts';
import { RULE_LIMITS, SUBSET_RECORDS } from '../../../../src-shared/contract/rules/rule-language.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { FIELD_NAMES, fieldOf, type MetadataTypes, type Side, UNDECLARED } from '../../records/fields.ts';
import type { EngineRecord } from '../../records/record.ts';
import { decimalValueText, INCOMPARABLE } from '../../records/values.ts';
import type { EngineRule } from '../model/rule.ts';
import { compileLeaf, type Leaf, type Term } from './compile-leaf.ts';
import type { CompiledRule } from './compile.ts';
import { readDay, readNumber, readText } from './terms.ts';
import { NO_TRANSFORMS } from './transforms.ts';
import { trimmed } from './value-text.ts';

/** A many-to-one rule with its implicit conditions made explicit. */
export interface RolledRule {
  /**
   * Conditions of the rule, plus implicit ones: in `date` mode equality of the further fields of `group_by`, for a `subset` equality of all of them,
   * and equality of the amounts if no condition compares these by equality.
   */
  readonly compiled: CompiledRule;
  readonly manySide: Side;
  readonly kind: 'date' | 'identifier' | 'subset';
  /** One leaf for each field of `group_by`; its many side gives the group key. */
  readonly groups: readonly Leaf[];
  /** Date of the many side; null if no date counts. */
  readonly date: Term | null;
  readonly lookbackDays: number | null;
  /** For a `subset`: most members of a sum. */
  readonly maxRecords: number;
  /** By leaf: whether it applies to the group's total, as every condition on the many side's amount does. */
  readonly isOfTotal: readonly boolean[];
  /** By leaf: a condition on the balance of the match with the same tolerance; null if the leaf does not compare the two amounts by equality. */
  readonly balances: readonly (Leaf | null)[];
  /** The condition that the amounts balance exactly, which applies if no condition of a true branch compares them. */
  readonly exactBalance: Leaf;
}

/** Returns the conditions and the grouping of a rule. `types` holds the declared types of the streams' metadata fields. */
export function rolledRule(rule: EngineRule, compiled: CompiledRule, types: MetadataTypes, convention: SignConvention): RolledRule {
  const { rollup, groupBy } = rule;
  const manySide = rollup?.many_side ?? 'a';
  const kind = rollup?.group_by_kind ?? 'date';
  const groups = groupBy.map((name, index) => fieldLeaf(name, types, compiled.leaves.length + index - (kind === 'date' ? 1 : 0)));
  const segments = kind === 'date' ? groups.slice(1) : kind === 'subset' ? groups : [];
  const name = convention === 'any' ? 'amount' : 'signed_amount';
  const comparesAmounts = compiled.leaves.some(isOfAmounts);
  const exactBalance = fieldLeaf(name, UNDECLARED, compiled.leaves.length + segments.length);
  const leaves = [...compiled.leaves, ...segments, ...(comparesAmounts ? [] : [exactBalance])];
  const own = compiled.leaves.length;
  const dateField = kind === 'date' ? groupBy[0] : rollup?.date_field;
  const manyTerm = (leaf: Leaf): Term => (manySide === 'a' ? leaf.key : leaf.value);
  return {
    compiled: {
      root: { type: 'group', operand: 'and', children: [compiled.root, ...leaves.slice(own)] },
      leaves,
      namesCurrency: compiled.namesCurrency,
    },
    manySide,
    kind,
    groups,
    date: dateField === undefined || dateField === null ? null : manyTerm(fieldLeaf(dateField, types, -1)),
    lookbackDays: rollup?.lookback_days ?? null,
    maxRecords: rollup?.max_records ?? SUBSET_RECORDS.default,
    isOfTotal: leaves.map((leaf) => !segments.includes(leaf) && isOwnAmount(manyTerm(leaf))),
    balances: leaves.map((leaf) => (!segments.includes(leaf) && isOfAmounts(leaf) ? balanceOf(leaf, exactBalance) : null)),
    exactBalance,
  };
}

function isOwnAmount(term: Term): boolean {
  return term.field.name === 'amount' || term.field.name === 'signed_amount';
}

function isOfAmounts(leaf: Leaf): boolean {
  const isEquality = leaf.operand === 'eq' || leaf.operand === 'eq_or_missing';
  return isEquality && isOwnAmount(leaf.key) && isOwnAmount(leaf.value);
}

/** The net of a match is compared under the sign convention, whichever signs the condition itself compares. */
function balanceOf(leaf: Leaf, exactBalance: Leaf): Leaf {
  return { ...exactBalance, tolerance: leaf.tolerance };
}

/** Returns the condition that both sides have the same value in one field. If they declare different types for it, it is compared as text. */
function fieldLeaf(name: string, types: MetadataTypes, index: number): Leaf {
  const condition = { key: name, value: name };
  const leaf = compileLeaf(condition, '', index, types, []) ?? compileLeaf(condition, '', index, UNDECLARED, []);
  const { key, value, ...rest } = present(leaf, 'a condition on one field of both sides');
  return { ...rest, key: { ...key, transforms: NO_TRANSFORMS }, value: { ...value, transforms: NO_TRANSFORMS } };
}

/** Returns the value of a field of `group_by` as text that is equal for equal values; null if there is none. */
function groupValue(leaf: Leaf, side: Side, record: EngineRecord): string | null {
  const term = side === 'a' ? leaf.key : leaf.value;
  if (leaf.kind === 'date') {
    const day = readDay(term, record);
    return typeof day === 'number' ? isoFromDay(day) : null;
  }
  if (leaf.kind === 'number') {
    const number = readNumber(term, record, side, 'any');
    return number === null || number === INCOMPARABLE ? null : decimalValueText(trimmed(number), 0);
  }
  const text = readText(term, record);
  return typeof text === 'string' ? text : null;
}

/** Returns the values of several fields of `group_by`, or null if one of them is missing. */
export function groupValues(groups: readonly Leaf[], side: Side, record: EngineRecord): string[] | null {
  const values: string[] = [];
  for (const leaf of groups) {
    const value = groupValue(leaf, side, record);
    if (value === null) return null;
    values.push(value);
  }
  return values;
}

/** How a rule groups records of its many side. It is also stored with one-to-one rules, which do not use it. */
interface Grouping {
  readonly cardinality: Cardinality;
  readonly groupBy: readonly string[];
  readonly rollup: RollupInput | null;
}

type Report = (path: string, code: string, message: string) => void;

/** Returns the faults of a rule's grouping, each with the path of the rule's member. */
export function faultsOfGrouping({ cardinality, groupBy, rollup }: Grouping, types: MetadataTypes): FieldError[] {
  const errors: FieldError[] = [];
  const report: Report = (path, code, message) => errors.push({ path, code, message });
  checkGroupBy(groupBy, rollup?.many_side ?? 'a', report);
  if (rollup !== null) checkRollup(rollup, groupBy, types, report);
  if (cardinality === 'one_to_one') return errors;
  if (rollup === null) {
    const example = '{"group_by_kind": "identifier"}';
    report('rollup', 'rollup_required', phrase('rules.groupingRule.needsARollup', { example }));
  }
  if (groupBy.length === 0 && rollup?.group_by_kind !== 'subset') {
    const message = phrase('rules.groupingRule.aRuleWithCardinalityManyToOne');
    report('group_by', 'group_by_required', message);
  }
  return errors;
}

function checkGroupBy(groupBy: readonly string[], manySide: Side, report: Report): void {
  if (groupBy.length > RULE_LIMITS.groupBy) {
    report(
      'group_by',
      'too_many_fields',
      phrase('rules.groupingRule.groupByHasFields', { groupBy: groupBy.length, groupBy2: RULE_LIMITS.groupBy }),
    );
  }
  for (const [index, name] of groupBy.entries()) {
    if (fieldOf(name) === null) {
      const side = manySide === 'a' ? 'A' : 'B';
      report(`group_by.${index}`, 'unknown_field', phrase('rules.groupingRule.isNotAFieldOfSide', { name, side, fieldNames: FIELD_NAMES }));
    } else if (groupBy.indexOf(name) < index) {
      report(`group_by.${index}`, 'duplicate_field', phrase('rules.groupingRule.standsInGroupByTwiceName', { name }));
    }
  }
}

function checkRollup(rollup: RollupInput, groupBy: readonly string[], types: MetadataTypes, report: Report): void {
  const dateField = rollup.date_field ?? null;
  const lookback = rollup.lookback_days ?? null;
  const manySide = rollup.many_side ?? 'a';
  if (lookback !== null && dateField === null) {
    const message = phrase('rules.groupingRule.lookbackDaysAndDateFieldGoTogether');
    report('rollup.date_field', 'date_field_required', message);
  }
  if (lookback === null && dateField !== null) {
    const message = phrase('rules.groupingRule.lookbackNeedsItsDateField');
    report('rollup.lookback_days', 'lookback_days_required', message);
  }
  if (lookback !== null && (!Number.isInteger(lookback) || lookback < 1 || lookback > RULE_LIMITS.lookbackDays)) {
    const message = phrase('rules.groupingRule.lookbackDaysIsAWholeNumber', { lookbackDays: RULE_LIMITS.lookbackDays });
    report('rollup.lookback_days', 'invalid_lookback', message);
  }
  if (dateField !== null) checkDateField('rollup.date_field', dateField, types, manySide, report);
  checkSubset(rollup, report);
  const main = groupBy[0];
  if ((rollup.group_by_kind ?? 'date') !== 'date' || main === undefined) return;
  if (fieldOf(main) !== null) checkDateField('group_by.0', main, types, manySide, report);
  if (dateField !== null && dateField !== main) {
    const message = phrase('rules.groupingRule.withGroupByKindDateTheDate', { main });
    report('rollup.date_field', 'date_field_differs', message);
  }
}

/** Sums of arbitrary records require a time bound. */
function checkSubset(
  { group_by_kind: kind, lookback_days: lookback, date_field: dateField, max_records: most }: RollupInput,
  report: Report,
): void {
  if (kind === 'subset' && (lookback ?? null) === null && (dateField ?? null) === null) {
    const message = phrase('rules.groupingRule.withGroupByKindSubsetGiveLookbackDays');
    report('rollup.lookback_days', 'lookback_days_required', message);
  }
  if (kind !== 'subset' && (most ?? null) !== null) {
    report('rollup.max_records', 'max_records_unused', phrase('rules.groupingRule.maxRecordsGoesWithGroupByKindSubset'));
  }
}

function checkDateField(path: string, name: string, types: MetadataTypes, side: Side, report: Report): void {
  const field = fieldOf(name);
  if (field === null) {
    report(path, 'unknown_field', phrase('rules.groupingRule.isNotAField', { name, key: '<key>' }));
    return;
  }
  const type = field.kind === 'metadata' ? (types[side].get(field.path) ?? 'date') : field.kind;
  if (type === 'date' || type === 'datetime') return;
  report(path, 'no_date_field', phrase('rules.groupingRule.isNotADate', { name, type, key: '<key>' }));
}
