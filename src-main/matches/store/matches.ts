import { sql, type SqlBool } from 'kysely';
import { present } from '../../../src-shared/values/assert.ts';
import { type Convention, matchDifference } from '../../../src-shared/values/balancing.ts';
import { query, type ReadHandle, type WriteHandle } from '../../database/database.ts';
import type { MatchRow, RecordWithStream, Side } from '../../database/rows.ts';
import { joined, type Sql, sqlOf } from '../../database/sql.ts';
import { IS_KEPT_BY_OTHERS } from '../../imports/store/alternative-descriptions.ts';
import type { OffsetPage } from '../../imports/store/import-batches.ts';
import { letGo, markMatchesOf, NOT_WIPED_MATCH } from '../../records/store/wipes.ts';
import { INSERT_MEMBERS_OF_MATCH, MEMBER_ID, MEMBER_SIDE, memberColumns, MEMBERS, recordIdsOf } from './match-members.ts';

/** All columns except the members, of which a match can have very many. */
const MATCH_COLUMNS = [
  'm.id',
  'm.reconciliation_id',
  'm.run_id',
  'm.rule_id',
  'm.status',
  'm.origin',
  'm.certainty',
  'm.margin',
  'm.likelihood',
  'm.evidence',
  'm.difference',
  'm.group_key',
  'm.explanation',
  'm.cohort',
  'm.record_count',
  'm.confirmed_at',
  'm.confirmed_by',
  'm.confirmed_in_bulk',
  'm.adjustment_id',
  'm.difference_code',
  'm.difference_note',
  'm.created_at',
] as const;

/**
 * Returns the condition for published matches: manual ones, those of published runs, and proposals from the newest published run that computed all of
 * them (and so replaced older ones) to the newest published one. `reconciliation` is the SQL of its id.
 */
export const publishedMatch = (reconciliation: string): string => `(m.run_id IS NULL
  OR (m.status = 'matched' AND m.run_id NOT IN (SELECT id FROM runs WHERE writing = 1))
  OR (m.status = 'proposed' AND m.run_id BETWEEN (SELECT proposals_since FROM reconciliations WHERE id = ${reconciliation})
    AND (SELECT published_run_id FROM reconciliations WHERE id = ${reconciliation})))`;

export const PUBLISHED_MATCH = publishedMatch('m.reconciliation_id');

/** The condition for visible matches: published, with all of their records visible. */
export const VISIBLE_MATCH = `(${PUBLISHED_MATCH} AND ${NOT_WIPED_MATCH})`;

/** Whether the match `m` of a counted member is visible. */
export const COUNTS = `((m.run_id IS NULL OR m.run_id NOT IN (SELECT id FROM runs WHERE writing = 1)) AND ${NOT_WIPED_MATCH})`;

export interface MatchFilter {
  readonly environmentId: number;
  readonly reconciliationId?: number | undefined;
  readonly status?: 'matched' | 'proposed' | undefined;
}

/** The most reconciliations and statuses that are merged in the order of ids. */
const MAX_LANES = 64;
const STATUSES = ['matched', 'proposed'] as const;

/** Returns the reconciliations of a filter; all of its environment if it names none. */
function reconciliationsOf(read: ReadHandle, filter: MatchFilter): readonly number[] {
  if (filter.reconciliationId !== undefined) return [filter.reconciliationId];
  const inEnvironment = query.selectFrom('reconciliations').select('id').where('environment_id', '=', filter.environmentId);
  return read.all(inEnvironment).map((row) => row.id);
}

export interface MatchPage {
  readonly limit: number;
  readonly offset: number;
  readonly afterId?: number | undefined;
  /** Whether the most likely come first (for one reconciliation and status); otherwise the newest. */
  readonly byLikelihood?: boolean;
}

/** Returns a query of the ids of a page. Each lane is a range of one index in id order; SQLite merges them row by row. */
function idsOfPage(read: ReadHandle, filter: MatchFilter, page: MatchPage): Sql {
  const ids = reconciliationsOf(read, filter);
  const statuses = filter.status === undefined ? STATUSES : [filter.status];
  const everywhere = sqlOf(
    'm NOT INDEXED WHERE m.reconciliation_id IN (SELECT value FROM json_each(?)) AND m.status IN (SELECT value FROM json_each(?))',
    JSON.stringify(ids),
    JSON.stringify(statuses),
  );
  const ofStatus = 'm INDEXED BY matches_status WHERE m.reconciliation_id = ? AND m.status = ?';
  const isFew = ids.length > 0 && ids.length * statuses.length <= MAX_LANES;
  const lanes = isFew ? ids.flatMap((id) => statuses.map((status) => sqlOf(ofStatus, id, status))) : [everywhere];
  const conditions = [...(page.afterId === undefined ? [] : [sqlOf('m.id < ?', page.afterId)]), sqlOf(VISIBLE_MATCH)];
  const branches = lanes.map((lane) => joined([sqlOf('SELECT m.id FROM matches'), joined([lane, ...conditions], ' AND ')], ' '));
  const share = sqlOf('ORDER BY id DESC LIMIT ? OFFSET ?', page.limit, page.afterId === undefined ? page.offset : 0);
  return joined([joined(branches, ' UNION ALL '), share], ' ');
}

