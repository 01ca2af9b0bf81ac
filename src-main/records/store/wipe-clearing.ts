import { present } from '../../../src-shared/values/assert.ts';
import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import { MEMBER_ID, MEMBERS } from '../../matches/store/match-members.ts';
import { PUBLISHED_MATCH } from '../../matches/store/matches.ts';
import { noteWipe } from '../../runs/store/runs.ts';
import { keyValues, recordsOfKey } from './listed-records.ts';
import { BY_NO_WIPE, updateWipe, type WipeRow } from './wipes.ts';

/** The environment of streams that are being deleted. Every read is by environment, so this hides them and frees their keys. */
const REMOVED_ENVIRONMENT = 0;

/** Selects the batches of a wipe, which hold its records. */
const WIPED_BATCHES = 'SELECT id FROM import_batches WHERE wiped_by = ?';

/** Runs the publish step: hides the records of the wipe and every match that holds one. Everything else was prepared before. */
export function publishWipe(write: WriteHandle, wipe: WipeRow, atMs: number): void {
  const mark = 'UPDATE import_batches SET writing = 1, wiped_by = ? WHERE writing = 0';
  if (wipe.batch_id === null) write.prepare<[number, number], unknown>(`${mark} AND stream_id = ?`).run(wipe.id, wipe.stream_id);
  else write.prepare<[number, number, number], unknown>(`${mark} AND id IN (?, ?)`).run(wipe.id, wipe.batch_id, -wipe.id);
  noteWipe(write, wipe.stream_id);
  updateWipe(write, wipe.id, { flipped_at: atMs });
}

/** Hides the stream itself, as part of the publish step of a delete. */
export function removeStream(write: WriteHandle, streamId: number): void {
  write
    .prepare<[number, number], unknown>(
      `UPDATE streams SET environment_id = ?, key = 'removed-' || id, bank_account_id = NULL WHERE id = ?`,
    )
    .run(REMOVED_ENVIRONMENT, streamId);
}

/** The matches that one reconciliation loses; `others` counts the records outside of the wipe that become unreconciled. */
export interface LostMatches {
  readonly reconciliationId: number;
  readonly matches: number;
  readonly proposals: number;
  readonly others: number;
  readonly matchIds: readonly number[];
  /** The adjustments of such matches, which are deleted with them. */
  readonly adjustmentIds: readonly number[];
}

interface MarkedMatch {
  readonly id: number;
  readonly reconciliation_id: number;
  readonly status: 'matched' | 'proposed';
  readonly adjustment_id: number | null;
  readonly is_published: 0 | 1;
  readonly others: number;
}

/** Deletes up to `limit` matches of a wipe. Returns how many were deleted, and the visible ones among them. */
export function clearMatches(write: WriteHandle, wipe: WipeRow, limit: number): { readonly gone: number; readonly lost: LostMatches[] } {
  const marked = write
    .prepare<[number, number, number], MarkedMatch>(
      `SELECT m.id, m.reconciliation_id, m.status, m.adjustment_id, ${PUBLISHED_MATCH} AS is_published,
         (SELECT count(*) FROM ${MEMBERS} JOIN records r ON r.id = ${MEMBER_ID}
          WHERE (r.batch_id IS NULL OR r.batch_id NOT IN (${WIPED_BATCHES}))) AS others
       FROM wiped_matches w JOIN matches m ON m.id = w.match_id WHERE w.wipe_id = ? ORDER BY m.id LIMIT ?`,
    )
    .all(wipe.id, wipe.id, limit);
  if (marked.length === 0) return { gone: 0, lost: [] };
  const published = marked.filter((match) => match.is_published === 1);
  const lost = [...Map.groupBy(published, (match) => match.reconciliation_id)].map(([reconciliationId, matches]) => {
    const counted = matches.filter((match) => match.status === 'matched');
    return {
      reconciliationId,
      matches: counted.length,
      proposals: matches.length - counted.length,
      others: counted.reduce((sum, match) => sum + match.others, 0),
      matchIds: matches.map((match) => match.id),
      adjustmentIds: matches.map((match) => match.adjustment_id).filter((id) => id !== null),
    };
  });
  write
    .prepare<[string], unknown>('DELETE FROM matches WHERE id IN (SELECT value FROM json_each(?))')
    .run(JSON.stringify(marked.map((match) => match.id)));
  return { gone: marked.length, lost };
}

