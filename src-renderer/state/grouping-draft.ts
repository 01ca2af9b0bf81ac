import type { RuleBody } from '../../src-shared/contract/index.ts';
import { SUBSET_RECORDS } from '../../src-shared/contract/rules/rule-language.ts';

/** A grouping, by which several lines of one side match one line of the other, while the user edits it. */
export interface GroupingDraft {
  readonly isGrouped: boolean;
  /** The side with several lines. */
  readonly side: 'a' | 'b';
  /** The property that makes a group: a value that its lines share, their date, or their sum. */
  readonly kind: 'identifier' | 'date' | 'subset';
  /** The fields that group the lines. For `date`, `dateField` comes before them. */
  readonly groupBy: readonly string[];
  /** The most days between the lines of a group; empty for no limit. */
  readonly days: string;
  readonly dateField: string;
  /** The most lines of a group; only for `subset`. */
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

/** Returns the draft after a change. `subset` needs a number of days, so an empty one gets a default. */
export function changedGrouping(grouping: GroupingDraft, change: Partial<GroupingDraft>): GroupingDraft {
  const next = { ...grouping, ...change };
  // The fields of the other side do not exist on this one.
  if (change.side !== undefined && change.side !== grouping.side) Object.assign(next, { groupBy: [] });
  if (next.kind === 'subset' && next.days.trim() === '') Object.assign(next, { days: '5' });
  return next;
}

/** Returns whether the draft is complete enough to send. The service validates the rest. */
export function isGroupingWritten({ isGrouped, kind, groupBy, days, dateField, most }: GroupingDraft): boolean {
  if (!isGrouped) return true;
  if ((days.trim() !== '' && !isWhole(days)) || dateField.trim() === '') return false;
  if (kind === 'identifier') return groupBy.length > 0;
  return kind === 'date' || (isWhole(days) && isWhole(most));
}

/** Returns the members of a rule that describe the grouping; none for one-to-one matches. */
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
