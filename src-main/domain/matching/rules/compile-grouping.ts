import type { Cardinality, FieldError, RollupInput } from '../../../../src-shared/contract/index.ts';
import { RULE_LIMITS } from '../../../../src-shared/contract/rules/rule-language.ts';
import { FIELD_NAMES, fieldOf, type MetadataTypes, type Side } from '../../records/fields.ts';

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
    const message =
      'A rule with `cardinality` `many_to_one` needs a `rollup`, such as {"group_by_kind": "identifier"}, in the body or stored before.';
    report('rollup', 'rollup_required', message);
  }
  if (groupBy.length === 0 && rollup?.group_by_kind !== 'subset') {
    const message = 'A rule with `cardinality` `many_to_one` needs `group_by`: the fields whose values make a group, such as ["date"].';
    report('group_by', 'group_by_required', message);
  }
  return errors;
}

function checkGroupBy(groupBy: readonly string[], manySide: Side, report: Report): void {
  if (groupBy.length > RULE_LIMITS.groupBy) {
    report('group_by', 'too_many_fields', `\`group_by\` has ${groupBy.length} fields; at most ${RULE_LIMITS.groupBy} are allowed.`);
  }
  for (const [index, name] of groupBy.entries()) {
    if (fieldOf(name) === null) {
      const side = manySide === 'a' ? 'A' : 'B';
      report(`group_by.${index}`, 'unknown_field', `\`${name}\` is not a field of side ${side}. Allowed: ${FIELD_NAMES}.`);
    } else if (groupBy.indexOf(name) < index) {
      report(`group_by.${index}`, 'duplicate_field', `\`${name}\` stands in \`group_by\` twice; name it once.`);
    }
  }
}

function checkRollup(rollup: RollupInput, groupBy: readonly string[], types: MetadataTypes, report: Report): void {
  const dateField = rollup.date_field ?? null;
  const lookback = rollup.lookback_days ?? null;
  const manySide = rollup.many_side ?? 'a';
  if (lookback !== null && dateField === null) {
    const message =
      '`lookback_days` and `date_field` go together: name the date field of the many side, or leave both out for no time bound.';
    report('rollup.date_field', 'date_field_required', message);
  }
  if (lookback === null && dateField !== null) {
    const message =
      '`lookback_days` and `date_field` go together: give the days to look back (1 or more), or leave both out for no time bound.';
    report('rollup.lookback_days', 'lookback_days_required', message);
  }
  if (lookback !== null && (!Number.isInteger(lookback) || lookback < 1 || lookback > RULE_LIMITS.lookbackDays)) {
    const message = `\`lookback_days\` is a whole number from 1 to ${RULE_LIMITS.lookbackDays}.`;
    report('rollup.lookback_days', 'invalid_lookback', message);
  }
  if (dateField !== null) checkDateField('rollup.date_field', dateField, types, manySide, report);
  checkSubset(rollup, report);
  const main = groupBy[0];
  if ((rollup.group_by_kind ?? 'date') !== 'date' || main === undefined) return;
  if (fieldOf(main) !== null) checkDateField('group_by.0', main, types, manySide, report);
  if (dateField !== null && dateField !== main) {
    const message = `With \`group_by_kind\` \`date\` the date field is the first of \`group_by\`, which is \`${main}\`: name that one.`;
    report('rollup.date_field', 'date_field_differs', message);
  }
}

/** Sums of arbitrary records require a time bound. */
function checkSubset(
  { group_by_kind: kind, lookback_days: lookback, date_field: dateField, max_records: most }: RollupInput,
  report: Report,
): void {
  if (kind === 'subset' && (lookback ?? null) === null && (dateField ?? null) === null) {
    const message =
      'With `group_by_kind` `subset` give `lookback_days` (1 or more) and `date_field`: the days within which records may add up.';
    report('rollup.lookback_days', 'lookback_days_required', message);
  }
  if (kind !== 'subset' && (most ?? null) !== null) {
    report('rollup.max_records', 'max_records_unused', '`max_records` goes with `group_by_kind` `subset` alone; leave it out.');
  }
}

function checkDateField(path: string, name: string, types: MetadataTypes, side: Side, report: Report): void {
  const field = fieldOf(name);
  if (field === null) {
    report(path, 'unknown_field', `\`${name}\` is not a field. Allowed here: date, value_date, or metadata.<key> that holds dates.`);
    return;
  }
  const type = field.kind === 'metadata' ? (types[side].get(field.path) ?? 'date') : field.kind;
  if (type === 'date' || type === 'datetime') return;
  report(path, 'no_date_field', `\`${name}\` is a ${type}. Allowed here: date, value_date, or metadata.<key> that holds dates.`);
}