/** Deletes up to `limit` records of a wipe, batch by batch, so that they are close together on disk. Returns how many were deleted. */
export function clearRecords(write: WriteHandle, wipe: WipeRow, isStreamGone: boolean, limit: number): number {
  const ofBatches = write
    .prepare<[number, number], unknown>(
      `DELETE FROM records WHERE id IN (SELECT id FROM records WHERE batch_id IN (${WIPED_BATCHES}) ORDER BY batch_id, created_at, id LIMIT ?)`,
    )
    .run(wipe.id, limit).changes;
  if (ofBatches > 0 || !isStreamGone) return ofBatches;
  // Includes records that another wipe was still clearing when the stream was deleted. Rows of abandoned imports are left out: they were never
  // visible.
  return write
    .prepare<[number, number, number], unknown>(
      `DELETE FROM records WHERE id IN (
         SELECT id FROM records WHERE batch_id IN (SELECT id FROM import_batches WHERE stream_id = ? AND wiped_by IS NOT ${BY_NO_WIPE})
         UNION ALL SELECT id FROM records INDEXED BY records_loose WHERE stream_id = ? AND batch_id IS NULL LIMIT ?)`,
    )
    .run(wipe.stream_id, wipe.stream_id, limit).changes;
}

/** Returns the records and the visible matched matches that a wipe has cleared or has still to clear. */
export function figuresOfWipe(read: ReadHandle, wipeId: number): { readonly records: number; readonly matches: number } {
  return present(
    read
      .prepare<[number], { records: number; matches: number }>(
        `SELECT k.records + (SELECT count(*) FROM records WHERE batch_id IN (SELECT id FROM import_batches WHERE wiped_by = k.id)) AS records,
           k.matches + (SELECT count(*) FROM wiped_matches w JOIN matches m ON m.id = w.match_id
             WHERE w.wipe_id = k.id AND m.status = 'matched' AND ${PUBLISHED_MATCH}) AS matches FROM wipes k WHERE k.id = ?`,
      )
      .get(wipeId),
    'wipe',
  );
}

/**
 * Deletes the batches and the stream of a wipe once their records are gone. A stream with rows of an abandoned import is deleted with the last of
 * these rows.
 */
export function clearHolders(write: WriteHandle, wipe: WipeRow, isStreamGone: boolean): void {
  write.prepare<[number], unknown>('DELETE FROM import_batches WHERE wiped_by = ?').run(wipe.id);
  if (!isStreamGone) return;
  write.prepare<[number], unknown>(`DELETE FROM import_batches WHERE stream_id = ? AND wiped_by IS NOT ${BY_NO_WIPE}`).run(wipe.stream_id);
  write
    .prepare<[number], unknown>(
      'DELETE FROM streams WHERE id = ? AND NOT EXISTS (SELECT 1 FROM import_batches WHERE stream_id = streams.id)',
    )
    .run(wipe.stream_id);
}

/** Frees the dedupe key of a wiped record that is not cleared yet. Returns whether there was one. */
export function releaseDedupeKey(write: WriteHandle, streamId: number, dedupeKey: string): boolean {
  const wiped = recordsOfKey('r.id', 'r.batch_id IN (SELECT id FROM import_batches WHERE wiped_by IS NOT NULL)');
  return (
    write
      .prepare<[number, string, number], unknown>(`UPDATE records SET dedupe_key = NULL WHERE id IN (${wiped})`)
      .run(...keyValues(streamId, dedupeKey)).changes > 0
  );
}
