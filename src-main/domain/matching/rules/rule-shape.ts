import type { Condition, Rule, RuleGroup } from '../../../../src-shared/contract/index.ts';
import type { TransformsOfSide } from '../../../../src-shared/contract/rules/rule-language.ts';
import { canonicalJson, compareText } from '../../records/content.ts';
import { fieldOf } from '../../records/fields.ts';

/** The part of a rule that determines what it compares, without its position, its names and the status of its matches. */
export type Comparison = Pick<Rule, 'filters' | 'cardinality' | 'group_by' | 'rollup'> & Partial<Pick<Rule, 'method'>>;

/**
 * Returns the canonical text of what a rule compares. Rules that match the same records for the same reasons have the same text. It does not depend
 * on the order of conditions, repeated conditions, redundant groups, or members with their default value.
 */
export function ruleShape({ filters, cardinality, group_by, rollup, method }: Comparison): string {
  const shape = { filters: groupShape(filters), cardinality, group_by, rollup };
  return canonicalJson(method === 'evidence' ? { ...shape, method } : shape);
}

function groupShape(group: RuleGroup): unknown {
  const operand = group.operand ?? 'and';
  const members = new Map<string, unknown>();
  const add = (node: Condition | RuleGroup): void => {
    // A group inside one of its own kind, or with a single member, adds nothing.
    if ('rules' in node && ((node.operand ?? 'and') === operand || node.rules.length === 1)) node.rules.forEach(add);
    else {
      const shape = 'rules' in node ? groupShape(node) : conditionShape(node);
      members.set(canonicalJson(shape), shape);
    }
  };
  group.rules.forEach(add);
  const rules = [...members].toSorted(([left], [right]) => compareText(left, right)).map(([, shape]) => shape);
  return rules.length === 1 ? { rules } : { operand, rules };
}

function conditionShape({ key, value, operand, tolerance_amount: tolerance, tolerance_unit: unit, transforms }: Condition) {
  const shape: Record<string, unknown> = { key, value };
  if (operand !== undefined && operand !== 'eq') shape['operand'] = operand;
  // A month has no amount.
  const isMonth = unit === 'month';
  const hasWidth = tolerance !== undefined && tolerance > 0;
  if (hasWidth && !isMonth) shape['tolerance_amount'] = tolerance;
  const usual = usualUnit(key, value);
  if (unit !== undefined && unit !== usual && (hasWidth || isMonth || usual === null)) shape['tolerance_unit'] = unit;
  const applied = { key: transformsShape(transforms?.key), value: transformsShape(transforms?.value) };
  if (applied.key.length + applied.value.length > 0) shape['transforms'] = applied;
  return shape;
}

function transformsShape(given: TransformsOfSide | undefined): readonly unknown[] {
  if (given === undefined || given === null) return [];
  const list = Array.isArray(given) ? given : [given];
  return list.map((each) => (typeof each === 'string' ? { name: each, args: {} } : { name: each.name, args: { ...each.args } }));
}

/** Returns the unit of a condition that names none, or null between two metadata fields, where the unit determines their kind. */
function usualUnit(key: string, value: string): string | null {
  const kind = [fieldOf(key)?.kind, fieldOf(value)?.kind].find((each) => each !== undefined && each !== 'metadata');
  return kind === undefined ? null : { number: 'minor', date: 'day', text: 'edit', metadata: null }[kind];
}
