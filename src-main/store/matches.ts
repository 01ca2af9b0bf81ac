import { sql, type SqlBool } from 'kysely';
import { query, type ReadHandle, type Row, type WriteHandle } from './database.ts';
import type { RecordWithStream } from './records.ts';
import type { Side } from './reconciliations.ts';
import { letGo, markNewMatch, NOT_WIPED_MATCH } from './wipes.ts';

export type MatchRow = Row<'matches'>;

/**
 * What is published: manual matches, matches of published runs, and the proposals of the newest published run
 * (older ones were worked out anew by it).
 */
export const PUBLISHED_MATCH = `(m.run_id IS NULL
  OR (m.status = 'matched' AND m.run_id NOT IN (SELECT id FROM runs WHERE writing = 1))
  OR (m.status = 'proposed' AND m.run_id = (SELECT published_run_id FROM reconciliations WHERE id = m.reconciliation_id)))`;

/** What a person may see: published, and all of its records are there. */
export const VISIBLE_MATCH = `(${PUBLISHED_MATCH} AND ${NOT_WIPED_MATCH})`;

/** Whether the match `m` of a counted member is there for people. */
export const COUNTS = `((m.run_id IS NULL OR m.run_id NOT IN (SELECT id FROM runs WHERE writing = 1)) AND ${NOT_WIPED_MATCH})`;

export interface MatchFilter {
  readonly environmentId: number;
  readonly reconciliationId?: number | undefined;
  readonly status?: 'matched' | 'proposed' | undefined;
}

function selectMatches(filter: MatchFilter) {
  let select = query.selectFrom('matches as m').where(sql<SqlBool>`${sql.raw(VISIBLE_MATCH)}`);
  if (filter.reconciliationId === undefined) {
    select = select.where('m.reconciliation_id', 'in', (builder) =>
      builder.selectFrom('reconciliations').select('id').where('environment_id', '=', filter.environmentId),
    );
  } else select = select.where('m.reconciliation_id', '=', filter.reconciliationId);
  if (filter.status !== undefined) select = select.where('m.status', '=', filter.status);
  return select;
}

/** Newest first; `afterId` continues after a row, else `offset` skips. */
export function pageMatches(
  read: ReadHandle,
  filter: MatchFilter,
  page: { readonly limit: number; readonly offset: number; readonly afterId?: number | undefined },
): MatchRow[] {
  let select = selectMatches(filter).selectAll('m').orderBy('m.id', 'desc').limit(page.limit);
  select = page.afterId === undefined ? select.offset(page.offset) : select.where('m.id', '<', page.afterId);
  return read.all(select);
}

export function countMatches(read: ReadHandle, filter: MatchFilter): number {
  return read.first(selectMatches(filter).select(sql<number>`count(*)`.as('n')))?.n ?? 0;
}

/** Counts of matched and proposed records of each side; adjustments are of no side's streams, so they are not among them. */
export function countMatchedRecords(read: ReadHandle, reconciliationId: number) {
  return read
    .prepare<[number], { side: Side; status: 'matched' | 'proposed'; n: number }>(
      `SELECT mr.side, m.status, count(*) AS n FROM matches m JOIN match_records mr ON mr.match_id = m.id
       WHERE m.reconciliation_id = ? AND mr.record_id IS NOT m.adjustment_id AND ${VISIBLE_MATCH} GROUP BY mr.side, m.status`,
    )
    .all(reconciliationId);
}

export function findMatch(read: ReadHandle, environmentId: number, id: number): MatchRow | undefined {
  return read.first(selectMatches({ environmentId }).selectAll('m').where('m.id', '=', id));
}

export type MemberRow = RecordWithStream & { readonly match_id: number; readonly side: Side };

/** Records of matches, side A first, then by date; at most `perMatch` of each. */
export function membersOf(read: ReadHandle, matchIds: readonly number[], perMatch: number): MemberRow[] {
  return read
    .prepare<[string, number], MemberRow>(
      `SELECT * FROM (
         SELECT r.*, s.key AS data_stream_key, mr.match_id, mr.side,
           row_number() OVER (PARTITION BY mr.match_id ORDER BY mr.side, r.day, r.id) AS position
         FROM json_each(?) j JOIN match_records mr ON mr.match_id = j.value
         JOIN records r ON r.id = mr.record_id JOIN streams s ON s.id = r.stream_id
       ) WHERE position <= ? ORDER BY match_id, position`,
    )
    .all(JSON.stringify(matchIds), perMatch);
}

export function memberIds(read: ReadHandle, matchId: number): { readonly record_id: number; readonly side: Side }[] {
  return read.all(
    query.selectFrom('match_records').select(['record_id', 'side']).where('match_id', '=', matchId).orderBy('side').orderBy('record_id'),
  );
}

