import type { RecordItem } from '../../src-shared/contract/index.ts';

export const RECORD_STATES = ['all', 'open', 'matched', 'overdue', 'returns'] as const;
export type RecordState = (typeof RECORD_STATES)[number];

/** Returns the state of a line in one word. */
export function recordStateText({ status, overdue }: Pick<RecordItem, 'status' | 'overdue'>): string {
  if (status === 'reconciled') return 'Matched';
  return overdue.length > 0 ? 'Overdue' : 'Open';
}

/** Labels of the filters by state. */
export const RECORD_STATE_NAMES: Readonly<Record<RecordState, string>> = {
  all: 'All lines',
  open: 'Open',
  matched: 'Matched',
  overdue: 'Overdue',
  returns: 'Returns and returned',
};

/** Returns a sentence about a search that found nothing. */
export function nothingFoundText(search: string, isPartial: boolean): string {
  if (isPartial) return 'No line that is searched so far fits these filters.';
  return search.trim() === '' ? 'No line fits these filters.' : 'No line has these words and fits the other filters.';
}
