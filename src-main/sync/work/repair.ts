import type { SyncScope } from './context.ts';
import type { LineDifference } from './differences.ts';
import type { VerifiedRow } from './verify.ts';

export interface RowDifferences {
  readonly row: VerifiedRow;
  readonly lines: readonly LineDifference[];
}

/** Returns the scope of a repair: the streams and reconciliations that differ. */
export function scopeOf(rows: readonly VerifiedRow[]): SyncScope {
  const differing = rows.filter(({ equal }) => !equal);
  const streams = differing.flatMap(({ resource, name }) => (resource === 'records' ? [name] : []));
  const reconciliations = differing.flatMap(({ resource, localId }) => (resource === 'matches' && localId !== null ? [localId] : []));
  return { streams: new Set(streams), reconciliations: new Set(reconciliations) };
}