export interface RecordMatch {
  readonly record_id: number;
  readonly match_id: number;
  readonly status: 'matched' | 'proposed';
  readonly reconciliation_id: number;
  readonly reconciliation_name: string;
}

/** Visible matches that hold some records. */
export function matchesOfRecords(read: ReadHandle, recordIds: readonly number[], reconciliationId: number | null): RecordMatch[] {
  const within = reconciliationId === null ? '' : 'AND mr.reconciliation_id = ?';
  return read
    .prepare<(string | number)[], RecordMatch>(
      `SELECT mr.record_id, m.id AS match_id, m.status, m.reconciliation_id, c.name AS reconciliation_name
       FROM json_each(?) j JOIN match_records mr ON mr.record_id = j.value ${within}
       JOIN matches m ON m.id = mr.match_id JOIN reconciliations c ON c.id = m.reconciliation_id
       WHERE ${VISIBLE_MATCH}`,
    )
    .all(JSON.stringify(recordIds), ...(reconciliationId === null ? [] : [reconciliationId]));
}

/** Matches of runs under way that already took some of these records; they are not visible yet. */
export function unpublishedMatchesOf(read: ReadHandle, recordIds: readonly number[], reconciliationId: number | null): number[] {
  return read
    .prepare<[string, number | null, number | null], { id: number }>(
      `SELECT DISTINCT m.id FROM json_each(?) j JOIN match_records mr ON mr.record_id = j.value
       JOIN matches m ON m.id = mr.match_id
       WHERE (? IS NULL OR m.reconciliation_id = ?) AND m.run_id IN (SELECT id FROM runs WHERE writing = 1)`,
    )
    .all(JSON.stringify(recordIds), reconciliationId, reconciliationId)
    .map((row) => row.id);
}

/** Every match that holds a record: visible, not yet published, or superseded and not yet cleared. */
export function matchIdsHolding(read: ReadHandle, recordId: number): number[] {
  return read.all(query.selectFrom('match_records').select('match_id').where('record_id', '=', recordId)).map((row) => row.match_id);
}

/** `adjustment_id` names the member that makes a manual match balance, if there is one. */
export type NewMatch = Omit<MatchRow, 'id' | 'adjustment_id'> & Partial<Pick<MatchRow, 'adjustment_id'>>;
export interface NewMember {
  readonly recordId: number;
  readonly side: Side;
}

