import type { SignConvention } from '../../../../src-shared/contract/index.ts';
import { SUBSET_RECORDS } from '../../../../src-shared/contract/rules/rule-language.ts';
import { present } from '../../../../src-shared/values/assert.ts';
import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { type MetadataTypes, type Side, UNDECLARED } from '../../records/fields.ts';
import type { EngineRecord } from '../../records/record.ts';
import { decimalValueText, INCOMPARABLE } from '../../records/values.ts';
import type { EngineRule } from '../model/rule.ts';
import { compileLeaf, type Leaf, type Term } from './compile-leaf.ts';
import type { CompiledRule } from './compile.ts';
import { readDay, readNumber, readText } from './terms.ts';
import { NO_TRANSFORMS } from './transforms.ts';
import { trimmed } from './value-text.ts';

/** A rule of many to one, with what it says without words as conditions of their own. */
export interface RolledRule {
  /**
   * The rule's conditions; in `date` mode also that the further fields of group_by are equal, of a `subset` all of them; where no condition compares the amounts
   * by equality, also that they are equal.
   */
  readonly compiled: CompiledRule;
  readonly manySide: Side;
  readonly kind: 'date' | 'identifier' | 'subset';
  /** One for each field of group_by, whose many side is what groups. */
  readonly groups: readonly Leaf[];
  /** Where the many side's date stands; null where no date counts. */
  readonly date: Term | null;
  readonly lookbackDays: number | null;
  /** Of a `subset`: members that a sum may have. */
  readonly maxRecords: number;
  /** By leaf: it speaks of the group's total, as every condition on the many side's amount does. */
  readonly isOfTotal: readonly boolean[];
  /** By leaf: the same tolerance on the balance of the match; null where the leaf does not compare the two amounts by equality. */
  readonly balances: readonly (Leaf | null)[];
  /** The amounts balance exactly: also where no condition of a true branch compares them. */
  readonly exactBalance: Leaf;
}

/** What a rule compares, and how it groups. `types`: what the streams declare metadata fields to hold. */
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

/** The net of a match is compared under the sign convention, whatever signs the condition itself looks at. */
function balanceOf(leaf: Leaf, exactBalance: Leaf): Leaf {
  return { ...exactBalance, tolerance: leaf.tolerance };
}

/** The condition that both sides hold the same in one field. Where they declare it to be different things, it is a text. */
function fieldLeaf(name: string, types: MetadataTypes, index: number): Leaf {
  const condition = { key: name, value: name };
  const leaf = compileLeaf(condition, '', index, types, []) ?? compileLeaf(condition, '', index, UNDECLARED, []);
  const { key, value, ...rest } = present(leaf, 'a condition on one field of both sides');
  return { ...rest, key: { ...key, transforms: NO_TRANSFORMS }, value: { ...value, transforms: NO_TRANSFORMS } };
}

/** The value of a field of group_by as a text that is equal for equal values; null where there is none. */
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

/** The values of several fields of group_by, or null where one of them is empty. */
export function groupValues(groups: readonly Leaf[], side: Side, record: EngineRecord): string[] | null {
  const values: string[] = [];
  for (const leaf of groups) {
    const value = groupValue(leaf, side, record);
    if (value === null) return null;
    values.push(value);
  }
  return values;
}
