import type { OffsetPage } from '../../imports/store/import-batches.ts';
import { type Change, changesAnything, query, type ReadHandle, type WriteHandle } from '../../database/database.ts';
import type { ReconciliationRow, Side } from '../../database/rows.ts';
import { unlinkReconciliation } from '../../streams/store/stories.ts';
import { insertSides, type SideIds } from './reconciliation-sides.ts';

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
