import { capitalized } from '../../../../src-shared/values/english.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { decimalValueText } from '../../records/values.ts';
import type { ChosenPlan, ChosenScans, ChosenWays, UsedPlan } from '../blocking/plan.ts';
import { millions } from '../model/limits.ts';
import type { Leaf, Term } from '../rules/compile-leaf.ts';
import { type CompiledRule, flattened, type Group, type RuleNode } from '../rules/compile.ts';
import type { RolledRule } from '../rules/grouping-rule.ts';
import { isExact, isSortable } from '../rules/tolerances.ts';

/**
 * Describes in words how a rule searches candidates, one line for each step: lookups by equal values, searches along a sorted range, and tests on the
 * pairs found. The members of an `or` are indented below it, and the text says so if a rule can only be tested pair by pair. `used` is the plan
 * chosen for some records; with null the text lists the possible steps.
 */
export function describePlan(rule: CompiledRule, used: UsedPlan | null): string[] {
  const currency = rule.namesCurrency ? [] : [phrase('rules.describePlan.lookUpByEqualCurrency')];
  return [...currency, ...(used === null ? describeRule(rule) : describeChosen(used))];
}

function describeRule({ root }: CompiledRule): string[] {
  const open = leavesOpen(root) ? [phrase('rules.describePlan.whichOfTheseItSearches')] : [];
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
    return [
      `${indent}${isNarrowed ? phrase('rules.describePlan.ofTheseOneOfMustHold', { count }) : phrase('rules.describePlan.takeWhatAnyOfWays', { count })}:`,
      ...members,
    ];
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
    ...rest.map((leaf) => phrase('rules.describePlan.testOnEachPairFound', { condition: conditionWords(leaf) })),
  ].map((line) => `${indent}${line}`);
  const narrows = isNarrowed || exact.length + lists.length + sweeps.length > 0;
  const inner = choices.flatMap((choice) => describeGroup(choice, indent, narrows));
  const bare = narrows || choices.length > 0 ? [] : [phrase('rules.describePlan.nothingNarrowsTheSearch', { indent })];
  return [...bare, ...lines, ...inner];
}

function asGroup(node: RuleNode): Group {
  return node.type === 'group' ? node : { type: 'group', operand: 'and', children: [node] };
}

/** Returns the plan chosen for some records, one line for each step. Steps that all alternatives of an `or` share are written once, around them. */
export function describeChosen({ chosen, pairs, isTestedLate }: UsedPlan): string[] {
  const late = phrase('rules.describePlan.theSearchFindsAboutMillion', { millions: millions(pairs) });
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
    ...(isBare ? [phrase('rules.describePlan.nothingNarrows')] : []),
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
    phrase('rules.describePlan.takeWhatAnyFinds', { indent, ways: ways.length }),
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
      return [phrase('rules.describePlan.testEachPairFound', { first }), ...more];
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
  return [phrase('rules.describePlan.oneOfWaysMustHold', { children: node.children.length }), ...ways];
}

/**
 * Describes in words how a many-to-one rule searches candidates: what is summed, then how the sums find their records. `used` is the plan chosen for
 * groups by identifier, or null if there is none.
 */
export function describeRollup(rolled: RolledRule, used: UsedPlan | null): string[] {
  const { compiled, groups, kind, manySide, date, lookbackDays, maxRecords } = rolled;
  const [side, other] = manySide === 'a' ? ['A', 'B'] : ['B', 'A'];
  const labels = groups.map((leaf) => leaf.key.field.label);
  const back = `${String(lookbackDays)} day${lookbackDays === 1 ? '' : 's'} back`;
  if (kind === 'identifier') {
    const window =
      lookbackDays === null
        ? []
        : [phrase('rules.describePlan.testOnEachGroup', { label: date?.field.label ?? 'date', otherPart: other, back })];
    return [
      phrase('rules.describePlan.sumSideSRecordsWithEqual', { side, labels: labels.join(' and ') }),
      ...window,
      ...describePlan(compiled, used),
    ];
  }
  // Rules by days and subsets search sums in the same way whatever the records are.
  const plan = describePlan(compiled, { chosen: chosenForSums(rolled), pairs: 0, isTestedLate: false });
  if (kind === 'subset') {
    const values = {
      maxRecords,
      side,
      hasLabels: labels.length === 0 ? 'no' : 'yes',
      labels: labels.join(' and '),
      otherPart: other,
      back,
    };
    return [phrase('rules.describePlan.lookFor2ToRecords', values), ...plan];
  }
  const values = { side, labels: labels[0] ?? 'date', hasWindow: lookbackDays === null ? 'no' : 'yes', otherPart: other, back };
  return [phrase('rules.describePlan.sumSideSRecordsOver', values), ...plan];
}

