import type { Output } from '../../../src-shared/contract/index.ts';
import { ADJUSTMENTS_KEY } from '../../../src-shared/contract/streams/streams.ts';
import { adjustmentWords } from '../store/reads.ts';
import type { SyncContext } from './context.ts';
import type { DifferenceSaid } from './resources.ts';
import { valueOf } from './side.ts';

export interface LocalMatch {
  readonly id: number;
  readonly records: readonly number[];
  readonly adjustment: string | null;
  readonly reason: DifferenceSaid | null;
}

/** Returns the matches of a reconciliation that count. Proposals wait for a person and do not travel. */
export async function localMatches(context: SyncContext, reconciliationId: number): Promise<LocalMatch[]> {
  const adjustments = adjustmentWords(context.database, context.environmentId, ADJUSTMENTS_KEY);
  const found = new Map<number, { id: number; records: number[]; adjustment: string | null; reason: DifferenceSaid | null }>();
  for (let after = 0; ;) {
    const input = { reconciliation_id: reconciliationId, after_match_id: after, matches: 2_000 };
    const page = (await valueOf(context.local.call, 'matches.members', input)) as Output<'matches.members'>;
    for (const { match_id: id, record_id: record, status, difference_code: code, difference_note: note } of page.data) {
      if (status !== 'matched') continue;
      const match = found.get(id) ?? { id, records: [], adjustment: null, reason: null };
      found.set(id, match);
      if (code !== null) match.reason = { code, note };
      const words = adjustments.get(record);
      if (words === undefined) match.records.push(record);
      else match.adjustment = words ?? '';
    }
    if (page.last_match_id === null) return [...found.values()];
    after = page.last_match_id;
  }
}
