import { recordOf } from './conflict-detail.ts';
import { recordName } from './conflict-words.ts';
import type { ConflictRecord } from '../store/conflict-detail.ts';
import { streamKeysOf } from '../store/reads.ts';
import type { SyncContext } from './context.ts';
import { recordsByIds } from './local-records.ts';

/** Returns the name of a match: its reconciliation, its first record, and the number of others. */
export function setName({ database }: SyncContext, reconciliation: string, records: readonly number[]): string {
  const first = records.length === 0 ? undefined : recordsByIds(database, records.slice(0, 1))[0];
  if (first === undefined) return reconciliation;
  const more = records.length === 1 ? '' : ` and ${records.length - 1} more`;
  return `${reconciliation}: ${recordName(first.content)}${more}`;
}

/** A conflict keeps at most this many records. */
const SHOWN = 100;

export function conflictRecords({ database }: SyncContext, ids: readonly number[]): ConflictRecord[] {
  const records = recordsByIds(database, ids.slice(0, SHOWN));
  const keys = streamKeysOf(
    database,
    records.map(({ streamId }) => streamId),
  );
  return records.map(({ id, streamId, content }) => recordOf(keys.get(streamId) ?? '', id, content));
}