/** Returns a page with the most likely first; those without a likelihood follow, newest first. */
function pageByLikelihood(read: ReadHandle, filter: MatchFilter, { limit, offset }: MatchPage): MatchRow[] {
  return read
    .prepare<unknown[], MatchRow>(
      `SELECT ${MATCH_COLUMNS.join()} FROM matches m WHERE m.reconciliation_id = ? AND m.status = ? AND ${VISIBLE_MATCH}
       ORDER BY m.likelihood DESC NULLS LAST, m.id DESC LIMIT ? OFFSET ?`,
    )
    .all(filter.reconciliationId, filter.status, limit, offset);
}

/** Returns visible matches by id, oldest first. */
export function matchesById(read: ReadHandle, ids: readonly number[]): MatchRow[] {
  return read
    .prepare<[string], MatchRow>(
      `SELECT ${MATCH_COLUMNS.join()} FROM json_each(?) j CROSS JOIN matches m ON m.id = j.value WHERE ${VISIBLE_MATCH} ORDER BY m.id`,
    )
    .all(JSON.stringify(ids));
}

/** Returns matches newest first; `afterId` continues after a row, otherwise `offset` skips rows. */
export function pageMatches(read: ReadHandle, filter: MatchFilter, page: MatchPage): MatchRow[] {
  if (page.byLikelihood === true) return pageByLikelihood(read, filter, page);
  const ids = idsOfPage(read, filter, page);
  return read
    .prepare<(number | string)[], MatchRow>(`SELECT ${MATCH_COLUMNS.join()} FROM matches m WHERE m.id IN (${ids.text})`)
    .all(...ids.values)
    .toSorted((left, right) => right.id - left.id);
}

/** Returns the number of visible matches of a reconciliation. */
export function countMatchesOf(read: ReadHandle, reconciliationId: number, statuses: readonly MatchRow['status'][]): number {
  const count = read.prepare<[number, string, number, number], { n: number }>(
    `SELECT count(*) AS n FROM matches m INDEXED BY matches_status WHERE m.reconciliation_id = ?
     AND m.status IN (SELECT value FROM json_each(?)) AND ${publishedMatch('?')} AND ${NOT_WIPED_MATCH}`,
  );
  return present(count.get(reconciliationId, JSON.stringify(statuses), reconciliationId, reconciliationId), 'count').n;
}

/** Counts one reconciliation after another: its published runs are then looked up once, and not for each match. */
export function countMatches(read: ReadHandle, filter: MatchFilter): number {
  const statuses = filter.status === undefined ? STATUSES : [filter.status];
  return reconciliationsOf(read, filter).reduce((sum, id) => sum + countMatchesOf(read, id, statuses), 0);
}

/** Returns the number of visible matches with a difference. */
export function countDiffering(read: ReadHandle, reconciliationId: number): number {
  const count = read.prepare<number[], { n: number }>(
    `SELECT count(*) AS n FROM matches m INDEXED BY matches_differing
     WHERE m.reconciliation_id = ? AND m.difference <> 0 AND m.status = 'matched' AND ${publishedMatch('?')} AND ${NOT_WIPED_MATCH}`,
  );
  return present(count.get(reconciliationId, reconciliationId, reconciliationId), 'count').n;
}

export function findMatch(read: ReadHandle, environmentId: number, id: number): MatchRow | undefined {
  return read.first(
    query
      .selectFrom('matches as m')
      .innerJoin('reconciliations as c', 'c.id', 'm.reconciliation_id')
      .select(MATCH_COLUMNS)
      .where('m.id', '=', id)
      .where('c.environment_id', '=', environmentId)
      .where(sql<SqlBool>`${sql.raw(VISIBLE_MATCH)}`),
  );
}

export type MemberRow = RecordWithStream & { readonly match_id: number; readonly side: Side };

