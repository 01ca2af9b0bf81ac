import { storedJson } from '../../database/json-columns.ts';
import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';

export type NotMovedRow = Row<'sync_lines'>;
export type NotMovedAct = NotMovedRow['act'];
export type MovedAct = 'made' | 'changed' | 'removed';
type MovedWay = Row<'sync_moves'>['way'];
type Way = MovedWay | 'not_moved';

/** The effect of one sync on one object, or the reason why the object did not move. */
export interface SyncLineRow {
  readonly counted: string;
  readonly act: MovedAct | NotMovedAct;
  readonly resource: string;
  readonly local_id: number | null;
  readonly name: string;
  readonly reason: string | null;
}

export interface MovedLine {
  readonly act: MovedAct;
  readonly resource: string;
  readonly local_id: number | null;
  readonly name: string;
}

/** Consecutive lines; the first has the place `place`. */
export type NewMoves = Pick<Row<'sync_moves'>, 'run_id' | 'way' | 'counted' | 'place'> & { readonly lines: readonly MovedLine[] };

/** A moved line in JSON. */
type Packed = [act: MovedAct, resource: string, localId: number | null, name: string];

export function insertMoves(write: WriteHandle, { run_id: run, way, counted, place, lines }: NewMoves): void {
  const packed = lines.map(({ act, resource, local_id: localId, name }): Packed => [act, resource, localId, name]);
  write
    .prepare<(string | number)[], unknown>('INSERT INTO sync_moves(run_id, way, counted, place, count, lines) VALUES (?, ?, ?, ?, ?, ?)')
    .run(run, way, counted, place, lines.length, JSON.stringify(packed));
}

export function insertNotMoved(write: WriteHandle, line: NotMovedRow): void {
  write.run(query.insertInto('sync_lines').values(line));
}

interface Page {
  readonly counted: string | null;
  readonly limit: number;
  readonly offset: number;
}

/** Selects the rows that hold a page; `start` is the place of a row's first line among all lines asked for. */
const MOVES = `SELECT p.start, m.counted, m.lines FROM (
    SELECT counted, place, count, sum(count) OVER (ORDER BY counted, place) - count AS start FROM sync_moves
    WHERE run_id = @run AND way = @way AND counted = coalesce(@counted, counted)) p
  JOIN sync_moves m ON m.run_id = @run AND m.way = @way AND m.counted = p.counted AND m.place = p.place
  WHERE p.start < @end AND p.start + p.count > @offset ORDER BY p.start`;

function movedLines(read: ReadHandle, run: number, way: MovedWay, { counted, limit, offset }: Page): SyncLineRow[] {
  const asked = { run, way, counted, offset, end: offset + limit };
  const rows = read.prepare<[typeof asked], { start: number; counted: string; lines: string }>(MOVES).all(asked);
  return rows.flatMap((row) =>
    storedJson('sync_moves.lines', row.lines, run)
      .slice(Math.max(0, offset - row.start), asked.end - row.start)
      .map(([act, resource, localId, name]) => ({ counted: row.counted, act, resource, local_id: localId, name, reason: null })),
  );
}

export function syncLinesOf(read: ReadHandle, runId: number, way: Way, page: Page): SyncLineRow[] {
  if (way !== 'not_moved') return movedLines(read, runId, way, page);
  const { counted, limit, offset } = page;
  let lines = query.selectFrom('sync_lines').selectAll().where('run_id', '=', runId);
  if (counted !== null) lines = lines.where('counted', '=', counted);
  return read.all(lines.orderBy('counted').orderBy('place').limit(limit).offset(offset));
}

export function countSyncLines(read: ReadHandle, runId: number, way: Way, counted: string | null): number {
  const sql =
    way === 'not_moved'
      ? 'SELECT count(*) AS n FROM sync_lines WHERE run_id = @run'
      : 'SELECT coalesce(sum(count), 0) AS n FROM sync_moves WHERE run_id = @run AND way = @way';
  const asked = { run: runId, way, counted };
  return read.prepare<[typeof asked], { n: number }>(`${sql} AND counted = coalesce(@counted, counted)`).get(asked)?.n ?? 0;
}

/** Returns the newest entry that says why an object did not move to or from a remote. */
export function lastNotMoved(read: ReadHandle, remoteId: number, resource: string, localId: number): NotMovedRow | undefined {
  return read.first(
    query
      .selectFrom('sync_lines as l')
      .innerJoin('sync_runs as r', 'r.id', 'l.run_id')
      .selectAll('l')
      .where('r.remote_id', '=', remoteId)
      .where('l.resource', '=', resource)
      .where('l.local_id', '=', localId)
      .orderBy('l.run_id', 'desc')
      .limit(1),
  );
}
