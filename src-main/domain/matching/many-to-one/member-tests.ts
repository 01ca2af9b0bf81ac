import { itemAt } from '../../collections/typed-arrays.ts';
import type { LeafColumns } from '../comparison/condition-columns.ts';
import type { Leaf } from '../rules/compile-leaf.ts';
import type { RuleNode } from '../rules/compile.ts';
import type { RolledRule } from '../rules/grouping-rule.ts';
import { isExact } from '../rules/tolerances.ts';
import { type GroupTest, columnsOfMany, oriented, type RolledView } from './groups.ts';

/** Conditions of a rule on each member, divided by how they are looked up. */
export interface MemberConditions {
  /** Conditions on equal values, which a hash table looks up. */
  readonly exact: readonly LeafColumns[];
  /** Test of the other conditions, or null if there are none. It takes conditions on the total as true. */
  readonly rest: GroupTest | null;
  /** Whether that test reads nothing of a member but its day. */
  readonly isOfDays: boolean;
  /** Whether some `or` combines conditions on a member with conditions on the total, so that members must be tested again once the total is known. */
  readonly isMixed: boolean;
}

export function memberConditions(given: RolledView): MemberConditions {
  const { rolled, view, single } = given;
  const { decimalPlaces } = columnsOfMany(given);
  const isOfTotal = (leaf: Leaf): boolean => rolled.isOfTotal[leaf.index] === true;
  const nodes = conjunction(rolled.compiled.root);
  const leaves = nodes.filter((node) => node.type === 'leaf');
  const exact = leaves.filter((leaf) => !isOfTotal(leaf) && isExact(leaf));
  const choices = nodes.filter((node) => node.type === 'group' && !leavesOf(node).every(isOfTotal));
  const rest: RuleNode[] = [...leaves.filter((leaf) => !isOfTotal(leaf) && !isExact(leaf)), ...choices];
  const tests = rest.map((node) => hopefulTest(node));
  const columns = exact.map((leaf) => itemAt(view.columns.leaves, leaf.index));
  if (view.columns.currency !== null) columns.push(view.columns.currency);
  return {
    exact: columns,
    rest: tests.length === 0 ? null : (member, other) => tests.every((test) => test(member, other)),
    isOfDays: rest.every((node) => leavesOf(node).every((leaf) => isOfTotal(leaf) || isOfDay(leaf, rolled))),
    isMixed: choices.some((node) => leavesOf(node).some(isOfTotal)),
  };

  function hopefulTest(node: RuleNode): GroupTest {
    if (node.type === 'leaf') {
      if (isOfTotal(node)) return () => true;
      const holds = oriented(rolled.manySide, itemAt(view.tests, node.index));
      return (member, other) => holds(member, other, Math.max(decimalPlaces[member] as number, itemAt(single, other).decimalPlaces));
    }
    const members = node.children.map(hopefulTest);
    if (node.operand === 'or') return (member, other) => members.some((test) => test(member, other));
    return (member, other) => members.every((test) => test(member, other));
  }
}

function isOfDay(leaf: Leaf, { manySide, date }: RolledRule): boolean {
  const term = manySide === 'a' ? leaf.key : leaf.value;
  return leaf.kind === 'date' && term.field.name === date?.field.name && term.transforms.names.length === 0;
}

/** Returns the nodes that must all hold: leaves, and `or` groups. */
function conjunction(node: RuleNode): RuleNode[] {
  if (node.type === 'leaf') return [node];
  return node.operand === 'and' || node.children.length === 1 ? node.children.flatMap(conjunction) : [node];
}

function leavesOf(node: RuleNode): Leaf[] {
  return node.type === 'leaf' ? [node] : node.children.flatMap(leavesOf);
}
