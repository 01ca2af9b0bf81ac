import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import type { Field, MetadataTypes, Side } from '../../records/fields.ts';
import { isReadAsItStands } from '../comparison/text-columns.ts';
import type { EngineRule } from '../model/rule.ts';
import type { Term } from '../rules/compile-leaf.ts';
import { rolledRule } from '../rules/grouping-rule.ts';
import { compiledRule } from '../rules/ready-rules.ts';
import { neededText } from './semi-join.ts';

/** Sets of fields of a side's records. No rule matches a record that lacks a value in some field of each set. Null if any record may be matched. */
export type FieldsToFill = readonly (readonly Field[])[] | null;

/**
 * Returns the fields that a record must fill to be matched at all. Rules by identifier match only records that have one, on either side, and most
 * have none, so the others need not be read.
 */
export function fieldsToFill(
  rules: readonly EngineRule[],
  types: MetadataTypes,
  convention: SignConvention,
): { readonly a: FieldsToFill; readonly b: FieldsToFill } {
  const sets = rules.map((rule) => setsOfRule(rule, types, convention));
  const ofSide = (side: Side): FieldsToFill => {
    const own = sets.map((each) => each?.[side] ?? []);
    return own.length === 0 || own.some((fields) => fields.length === 0) ? null : own;
  };
  return { a: ofSide('a'), b: ofSide('b') };
}

/**
 * Returns the fields that a record must fill to be matched by a rule, by side; an empty list if there are none, null if the rule requires none on
 * either side.
 */
function setsOfRule(rule: EngineRule, types: MetadataTypes, convention: SignConvention): Readonly<Record<Side, readonly Field[]>> | null {
  const compiled = compiledRule(rule, types);
  if (!compiled.ok || rule.cardinality !== 'many_to_one' || rule.rollup?.group_by_kind !== 'identifier') return null;
  const rolled = rolledRule(rule, compiled.value, types, convention);
  const text = neededText(rolled);
  const [many, single] = rolled.manySide === 'a' ? (['key', 'value'] as const) : (['value', 'key'] as const);
  const ofMany = fieldsOf(rolled.groups.map((leaf) => leaf[many]));
  const ofSingle = fieldsOf(text === undefined ? [] : [text[single]]);
  return rolled.manySide === 'a' ? { a: ofMany, b: ofSingle } : { a: ofSingle, b: ofMany };
}

function fieldsOf(terms: readonly Term[]): Field[] {
  return terms.filter(isReadAsItStands).map(({ field }) => field);
}
