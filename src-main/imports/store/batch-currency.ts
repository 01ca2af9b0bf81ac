import type { ReadHandle, Row, WriteHandle } from '../../database/database.ts';
import { unlist } from '../../records/store/listed-records.ts';
import { PUBLISHED_RECORD } from './import-batches.ts';

/** The parts of a record that a change of its currency needs. */
export type MoneyRecord = Pick<
  Row<'records'>,
  'id' | 'day' | 'value_day' | 'amount' | 'direction' | 'currency' | 'decimal_places' | 'description' | 'metadata' | 'dedupe_key'
>;

/** The records of a batch in a currency, one more than `limit` at most, by day. */
export function recordsInCurrency(read: ReadHandle, batchId: number, currency: string, limit: number): MoneyRecord[] {
  return read
    .prepare<[number, string, number], MoneyRecord>(
      `SELECT id, day, value_day, amount, direction, currency, decimal_places, description, metadata, dedupe_key
       FROM records INDEXED BY records_batch_day WHERE batch_id = ? AND currency = ? ORDER BY day, id LIMIT ?`,
    )
    .all(batchId, currency, limit + 1);
}

/** Whether people see records of a stream in a currency beside those of a batch. */
export function hasOthersInCurrency(read: ReadHandle, streamId: number, currency: string, batchId: number): boolean {
  const sql = `SELECT 1 FROM records r WHERE r.stream_id = ? AND r.currency = ? AND r.batch_id IS NOT ? AND ${PUBLISHED_RECORD} LIMIT 1`;
  return read.prepare<[number, string, number], unknown>(sql).get(streamId, currency, batchId) !== undefined;
}

export type OtherMoney = Pick<Row<'records'>, 'id' | 'amount' | 'currency' | 'decimal_places' | 'dedupe_key'>;

/** Gives records another amount of money; they stand in the indices of keys and amounts from then on. */
export function setMoney(write: WriteHandle, records: readonly OtherMoney[]): void {
  const update = write.prepare<[number, string, number, string | null, number], unknown>(
    'UPDATE records SET amount = ?, currency = ?, decimal_places = ?, dedupe_key = ? WHERE id = ?',
  );
  // First the records leave the lists. The triggers on the lists expect only one change of a record at a time.
  for (const { id } of records) unlist(write, id);
  for (const { id, amount, currency, decimal_places: places, dedupe_key: key } of records) update.run(amount, currency, places, key, id);
}

export type StatedBalance = Pick<Row<'bank_account_balances'>, 'id' | 'amount'>;

/** Balances in a currency that the statement of a batch says. */
export function balancesInCurrency(read: ReadHandle, batchId: number, currency: string): StatedBalance[] {
  return read
    .prepare<[number, string], StatedBalance>('SELECT id, amount FROM bank_account_balances WHERE batch_id = ? AND currency = ?')
    .all(batchId, currency);
}

export function setBalances(write: WriteHandle, balances: readonly StatedBalance[], currency: string, atMs: number): void {
  const update = write.prepare<[number, string, number, number], unknown>(
    'UPDATE bank_account_balances SET amount = ?, currency = ?, updated_at = ? WHERE id = ?',
  );
  for (const { id, amount } of balances) update.run(amount, currency, atMs, id);
}

/** Whether an account has balances that a person or a client gave it, or streams with records in a currency beside those of a batch. */
export function isAccountOfOthers(read: ReadHandle, accountId: number, currency: string, batchId: number): boolean {
  const own = read.prepare<[number], unknown>('SELECT 1 FROM bank_account_balances WHERE bank_account_id = ? LIMIT 1').get(accountId);
  if (own !== undefined) return true;
  return read
    .prepare<[number], { id: number }>('SELECT id FROM streams WHERE bank_account_id = ?')
    .all(accountId)
    .some(({ id }) => hasOthersInCurrency(read, id, currency, batchId));
}

/** Tells the runs under way that records are no longer what they read. */
export function excludeAll(write: WriteHandle, runIds: readonly number[], recordIds: readonly number[]): void {
  const exclude = write.prepare<[number, string], unknown>(
    'INSERT INTO run_exclusions(run_id, record_id) SELECT ?, value FROM json_each(?) WHERE true ON CONFLICT DO NOTHING',
  );
  for (const runId of runIds) exclude.run(runId, JSON.stringify(recordIds));
}
