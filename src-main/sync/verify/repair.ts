import type { SyncContext, SyncScope } from '../context.ts';
import type { LineDifference } from './differences.ts';
import type { VerifiedRow } from './verify.ts';

export interface RowDifferences {
  readonly row: VerifiedRow;
  readonly lines: readonly LineDifference[];
}

export function scopeOf(differing: readonly RowDifferences[]): SyncScope {
  const streams = differing.flatMap(({ row }) => (row.resource === 'records' ? [row.name] : []));
  const reconciliations = differing.flatMap(({ row }) => (row.resource === 'matches' && row.localId !== null ? [row.localId] : []));
  return { streams: new Set(streams), reconciliations: new Set(reconciliations) };
}

/**
 * Forgets what both sides were thought to agree on where they do not: what one side alone has is new to the other, and what both have otherwise is a
 * conflict. A person asked for it, who saw these lines.
 */
export function forgetAgreement(context: SyncContext, differing: readonly RowDifferences[]): void {
  for (const { row, lines } of differing) {
    const links = context.links(row.resource);
    for (const { side, localId, remoteKey } of lines) {
      const linked = localId ?? (remoteKey === null ? undefined : links.ofRemote(remoteKey)?.local_id);
      if (linked === undefined) continue;
      if (side === 'both' && remoteKey !== null) links.put({ local_id: linked, remote_key: remoteKey, local_hash: '', remote_hash: '' });
      else links.drop(linked);
    }
    links.save();
  }
}