/** Returns records of matches, side A first, then by date; at most `perMatch` of each. */
export function membersOf(read: ReadHandle, matchIds: readonly number[], perMatch: number): MemberRow[] {
  return read
    .prepare<[string, number], MemberRow>(
      `SELECT * FROM (
         SELECT r.*, s.key AS data_stream_key, m.id AS match_id, ${MEMBER_SIDE} AS side,
           row_number() OVER (PARTITION BY m.id ORDER BY mr.value <= 0, r.day, r.id) AS position
         FROM json_each(?) j CROSS JOIN matches m ON m.id = j.value CROSS JOIN ${MEMBERS}
         CROSS JOIN records r ON r.id = ${MEMBER_ID} CROSS JOIN streams s ON s.id = r.stream_id
       ) WHERE position <= ? ORDER BY match_id, position`,
    )
    .all(JSON.stringify(matchIds), perMatch);
}

export function memberIds(read: ReadHandle, matchId: number): { readonly record_id: number; readonly side: Side }[] {
  return read
    .prepare<[number], { record_id: number; side: Side }>(
      `SELECT ${MEMBER_ID} AS record_id, ${MEMBER_SIDE} AS side FROM matches m CROSS JOIN ${MEMBERS} WHERE m.id = ? ORDER BY side, record_id`,
    )
    .all(matchId);
}

interface RecordMatch {
  readonly record_id: number;
  readonly match_id: number;
  readonly status: 'matched' | 'proposed';
  readonly reconciliation_id: number;
  readonly reconciliation_name: string;
}

/** Returns the visible matches that hold any of the records. */
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

/** Returns the still invisible matches of runs in progress that hold any of the records. */
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

/** Returns every match that holds a record: visible, unpublished, or superseded and not cleared yet. */
export function matchIdsHolding(read: ReadHandle, recordId: number): number[] {
  return read.all(query.selectFrom('match_records').select('match_id').where('record_id', '=', recordId)).map((row) => row.match_id);
}

/** `adjustment_id` names the member that makes a match balance, if there is one. */
type NewMatch = Omit<MatchRow, 'id' | 'record_count' | Unsaid> & Partial<Pick<MatchRow, Unsaid>>;
/** The optional members of a new match. */
type Unsaid =
  | 'adjustment_id'
  | 'cohort'
  | 'margin'
  | 'difference_code'
  | 'difference_note'
  | 'confirmed_by'
  | 'confirmed_in_bulk'
  | 'likelihood'
  | 'evidence';
export interface NewMember {
  readonly recordId: number;
  readonly side: Side;
}

/** Inserts a match with its members; `id` restores a match under its own id. `runs/store/run-matches.ts` writes those of a run. */
export function insertMatch(write: WriteHandle, match: NewMatch, members: readonly NewMember[], id?: number): number {
  const idsOf = (side: Side) => members.filter((member) => member.side === side).map(({ recordId }) => recordId);
  if (match.status === 'matched') letGo(write, match.reconciliation_id, () => members.map(({ recordId }) => recordId));
  const columns = memberColumns(idsOf('a'), idsOf('b'));
  const { lastInsertId: matchId } = write.run(
    query.insertInto('matches').values({ ...match, ...columns, ...(id === undefined ? {} : { id }) }),
  );
  if (id !== undefined) write.putBack('matches', id);
  write.prepare<[number], unknown>(INSERT_MEMBERS_OF_MATCH).run(matchId);
  markMatchesOf(write, () => [matchId]);
  return matchId;
}

export function deleteMatch(write: WriteHandle, id: number): void {
  write.run(query.deleteFrom('matches').where('id', '=', id));
}

/** Turns a proposal into a match that counts, or back. If it moves to another run, its explanation must be stored first. */
export function setMatchStatus(write: WriteHandle, match: MatchRow): void {
  const { id, status, confirmed_at, confirmed_by, confirmed_in_bulk, run_id, group_key, explanation, difference_code, difference_note } =
    match;
  if (status === 'matched') {
    letGo(write, match.reconciliation_id, () => memberIds(write, id).map((member) => member.record_id));
  }
  const confirmation = { confirmed_at, confirmed_by, confirmed_in_bulk };
  const change = { status, ...confirmation, run_id, group_key, explanation, difference_code, difference_note };
  write.run(query.updateTable('matches').set(change).where('id', '=', id));
}

/** A position in the records of a batch. */
export interface PlaceInBatch {
  readonly day: number;
  readonly id: number;
}