/** Writes a match and its members; `id` brings back a match under its own id. */
export function insertMatch(write: WriteHandle, match: NewMatch, members: readonly NewMember[], id?: number): number {
  const { lastInsertRowid } = write
    .prepare<(number | string | null)[], unknown>(
      `INSERT INTO matches(id, reconciliation_id, run_id, rule_id, status, origin, certainty, difference, group_key, explanation, record_count, confirmed_at,
         adjustment_id, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      id ?? null,
      match.reconciliation_id,
      match.run_id,
      match.rule_id,
      match.status,
      match.origin,
      match.certainty,
      match.difference,
      match.group_key,
      match.explanation,
      match.record_count,
      match.confirmed_at,
      match.adjustment_id ?? null,
      match.created_at,
    );
  const matchId = Number(lastInsertRowid);
  const member = write.prepare<(number | string)[], unknown>(
    'INSERT INTO match_records(match_id, record_id, reconciliation_id, side, counted) VALUES (?, ?, ?, ?, ?)',
  );
  const counted = match.status === 'matched' ? 1 : 0;
  if (counted === 1) {
    letGo(
      write,
      match.reconciliation_id,
      members.map(({ recordId }) => recordId),
    );
  }
  for (const { recordId, side } of members) member.run(matchId, recordId, match.reconciliation_id, side, counted);
  markNewMatch(write, matchId);
  return matchId;
}

export function deleteMatch(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('matches').where('id', '=', id));
}

/** Turns a proposed match into a counted one, or back. */
export function setMatchStatus(
  write: WriteHandle,
  id: number,
  status: 'matched' | 'proposed',
  change: { readonly confirmedAtMs: number | null; readonly runId: number | null },
): void {
  write.run(query.updateTable('matches').set({ status, confirmed_at: change.confirmedAtMs, run_id: change.runId }).where('id', '=', id));
  if (status === 'matched') {
    const members = write.all(query.selectFrom('match_records').select(['record_id', 'reconciliation_id']).where('match_id', '=', id));
    const ids = members.map((member) => member.record_id);
    for (const { reconciliation_id: within } of members.slice(0, 1)) letGo(write, within, ids);
  }
  write.run(
    query
      .updateTable('match_records')
      .set({ counted: status === 'matched' ? 1 : 0 })
      .where('match_id', '=', id),
  );
}

/** Deletes up to `limit` matches of a run; answers how many went. */
export function deleteMatchesOfRun(write: WriteHandle, runId: number, limit: number): number {
  return write
    .prepare<[number, number], unknown>('DELETE FROM matches WHERE id IN (SELECT id FROM matches WHERE run_id = ? LIMIT ?)')
    .run(runId, limit).changes;
}

/** Deletes up to `limit` proposals that a newer run worked out anew; answers how many went. */
export function deleteSupersededProposals(write: WriteHandle, reconciliationId: number, publishedRunId: number, limit: number): number {
  return write
    .prepare<[number, number, number], unknown>(
      `DELETE FROM matches WHERE id IN (SELECT id FROM matches
       WHERE reconciliation_id = ? AND status = 'proposed' AND run_id < ? LIMIT ?)`,
    )
    .run(reconciliationId, publishedRunId, limit).changes;
}

/** Reconciliations that still hold proposals which a newer run worked out anew. */
export function reconciliationsWithSuperseded(read: ReadHandle): { readonly id: number; readonly published_run_id: number }[] {
  return read
    .prepare<[], { id: number; published_run_id: number }>(
      `SELECT c.id, c.published_run_id FROM reconciliations c WHERE EXISTS (
         SELECT 1 FROM matches m WHERE m.reconciliation_id = c.id AND m.status = 'proposed' AND m.run_id < c.published_run_id)`,
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
      `SELECT m.rule_id, m.status, count(DISTINCT m.id) AS matches, count(*) AS records, sum(mr.side = 'a') AS side_a
       FROM matches m JOIN match_records mr ON mr.match_id = m.id WHERE m.run_id = ? AND ${NOT_WIPED_MATCH}
       GROUP BY m.rule_id, m.status`,
    )
    .all(runId);
}

/** Matches that people see as matched and that hold some of up to `limit` records of a batch after one; the last of those records. */
export function matchedByBatch(read: ReadHandle, batchId: number, afterId: number, limit: number) {
  const records = read
    .prepare<[number, number, number], { id: number }>('SELECT id FROM records WHERE batch_id = ? AND id > ? ORDER BY id LIMIT ?')
    .all(batchId, afterId, limit)
    .map((row) => row.id);
  const matchIds = read
    .prepare<[string], { id: number }>(
      `SELECT DISTINCT m.id FROM json_each(?) j JOIN match_records mr ON mr.record_id = j.value JOIN matches m ON m.id = mr.match_id
       WHERE m.status = 'matched' AND ${VISIBLE_MATCH}`,
    )
    .all(JSON.stringify(records))
    .map((row) => row.id);
  return { matchIds, last: records.at(-1) ?? null };
}

export interface MemberAmount {
  readonly match_id: number;
  readonly side: Side;
  readonly amount: number;
  readonly direction: number;
  readonly decimal_places: number;
}

/** What the members of up to `matches` matches after one amount to, visible or not, oldest match first. */
export function memberAmounts(read: ReadHandle, reconciliationId: number, afterMatchId: number, matches: number): MemberAmount[] {
  return read
    .prepare<[number, number, number], MemberAmount>(
      `SELECT page.id AS match_id, mr.side, r.amount, r.direction, r.decimal_places
       FROM (SELECT id FROM matches WHERE reconciliation_id = ? AND id > ? ORDER BY id LIMIT ?) page
       JOIN match_records mr ON mr.match_id = page.id JOIN records r ON r.id = mr.record_id ORDER BY page.id`,
    )
    .all(reconciliationId, afterMatchId, matches);
}

export function setDifference(write: WriteHandle, id: number, difference: number): void {
  write.run(query.updateTable('matches').set({ difference }).where('id', '=', id));
}

export interface MemberLine {
  readonly match_id: number;
  readonly side: Side;
  readonly external_id: string | null;
  readonly record_id: number;
  readonly rule_id: number | null;
  readonly status: 'matched' | 'proposed';
}

/** Members of up to `matches` matches after one, oldest match first. */
export function memberLines(read: ReadHandle, reconciliationId: number, afterMatchId: number, matches: number): MemberLine[] {
  return read
    .prepare<[number, number, number], MemberLine>(
      `SELECT page.id AS match_id, mr.side, r.external_id, r.id AS record_id, page.rule_id, page.status
       FROM (SELECT m.* FROM matches m WHERE m.reconciliation_id = ? AND m.id > ? AND ${VISIBLE_MATCH} ORDER BY m.id LIMIT ?) page
       JOIN match_records mr ON mr.match_id = page.id JOIN records r ON r.id = mr.record_id
       ORDER BY page.id, mr.side, r.day, r.id`,
    )
    .all(reconciliationId, afterMatchId, matches);
}
