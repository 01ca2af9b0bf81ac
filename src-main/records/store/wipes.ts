import { query, type ReadHandle, type Row, type WriteHandle } from '../../database/database.ts';
import { MEMBER_ID, MEMBERS } from '../../matches/store/match-members.ts';

export type WipeRow = Row<'wipes'>;

/** `wiped_by` of a batch whose import failed. Wipes have ids above 0, so none of them clears it. */
export const BY_NO_WIPE = 0;

/** Whether anything is wiped. Queries check this first, and only once, because usually nothing is. */
export const SOMETHING_WIPED = 'EXISTS (SELECT 1 FROM wipes WHERE flipped_at IS NOT NULL)';

/** Whether the match `m` has lost no record to a wipe. */
export const NOT_WIPED_MATCH = `(NOT ${SOMETHING_WIPED} OR NOT EXISTS (
  SELECT 1 FROM wiped_matches w JOIN wipes k ON k.id = w.wipe_id WHERE w.match_id = m.id AND k.flipped_at IS NOT NULL))`;

/** Selects the ids of matches that lost a record to a wipe and are not cleared yet. */
export const WIPED_MATCH_IDS =
  'SELECT w.match_id FROM wipes k CROSS JOIN wiped_matches w ON w.wipe_id = k.id WHERE k.flipped_at IS NOT NULL';

type NewWipe = Pick<WipeRow, 'environment_id' | 'stream_id' | 'stream_key' | 'batch_id' | 'operation_id' | 'actor'>;

/** Inserts a wipe. From then on every match that comes to hold a record of the stream or batch is marked. */
export function insertWipe(write: WriteHandle, wipe: NewWipe): WipeRow {
  const { lastInsertId: id } = write.run(query.insertInto('wipes').values({ ...wipe, flipped_at: null }));
  return { ...wipe, id, flipped_at: null, records: 0, matches: 0, proposals: 0 };
}

export function wipeById(read: ReadHandle, id: number): WipeRow | undefined {
  return read.first(query.selectFrom('wipes').selectAll().where('id', '=', id));
}

export function wipeOfOperation(read: ReadHandle, operationId: number): WipeRow | undefined {
  return read.first(query.selectFrom('wipes').selectAll().where('operation_id', '=', operationId));
}

/** Returns the wipes that belong to a request and not to an operation: no one continues them after a start. */
export function wipesOfRequests(read: ReadHandle): WipeRow[] {
  return read.all(query.selectFrom('wipes').selectAll().where('operation_id', 'is', null).orderBy('id'));
}

/** Returns a text that changes when a wipe may have hidden something of a stream. */
export function wipesSeen(read: ReadHandle, streamId: number): string {
  return (
    read
      .prepare<[number], { seen: string }>(
        `SELECT json_array((SELECT seq FROM sqlite_sequence WHERE name = 'wipes'), json_group_array(id)) AS seen
         FROM (SELECT id FROM wipes WHERE stream_id = ? AND flipped_at IS NULL ORDER BY id)`,
      )
      .get(streamId)?.seen ?? ''
  );
}

export function updateWipe(
  write: WriteHandle,
  id: number,
  change: Partial<Pick<WipeRow, 'operation_id' | 'flipped_at' | 'records' | 'matches' | 'proposals'>>,
): void {
  write.run(query.updateTable('wipes').set(change).where('id', '=', id));
}

export function deleteWipe(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('wipes').where('id', '=', id));
}

/** Marks new matches that hold records of a wipe in preparation. `matchIds` is called only while there are such wipes. */
export function markMatchesOf(write: WriteHandle, matchIds: () => readonly number[]): void {
  if (write.prepare<[], unknown>('SELECT 1 FROM wipes LIMIT 1').get() === undefined) return;
  write
    .prepare<[string], unknown>(
      `INSERT OR IGNORE INTO wiped_matches(match_id, wipe_id, adjustment_id)
       SELECT DISTINCT m.id, k.id, m.adjustment_id
       FROM wipes k CROSS JOIN json_each(?) j CROSS JOIN matches m ON m.id = j.value CROSS JOIN ${MEMBERS} CROSS JOIN records r ON r.id = ${MEMBER_ID}
       WHERE k.flipped_at IS NULL AND r.stream_id = k.stream_id AND (k.batch_id IS NULL OR r.batch_id = k.batch_id)`,
    )
    .run(JSON.stringify(matchIds()));
}

/** Removes the records of a new match from wiped matches that are not cleared yet. `recordIds` is called only while there are such matches. */
export function letGo(write: WriteHandle, reconciliationId: number, recordIds: () => readonly number[]): void {
  if (write.prepare<[], unknown>(`SELECT 1 WHERE ${SOMETHING_WIPED}`).get() === undefined) return;
  write
    .prepare<[number, string], unknown>(
      `UPDATE match_records SET slot = match_id WHERE reconciliation_id = ? AND slot = 0
         AND record_id IN (SELECT value FROM json_each(?)) AND match_id IN (${WIPED_MATCH_IDS})`,
    )
    .run(reconciliationId, JSON.stringify(recordIds()));
}

/** The position of the search for a wipe's matches, which goes through the records by day. */
export interface WipeCursor {
  readonly day: number;
  readonly id: number;
}

