import type { RuleGroup, SignConvention } from '../../../../src-shared/contract/index.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { intAt, itemAt } from '../../collections/typed-arrays.ts';
import { type Field, rawValue, textOf } from '../../records/fields.ts';
import { columnsOfRecords } from '../../records/record-columns.ts';
import type { EngineRecord } from '../../records/record.ts';
import type { CompiledRule } from '../rules/compile.ts';
import { type Column, INCOMPARABLE_CODE } from './condition-columns.ts';
import { readColumns } from './read-columns.ts';

/** Values of one field that a condition cannot compare, such as the text `n/a` where it needs a date. */
interface IncomparableValues {
  /** Path of the field's name in the rule: `filters.rules.1.key` (side A) or `filters.rules.1.value` (side B). */
  readonly path: string;
  /** Number of records with such a value. None of them is in a match of a rule that needs the condition. */
  readonly count: number;
  readonly examples: readonly { readonly recordId: number; readonly value: string }[];
}

const EXAMPLES = 3;
const QUOTED_LENGTH = 80;

/** Returns the values that are present in a rule's records but cannot be compared. */
export function incomparableValues(
  filters: RuleGroup,
  compiled: CompiledRule,
  sides: { readonly a: readonly EngineRecord[]; readonly b: readonly EngineRecord[] },
  convention: SignConvention,
): IncomparableValues[] {
  const { leaves } = readColumns(compiled, columnsOfRecords(sides.a), columnsOfRecords(sides.b), convention);
  return leafPaths(filters, 'filters').flatMap((path, index) => {
    const { leaf, a, b } = itemAt(leaves, index);
    return [found(`${path}.key`, leaf.key.field, a, sides.a), found(`${path}.value`, leaf.value.field, b, sides.b)].filter(
      ({ count }) => count > 0,
    );
  });
}

/** Returns the paths of a rule's conditions in the order in which they are written, which is that of its leaves. */
function leafPaths(group: RuleGroup, path: string): string[] {
  return group.rules.flatMap((child, index) => {
    const childPath = `${path}.rules.${index}`;
    return 'rules' in child ? leafPaths(child, childPath) : [childPath];
  });
}

function found(path: string, field: Field, column: Column, records: readonly EngineRecord[]): IncomparableValues {
  let count = 0;
  const examples: { recordId: number; value: string }[] = [];
  for (const [row, record] of records.entries()) {
    if (intAt(column.codes, row) !== INCOMPARABLE_CODE) continue;
    count += 1;
    if (examples.length < EXAMPLES) examples.push({ recordId: record.id, value: quoted(field, record) });
  }
  return { path, count, examples };
}

function quoted(field: Field, record: EngineRecord): string {
  const text = textOf(rawValue(field, record));
  return typeof text === 'string' ? text.slice(0, QUOTED_LENGTH) : phrase('rules.incomparable.aListOrAnObject');
}
