import type { UsedPlan } from '../blocking/chosen-plan.ts';
import { type CompiledRule, flattened, type Group, type RuleNode } from '../rules/compile.ts';
import { isExact, isSortable } from '../rules/tolerances.ts';
import { conditionWords, listWords, lookUpWords, searchWords } from './condition-words.ts';
import { describeChosen } from './describe-chosen-plan.ts';

/**
 * How a rule looks for candidates, in words, a line for each step: what is looked up by equal values, what is searched along a sorted
 * range, and what is tested on the pairs found so. The members of an `or` are indented below it. A rule that can only be tested pair
 * by pair says so. `used`: the plan that was chosen for some records; null where there are none, which leaves what could be used.
 */
export function describePlan(rule: CompiledRule, used: UsedPlan | null): string[] {
  const currency = rule.namesCurrency ? [] : ['Look up by equal currency.'];
  return [...currency, ...(used === null ? describeRule(rule) : describeChosen(used))];
}

function describeRule({ root }: CompiledRule): string[] {
  const open = leavesOpen(root) ? ['Which of these it searches, and which it tests on the pairs found, depends on the records.'] : [];
  return [...describeGroup(root, '', false), ...open];
}

/** There is more than one way to look for what a group allows: the cheapest for the records is taken. */
function leavesOpen(group: Group): boolean {
  if (group.operand === 'or' && group.children.length > 1) return group.children.some((child) => leavesOpen(asGroup(child)));
  const { leaves, choices } = flattened(group);
  return choices.length > 0 || leaves.filter((leaf) => isSortable(leaf) || leaf.operand === 'in').length > 1;
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
