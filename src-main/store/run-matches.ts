import type { ReadHandle, WriteHandle } from './database.ts';
import { memberColumns } from './match-members.ts';
import { letGo, markNewMatches, NOT_WIPED_MATCH, WIPED_MATCH_IDS } from './wipes.ts';

/** A match as a run writes it; `explanation` and `groupKey` null: made from its records when it is read. */
export interface RunMatch {
  readonly ruleId: number;
  readonly status: 'matched' | 'proposed';
  readonly certainty: string;
  readonly differenceMinor: number;
  /** As it is stored; null where none is known. */
  readonly margin: string | null;
  readonly groupKey: string | null;
  readonly explanation: readonly string[] | null;
  readonly aIds: readonly number[];
  readonly bIds: readonly number[];
}

export interface WritingRun {
  readonly runId: number;
  readonly reconciliationId: number;
  readonly atMs: number;
}

const INSERT = `INSERT INTO matches(reconciliation_id, run_id, origin, created_at, rule_id, status, certainty, difference, group_key, explanation,
    record_count, side_a_count, a_record_id, b_record_id, members, margin)
  SELECT ?, ?, 'rule', ?, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8,
    value ->> 9, value ->> 10, value ->> 11 FROM json_each(?)`;

/** Writes the matches of a chunk of a run, in their order, by one statement. */
export function insertRunMatches(write: WriteHandle, run: WritingRun, matches: readonly RunMatch[]): void {
  if (matches.length === 0) return;
  const rows = matches.map((match) => {
    const held = memberColumns(match.aIds, match.bIds);
    const { ruleId, status, certainty, differenceMinor, groupKey } = match;
    const explanation = match.explanation === null ? '' : JSON.stringify(match.explanation);
    const members = [held.record_count, held.side_a_count, held.a_record_id, held.b_record_id, held.members];
    return [ruleId, status, certainty, differenceMinor, groupKey, explanation, ...members, match.margin];
  });
  const counted = matches.flatMap((match) => (match.status === 'matched' ? [...match.aIds, ...match.bIds] : []));
  letGo(write, run.reconciliationId, counted);
  const { lastInsertRowid } = write
    .prepare<[number, number, number, string], unknown>(INSERT)
    .run(run.reconciliationId, run.runId, run.atMs, JSON.stringify(rows));
  const last = Number(lastInsertRowid);
  markNewMatches(write, last - rows.length + 1, last);
}

/**
 * Which of some records a run must leave alone: matched by a person, edited, deleted or wiped since it read them. Only worth asking when
 * something was noted for the run, since all of these are.
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

/** Deletes up to `limit` matches of a run; answers how many went. */
export function deleteMatchesOfRun(write: WriteHandle, runId: number, limit: number): number {
  return write
    .prepare<[number, number], unknown>('DELETE FROM matches WHERE id IN (SELECT id FROM matches WHERE run_id = ? LIMIT ?)')
    .run(runId, limit).changes;
}

/** Deletes up to `limit` proposals that a newer run worked out anew; answers how many went. */
export function deleteSupersededProposals(write: WriteHandle, reconciliationId: number, proposalsSince: number, limit: number): number {
  return write
    .prepare<[number, number, number], unknown>(
      `DELETE FROM matches WHERE id IN (SELECT id FROM matches
       WHERE reconciliation_id = ? AND status = 'proposed' AND run_id < ? LIMIT ?)`,
    )
    .run(reconciliationId, proposalsSince, limit).changes;
}

/** Reconciliations that still hold proposals which a newer run worked out anew. */
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

/** What a run has written, by rule and status. */
export function countMatchesOfRun(read: ReadHandle, runId: number): RunCount[] {
  return read
    .prepare<[number], RunCount>(
      `SELECT m.rule_id, m.status, count(*) AS matches, sum(m.record_count) AS records, sum(m.side_a_count) AS side_a
       FROM matches m WHERE m.run_id = ? AND ${NOT_WIPED_MATCH} GROUP BY m.rule_id, m.status`,
    )
    .all(runId);
}

/** A text that changes when matches of a run may have gone since: by an edit, by a person's match, or by a wipe. */
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

/** Matches of a run that hold a record. */
export function runMatchesHolding(read: ReadHandle, run: Pick<WritingRun, 'runId' | 'reconciliationId'>, recordId: number): number[] {
  return read
    .prepare<[number, number, number], { id: number }>(
      `SELECT m.id FROM match_records mr JOIN matches m ON m.id = mr.match_id
       WHERE mr.record_id = ? AND mr.reconciliation_id = ? AND m.run_id = ?`,
    )
    .all(recordId, run.reconciliationId, run.runId)
    .map((row) => row.id);
}
