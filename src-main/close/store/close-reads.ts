import { storedJson, type StoredJson } from '../../database/json-columns.ts';
import type { ReadHandle, Row } from '../../database/database.ts';
import { PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';
import { explained, publishedMatch } from '../../matches/store/matches.ts';
import { SIGNED, SUM_BASE } from '../../records/store/records.ts';
import { NOT_WIPED_MATCH } from '../../records/store/wipes.ts';

/**
 * The columns of a record that a close reads, in this order. `amount` is the magnitude in minor units; `direction` is 1 for credit and 0 for debit.
 */
export type CloseLine = [
  id: number,
  streamId: number,
  day: number,
  amount: number,
  direction: number,
  decimalPlaces: number,
  currency: string,
  description: string | null,
  externalId: string | null,
  metadata: string,
  batchId: number | null,
];

const COLUMNS =
  'r.id, r.stream_id, r.day, r.amount, r.direction, r.decimal_places, r.currency, r.description, r.external_id, r.metadata, r.batch_id';

/** Returns the visible records of streams that are dated on or before a day, by stream and day. */
export function linesUpTo(read: ReadHandle, streamIds: readonly number[], day: number): CloseLine[] {
  return read
    .prepare<[string, number], CloseLine>(
      `SELECT ${COLUMNS} FROM json_each(?) j CROSS JOIN records r INDEXED BY records_day ON r.stream_id = j.value AND r.day <= ?
       WHERE ${PUBLISHED_RECORD} ORDER BY r.stream_id, r.day, r.id`,
    )
    .raw()
    .all(JSON.stringify(streamIds), day) as CloseLine[];
}

/** The sum of the lines of a stream on one day in one currency and scale. The signed sum is split into two parts like that of `lineTotals`. */
export interface DayTotal {
  readonly streamId: number;
  readonly day: number;
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly high: number;
  readonly low: number;
}

/** Returns the sums by day of the visible records of streams that are dated on or before a day. */
export function dayTotalsUpTo(read: ReadHandle, streamIds: readonly number[], day: number): DayTotal[] {
  return read
    .prepare<[string, number], DayTotal>(
      `SELECT r.stream_id AS streamId, r.day, r.currency, r.decimal_places AS decimalPlaces,
         sum((${SIGNED}) / ${SUM_BASE}) AS high, sum((${SIGNED}) % ${SUM_BASE}) AS low
       FROM json_each(?) j CROSS JOIN records r INDEXED BY records_day ON r.stream_id = j.value AND r.day <= ?
       WHERE ${PUBLISHED_RECORD} GROUP BY 1, 2, 3, 4`,
    )
    .all(JSON.stringify(streamIds), day);
}

export type CloseMatch = Pick<
  Row<'matches'>,
  'id' | 'status' | 'a_record_id' | 'b_record_id' | 'members' | 'difference_code' | 'adjustment_id'
>;

/** Returns the visible matches of a reconciliation by id, including proposals. */
export function matchesToClose(read: ReadHandle, reconciliationId: number): CloseMatch[] {
  return read
    .prepare<[number, number, number], CloseMatch>(
      `SELECT m.id, m.status, m.a_record_id, m.b_record_id, m.members, ${explained('difference_code')}, m.adjustment_id
       FROM matches m WHERE m.reconciliation_id = ? AND ${publishedMatch('?')} AND ${NOT_WIPED_MATCH} ORDER BY m.id`,
    )
    .all(reconciliationId, reconciliationId, reconciliationId);
}

/** Returns the visible records with these ids, in no order. Used for the adjustments of matches. */
export function linesById(read: ReadHandle, ids: readonly number[]): CloseLine[] {
  return read
    .prepare<[string], CloseLine>(`SELECT ${COLUMNS} FROM json_each(?) j CROSS JOIN records r ON r.id = j.value WHERE ${PUBLISHED_RECORD}`)
    .raw()
    .all(JSON.stringify(ids)) as CloseLine[];
}

type CloseImportRow = Pick<
  Row<'import_batches'>,
  | 'id'
  | 'stream_id'
  | 'source'
  | 'filename'
  | 'format'
  | 'sha256'
  | 'skipped'
  | 'date_start'
  | 'date_end'
  | 'periods'
  | 'currency'
  | 'opening_balance'
  | 'closing_balance'
  | 'proof'
  | 'created_at'
>;
export type CloseImport = Omit<CloseImportRow, 'periods'> & { readonly periods: StoredJson<'import_batches.periods'> | null };

/** Returns the visible batches of streams, oldest first. */
export function importsOfStreams(read: ReadHandle, streamIds: readonly number[]): CloseImport[] {
  return read
    .prepare<[string], CloseImportRow>(
      `SELECT b.id, b.stream_id, b.source, b.filename, b.format, b.sha256, b.skipped, b.date_start, b.date_end, b.periods, b.currency, b.opening_balance,
         b.closing_balance, b.proof, b.created_at
       FROM import_batches b WHERE b.stream_id IN (SELECT value FROM json_each(?)) AND b.id > 0 AND b.writing = 0 ORDER BY b.id`,
    )
    .all(JSON.stringify(streamIds))
    .map((row) => ({ ...row, periods: storedJson('import_batches.periods', row.periods, row.id) }));
}

/** A balance that a statement, a person or a client states, in minor units of its currency. */
export interface StatedBalance {
  readonly streamId: number;
  readonly batchId: number | null;
  readonly day: number;
  readonly type: string;
  readonly amount: number;
  /** Null if the source names none. */
  readonly currency: string | null;
}

/**
 * Returns the balances that imports of the streams state, and those of the bank accounts of the streams. Balances from people and clients come first,
 * then those of imports, the first import first.
 */
export function statedBalances(read: ReadHandle, streamIds: readonly number[]): StatedBalance[] {
  return read
    .prepare<[string, string], StatedBalance>(
      `SELECT s.id AS streamId, NULL AS batchId, x.day, x.balance_type AS type, x.amount, a.currency
         FROM json_each(?) j CROSS JOIN streams s ON s.id = j.value CROSS JOIN bank_accounts a ON a.id = s.bank_account_id AND a.deleted_at IS NULL
         CROSS JOIN bank_account_balances x ON x.bank_account_id = a.id
       UNION ALL
       SELECT b.stream_id, b.id, x.day, x.balance_type, x.amount, x.currency
         FROM json_each(?) j CROSS JOIN import_batches b ON b.stream_id = j.value AND b.writing = 0 AND b.id > 0
         CROSS JOIN bank_account_balances x ON x.batch_id = b.id
       ORDER BY batchId, day`,
    )
    .all(JSON.stringify(streamIds), JSON.stringify(streamIds));
}

/** Unfinished work that may still change lines of streams or matches of a reconciliation. */
export interface OpenWork {
  readonly kind: 'import' | 'run' | 'bulk' | 'stream_operation';
  readonly id: number;
  /** The filename of an import; null for other work. */
  readonly name: string | null;
}

export function openWorkOn(read: ReadHandle, reconciliationId: number, streamIds: readonly number[]): OpenWork[] {
  const streams = JSON.stringify(streamIds);
  return read
    .prepare<[string, number, string, string], OpenWork>(
      `SELECT 'import' AS kind, j.id, j.payload ->> 'filename' AS name FROM jobs j
         JOIN streams s ON s.environment_id = j.environment_id AND s.key = j.payload ->> 'streamKey'
         WHERE j.status IN ('pending', 'running') AND j.kind = 'import' AND NOT coalesce(j.payload ->> 'dryRun', 0)
           AND s.id IN (SELECT value FROM json_each(?))
       UNION ALL SELECT 'run', id, NULL FROM runs WHERE reconciliation_id = ? AND status IN ('pending', 'running') AND mode <> 'dry_run'
       UNION ALL SELECT DISTINCT 'bulk', q.id, NULL FROM bulk_requests q JOIN bulk_request_streams t ON t.bulk_request_id = q.id
         WHERE q.status IN ('pending', 'processing') AND t.stream_id IN (SELECT value FROM json_each(?))
       UNION ALL SELECT 'stream_operation', id, NULL FROM stream_operations
         WHERE status IN ('pending', 'running') AND stream_id IN (SELECT value FROM json_each(?))`,
    )
    .all(streams, reconciliationId, streams, streams);
}
