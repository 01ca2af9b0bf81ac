import type { ReadHandle, WriteHandle } from './database.ts';
import { deleteMatch, deleteMatchesOfRun, dropAdjustment, matchIdsHolding, VISIBLE_MATCH } from './matches.ts';
import { writingRunsOfStream } from './runs.ts';
import type { StreamOperationRow } from './stream-operations.ts';

/** Environment of streams that are being deleted: every read is by environment, so they are out of sight and their keys free. */
const REMOVED_ENVIRONMENT = 0;

/** What one reconciliation loses; `others` counts the records of other streams that turn unreconciled. */
export interface LostMatches {
  readonly reconciliationId: number;
  matches: number;
  proposals: number;
  others: number;
  readonly matchIds: number[];
  /** Records that made such matches balance: they go at once. */
  readonly adjustmentIds: number[];
}
export interface Wiped {
  readonly records: number;
  readonly lost: readonly LostMatches[];
  /** Rows that are out of sight now and have to go. */
  readonly rows: number;
}

interface HoldingMatch {
  readonly id: number;
  readonly reconciliation_id: number;
  readonly status: 'matched' | 'proposed';
  readonly record_count: number;
  readonly adjustment_id: number | null;
  readonly is_visible: 0 | 1;
  readonly own: number;
}

/** Every match that holds a record of the stream: visible, under way or superseded. */
function matchesHolding(read: ReadHandle, streamId: number): HoldingMatch[] {
  return read
    .prepare<[number], HoldingMatch>(
      `SELECT m.id, m.reconciliation_id, m.status, m.record_count, m.adjustment_id, (${VISIBLE_MATCH}) AS is_visible, held.own
       FROM (SELECT mr.match_id, count(*) AS own FROM records r JOIN match_records mr ON mr.record_id = r.id
             WHERE r.stream_id = ? GROUP BY mr.match_id) held JOIN matches m ON m.id = held.match_id ORDER BY m.id`,
    )
    .all(streamId);
}

/** A run that nobody sees, whose matches nobody sees. */
function insertWipeRun(write: WriteHandle, operationId: number, reconciliationId: number, atMs: number): number {
  const created = write
    .prepare<[number, string, number], unknown>(
      `INSERT INTO runs(id, reconciliation_id, writing, kind, mode, cause, status, created_at)
       VALUES (min(0, coalesce((SELECT min(id) FROM runs), 0)) - 1, ?, 1, 'wipe', 'commit', ?, 'wipe', ?)`,
    )
    .run(reconciliationId, String(operationId), atMs);
  return Number(created.lastInsertRowid);
}

function wipeRuns(read: ReadHandle, operationId: number): number[] {
  return read
    .prepare<[string], { id: number }>("SELECT id FROM runs WHERE id < 0 AND status = 'wipe' AND cause = ?")
    .all(String(operationId))
    .map((row) => row.id);
}

function hideMatches(write: WriteHandle, operation: StreamOperationRow, atMs: number): { lost: LostMatches[]; rows: number } {
  const held = matchesHolding(write, operation.stream_id);
  const move = write.prepare<[number, number], unknown>('UPDATE matches SET run_id = ? WHERE id = ?');
  const lost: LostMatches[] = [];
  for (const [reconciliationId, matches] of Map.groupBy(held, (match) => match.reconciliation_id)) {
    const runId = insertWipeRun(write, operation.id, reconciliationId, atMs);
    const figures: LostMatches = { reconciliationId, matches: 0, proposals: 0, others: 0, matchIds: [], adjustmentIds: [] };
    for (const match of matches) {
      move.run(runId, match.id);
      dropAdjustment(write, match);
      if (match.adjustment_id !== null) figures.adjustmentIds.push(match.adjustment_id);
      if (match.is_visible === 0) continue;
      figures.matchIds.push(match.id);
      if (match.status === 'proposed') figures.proposals += 1;
      else {
        figures.matches += 1;
        figures.others += match.record_count - match.own - (match.adjustment_id === null ? 0 : 1);
      }
    }
    lost.push(figures);
  }
  return { lost, rows: held.length };
}

