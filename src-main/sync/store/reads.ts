import { decimalPlacesOf } from '../../../src-shared/values/money.ts';
import { query, type ReadHandle } from '../../database/database.ts';
import type { RecordRow } from '../../database/rows.ts';
import { PUBLISHED_RECORD } from '../../imports/store/import-batches.ts';
import { VISIBLE_MATCH } from '../../matches/store/matches.ts';

export type SyncRecordRow = Pick<
  RecordRow,
  | 'id'
  | 'day'
  | 'value_day'
  | 'amount'
  | 'direction'
  | 'currency'
  | 'decimal_places'
  | 'description'
  | 'external_id'
  | 'metadata'
  | 'created_at'
>;

const COLUMNS =
  'r.id, r.day, r.value_day, r.amount, r.direction, r.currency, r.decimal_places, r.description, r.external_id, r.metadata, r.created_at';

/** Returns the ids of the published records of a stream, ascending. */
export function idsOfStream(read: ReadHandle, streamId: number): number[] {
  return read
    .prepare<[number], { id: number }>(`SELECT r.id FROM records r WHERE r.stream_id = ? AND ${PUBLISHED_RECORD} ORDER BY r.id`)
    .all(streamId)
    .map(({ id }) => id);
}

/** Returns the published records among `ids`, ordered by id. */
export function recordsForSync(read: ReadHandle, ids: readonly number[]): (SyncRecordRow & { readonly stream_id: number })[] {
  return read
    .prepare<[string], SyncRecordRow & { readonly stream_id: number }>(
      `SELECT ${COLUMNS}, r.stream_id FROM json_each(?) j CROSS JOIN records r ON r.id = j.value WHERE ${PUBLISHED_RECORD} ORDER BY r.id`,
    )
    .all(JSON.stringify(ids));
}

/** Returns the published records of a stream on some days, in no order. */
export function linesOfDays(read: ReadHandle, streamId: number, days: readonly number[]): SyncRecordRow[] {
  return read
    .prepare<[string, number], SyncRecordRow>(
      `SELECT ${COLUMNS} FROM json_each(?) j CROSS JOIN records r ON r.stream_id = ? AND r.day = j.value WHERE ${PUBLISHED_RECORD}`,
    )
    .all(JSON.stringify(days), streamId);
}

/** Returns when Tieout last restored this book from a backup; null if it did not. A copied book file leaves no trace. */
export function putBackAt(read: ReadHandle): number | null {
  const row = read.prepare<[], { at: number }>("SELECT at FROM audit_log WHERE action = 'book.restored' ORDER BY id DESC LIMIT 1").get();
  return row?.at ?? null;
}

export function streamKeysOf(read: ReadHandle, ids: readonly number[]): Map<number, string> {
  const rows = read
    .prepare<[string], { id: number; key: string }>('SELECT s.id, s.key FROM json_each(?) j JOIN streams s ON s.id = j.value')
    .all(JSON.stringify([...new Set(ids)]));
  return new Map(rows.map(({ id, key }) => [id, key]));
}

/** Returns the descriptions of the records that make matches balance, by record id. */
export function adjustmentWords(read: ReadHandle, environmentId: number, streamKey: string): Map<number, string | null> {
  const rows = read
    .prepare<[number, string], { id: number; description: string | null }>(
      'SELECT r.id, r.description FROM streams s CROSS JOIN records r ON r.stream_id = s.id WHERE s.environment_id = ? AND s.key = ?',
    )
    .all(environmentId, streamKey);
  return new Map(rows.map(({ id, description }) => [id, description]));
}

interface Mark {
  readonly record_id: number;
  readonly reconciliation_id: number;
  readonly overdue_at: number;
}

export function overdueOf(read: ReadHandle, environmentId: number): Mark[] {
  return read
    .prepare<[number], Mark>(
      'SELECT o.* FROM overdue_records o JOIN reconciliations c ON c.id = o.reconciliation_id WHERE c.environment_id = ? ORDER BY o.record_id',
    )
    .all(environmentId);
}

/** Whether an environment has periods or notes on open items, which sync does not move. */
export function hasCloseWork(read: ReadHandle, environmentId: number): boolean {
  const row = read
    .prepare<[number, number], { n: number }>(
      `SELECT EXISTS (SELECT 1 FROM reconciliation_periods p JOIN reconciliations c ON c.id = p.reconciliation_id WHERE c.environment_id = ?)
         OR EXISTS (SELECT 1 FROM open_item_notes n JOIN reconciliations c ON c.id = n.reconciliation_id WHERE c.environment_id = ?) AS n`,
    )
    .get(environmentId, environmentId);
  return row?.n === 1;
}

