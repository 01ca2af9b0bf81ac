import type { ReadHandle } from '../../database/database.ts';
import { type Sql, sqlOf } from '../../database/sql.ts';
import { MEMBER_ID, MEMBER_IDS_OF_MATCH, MEMBERS } from '../../matches/store/match-members.ts';
import { COUNTS } from '../../matches/store/matches.ts';
import { idsOfExternalId, printOfExternalId } from './records.ts';
import { IS_REVERSAL, REVERSAL_IDS } from './reversals.ts';
import { SOMETHING_WIPED } from './wipes.ts';

/** A filter of records; every member narrows, bounds are inclusive. Days since 1970-01-01, amounts in minor units, instants in milliseconds. */
export interface RecordFilter {
  readonly environmentId: number;
  readonly streamIds?: readonly number[] | undefined;
  /** The reconciliation of `reconciled` and `overdue`; without it, any. */
  readonly reconciliationId?: number | undefined;
  readonly matchId?: number | undefined;
  readonly batchId?: number | undefined;
  readonly bulkRequestId?: number | undefined;
  /** The source of the record's batch; records without a batch never match. */
  readonly source?: string | undefined;
  readonly externalId?: string | undefined;
  readonly reconciled?: boolean | undefined;
  readonly dayFrom?: number | undefined;
  readonly dayTo?: number | undefined;
  /** A record without a value day is outside of every bound. */
  readonly valueDayFrom?: number | undefined;
  readonly valueDayTo?: number | undefined;
  readonly amountMin?: number | undefined;
  readonly amountMax?: number | undefined;
  readonly createdFrom?: number | undefined;
  readonly createdTo?: number | undefined;
  readonly direction?: number | undefined;
  readonly currency?: string | undefined;
  readonly overdue?: boolean | undefined;
  /** Whether it states that it returns or reverses another line, or is reversed by one. */
  readonly reversal?: boolean | undefined;
  /** A query of the index of words, see `searchQuery`. */
  readonly words?: string | undefined;
}

/** The sort columns that an index has in order. */
export type IndexedSort = 'created_at' | 'day' | 'amount';
export type RecordSort = IndexedSort | 'value_day';

/** The value day of a record `r`, or of a list entry with its id: no index contains it. */
const VALUE_DAY = '(SELECT x.value_day FROM records x WHERE x.id = r.id)';
/** The sort value of records without a value day: before all others. */
export const NO_VALUE_DAY = -1_000_000;

/** Returns the sort expression of records `r`, also if `r` is an entry of a list without value days. */
export function valueOf(sort: RecordSort): string {
  return sort === 'value_day' ? `ifnull(${VALUE_DAY}, ${NO_VALUE_DAY})` : `r.${sort}`;
}

/** The topic of a condition. A way of finding records may already fulfil all conditions of a topic. */
type Topic =
  | 'streams'
  | 'match'
  | 'batch'
  | 'bulk'
  | 'source'
  | 'external'
  | 'status'
  | 'overdue'
  | 'reversal'
  | 'words'
  | 'currency'
  | 'direction'
  | RecordSort;

export interface Condition {
  readonly topic: Topic;
  readonly sql: Sql;
}

const COUNTED = `SELECT 1 FROM match_records mr JOIN matches m ON m.id = mr.match_id
  WHERE mr.record_id = r.id AND mr.slot = 0 AND ${COUNTS}`;
/** The same condition while nothing is hidden (see `isSomethingHidden`); it reads an index entry instead of the match. */
export const COUNTED_IN_PEACE = 'SELECT 1 FROM match_records mr WHERE mr.record_id = r.id AND mr.slot = 0';
/** The subquery is evaluated once. Evaluated per record, a word prefix would collect the records of all its words each time. */
const IN_WORDS = 'r.id IN (SELECT rowid FROM record_words WHERE record_words MATCH ?)';
const BATCHES_OF_SOURCE = 'SELECT id FROM import_batches WHERE environment_id = ? AND source = ?';
const BATCHES_OF_BULK = 'SELECT batch_id FROM bulk_request_streams WHERE bulk_request_id = ?';

export function rangeOf(filter: RecordFilter, column: RecordSort): readonly Sql[] {
  const [from, to] = {
    day: [filter.dayFrom, filter.dayTo],
    value_day: [filter.valueDayFrom, filter.valueDayTo],
    amount: [filter.amountMin, filter.amountMax],
    created_at: [filter.createdFrom, filter.createdTo],
  }[column];
  const bounds: Sql[] = [];
  const value = column === 'value_day' ? VALUE_DAY : `r.${column}`;
  if (from !== undefined) bounds.push(sqlOf(`${value} >= ?`, from));
  if (to !== undefined) bounds.push(sqlOf(`${value} <= ?`, to));
  return bounds;
}

/** Whether a run or a wipe hides matches. Usually none does. */
export function isSomethingHidden(read: ReadHandle): boolean {
  const hidden = `SELECT 1 WHERE ${SOMETHING_WIPED} OR EXISTS (SELECT 1 FROM runs WHERE writing = 1)`;
  return read.prepare<[], unknown>(hidden).get() !== undefined;
}

/** Returns a SELECT of the matches that reconcile a record `r`: in the filter's reconciliation, or in any. */
export function countedIn({ reconciliationId }: RecordFilter, isHidden: boolean): Sql {
  const any = isHidden ? COUNTED : COUNTED_IN_PEACE;
  return reconciliationId === undefined ? sqlOf(any) : sqlOf(`${any} AND mr.reconciliation_id = ?`, reconciliationId);
}