/** Batches of the stream and its loose records go out of sight, and runs under way leave the records alone. */
function hideRecords(write: WriteHandle, operation: StreamOperationRow, atMs: number): number {
  const loose = write.prepare<[number], unknown>('SELECT 1 FROM records WHERE stream_id = ? AND batch_id IS NULL LIMIT 1');
  if (loose.get(operation.stream_id) !== undefined) {
    write
      .prepare<number[], unknown>(
        `INSERT INTO import_batches(id, environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected,
           totals, proof, problems, created_at, wiped_by)
         VALUES (?, ?, ?, 1, 'wipe', '', '', 0, 0, 0, 0, '[]', 'unproved', '[]', ?, ?)`,
      )
      .run(-operation.id, operation.environment_id, operation.stream_id, atMs, operation.id);
    write
      .prepare<[number, number], unknown>('UPDATE records SET batch_id = ? WHERE stream_id = ? AND batch_id IS NULL')
      .run(-operation.id, operation.stream_id);
  }
  write
    .prepare<[number, number], unknown>('UPDATE import_batches SET writing = 1, wiped_by = ? WHERE stream_id = ? AND writing = 0')
    .run(operation.id, operation.stream_id);
  for (const runId of writingRunsOfStream(write, operation.stream_id)) {
    write
      .prepare<[number, number], unknown>(
        'INSERT INTO run_exclusions(run_id, record_id) SELECT ?, id FROM records WHERE stream_id = ? ON CONFLICT DO NOTHING',
      )
      .run(runId, operation.stream_id);
  }
  return (
    write
      .prepare<[number], { n: number }>(
        'SELECT count(*) AS n FROM records WHERE batch_id IN (SELECT id FROM import_batches WHERE wiped_by = ?)',
      )
      .get(operation.id)?.n ?? 0
  );
}

/** The flip: the records of a stream, the matches that held one and, for a delete, the stream itself are gone for everyone. */
export function wipeStream(write: WriteHandle, operation: StreamOperationRow, atMs: number): Wiped {
  const matches = hideMatches(write, operation, atMs);
  const records = hideRecords(write, operation, atMs);
  if (operation.kind === 'delete') {
    write
      .prepare<[number, number], unknown>(
        `UPDATE streams SET environment_id = ?, key = 'removed-' || id, bank_account_id = NULL WHERE id = ?`,
      )
      .run(REMOVED_ENVIRONMENT, operation.stream_id);
  }
  return { records, lost: matches.lost, rows: matches.rows + records };
}

/** Deletes up to `limit` rows of what a wipe took out of sight, matches before records; answers how many went. */
export function deleteWipedRows(write: WriteHandle, operation: StreamOperationRow, limit: number): number {
  for (const runId of wipeRuns(write, operation.id)) {
    const gone = deleteMatchesOfRun(write, runId, limit);
    if (gone > 0) return gone;
  }
  const ofStream = write.prepare<[number, number], unknown>(
    'DELETE FROM records WHERE id IN (SELECT id FROM records WHERE stream_id = ? LIMIT ?)',
  );
  const ofBatches = write.prepare<[number, number], unknown>(
    `DELETE FROM records WHERE id IN (
       SELECT id FROM records WHERE batch_id IN (SELECT id FROM import_batches WHERE wiped_by = ?) LIMIT ?)`,
  );
  return operation.kind === 'delete' ? ofStream.run(operation.stream_id, limit).changes : ofBatches.run(operation.id, limit).changes;
}

/** Deletes what held the rows of a wipe, once those are gone. */
export function deleteWipe(write: WriteHandle, operation: StreamOperationRow): void {
  for (const runId of wipeRuns(write, operation.id)) write.prepare<[number], unknown>('DELETE FROM runs WHERE id = ?').run(runId);
  write.prepare<[number], unknown>('DELETE FROM import_batches WHERE wiped_by = ?').run(operation.id);
  if (operation.kind === 'reset') return;
  write.prepare<[number], unknown>('DELETE FROM import_batches WHERE stream_id = ?').run(operation.stream_id);
  write.prepare<[number], unknown>('DELETE FROM streams WHERE id = ?').run(operation.stream_id);
}

/** A row of a wipe that is not cleared yet must not stand in the way of a new record; answers whether one did. */
export function deleteWipedDuplicate(write: WriteHandle, streamId: number, dedupeKey: string): boolean {
  const found = write
    .prepare<[number, string], { id: number }>(
      `SELECT id FROM records WHERE stream_id = ? AND dedupe_key = ? AND batch_id IN (SELECT id FROM import_batches WHERE wiped_by IS NOT NULL)`,
    )
    .get(streamId, dedupeKey);
  if (found === undefined) return false;
  for (const matchId of matchIdsHolding(write, found.id)) deleteMatch(write, matchId);
  write.prepare<[number], unknown>('DELETE FROM records WHERE id = ?').run(found.id);
  return true;
}
