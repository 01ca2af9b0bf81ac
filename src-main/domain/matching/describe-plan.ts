import type { Leaf, Term } from './compile-leaf.ts';
import type { CompiledRule, Group, RuleNode } from './compile.ts';
import { isExact, isSortable } from './tolerances.ts';
import { decimalValueText } from './values.ts';

/**
 * How a rule looks for candidates, in words, a line for each step: what is looked up by equal values, what is searched along a sorted
 * range, and what is tested on the pairs found so. The members of an `or` are indented below it. A rule that can only be tested pair
 * by pair says so.
 */
export function describePlan(rule: CompiledRule): string[] {
  const currency = rule.namesCurrency ? [] : ['Look up by equal currency.'];
  return [...currency, ...describeGroup(rule.root, '', false)];
}

/** `isNarrowed`: what stands around the group narrows the search already. */
function describeGroup(group: Group, indent: string, isNarrowed: boolean): string[] {
  if (group.operand === 'or' && group.children.length > 1) {
    const members = group.children.flatMap((child, index) => [
      `${indent}  Way ${index + 1}:`,
      ...describeGroup(asGroup(child), `${indent}    `, isNarrowed),
    ]);
    const count = group.children.length;
    return [`${indent}${isNarrowed ? `Of these, one of ${count} must hold` : `Take what any of ${count} ways finds`}:`, ...members];
  }
  const { leaves, choices } = flattened(group);
  const exact = leaves.filter(isExact);
  const lists = leaves.filter((leaf) => leaf.operand === 'in');
  const sweeps = leaves.filter(isSortable);
  const rest = leaves.filter((leaf) => !isExact(leaf) && !isSortable(leaf) && leaf.operand !== 'in');
  const lines = [
    ...exact.map((leaf) => `Look up by equal ${both(leaf)}.`),
    ...lists.map((leaf) => `Look up ${sideA(leaf)} among the members of ${sideB(leaf)}.`),
    ...sweeps.map((leaf) => `Search sorted ${both(leaf)} within ${tolerance(leaf)}.`),
    ...rest.map((leaf) => `Test on each pair found: ${condition(leaf)}.`),
  ].map((line) => `${indent}${line}`);
  const narrows = isNarrowed || exact.length + lists.length + sweeps.length > 0;
  const inner = choices.flatMap((choice) => describeGroup(choice, indent, narrows));
  const bare = narrows || choices.length > 0 ? [] : [`${indent}Nothing narrows the search: every pair is tested.`];
  return [...bare, ...lines, ...inner];
}

function asGroup(node: RuleNode): Group {
  return node.type === 'group' ? node : { type: 'group', operand: 'and', children: [node] };
}

/** The conditions that must all hold, and the groups of which one member must. */
function flattened(group: Group): { readonly leaves: Leaf[]; readonly choices: Group[] } {
  const leaves: Leaf[] = [];
  const choices: Group[] = [];
  const walk = (node: RuleNode): void => {
    if (node.type === 'leaf') leaves.push(node);
    else if (node.operand === 'and' || node.children.length === 1) node.children.forEach(walk);
    else choices.push(node);
  };
  group.children.forEach(walk);
  return { leaves, choices };
}

function both(leaf: Leaf): string {
  const [a, b] = [described(leaf.key), described(leaf.value)];
  const what =
    leaf.tolerance?.unit === 'month' ? ' month' : leaf.tolerance?.unit === 'business_day' && isExact(leaf) ? ' business day' : '';
  return a === b ? `${a}${what}` : `${a}${what} and ${b}${what}`;
}

function sideA(leaf: Leaf): string {
  return `side A's ${described(leaf.key)}`;
}

function sideB(leaf: Leaf): string {
  return `side B's ${described(leaf.value)}`;
}

function described(term: Term): string {
  const { names } = term.transforms;
  return names.length === 0 ? term.field.label : `${term.field.label} (${names.join(', ')})`;
}

const UNIT_WORDS = {
  minor: 'minor units',
  dollar: 'currency units',
  percent: 'percent of the larger',
  day: 'days',
  business_day: 'business days',
  edit: 'edits',
  month: 'the same month',
} as const;

function tolerance(leaf: Leaf): string {
  if (leaf.tolerance === null) return 'nothing';
  return `${decimalValueText(leaf.tolerance.amount, 0)} ${UNIT_WORDS[leaf.tolerance.unit]}`;
}

const OPERAND_WORDS = {
  eq: 'equals',
  neq: 'differs from',
  gt: 'is greater than',
  gte: 'is not less than',
  lt: 'is less than',
  lte: 'is not greater than',
  contains: 'contains',
  in: 'is in',
  not_in: 'is not in',
  eq_or_missing: 'equals (or one is missing)',
} as const;

function condition(leaf: Leaf): string {
  const apart = leaf.tolerance === null ? '' : `, within ${tolerance(leaf)}`;
  return `${sideA(leaf)} ${OPERAND_WORDS[leaf.operand]} ${sideB(leaf)}${apart}`;
}
