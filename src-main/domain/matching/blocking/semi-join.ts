import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import { intAt } from '../../collections/typed-arrays.ts';
import { type Field, type MetadataTypes, type Side, signedUnits } from '../../records/fields.ts';
import { pickRows, type RecordColumns, rowsWhere, weightAt } from '../../records/record-columns.ts';
import type { EngineRecord } from '../../records/record.ts';
import { filledRows, isReadAsItStands, type KeptTexts, textColumns } from '../comparison/text-columns.ts';
import type { EngineRule } from '../model/rule.ts';
import type { Leaf, Term } from '../rules/compile-leaf.ts';
import { needed } from '../rules/compile.ts';
import { type RolledRule, rolledRule } from '../rules/grouping-rule.ts';
import { compiledRule } from '../rules/ready-rules.ts';

/**
 * Returns the single records that some member or total could fit, by one equality that the whole rule needs: of texts, or else of the amounts. Most
 * records belong to no batch, and reading all of their values would cost more than everything else.
 */
export function wantedSingles(
  rolled: RolledRule,
  many: RecordColumns,
  totals: readonly EngineRecord[],
  single: RecordColumns,
  convention: SignConvention,
  kept: KeptTexts,
): RecordColumns {
  const { leaves } = rolled.compiled;
  const text = neededText(rolled);
  if (text !== undefined) return withTexts(rolled, text, many, single, convention, kept);
  if (leaves.some((_, index) => (rolled.balances[index]?.tolerance ?? null) !== null)) return single;
  const otherSide = rolled.manySide === 'a' ? 'b' : 'a';
  const known = new Set(totals.map((record) => weight(record, rolled.manySide, convention)));
  const wanted = new Uint8Array(single.count);
  for (let row = 0; row < single.count; row += 1) {
    const units = weightAt(single, row, otherSide, convention) / 10 ** (single.decimalPlaces[row] as number);
    wanted[row] = known.has(units) ? 1 : 0;
  }
  return pickRows(single, rowsWhere(wanted, 1));
}

/** Returns an equality of texts that the whole rule needs, if there is one. */
function neededText({ compiled }: RolledRule): Leaf | undefined {
  return needed(compiled.root).find((leaf) => leaf.kind === 'text' && leaf.operand === 'eq' && leaf.tolerance === null);
}

/** Returns the records with a text that some member has. */
function withTexts(
  { manySide }: RolledRule,
  text: Leaf,
  many: RecordColumns,
  all: RecordColumns,
  convention: SignConvention,
  kept: KeptTexts,
): RecordColumns {
  const filled = filledRows(manySide === 'a' ? text.value : text.key, all);
  const single = filled === null ? all : pickRows(all, filled);
  const [a, b] = manySide === 'a' ? [many, single] : [single, many];
  const columns = textColumns(text, { a, b, convention }, kept);
  const [ofMany, ofSingle] = manySide === 'a' ? [columns.a.codes, columns.b.codes] : [columns.b.codes, columns.a.codes];
  let codes = 0;
  for (let row = 0; row < ofMany.length; row += 1) if (intAt(ofMany, row) >= codes) codes = intAt(ofMany, row) + 1;
  const isKnown = new Uint8Array(codes);
  for (let row = 0; row < ofMany.length; row += 1) if (intAt(ofMany, row) >= 0) isKnown[intAt(ofMany, row)] = 1;
  const wanted = new Uint8Array(single.count);
  for (let row = 0; row < wanted.length; row += 1) {
    const code = intAt(ofSingle, row);
    wanted[row] = code >= 0 && code < codes ? (isKnown[code] as number) : 0;
  }
  return pickRows(single, rowsWhere(wanted, 1));
}

/** Returns an amount in currency units. Equal amounts give equal quotients, whatever their scale. */
function weight(record: EngineRecord, side: Side, convention: SignConvention): number {
  const units = convention === 'any' ? record.amountMinor : signedUnits(record, side, convention);
  return units / 10 ** record.decimalPlaces;
}

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
