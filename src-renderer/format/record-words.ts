import type { RecordItem } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';

export const RECORD_STATES = ['all', 'open', 'matched', 'overdue', 'returns'] as const;
export type RecordState = (typeof RECORD_STATES)[number];

/** Returns the state of a line in one word. */
export function recordStateText({ status, overdue }: Pick<RecordItem, 'status' | 'overdue'>): string {
  if (status === 'reconciled') return say('records.record.matched');
  return overdue.length > 0 ? say('records.record.overdue') : say('records.record.open');
}

/** Labels of the filters by state. */
export const RECORD_STATE_NAMES: Readonly<Record<RecordState, string>> = {
  all: say('records.recordStateNames.all'),
  open: say('records.recordStateNames.open'),
  matched: say('records.recordStateNames.matched'),
  overdue: say('records.recordStateNames.overdue'),
  returns: say('records.recordStateNames.returns'),
};

/** Returns a sentence about a search that found nothing. */
export function nothingFoundText(search: string, isPartial: boolean): string {
  if (isPartial) return say('records.record.noLineThatIsSearched');
  return search.trim() === '' ? say('records.record.noLineFitsTheseFilters') : say('records.record.noLineHasTheseWords');
}
