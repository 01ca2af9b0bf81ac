import { query, type ReadHandle, type Row, type WriteHandle } from '../database/database.ts';

export type SyncLineRow = Row<'sync_lines'>;
export type NewSyncLine = SyncLineRow;
type Way = SyncLineRow['way'];

export function insertSyncLines(write: WriteHandle, lines: readonly NewSyncLine[]): void {
  const insert = write.prepare<(string | number | null)[], unknown>(
    'INSERT INTO sync_lines(run_id, way, counted, place, act, resource, local_id, name, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  for (const { run_id: run, way, counted, place, act, resource, local_id: localId, name, reason } of lines) {
    insert.run(run, way, counted, place, act, resource, localId, name, reason);
  }
}

interface Page {
  readonly counted: string | null;
  readonly limit: number;
  readonly offset: number;
}

export function syncLinesOf(read: ReadHandle, runId: number, way: Way, { counted, limit, offset }: Page): SyncLineRow[] {
  let lines = query.selectFrom('sync_lines').selectAll().where('run_id', '=', runId).where('way', '=', way);
  if (counted !== null) lines = lines.where('counted', '=', counted);
  return read.all(lines.orderBy('counted').orderBy('place').limit(limit).offset(offset));
}

export function countSyncLines(read: ReadHandle, runId: number, way: Way, counted: string | null): number {
  let lines = query
    .selectFrom('sync_lines')
    .select((all) => all.fn.countAll<number>().as('n'))
    .where('run_id', '=', runId)
    .where('way', '=', way);
  if (counted !== null) lines = lines.where('counted', '=', counted);
  return read.first(lines)?.n ?? 0;
}

/** The newest line of an object among what did not move with a remote. */
export function lastNotMoved(read: ReadHandle, remoteId: number, resource: string, localId: number): SyncLineRow | undefined {
  return read.first(
    query
      .selectFrom('sync_lines as l')
      .innerJoin('sync_runs as r', 'r.id', 'l.run_id')
      .selectAll('l')
      .where('r.remote_id', '=', remoteId)
      .where('l.way', '=', 'not_moved')
      .where('l.resource', '=', resource)
      .where('l.local_id', '=', localId)
      .orderBy('l.run_id', 'desc')
      .limit(1),
  );
}
