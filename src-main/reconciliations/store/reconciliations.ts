import { type Change, changesAnything, query, type ReadHandle, type WriteHandle } from '../../database/database.ts';
import type { ReconciliationRow, Side } from '../../database/rows.ts';
import type { OffsetPage } from '../../imports/store/import-batches.ts';
import { MEMBER_ID, MEMBERS } from '../../matches/store/match-members.ts';
import { COUNTS } from '../../matches/store/matches.ts';
import { unlinkReconciliation } from '../../streams/store/stories.ts';

export function findReconciliation(read: ReadHandle, environmentId: number, id: number): ReconciliationRow | undefined {
  return read.first(query.selectFrom('reconciliations').selectAll().where('environment_id', '=', environmentId).where('id', '=', id));
}

/** Returns a reconciliation of any environment. */
export function reconciliationById(read: ReadHandle, id: number): ReconciliationRow | undefined {
  return read.first(query.selectFrom('reconciliations').selectAll().where('id', '=', id));
}

/** Returns reconciliations newest first, one row more than the limit. */
/** Returns the ids and names of all reconciliations of an environment, oldest first. */
export function reconciliationNames(read: ReadHandle, environmentId: number): { readonly id: number; readonly name: string }[] {
  return read.all(query.selectFrom('reconciliations').select(['id', 'name']).where('environment_id', '=', environmentId).orderBy('id'));
}

export function pageReconciliations(read: ReadHandle, environmentId: number, page: OffsetPage): ReconciliationRow[] {
  const after = page.after;
  let select = query.selectFrom('reconciliations').selectAll().where('environment_id', '=', environmentId);
  if (after === undefined) select = select.offset(page.offset);
  else {
    select = select.where((builder) =>
      builder.or([
        builder('created_at', '<', after.value),
        builder.and([builder('created_at', '=', after.value), builder('id', '<', after.id)]),
      ]),
    );
  }
  return read.all(
    select
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(page.limit + 1),
  );
}

interface SideStream {
  readonly reconciliation_id: number;
  readonly stream_id: number;
  readonly side: Side;
}

export function sideStreams(read: ReadHandle, reconciliationIds: readonly number[]): SideStream[] {
  if (reconciliationIds.length === 0) return [];
  return read.all(
    query
      .selectFrom('reconciliation_streams')
      .selectAll()
      .where('reconciliation_id', 'in', reconciliationIds)
      .orderBy('reconciliation_id')
      .orderBy('stream_id'),
  );
}

/** Returns the streams of each side of one reconciliation. */
export function streamIdsBySide(read: ReadHandle, reconciliationId: number): { readonly a: number[]; readonly b: number[] } {
  const rows = sideStreams(read, [reconciliationId]);
  return {
    a: rows.filter((row) => row.side === 'a').map((row) => row.stream_id),
    b: rows.filter((row) => row.side === 'b').map((row) => row.stream_id),
  };
}

export interface NewReconciliation extends SideIds {
  readonly environmentId: number;
  readonly name: string;
  readonly runType: string;
  readonly signConvention: string;
  readonly createdAtMs: number;
}

export function insertReconciliation(write: WriteHandle, created: NewReconciliation): number {
  const id = write.run(
    query.insertInto('reconciliations').values({
      environment_id: created.environmentId,
      name: created.name,
      run_type: created.runType,
      sign_convention: created.signConvention,
      published_run_id: null,
      proposals_since: null,
      created_at: created.createdAtMs,
    }),
  ).lastInsertId;
  insertSides(write, id, created);
  return id;
}

type ReconciliationChange = Change<
  Pick<ReconciliationRow, 'name' | 'run_type' | 'sign_convention' | 'published_run_id' | 'proposals_since'>
>;

export function updateReconciliation(write: WriteHandle, id: number, change: ReconciliationChange): void {
  if (changesAnything(change)) write.run(query.updateTable('reconciliations').set(change).where('id', '=', id));
}

/** Deletes a reconciliation with its rules, runs, matches and links; records stay. Returns the ids of the stories that contained it. */
export function deleteReconciliation(write: WriteHandle, id: number): number[] {
  const storyIds = unlinkReconciliation(write, id);
  write.run(query.deleteFrom('matches').where('reconciliation_id', '=', id));
  write.run(query.deleteFrom('dissolved_matches').where('reconciliation_id', '=', id));
  write.run(query.deleteFrom('separations').where('reconciliation_id', '=', id));
  write
    .prepare<[number], unknown>('UPDATE jobs SET run_id = NULL WHERE run_id IN (SELECT id FROM runs WHERE reconciliation_id = ?)')
    .run(id);
  write.prepare<[number], unknown>('DELETE FROM run_exclusions WHERE run_id IN (SELECT id FROM runs WHERE reconciliation_id = ?)').run(id);
  write.run(query.deleteFrom('runs').where('reconciliation_id', '=', id));
  write.run(query.deleteFrom('rules').where('reconciliation_id', '=', id));
  write.run(query.deleteFrom('reconciliation_streams').where('reconciliation_id', '=', id));
  write.run(query.deleteFrom('reconciliations').where('id', '=', id));
  return storyIds;
}

/** The ids of the streams on either side of a reconciliation. */
export interface SideIds {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/** Inserts the sides of a reconciliation that has none. */
function insertSides(write: WriteHandle, reconciliationId: number, sides: SideIds): void {
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
