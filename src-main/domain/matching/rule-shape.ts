import type { Condition, Rule, RuleGroup } from '../../../src-shared/contract/index.ts';
import { fieldOf } from './fields.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** What a rule compares, without its place, its names and what becomes of its matches. */
export type Comparison = Pick<Rule, 'filters' | 'cardinality' | 'group_by' | 'rollup'>;

/**
 * The canonical text of what a rule compares: rules that tie the same records for the same reasons have the same one. The order of
 * conditions, a condition said twice, groups that group nothing and members that say what holds anyway make no difference.
 */
export function ruleShape(rule: Comparison): string {
  return JSON.stringify(
    inNameOrder({
      cardinality: rule.cardinality,
      filters: groupShape(rule.filters),
      group_by: rule.group_by,
      rollup: (rule.rollup ?? null) as Json,
    }),
  );
}

function groupShape(group: RuleGroup): Json {
  const operand = group.operand ?? 'and';
  const members = new Map<string, Json>();
  const add = (node: Condition | RuleGroup): void => {
    // A group within one of its own kind, or with a single member, adds nothing.
    if ('rules' in node && ((node.operand ?? 'and') === operand || node.rules.length === 1)) node.rules.forEach(add);
    else {
      const shape = inNameOrder('rules' in node ? groupShape(node) : conditionShape(node));
      members.set(JSON.stringify(shape), shape);
    }
  };
  group.rules.forEach(add);
  const sorted = [...members.entries()].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, shape]) => shape);
  return sorted.length === 1 ? { rules: sorted } : { operand, rules: sorted };
}

function conditionShape(condition: Condition): Json {
  const { operand, tolerance_amount: tolerance, tolerance_unit: unit, ...rest } = condition;
  const said = Object.entries(rest).filter(([, value]) => value !== undefined) as [string, Json][];
  const shape: Record<string, Json> = Object.fromEntries(said);
  if (operand !== undefined && operand !== 'eq') shape['operand'] = operand;
  // A month has no amount of its own.
  const isMonth = unit === 'month';
  const hasWidth = tolerance !== undefined && tolerance > 0;
  if (hasWidth && !isMonth) shape['tolerance_amount'] = tolerance;
  const usual = usualUnit(condition);
  if (unit !== undefined && unit !== usual && (hasWidth || isMonth || unit === 'business_day' || usual === null))
    shape['tolerance_unit'] = unit;
  return shape;
}

/** The unit that a condition has when it names none; null between two metadata fields, where it says what they hold. */
function usualUnit({ key, value }: Condition): string | null {
  const kind = [fieldOf(key)?.kind, fieldOf(value)?.kind].find((each) => each !== undefined && each !== 'metadata');
  return kind === undefined ? null : { number: 'minor', date: 'day', text: 'edit', metadata: null }[kind];
}

/** The same text for the same members, whatever order they were written in. */
function inNameOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inNameOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value as Record<string, Json>).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inNameOrder(member)]));
}
