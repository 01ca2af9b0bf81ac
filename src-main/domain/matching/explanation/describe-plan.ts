import type { UsedPlan } from '../blocking/chosen-plan.ts';
import { type CompiledRule, flattened, type Group, type RuleNode } from '../rules/compile.ts';
import { isExact, isSortable } from '../rules/tolerances.ts';
import { conditionWords, listWords, lookUpWords, searchWords } from './condition-words.ts';
import { describeChosen } from './describe-chosen-plan.ts';

/**
 * Describes in words how a rule searches candidates, one line for each step: lookups by equal values, searches along a sorted range, and tests on the
 * pairs found. The members of an `or` are indented below it, and the text says so if a rule can only be tested pair by pair. `used` is the plan
 * chosen for some records; with null the text lists the possible steps.
 */
export function describePlan(rule: CompiledRule, used: UsedPlan | null): string[] {
  const currency = rule.namesCurrency ? [] : ['Look up by equal currency.'];
  return [...currency, ...(used === null ? describeRule(rule) : describeChosen(used))];
}

function describeRule({ root }: CompiledRule): string[] {
  const open = leavesOpen(root) ? ['Which of these it searches, and which it tests on the pairs found, depends on the records.'] : [];
  return [...describeGroup(root, '', false), ...open];
}

/** Returns whether a group allows more than one plan, of which the cheapest for the records is used. */
function leavesOpen(group: Group): boolean {
  if (group.operand === 'or' && group.children.length > 1) return group.children.some((child) => leavesOpen(asGroup(child)));
  const { leaves, choices } = flattened(group);
  return choices.length > 0 || leaves.filter((leaf) => isSortable(leaf) || leaf.operand === 'in').length > 1;
}

/** `isNarrowed` says that conditions around the group already narrow the search. */
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
    ...exact.map(lookUpWords),
    ...lists.map(listWords),
    ...sweeps.map(searchWords),
    ...rest.map((leaf) => `Test on each pair found: ${conditionWords(leaf)}.`),
  ].map((line) => `${indent}${line}`);
  const narrows = isNarrowed || exact.length + lists.length + sweeps.length > 0;
  const inner = choices.flatMap((choice) => describeGroup(choice, indent, narrows));
  const bare = narrows || choices.length > 0 ? [] : [`${indent}Nothing narrows the search: every pair is tested.`];
  return [...bare, ...lines, ...inner];
}

function asGroup(node: RuleNode): Group {
  return node.type === 'group' ? node : { type: 'group', operand: 'and', children: [node] };
}
