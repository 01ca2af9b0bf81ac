import type { Place } from './places.ts';

/** The fields of a synced line or of a conflict that say where it belongs. */
export interface Placed {
  readonly resource: string;
  readonly local_id: number | null;
  readonly reconciliation_id: number | null;
  readonly data_stream_key: string | null;
}

/** Returns the place that shows the object; null when the window has none. */
export function placeOf({ resource, local_id: id, reconciliation_id: reconciliation, data_stream_key: stream }: Placed): Place | null {
  if (resource === 'accounts' && id !== null) return { screen: 'account', id };
  if (resource === 'reconciliations' && id !== null) return { screen: 'reconciliation', id };
  if (reconciliation !== null) {
    if (resource === 'rules') return { screen: 'reconciliation', id: reconciliation, tab: 'rules' };
    if (resource === 'matches') return { screen: 'reconciliation', id: reconciliation, tab: 'matched' };
    return { screen: 'reconciliation', id: reconciliation };
  }
  return stream === null ? null : { screen: 'stream', key: stream };
}
