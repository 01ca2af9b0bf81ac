import { query, type ReadHandle, type WriteHandle } from '../../database/database.ts';
import type { Side } from '../../database/rows.ts';
import { MEMBER_ID, MEMBERS } from '../../matches/store/match-members.ts';
import { COUNTS } from '../../matches/store/matches.ts';

/** The ids of the streams on either side of a reconciliation. */
export interface SideIds {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** Inserts the sides of a reconciliation that has none. */
export function insertSides(write: WriteHandle, reconciliationId: number, sides: SideIds): void {
  for (const side of ['a', 'b'] as const) {
    for (const streamId of new Set(sides[side])) {
      write.run(query.insertInto('reconciliation_streams').values({ reconciliation_id: reconciliationId, stream_id: streamId, side }));
    }
  }
}

export function replaceSides(write: WriteHandle, reconciliationId: number, sides: SideIds): void {
  write.run(query.deleteFrom('reconciliation_streams').where('reconciliation_id', '=', reconciliationId));
  insertSides(write, reconciliationId, sides);
}

interface StreamWithMatches {
  readonly side: Side;
  readonly key: string;
  readonly name: string;
  readonly records: number;
}

/** Returns the number of matched records in a reconciliation for those streams that have any, oldest stream first. */
export function matchedRecordsOfStreams(read: ReadHandle, reconciliationId: number, streamIds: readonly number[]): StreamWithMatches[] {
  return read
    .prepare<[string, number], StreamWithMatches>(
      `SELECT mr.side, s.key, s.name, count(*) AS records
       FROM json_each(?) j CROSS JOIN streams s ON s.id = j.value CROSS JOIN records r ON r.stream_id = s.id
         CROSS JOIN match_records mr ON mr.record_id = r.id AND mr.reconciliation_id = ? AND mr.slot = 0 CROSS JOIN matches m ON m.id = mr.match_id
       WHERE ${COUNTS}
       GROUP BY s.id ORDER BY s.id`,
    )
    .all(JSON.stringify(streamIds), reconciliationId);
}

/** Deletes the proposals that hold records of some streams, even superseded ones; returns how many. */
export function deleteProposalsOfStreams(write: WriteHandle, reconciliationId: number, streamIds: readonly number[]): number {
  return write
    .prepare<[number, string], unknown>(
      `DELETE FROM matches WHERE id IN (
         SELECT m.id FROM matches m CROSS JOIN ${MEMBERS} CROSS JOIN records r ON r.id = ${MEMBER_ID}
         WHERE m.reconciliation_id = ? AND m.status = 'proposed' AND r.stream_id IN (SELECT value FROM json_each(?)))`,
    )
    .run(reconciliationId, JSON.stringify(streamIds)).changes;
}

/** Deletes the overdue marks of some streams' records in a reconciliation; returns how many. */
export function deleteOverdueMarksOfStreams(write: WriteHandle, reconciliationId: number, streamIds: readonly number[]): number {
  return write
    .prepare<[number, string], unknown>(
      `DELETE FROM overdue_records WHERE reconciliation_id = ? AND record_id IN (
         SELECT id FROM records WHERE stream_id IN (SELECT value FROM json_each(?)))`,
    )
    .run(reconciliationId, JSON.stringify(streamIds)).changes;
}
