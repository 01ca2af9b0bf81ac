import type { SyncLine } from '../../../src-shared/contract/index.ts';
import type { ReadHandle } from '../../database/database.ts';
import { placesOfMatches, placesOfRecords, placesOfRules } from '../store/places.ts';

/** Adds the stream or reconciliation in which each line's object is shown. Lines of deleted objects keep their null places. */
export function withPlaces(read: ReadHandle, lines: readonly SyncLine[]): SyncLine[] {
  const ids = (resource: SyncLine['resource']): number[] =>
    lines.flatMap((line) => (line.resource === resource && line.local_id !== null ? [line.local_id] : []));
  const records = placesOfRecords(read, [...ids('records'), ...ids('overdue')]);
  const matches = placesOfMatches(read, ids('matches'));
  const rules = placesOfRules(read, ids('rules'));
  return lines.map((line) => {
    const id = line.local_id ?? 0;
    if (line.resource === 'records' || line.resource === 'overdue')
      return { ...line, data_stream_key: records.get(id) ?? line.data_stream_key };
    if (line.resource === 'matches') return { ...line, reconciliation_id: matches.get(id) ?? line.reconciliation_id };
    if (line.resource === 'rules') return { ...line, reconciliation_id: rules.get(id) ?? line.reconciliation_id };
    if (line.resource === 'reconciliations') return { ...line, reconciliation_id: line.local_id };
    return line;
  });
}
