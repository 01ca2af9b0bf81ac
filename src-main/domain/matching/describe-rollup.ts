import { describePlan } from './describe-plan.ts';
import type { RolledRule } from './rolled-rule.ts';

/** How a rule of many to one looks for candidates, in words: what is summed, then how the sums find their records. */
export function describeRollup({ compiled, groups, kind, manySide, date, lookbackDays, maxRecords }: RolledRule): string[] {
  const [side, other] = manySide === 'a' ? ['A', 'B'] : ['B', 'A'];
  const labels = groups.map((leaf) => leaf.key.field.label);
  const back = `${String(lookbackDays)} day${lookbackDays === 1 ? '' : 's'} back`;
  const plan = describePlan(compiled);
  if (kind === 'identifier') {
    const window =
      lookbackDays === null ? [] : [`Test on each group: its ${date?.field.label ?? 'date'} from the date on side ${other} up to ${back}.`];
    return [`Sum side ${side}'s records with equal ${labels.join(' and ')}.`, ...window, ...plan];
  }
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