/** Returns all conditions of a filter except environment and visibility. `isHidden` is the result of `isSomethingHidden` in this snapshot. */
export function conditionsOf(filter: RecordFilter, isHidden: boolean): Condition[] {
  const list: Condition[] = [];
  const add = (topic: Topic, text: string, ...values: (number | string)[]) => list.push({ topic, sql: sqlOf(text, ...values) });
  if (filter.currency !== undefined) add('currency', 'r.currency = ?', filter.currency);
  if (filter.direction !== undefined) add('direction', 'r.direction = ?', filter.direction);
  for (const column of ['day', 'amount', 'created_at', 'value_day'] as const) {
    for (const bound of rangeOf(filter, column)) list.push({ topic: column, sql: bound });
  }
  if (filter.streamIds !== undefined) add('streams', 'r.stream_id IN (SELECT value FROM json_each(?))', JSON.stringify(filter.streamIds));
  if (filter.batchId !== undefined) add('batch', 'r.batch_id = ?', filter.batchId);
  if (filter.bulkRequestId !== undefined) add('bulk', `r.batch_id IN (${BATCHES_OF_BULK})`, filter.bulkRequestId);
  if (filter.source !== undefined) add('source', `r.batch_id IN (${BATCHES_OF_SOURCE})`, filter.environmentId, filter.source);
  if (filter.matchId !== undefined) {
    add('match', 'EXISTS (SELECT 1 FROM match_records mm WHERE mm.record_id = r.id AND mm.match_id = ?)', filter.matchId);
  }
  const within = filter.reconciliationId === undefined ? [] : [filter.reconciliationId];
  if (filter.reconciled !== undefined) {
    const { text, values } = countedIn(filter, isHidden);
    add('status', `${filter.reconciled ? 'EXISTS' : 'NOT EXISTS'} (${text})`, ...values);
  }
  if (filter.overdue !== undefined) {
    const marked = `SELECT 1 FROM overdue_records o WHERE o.record_id = r.id${within.length === 0 ? '' : ' AND o.reconciliation_id = ?'}`;
    add('overdue', `${filter.overdue ? 'EXISTS' : 'NOT EXISTS'} (${marked})`, ...within);
  }
  if (filter.reversal !== undefined) add('reversal', filter.reversal ? IS_REVERSAL : `NOT ${IS_REVERSAL}`);
  if (filter.words !== undefined) add('words', IN_WORDS, filter.words);
  if (filter.externalId !== undefined) add('external', '(SELECT x.external_id FROM records x WHERE x.id = r.id) = ?', filter.externalId);
  return list;
}

/** Returns queries of the ids that a filter leaves, each with the topic that it fulfils: SELECTs without a limit; an id may appear twice. */
export function idSources(filter: RecordFilter): Condition[] {
  const { environmentId, reconciliationId } = filter;
  const list: Condition[] = [];
  const add = (topic: Topic, text: string, ...values: (number | string)[]) => list.push({ topic, sql: sqlOf(text, ...values) });
  if (filter.matchId !== undefined) add('match', MEMBER_IDS_OF_MATCH, filter.matchId);
  if (filter.externalId !== undefined) {
    add(
      'external',
      `WITH wanted(stream_id, external_id, key_print) AS MATERIALIZED (SELECT id, ?, CAST(? AS INTEGER) FROM streams WHERE environment_id = ?)
       ${idsOfExternalId('wanted')}`,
      filter.externalId,
      printOfExternalId(filter.externalId),
      environmentId,
    );
  }
  if (filter.overdue === true) {
    if (reconciliationId === undefined) add('overdue', 'SELECT DISTINCT record_id AS id FROM overdue_records');
    else add('overdue', 'SELECT record_id AS id FROM overdue_records WHERE reconciliation_id = ?', reconciliationId);
  }
  if (filter.reversal === true) add('reversal', REVERSAL_IDS);
  const ofBatches = 'CROSS JOIN records e INDEXED BY records_batch_created ON e.batch_id =';
  if (filter.batchId !== undefined)
    add('batch', 'SELECT id FROM records INDEXED BY records_batch_created WHERE batch_id = ?', filter.batchId);
  if (filter.bulkRequestId !== undefined) {
    add('bulk', `SELECT e.id FROM bulk_request_streams b ${ofBatches} b.batch_id WHERE b.bulk_request_id = ?`, filter.bulkRequestId);
  }
  if (filter.source !== undefined) {
    add(
      'source',
      `SELECT e.id FROM import_batches b ${ofBatches} b.id WHERE b.environment_id = ? AND b.source = ?`,
      environmentId,
      filter.source,
    );
  }
  if (filter.reconciled === true) {
    // A record may be matched in several reconciliations, but must appear once in the list.
    if (reconciliationId === undefined) add('status', 'SELECT DISTINCT record_id AS id FROM match_records WHERE slot = 0');
    else {
      add(
        'status',
        `SELECT ${MEMBER_ID} AS id FROM matches m CROSS JOIN ${MEMBERS} WHERE m.reconciliation_id = ? AND m.status = 'matched'`,
        reconciliationId,
      );
    }
  }
  if (filter.words !== undefined) add('words', 'SELECT rowid AS id FROM record_words WHERE record_words MATCH ?', filter.words);
  return list;
}

/** Returns a query of the batches that a filter names, without a limit; null if it names none. */
export function batchesOf(filter: RecordFilter): Condition | null {
  if (filter.batchId !== undefined) return { topic: 'batch', sql: sqlOf('SELECT ? AS id', filter.batchId) };
  if (filter.bulkRequestId !== undefined) {
    return {
      topic: 'bulk',
      sql: sqlOf(
        `SELECT batch_id AS id FROM bulk_request_streams WHERE bulk_request_id = ? AND batch_id IS NOT NULL`,
        filter.bulkRequestId,
      ),
    };
  }
  return filter.source === undefined ? null : { topic: 'source', sql: sqlOf(BATCHES_OF_SOURCE, filter.environmentId, filter.source) };
}
