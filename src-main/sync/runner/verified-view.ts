import type { SyncLine, SyncVerified } from '../../../src-shared/contract/index.ts';
import type { Database } from '../../database/database.ts';
import type { ConflictDetail } from '../store/conflict-detail.ts';
import { conflictsOf } from '../store/conflicts.ts';
import { currencyOfStream } from '../store/reads.ts';
import type { RowDifferences } from '../work/repair.ts';
import type { Compared } from '../work/sync.ts';
import type { VerifiedRow } from '../work/verify.ts';

const LINES = 20;

function lineOf(row: VerifiedRow, { name, localId }: RowDifferences['lines'][number]): SyncLine {
  return {
    resource: row.resource,
    name,
    act: 'stays',
    reason: null,
    local_id: localId,
    reconciliation_id: row.resource === 'matches' ? row.localId : null,
    data_stream_key: row.resource === 'records' ? row.name : null,
  };
}

/** How many conflicts that nobody has decided are about a row. */
function toDecide(details: readonly ConflictDetail[], { resource, name, localId }: VerifiedRow): number {
  return details.filter((detail) => (resource === 'records' ? detail.stream === name : detail.reconciliation_id === localId)).length;
}

/** A comparison as it is kept and shown; names of streams are those of the book. */
export function verifiedView(
  database: Database,
  about: { readonly remoteId: number; readonly at: string; readonly streamName: (key: string) => string },
  { rows, differing }: Compared,
): SyncVerified {
  const conflicts = conflictsOf(database, about.remoteId).filter(({ choice }) => choice === null);
  const details = conflicts.map(({ detail }) => JSON.parse(detail) as ConflictDetail);
  return {
    at: about.at,
    equal: rows.every(({ equal }) => equal),
    rows: rows.map((row) => {
      const lines = differing.find((each) => each.row === row)?.lines ?? [];
      const money = row.resource === 'records' && row.localId !== null ? currencyOfStream(database, row.localId) : null;
      return {
        resource: row.resource,
        name: row.resource === 'records' ? about.streamName(row.name) : row.name,
        currency: money?.currency ?? null,
        decimal_places: money?.decimal_places ?? 2,
        local: row.local,
        remote: row.remote,
        equal: row.equal,
        to_decide: row.equal ? 0 : toDecide(details, row),
        differences: lines.slice(0, LINES).map((each) => ({ side: each.side, line: lineOf(row, each) })),
        more: Math.max(0, lines.length - LINES),
      };
    }),
  };
}
