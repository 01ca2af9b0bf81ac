import type { ChosenPlan, UsedPlan } from '../blocking/chosen-plan.ts';
import type { Leaf } from '../rules/compile-leaf.ts';
import { flattened } from '../rules/compile.ts';
import type { RolledRule } from '../rules/grouping-rule.ts';
import { isExact, isSortable } from '../rules/tolerances.ts';
import { describePlan } from './describe-plan.ts';

/**
 * How a rule of many to one looks for candidates, in words: what is summed, then how the sums find their records. `used`: the plan that was
 * chosen for groups by identifier; null where there are none.
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
  // These look for their sums in the same way whatever the records are.
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

/** What finds sums that no identifier makes: values that must be equal, and where the totals must lie. All else is tested. */
function chosenForSums({ compiled, isOfTotal, balances }: RolledRule): ChosenPlan {
  const { leaves, choices } = flattened(compiled.root);
  const isBalance = ({ index }: Leaf): boolean => (balances[index] ?? null) !== null;
  const exact = leaves.filter((leaf) => isExact(leaf) && (isBalance(leaf) || isOfTotal[leaf.index] !== true));
  const swept = leaves.filter((leaf) => isSortable(leaf) && isBalance(leaf));
  const tested = leaves.filter((leaf) => !exact.includes(leaf) && !swept.includes(leaf));
  return { exact, listed: null, swept, tested: [...tested, ...choices] };
}