/** Returns the plan for sums without an identifier: values that must be equal, and the range of the totals. Everything else is tested. */
function chosenForSums({ compiled, isOfTotal, balances }: RolledRule): ChosenPlan {
  const { leaves, choices } = flattened(compiled.root);
  const isBalance = ({ index }: Leaf): boolean => (balances[index] ?? null) !== null;
  const exact = leaves.filter((leaf) => isExact(leaf) && (isBalance(leaf) || isOfTotal[leaf.index] !== true));
  const swept = leaves.filter((leaf) => isSortable(leaf) && isBalance(leaf));
  const tested = leaves.filter((leaf) => !exact.includes(leaf) && !swept.includes(leaf));
  return { exact, listed: null, swept, tested: [...tested, ...choices] };
}

/** Returns a sentence such as `Look up by equal date month.` */
function lookUpWords(leaf: Leaf): string {
  return phrase('rules.describePlan.lookUpByEqual', { both: both(leaf) });
}

/** Returns a sentence such as `Look up side A's external id among the members of side B's ids.` */
function listWords(leaf: Leaf): string {
  return phrase('rules.describePlan.lookUpAmongTheMembers', { sideA: sideA(leaf), sideB: sideB(leaf) });
}

/** Returns a sentence such as `Search sorted amount within 0.5 currency units.` */
function searchWords(leaf: Leaf): string {
  return phrase('rules.describePlan.searchSorted', { nearness: nearness(leaf) });
}

/** Returns a sentence such as `Search date day by day within 3 days, and on each day sorted amount within 5 minor units.` */
function gridWords(dates: Leaf, numbers: Leaf): string {
  return phrase('rules.describePlan.searchDayByDayWithin', {
    both: both(dates),
    tolerance: toleranceWords(dates),
    nearness: nearness(numbers),
  });
}

/** Returns a condition in words: `side A's date is not less than side B's date`. */
function conditionWords(leaf: Leaf): string {
  const apart = leaf.tolerance === null || isExact(leaf) ? '' : `, within ${toleranceWords(leaf)}`;
  return `${sideA(leaf)} ${relation(leaf)} ${sideB(leaf)}${apart}`;
}

function nearness(leaf: Leaf): string {
  return `${both(leaf)} within ${toleranceWords(leaf)}`;
}

function both(leaf: Leaf): string {
  const [a, b] = [described(leaf.key), described(leaf.value)];
  const unit =
    leaf.tolerance?.unit === 'month' ? 'month' : leaf.tolerance?.unit === 'business_day' && isExact(leaf) ? 'business_day' : null;
  const named = (field: string): string =>
    unit === null ? field : phrase(unit === 'month' ? 'rules.describePlan.monthOf' : 'rules.describePlan.businessDayOf', { field });
  return a === b ? named(a) : `${named(a)} and ${named(b)}`;
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

/** Singular and plural of each unit. */
const UNIT_WORDS = {
  minor: [phrase('rules.describePlan.minorUnit'), phrase('rules.describePlan.minorUnits')],
  dollar: [phrase('rules.describePlan.currencyUnit'), phrase('rules.describePlan.currencyUnits')],
  percent: [phrase('rules.describePlan.percentOfTheLarger'), phrase('rules.describePlan.percentOfTheLarger')],
  day: ['day', 'days'],
  business_day: [phrase('rules.describePlan.businessDay'), phrase('rules.describePlan.businessDays')],
  edit: ['edit', 'edits'],
  month: ['month', 'months'],
} as const;

function toleranceWords({ tolerance }: Leaf): string {
  if (tolerance === null) return 'nothing';
  const amount = decimalValueText(tolerance.amount, 0);
  return `${amount} ${UNIT_WORDS[tolerance.unit][amount === '1' ? 0 : 1]}`;
}

const OPERAND_WORDS = {
  eq: 'equals',
  neq: phrase('rules.describePlan.differsFrom'),
  gt: phrase('rules.describePlan.isGreaterThan'),
  gte: phrase('rules.describePlan.isNotLessThan'),
  lt: phrase('rules.describePlan.isLessThan'),
  lte: phrase('rules.describePlan.isNotGreaterThan'),
  contains: 'contains',
  in: phrase('rules.describePlan.isIn'),
  not_in: phrase('rules.describePlan.isNotIn'),
  eq_or_missing: phrase('rules.describePlan.equalsOrOneIsMissing'),
} as const;

function relation(leaf: Leaf): string {
  if (leaf.tolerance?.unit === 'month') return phrase('rules.describePlan.isInTheMonthOf');
  if (leaf.tolerance?.unit === 'business_day' && isExact(leaf)) return phrase('rules.describePlan.isTheSameBusinessDay');
  return OPERAND_WORDS[leaf.operand];
}
