import { sql, type SqlBool } from 'kysely';
import { query, type ReadHandle } from '../../database/database.ts';
import type { RecordWithStream } from '../../database/rows.ts';
import { VISIBLE_MATCH } from '../../matches/store/matches.ts';
import { NOT_IN_WRITING_BATCH } from './records.ts';

type LineStatus = 'matched' | 'proposed' | 'unmatched' | 'open' | 'all';
export type LineSort = 'date' | 'value_date' | 'amount' | 'description' | 'external_id';

export interface LineFilter {
  readonly reconciliationId: number;
  readonly streamIds: readonly number[];
  readonly status: LineStatus;
  /** Text that must occur in description, external id or a value of the metadata; ASCII letters match in either case. */
  readonly search: string | undefined;
  /** The same text as a query of the word index, which ignores case and accents; lines that it finds match too. */
  readonly words: string | null;
  /** The number of records that the index did not cover at the time: with a larger index the same words find more. */
  readonly notSearched: number;
}

const inMatch = (reconciliationId: number, status: 'matched' | 'proposed' | null) => sql`EXISTS (
  SELECT 1 FROM match_records mr JOIN matches m ON m.id = mr.match_id
  WHERE mr.record_id = r.id AND mr.reconciliation_id = ${reconciliationId}
  ${status === null ? sql`` : sql`AND m.status = ${status}`} AND ${sql.raw(VISIBLE_MATCH)})`;

function statusCondition(filter: LineFilter) {
  switch (filter.status) {
    case 'matched':
    case 'proposed':
      return sql<SqlBool>`${inMatch(filter.reconciliationId, filter.status)}`;
    case 'unmatched':
      return sql<SqlBool>`NOT ${inMatch(filter.reconciliationId, null)}`;
    case 'open':
      return sql<SqlBool>`NOT ${inMatch(filter.reconciliationId, 'matched')}`;
    case 'all':
      return sql<SqlBool>`1`;
  }
}

/** Whether a value (never a key) of the metadata contains the words. */
function inMetadata(words: string, pattern: string) {
  const exact = sql<SqlBool>`EXISTS (SELECT 1 FROM json_tree(r.metadata) j WHERE j.atom LIKE ${pattern} ESCAPE '\\')`;
  // Comparing the stored text first is much faster, but it escapes these characters.
  return /["\\\p{Cc}]/u.test(words) ? exact : sql<SqlBool>`(r.metadata LIKE ${pattern} ESCAPE '\\' AND ${exact})`;
}

function inIndex(words: string | null) {
  return words === null ? sql<SqlBool>`0` : sql<SqlBool>`r.id IN (SELECT rowid FROM record_words WHERE record_words MATCH ${words})`;
}

function selectLines(filter: LineFilter) {
  let select = query.selectFrom('records as r').where('r.stream_id', 'in', filter.streamIds).where(NOT_IN_WRITING_BATCH);
  if (filter.status !== 'all') select = select.where(statusCondition(filter));
  const words = filter.search?.trim();
  if (words !== undefined && words !== '') {
    const pattern = `%${words.replaceAll(/[\\%_]/g, (found) => `\\${found}`)}%`;
    select = select.where(
      sql<SqlBool>`(r.description LIKE ${pattern} ESCAPE '\\' OR r.external_id LIKE ${pattern} ESCAPE '\\' OR ${inMetadata(words, pattern)} OR ${inIndex(filter.words)})`,
    );
  }
  return select;
}

const SORT_COLUMNS = {
  date: sql`r.day`,
  value_date: sql`r.value_day`,
  amount: sql`CASE WHEN r.direction = 1 THEN r.amount ELSE -r.amount END`,
  description: sql`r.description`,
  external_id: sql`r.external_id`,
} as const;

/** Returns a window of lines. Sorts ids only, because whole lines would have to be carried along. */
export function windowOfLines(
  read: ReadHandle,
  filter: LineFilter,
  page: { readonly sort: LineSort; readonly descending: boolean; readonly offset: number; readonly limit: number },
): RecordWithStream[] {
  const order = page.descending ? 'desc' : 'asc';
  const ids = selectLines(filter)
    .select('r.id')
    .orderBy(SORT_COLUMNS[page.sort], order)
    .orderBy('r.id', order)
    .offset(page.offset)
    .limit(page.limit);
  const places = new Map(read.all(ids).map(({ id }, place) => [id, place]));
  const rows = read.all(
    query
      .selectFrom('records as r')
      .innerJoin('streams as s', 's.id', 'r.stream_id')
      .selectAll('r')
      .select('s.key as data_stream_key')
      .where('r.id', 'in', [...places.keys()]),
  );
  return rows.toSorted((left, right) => (places.get(left.id) ?? 0) - (places.get(right.id) ?? 0));
}

export function countLines(read: ReadHandle, filter: LineFilter): number {
  return read.first(selectLines(filter).select(sql<number>`count(*)`.as('n')))?.n ?? 0;
}
