import { capitalized } from '../../../../src-shared/values/english.ts';
import type { ChosenPlan, ChosenScans, ChosenWays, UsedPlan } from '../blocking/chosen-plan.ts';
import { millions } from '../model/limits.ts';
import type { Leaf } from '../rules/compile-leaf.ts';
import type { RuleNode } from '../rules/compile.ts';
import { conditionWords, gridWords, listWords, lookUpWords, searchWords } from './condition-words.ts';

/** Returns the plan chosen for some records, one line for each step. Steps that all alternatives of an `or` share are written once, around them. */
export function describeChosen({ chosen, pairs, isTestedLate }: UsedPlan): string[] {
  const late = `The search finds about ${millions(pairs)} million pairs, too many to test them all: each is tested when it is looked at.`;
  return [...planLines(chosen, '', new Set()), ...(isTestedLate ? [late] : [])];
}

/** Conditions that the surrounding lines already mention. */
type Said = ReadonlySet<RuleNode>;

function planLines(plan: ChosenPlan, indent: string, said: Said): string[] {
  return 'ways' in plan ? wayLines(plan, indent, said) : scanLines(plan, indent, said);
}

function scanLines({ exact, listed, swept, tested }: ChosenScans, indent: string, said: Said): string[] {
  const isBare = exact.length + swept.length === 0 && listed === null;
  const lines = [
    ...(isBare ? ['Nothing narrows the search: every pair is tested.'] : []),
    ...exact.filter((leaf) => !said.has(leaf)).map(lookUpWords),
    ...(listed === null ? [] : [listWords(listed)]),
    ...searchLines(swept),
  ];
  return [...lines.map((line) => `${indent}${line}`), ...testLines(tested, indent, said)];
}

function searchLines(swept: readonly Leaf[]): string[] {
  const [dates, numbers] = swept;
  const isGrid = swept.length === 2 && dates?.kind === 'date' && numbers?.kind === 'number';
  return isGrid ? [gridWords(dates, numbers)] : swept.map(searchWords);
}

function wayLines({ ways, tested }: ChosenWays, indent: string, said: Said): string[] {
  const exact = shared(ways, exactOf).filter((leaf) => !said.has(leaf));
  const tests = [...shared(ways, testedOf), ...tested];
  const known = new Set([...said, ...exact, ...tests]);
  return [
    ...exact.map((leaf) => `${indent}${lookUpWords(leaf)}`),
    `${indent}Take what any of ${ways.length} ways finds:`,
    ...ways.flatMap((way, index) => [`${indent}  Way ${index + 1}:`, ...planLines(way, `${indent}    `, known)]),
    ...testLines(tests, indent, said),
  ];
}

/** Returns the conditions that all alternatives share. */
function shared<Node>(ways: readonly ChosenPlan[], of: (way: ChosenPlan) => readonly Node[]): Node[] {
  const [first, ...others] = ways.map(of);
  return (first ?? []).filter((node) => others.every((other) => other.includes(node)));
}

function exactOf(plan: ChosenPlan): readonly Leaf[] {
  return 'ways' in plan ? shared(plan.ways, exactOf) : plan.exact;
}

function testedOf(plan: ChosenPlan): readonly RuleNode[] {
  return 'ways' in plan ? [...plan.tested, ...shared(plan.ways, testedOf)] : plan.tested;
}

function testLines(tested: readonly RuleNode[], indent: string, said: Said): string[] {
  return tested
    .filter((node) => !said.has(node))
    .flatMap((node) => {
      const [first = '', ...more] = nodeLines(node);
      return [`Test on each pair found: ${first}`, ...more];
    })
    .map((line) => `${indent}${line}`);
}

/** Returns the test of a pair in words: `side A's amount equals side B's amount.` */
function nodeLines(node: RuleNode): string[] {
  if (node.type === 'leaf') return [`${conditionWords(node)}.`];
  if (node.operand === 'and' || node.children.length === 1) return node.children.flatMap(nodeLines);
  const ways = node.children.flatMap((child, index) => [
    `  Way ${index + 1}:`,
    ...nodeLines(child).map((line) => `    ${capitalized(line)}`),
  ]);
  return [`one of ${node.children.length} ways must hold:`, ...ways];
}