/** Returns how many records have alternative descriptions, from a second file of the same days. */
export function countReworded(read: ReadHandle, environmentId: number): number {
  const row = read
    .prepare<[number], { n: number }>(
      'SELECT count(DISTINCT w.record_id) AS n FROM wordings w JOIN streams s ON s.id = w.stream_id WHERE s.environment_id = ?',
    )
    .get(environmentId);
  return row?.n ?? 0;
}

/** Whether the book has no streams, reconciliations or accounts yet. */
export function isBookEmpty(read: ReadHandle): boolean {
  const row = read
    .prepare<[], { n: number }>(
      'SELECT EXISTS (SELECT 1 FROM streams) OR EXISTS (SELECT 1 FROM reconciliations) OR EXISTS (SELECT 1 FROM bank_accounts) AS n',
    )
    .get();
  return row?.n === 0;
}

/** Returns the currency of a stream's records; null if they have several or there are none. */
export function currencyOfStream(
  read: ReadHandle,
  streamId: number,
): { readonly currency: string; readonly decimal_places: number } | null {
  const row = read
    .prepare<[number], { least: string | null; most: string | null; places: number }>(
      'SELECT min(currency) AS least, max(currency) AS most, max(decimal_places) AS places FROM records WHERE stream_id = ?',
    )
    .get(streamId);
  if (row === undefined || row.least === null || row.least !== row.most) return null;
  return { currency: row.least, decimal_places: row.places };
}

export function streamNames(read: ReadHandle, environmentId: number): Map<string, string> {
  const rows = read
    .prepare<[number], { key: string; name: string }>('SELECT key, name FROM streams WHERE environment_id = ?')
    .all(environmentId);
  return new Map(rows.map(({ key, name }) => [key, name]));
}

/** Returns how many proposed matches wait for confirmation. */
export function countProposed(read: ReadHandle, environmentId: number): number {
  const row = read
    .prepare<[number], { n: number }>(
      `SELECT count(*) AS n FROM matches m JOIN reconciliations c ON c.id = m.reconciliation_id
       WHERE c.environment_id = ? AND m.status = 'proposed' AND ${VISIBLE_MATCH}`,
    )
    .get(environmentId);
  return row?.n ?? 0;
}

/** Returns the oldest reconciliation that contains a stream; null if none does. */
export function reconciliationOfStream(read: ReadHandle, environmentId: number, key: string): number | null {
  const row = read
    .prepare<[number, string], { id: number | null }>(
      `SELECT min(rs.reconciliation_id) AS id FROM streams s JOIN reconciliation_streams rs ON rs.stream_id = s.id
       WHERE s.environment_id = ? AND s.key = ?`,
    )
    .get(environmentId, key);
  return row?.id ?? null;
}

export function matchMade(read: ReadHandle, id: number): { readonly origin: string; readonly created_at: number } | null {
  return read.first(query.selectFrom('matches').select(['origin', 'created_at']).where('id', '=', id)) ?? null;
}

export function accountName(read: ReadHandle, id: number): string | null {
  return read.first(query.selectFrom('bank_accounts').select('name').where('id', '=', id))?.name ?? null;
}

interface BalanceMoney {
  readonly amount: number;
  readonly currency: string;
  readonly decimal_places: number;
}

/** Returns an amount in the currency of an account; null if the account has no currency. */
export function balanceMoney(read: ReadHandle, accountId: number, amount: number): BalanceMoney | null {
  const currency = read.first(query.selectFrom('bank_accounts').select('currency').where('id', '=', accountId))?.currency ?? null;
  return currency === null ? null : { amount, currency, decimal_places: decimalPlacesOf(currency) };
}

export function matchStatus(read: ReadHandle, id: number): 'matched' | 'proposed' | null {
  return read.first(query.selectFrom('matches').select('status').where('id', '=', id))?.status ?? null;
}

/** Whether a person or a program chose the reference field of a stream; otherwise the first file decides. */
export function hasChosenReference(read: ReadHandle, environmentId: number, key: string): boolean {
  const row = read
    .prepare<[number, string], unknown>(
      `SELECT 1 FROM audit_log WHERE environment_id = ? AND action IN ('stream.created', 'stream.updated') AND actor <> 'sync'
         AND json_extract(detail, '$.key') = ? AND coalesce(json_extract(detail, '$.change.reference_field'), json_extract(detail, '$.reference_field')) IS NOT NULL LIMIT 1`,
    )
    .get(environmentId, key);
  return row !== undefined;
}