/**
 * Returns the visible matches that hold any of up to `limit` records of a batch after a position, by day, and the last of those records. Leaves out
 * records that another file has too.
 */
export function matchedByBatch(read: ReadHandle, batchId: number, after: PlaceInBatch, limit: number) {
  const records = read
    .prepare<[number, number, number, number], PlaceInBatch>(
      'SELECT day, id FROM records WHERE batch_id = ? AND (day, id) > (?, ?) ORDER BY day, id LIMIT ?',
    )
    .all(batchId, after.day, after.id, limit);
  const matchIds = read
    .prepare<[string], { id: number }>(
      `SELECT DISTINCT m.id FROM json_each(?) j JOIN records r ON r.id = j.value JOIN match_records mr ON mr.record_id = r.id JOIN matches m ON m.id = mr.match_id
       WHERE m.status = 'matched' AND ${VISIBLE_MATCH} AND NOT ${IS_KEPT_BY_OTHERS}`,
    )
    .all(JSON.stringify(records.map(({ id }) => id)))
    .map((row) => row.id);
  return { matchIds, last: records.at(-1) ?? null };
}

/** Returns a SELECT of the ids of a reconciliation's matches in order; bind the reconciliation and the previous id, twice, and a limit. */
function oldestFirst(condition: string, statuses: readonly MatchRow['status'][] = STATUSES): string {
  const lanes = statuses.map(
    (status) =>
      `SELECT m.id FROM matches m INDEXED BY matches_status WHERE m.reconciliation_id = ? AND m.status = '${status}' AND m.id > ? AND ${condition}`,
  );
  return `${lanes.join(' UNION ALL ')} ORDER BY id LIMIT ?`;
}

interface MemberAmount {
  readonly match_id: number;
  readonly side: Side;
  readonly amount: number;
  readonly direction: number;
  readonly decimal_places: number;
}

/** Returns the amounts of the members of up to `matches` matches after one, visible or not, oldest match first. */
function memberAmounts(read: ReadHandle, reconciliationId: number, afterMatchId: number, matches: number): MemberAmount[] {
  return read
    .prepare<number[], MemberAmount>(
      `SELECT m.id AS match_id, ${MEMBER_SIDE} AS side, r.amount, r.direction, r.decimal_places
       FROM (${oldestFirst('1')}) page CROSS JOIN matches m ON m.id = page.id CROSS JOIN ${MEMBERS} CROSS JOIN records r ON r.id = ${MEMBER_ID} ORDER BY page.id`,
    )
    .all(reconciliationId, afterMatchId, reconciliationId, afterMatchId, matches);
}

function setDifference(write: WriteHandle, id: number, difference: number): void {
  write.run(query.updateTable('matches').set({ difference }).where('id', '=', id));
}

/** Matches whose differences are worked out at once. */
const CHUNK_MATCHES = 1_000;

/** Works out the differences of all matches of a reconciliation under another convention; false when one would be beyond 2^53-1. */
export function rebalance(write: WriteHandle, reconciliationId: number, convention: Convention): boolean {
  const differences = new Map<number, number>();
  for (let after = 0, isMore = true; isMore;) {
    const byMatch = Map.groupBy(memberAmounts(write, reconciliationId, after, CHUNK_MATCHES), (member) => member.match_id);
    for (const [id, members] of byMatch) {
      const difference = matchDifference(members, convention);
      if (difference === null) return false;
      differences.set(id, difference);
      after = id;
    }
    isMore = byMatch.size > 0;
  }
  for (const [id, difference] of differences) setDifference(write, id, difference);
  return true;
}

export interface MemberLine {
  readonly match_id: number;
  readonly side: Side;
  readonly external_id: string | null;
  readonly record_id: number;
  readonly rule_id: number | null;
  readonly status: 'matched' | 'proposed';
  readonly difference_code: string | null;
  readonly difference_note: string | null;
  readonly likelihood: number | null;
}

/**
 * Returns the SQL of a reason's column. A reason is meaningless if the lines balance, as they may under another sign convention, unless there is an
 * adjustment.
 */
export const explained = (column: 'difference_code' | 'difference_note') =>
  `iif(m.difference = 0 AND m.adjustment_id IS NULL, NULL, m.${column}) AS ${column}`;

