import type { RecordItem } from '../../src-shared/contract/index.ts';
import type { ReadHandle } from '../database/database.ts';
import { reasonInWords, type ReversalMark } from '../domain/statement/index.ts';
import { type ReversalOfRecord, reversalsOf, reversersOf } from '../records/store/reversals.ts';

/** What a record says of returns and reversals. */
export type ReversalView = Pick<RecordItem, 'reverses_record_id' | 'reversed_by_record_id' | 'reversal_reason'>;

/** Of some records, by id. Words in a text count only where the line that is taken back is known. */
export function reversalViews(read: ReadHandle, ids: readonly number[]): (id: number) => ReversalView {
  const marked = new Map(reversalsOf(read, ids).map((row) => [row.record_id, row]));
  const reversers = new Map(reversersOf(read, ids).map((row) => [row.record_id, row.reversed_by]));
  return (id) => ({
    reverses_record_id: marked.get(id)?.reverses_record_id ?? null,
    reversed_by_record_id: reversers.get(id) ?? null,
    reversal_reason: reasonOfRow(marked.get(id)),
  });
}

function reasonOfRow(row: ReversalOfRecord | undefined): string | null {
  if (row === undefined) return null;
  const { by, reason } = JSON.parse(row.mark) as ReversalMark;
  return by === 'words' && row.reverses_record_id === null ? null : reasonInWords(by, reason);
}
