import type { ReadHandle, WriteHandle } from '../../database/database.ts';
import { NOT_WIPED_MATCH, WIPED_MATCH_IDS } from '../../records/store/wipes.ts';
import type { WritingRun } from './run-match-rows.ts';

/**
 * Returns the records that a run must leave alone: those that were matched by a person, edited, deleted or wiped since it read them. Needed only if
 * something was noted for the run, because each of these is noted.
 */
export function staleRecords(read: ReadHandle, run: WritingRun, recordIds: readonly number[]): Set<number> {
  const rows = read
    .prepare<[string, number, number], { id: number }>(
      `SELECT j.value AS id FROM json_each(?) j LEFT JOIN records r ON r.id = j.value
       LEFT JOIN run_exclusions x ON x.run_id = ? AND x.record_id = j.value
       LEFT JOIN match_records c ON c.record_id = j.value AND c.reconciliation_id = ? AND c.slot = 0
         AND c.match_id NOT IN (${WIPED_MATCH_IDS})
       WHERE r.id IS NULL OR r.batch_id IN (SELECT id FROM import_batches WHERE writing = 1)
         OR x.record_id IS NOT NULL OR c.record_id IS NOT NULL`,
    )
    .all(JSON.stringify(recordIds), run.runId, run.reconciliationId);
  return new Set(rows.map((row) => row.id));
}

/** Returns those matches of a run that have been deleted since. */
export function goneMatches(read: ReadHandle, matchIds: readonly number[]): number[] {
  return read
    .prepare<[string], { id: number }>(
      'SELECT j.value AS id FROM json_each(?) j WHERE NOT EXISTS (SELECT 1 FROM matches m WHERE m.id = j.value)',
    )
    .all(JSON.stringify(matchIds))
    .map((row) => row.id);
}

/** The matches `m` of an unpublished run, by its id range; bind the run's id. */
const OF_UNPUBLISHED_RUN =
  'runs u CROSS JOIN matches m ON m.id BETWEEN u.first_match_id AND u.last_match_id AND m.run_id = u.id WHERE u.id = ?';

/** A match to delete, and the number of its records. */
export interface GoingMatch {
  readonly id: number;
  readonly record_count: number;
}

/** Returns up to `limit` matches of an unpublished run, newest first. */
export function matchesOfUnpublishedRun(read: ReadHandle, runId: number, limit: number): GoingMatch[] {
  return read
    .prepare<[number, number], GoingMatch>(`SELECT m.id, m.record_count FROM ${OF_UNPUBLISHED_RUN} ORDER BY m.id DESC LIMIT ?`)
    .all(runId, limit);
}

/** The proposals of a reconciliation that a newer run replaced; bind the reconciliation, and the last run that computed all. */
const SUPERSEDED = "matches m INDEXED BY matches_status WHERE m.reconciliation_id = ? AND m.status = 'proposed' AND m.run_id < ?";

/** Returns up to `limit` proposals that a newer run replaced, oldest first. */
export function supersededProposals(read: ReadHandle, reconciliationId: number, proposalsSince: number, limit: number): GoingMatch[] {
  return read
    .prepare<[number, number, number], GoingMatch>(`SELECT m.id, m.record_count FROM ${SUPERSEDED} ORDER BY m.id LIMIT ?`)
    .all(reconciliationId, proposalsSince, limit);
}

/** Deletes invisible matches together with their members. */
export function deleteUnseenMatches(write: WriteHandle, ids: readonly number[]): void {
  write.prepare<[string], unknown>('DELETE FROM matches WHERE id IN (SELECT value FROM json_each(?))').run(JSON.stringify(ids));
}

/** Returns the reconciliations with proposals that a newer run replaced. */
export function reconciliationsWithSuperseded(read: ReadHandle): { readonly id: number; readonly proposals_since: number }[] {
  return read
    .prepare<[], { id: number; proposals_since: number }>(
      `SELECT c.id, c.proposals_since FROM reconciliations c WHERE EXISTS (
         SELECT 1 FROM matches m WHERE m.reconciliation_id = c.id AND m.status = 'proposed' AND m.run_id < c.proposals_since)`,
    )
    .all();
}

export interface RunCount {
  readonly rule_id: number;
  readonly status: 'matched' | 'proposed';
  readonly matches: number;
  readonly records: number;
  readonly side_a: number;
}

/** Returns the counts of an unpublished run's matches, by rule and status. */
export function countMatchesOfRun(read: ReadHandle, runId: number): RunCount[] {
  return read
    .prepare<[number], RunCount>(
      `SELECT m.rule_id, m.status, count(*) AS matches, sum(m.record_count) AS records, sum(m.side_a_count) AS side_a
       FROM ${OF_UNPUBLISHED_RUN} AND ${NOT_WIPED_MATCH} GROUP BY m.rule_id, m.status`,
    )
    .all(runId);
}

/** Returns a text that changes when matches of a run may have been deleted: by an edit, a person's match, or a wipe. */
export function takenFromRun(read: ReadHandle, runId: number): string {
  return (
    read
      .prepare<[number], { seen: string }>(
        `SELECT json_array((SELECT count(*) FROM run_exclusions WHERE run_id = ?), (SELECT seq FROM sqlite_sequence WHERE name = 'wipes'),
           (SELECT json_group_array(id || '-' || (flipped_at IS NOT NULL)) FROM (SELECT id, flipped_at FROM wipes ORDER BY id))) AS seen`,
      )
      .get(runId)?.seen ?? ''
  );
}

/** Returns the matches of a run that hold a record. */
export function runMatchesHolding(read: ReadHandle, run: Pick<WritingRun, 'runId' | 'reconciliationId'>, recordId: number): number[] {
  return read
    .prepare<[number, number, number], { id: number }>(
      `SELECT m.id FROM match_records mr JOIN matches m ON m.id = mr.match_id
       WHERE mr.record_id = ? AND mr.reconciliation_id = ? AND m.run_id = ?`,
    )
    .all(recordId, run.reconciliationId, run.runId)
    .map((row) => row.id);
}

/** Returns up to `limit` ids, ascending after an id, of matches that a published run made and no person has confirmed since. */
export function ruleMatchesOfRun(
  read: ReadHandle,
  run: { readonly id: number; readonly first_match_id: number | null; readonly last_match_id: number | null },
  after: number,
  limit: number,
): number[] {
  if (run.first_match_id === null || run.last_match_id === null) return [];
  return read
    .prepare<[number, number, number, number], { id: number }>(
      `SELECT m.id FROM matches m WHERE m.id BETWEEN ? AND ? AND m.run_id = ? AND m.status = 'matched' AND m.confirmed_at IS NULL
       AND ${NOT_WIPED_MATCH} ORDER BY m.id LIMIT ?`,
    )
    .all(Math.max(run.first_match_id, after + 1), run.last_match_id, run.id, limit)
    .map((row) => row.id);
}
