import type { RuleBody } from '../../src-shared/contract/index.ts';
import { SUBSET_RECORDS } from '../../src-shared/contract/rules/rule-language.ts';

/** How several lines of one side go together with one of the other, while it is being written. */
export interface GroupingDraft {
  readonly isGrouped: boolean;
  /** The side of the several lines. */
  readonly side: 'a' | 'b';
  /** What makes a group: a value that its lines share, days, or that they add up. */
  readonly kind: 'identifier' | 'date' | 'subset';
  /** Fields of the several lines; of days their own date field stands before these. */
  readonly groupBy: readonly string[];
  /** Days within which the lines of a group lie; empty for no bound. */
  readonly days: string;
  readonly dateField: string;
  /** Of sums alone: how many lines at most. */
  readonly most: string;
}

export const FIRST_GROUPING: GroupingDraft = {
  isGrouped: false,
  side: 'a',
  kind: 'identifier',
  groupBy: [],
  days: '',
  dateField: 'date',
  most: String(SUBSET_RECORDS.default),
};

const isWhole = (text: string): boolean => /^[1-9]\d{0,5}$/.test(text.trim());

/** A change; days that sums cannot do without are given. */
export function changedGrouping(grouping: GroupingDraft, change: Partial<GroupingDraft>): GroupingDraft {
  const next = { ...grouping, ...change };
  // Fields of the other side say nothing of this one.
  if (change.side !== undefined && change.side !== grouping.side) Object.assign(next, { groupBy: [] });
  if (next.kind === 'subset' && next.days.trim() === '') Object.assign(next, { days: '5' });
  return next;
}

/** Whether it can be asked of the service: what it makes of that, it says itself. */
export function isGroupingWritten({ isGrouped, kind, groupBy, days, dateField, most }: GroupingDraft): boolean {
  if (!isGrouped) return true;
  if ((days.trim() !== '' && !isWhole(days)) || dateField.trim() === '') return false;
  if (kind === 'identifier') return groupBy.length > 0;
  return kind === 'date' || (isWhole(days) && isWhole(most));
}

/** The members of a rule that say it; none where lines go one to one. */
export function groupingOf({
  isGrouped,
  side,
  kind,
  groupBy,
  days,
  dateField,
  most,
}: GroupingDraft): Pick<RuleBody, 'cardinality' | 'group_by' | 'rollup'> {
  if (!isGrouped) return {};
  const bound = days.trim() === '' ? {} : { lookback_days: Number(days), date_field: dateField };
  return {
    cardinality: 'many_to_one',
    group_by: kind === 'date' ? [dateField, ...groupBy.filter((field) => field !== dateField)] : [...groupBy],
    rollup: { group_by_kind: kind, many_side: side, ...bound, ...(kind === 'subset' ? { max_records: Number(most) } : {}) },
  };
}