/** Returns members of up to `matches` matches after one, oldest match first. */
export function memberLines(read: ReadHandle, reconciliationId: number, afterMatchId: number, matches: number): MemberLine[] {
  return read
    .prepare<number[], MemberLine>(
      `SELECT m.id AS match_id, ${MEMBER_SIDE} AS side, r.external_id, r.id AS record_id, m.rule_id, m.status, m.likelihood,
         ${explained('difference_code')}, ${explained('difference_note')}
       FROM (${oldestFirst(VISIBLE_MATCH)}) page CROSS JOIN matches m ON m.id = page.id CROSS JOIN ${MEMBERS} CROSS JOIN records r ON r.id = ${MEMBER_ID}
       ORDER BY page.id, mr.value <= 0, r.day, r.id`,
    )
    .all(reconciliationId, afterMatchId, reconciliationId, afterMatchId, matches);
}

/** A member of a match as a table shows it. */
export interface TableLine extends MemberLine {
  readonly data_stream_key: string;
  readonly day: number;
  readonly amount: number;
  readonly direction: number;
  readonly currency: string;
  readonly decimal_places: number;
  readonly description: string | null;
}

/** Returns a page of the members of matches, oldest match first. `fromMatchId`: the first match, of which or behind which `offset` lines are skipped. */
export function tableLines(
  read: ReadHandle,
  reconciliationId: number,
  page: { readonly status: MatchRow['status'] | undefined; readonly fromMatchId: number; readonly offset: number; readonly limit: number },
): TableLine[] {
  const statuses = page.status === undefined ? STATUSES : [page.status];
  // A match has a line or more, so that so many matches hold the page.
  const matches = page.offset + page.limit;
  return read
    .prepare<number[], TableLine>(
      `SELECT m.id AS match_id, ${MEMBER_SIDE} AS side, r.external_id, r.id AS record_id, m.rule_id, m.status, m.likelihood,
         ${explained('difference_code')}, ${explained('difference_note')},
         s.key AS data_stream_key, r.day, r.amount, r.direction, r.currency, r.decimal_places, r.description
       FROM (${oldestFirst(VISIBLE_MATCH, statuses)}) page CROSS JOIN matches m ON m.id = page.id CROSS JOIN ${MEMBERS}
         CROSS JOIN records r ON r.id = ${MEMBER_ID} CROSS JOIN streams s ON s.id = r.stream_id
       ORDER BY page.id, mr.value <= 0, r.day, r.id LIMIT ? OFFSET ?`,
    )
    .all(...statuses.flatMap(() => [reconciliationId, page.fromMatchId - 1]), matches, page.limit, page.offset);
}

/** A decided match. */
interface HistoryRow {
  readonly id: number;
  /** Made by hand, or confirmed by a person. */
  readonly isJudged: boolean;
  /** The record ids without its adjustment. */
  readonly recordIds: readonly number[];
}

interface StoredRow {
  readonly id: number;
  readonly is_judged: number;
  readonly adjustment_id: number | null;
  readonly a_record_id: number | null;
  readonly b_record_id: number | null;
  readonly members: string | null;
}

/** Yields every visible match of a reconciliation that counts as matched. The connection cannot be used until the end. */
export function* matchedHistory(read: ReadHandle, reconciliationId: number): Generator<HistoryRow> {
  const statement = read.prepare<[number], StoredRow>(
    `SELECT m.id, m.origin = 'manual' OR m.confirmed_at IS NOT NULL AS is_judged, m.adjustment_id, m.a_record_id, m.b_record_id, m.members
     FROM matches m WHERE m.reconciliation_id = ? AND m.status = 'matched' AND ${VISIBLE_MATCH}`,
  );
  for (const row of statement.iterate(reconciliationId)) {
    const ids = recordIdsOf(row);
    yield {
      id: row.id,
      isJudged: row.is_judged === 1,
      recordIds: row.adjustment_id === null ? ids : ids.filter((id) => id !== row.adjustment_id),
    };
  }
}

/** Keeps the matches that a dry run would have made, in order. */
export function insertWouldBeMatches(write: WriteHandle, runId: number, bodies: readonly string[]): void {
  const insert = write.prepare<[number, number, string], unknown>('INSERT INTO would_be_matches(run_id, position, body) VALUES (?, ?, ?)');
  for (const [position, body] of bodies.entries()) insert.run(runId, position, body);
}

/** Returns them in order, one row more than the limit. */
export function pageWouldBeMatches(
  read: ReadHandle,
  runId: number,
  page: OffsetPage,
): { readonly position: number; readonly body: string }[] {
  let select = query.selectFrom('would_be_matches').select(['position', 'body']).where('run_id', '=', runId);
  select = page.after === undefined ? select.offset(page.offset) : select.where('position', '>', page.after.id);
  return read.all(select.orderBy('position').limit(page.limit + 1));
}