/** Returns the number of up to `limit` records after a position, the last of them, and the unmarked matches that hold any. */
export function unmarkedMatches(read: ReadHandle, wipe: WipeRow, after: WipeCursor, limit: number) {
  const ofWipe = wipe.batch_id === null ? 'stream_id' : 'batch_id';
  const slice = read
    .prepare<[number, number, number, number], WipeCursor>(
      `SELECT day, id FROM records WHERE ${ofWipe} = ? AND (day, id) > (?, ?) ORDER BY day, id LIMIT ?`,
    )
    .all(wipe.batch_id ?? wipe.stream_id, after.day, after.id, limit);
  const matchIds = read
    .prepare<[string, number], { id: number }>(
      `SELECT DISTINCT mr.match_id AS id FROM json_each(?) j JOIN match_records mr ON mr.record_id = j.value
       WHERE NOT EXISTS (SELECT 1 FROM wiped_matches w WHERE w.match_id = mr.match_id AND w.wipe_id = ?)`,
    )
    .all(JSON.stringify(slice.map((row) => row.id)), wipe.id)
    .map((row) => row.id);
  return { records: slice.length, last: slice.at(-1) ?? null, matchIds };
}

/** Marks those of the matches that still exist. */
export function markMatches(write: WriteHandle, wipeId: number, matchIds: readonly number[]): void {
  write
    .prepare<[number, string], unknown>(
      `INSERT OR IGNORE INTO wiped_matches(match_id, wipe_id, adjustment_id)
       SELECT m.id, ?, m.adjustment_id FROM json_each(?) j JOIN matches m ON m.id = j.value`,
    )
    .run(wipeId, JSON.stringify(matchIds));
}

export function markedMatches(read: ReadHandle, wipeId: number): number {
  return read.prepare<[number], { n: number }>('SELECT count(*) AS n FROM wiped_matches WHERE wipe_id = ?').get(wipeId)?.n ?? 0;
}

/** Removes up to `limit` marks; returns how many. */
export function unmarkMatches(write: WriteHandle, wipeId: number, limit: number): number {
  return write
    .prepare<[number, number, number], unknown>(
      'DELETE FROM wiped_matches WHERE wipe_id = ? AND match_id IN (SELECT match_id FROM wiped_matches WHERE wipe_id = ? LIMIT ?)',
    )
    .run(wipeId, wipeId, limit).changes;
}

/** Moves records into the batch of the wipe, in which they stay visible. Creates the batch if needed. Returns how many were moved. */
function gather(write: WriteHandle, wipe: WipeRow, atMs: number, recordIds: readonly number[]): number {
  if (recordIds.length === 0) return 0;
  write
    .prepare<number[], unknown>(
      `INSERT INTO import_batches(id, environment_id, stream_id, writing, source, format, sha256, byte_length, kept, skipped, rejected,
         totals, proof, problems, created_at)
       VALUES (?, ?, ?, 0, 'wipe', '', '', 0, 0, 0, 0, '[]', 'unproved', '[]', ?) ON CONFLICT(id) DO NOTHING`,
    )
    .run(-wipe.id, wipe.environment_id, wipe.stream_id, atMs);
  // Another wipe of the stream was published meanwhile and hid this one's batch. Newer records must not be hidden with it.
  const isOwn =
    write.prepare<[number], unknown>('SELECT 1 FROM import_batches WHERE id = ? AND wiped_by IS NULL').get(-wipe.id) !== undefined;
  if (!isOwn) return 0;
  return write
    .prepare<[number, string], unknown>('UPDATE records SET batch_id = ? WHERE id IN (SELECT value FROM json_each(?))')
    .run(-wipe.id, JSON.stringify(recordIds)).changes;
}

/** Gathers up to `limit` records of the stream without a batch; returns how many. */
export function gatherLooseRecords(write: WriteHandle, wipe: WipeRow, atMs: number, limit: number): number {
  if (wipe.batch_id !== null) return 0;
  const loose = write
    .prepare<[number, number], { id: number }>('SELECT id FROM records WHERE stream_id = ? AND batch_id IS NULL ORDER BY id LIMIT ?')
    .all(wipe.stream_id, limit)
    .map((row) => row.id);
  return gather(write, wipe, atMs, loose);
}

/**
 * Gathers up to `limit` adjustments of marked matches; returns how many. Takes them from another wipe in preparation too: whichever is published
 * first hides them.
 */
export function gatherAdjustments(write: WriteHandle, wipe: WipeRow, atMs: number, limit: number): number {
  const adjustments = write
    .prepare<[number, number, number], { id: number }>(
      `SELECT r.id FROM wiped_matches w JOIN records r ON r.id = w.adjustment_id
       WHERE w.wipe_id = ? AND w.adjustment_id IS NOT NULL AND (r.batch_id IS NULL OR (r.batch_id <> ? AND r.batch_id NOT IN
         (SELECT id FROM import_batches WHERE writing = 1))) LIMIT ?`,
    )
    .all(wipe.id, -wipe.id, limit)
    .map((row) => row.id);
  return gather(write, wipe, atMs, adjustments);
}

/**
 * Returns up to `limit` gathered records to where they were, and at last deletes their batch; returns how many. Records that another wipe of the
 * stream hid meanwhile stay hidden.
 */
export function scatterRecords(write: WriteHandle, wipeId: number, limit: number): number {
  const { changes } = write
    .prepare<[number, number], unknown>(
      `UPDATE records SET batch_id = NULL WHERE id IN (SELECT r.id FROM records r JOIN import_batches b ON b.id = r.batch_id
       WHERE r.batch_id = ? AND b.wiped_by IS NULL LIMIT ?)`,
    )
    .run(-wipeId, limit);
  if (changes === 0) write.run(query.deleteFrom('import_batches').where('id', '=', -wipeId).where('wiped_by', 'is', null));
  return changes;
}
