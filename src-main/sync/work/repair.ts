import type { SyncScope } from './context.ts';
import type { LineDifference } from './differences.ts';
import type { VerifiedRow } from './verify.ts';

export interface RowDifferences {
  readonly row: VerifiedRow;
  readonly lines: readonly LineDifference[];
}

/** What is to be looked at once more, since both sides differ in it. */
export function scopeOf(rows: readonly VerifiedRow[]): SyncScope {
  const differing = rows.filter(({ equal }) => !equal);
  const streams = differing.flatMap(({ resource, name }) => (resource === 'records' ? [name] : []));
  const reconciliations = differing.flatMap(({ resource, localId }) => (resource === 'matches' && localId !== null ? [localId] : []));
  return { streams: new Set(streams), reconciliations: new Set(reconciliations) };
}
