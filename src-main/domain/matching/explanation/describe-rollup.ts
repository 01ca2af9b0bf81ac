import type { ChosenPlan, UsedPlan } from '../blocking/chosen-plan.ts';
import type { Leaf } from '../rules/compile-leaf.ts';
import { flattened } from '../rules/compile.ts';
import type { RolledRule } from '../rules/grouping-rule.ts';
import { isExact, isSortable } from '../rules/tolerances.ts';
import { describePlan } from './describe-plan.ts';

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
      lookbackDays === null ? [] : [`Test on each group: its ${date?.field.label ?? 'date'} from the date on side ${other} up to ${back}.`];
    return [`Sum side ${side}'s records with equal ${labels.join(' and ')}.`, ...window, ...describePlan(compiled, used)];
  }
  // Rules by days and subsets search sums in the same way whatever the records are.
  const plan = describePlan(compiled, { chosen: chosenForSums(rolled), pairs: 0, isTestedLate: false });
  if (kind === 'subset') {
    const within = labels.length === 0 ? '' : ` with equal ${labels.join(' and ')}`;
    return [
      `Look for 2 to ${maxRecords} records of side ${side}${within} that add up, from the date on side ${other} up to ${back}.`,
      ...plan,
    ];
  }
  const window = lookbackDays === null ? '' : `, from the date on side ${other} up to ${back}`;
  return [`Sum side ${side}'s records over consecutive days of ${labels[0] ?? 'date'}${window}.`, ...plan];
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
