import { namedCurrency } from '../../../src-shared/values/money.ts';
import type { ReadHandle, Row, WriteHandle } from '../../database/database.ts';
import { unlist } from '../../records/store/listed-records.ts';
import { listBankAccounts } from '../../streams/store/bank-accounts.ts';
import { PUBLISHED_RECORD } from './import-batches.ts';

/** The columns of a record that a change of its currency needs. */
export type MoneyRecord = Pick<
  Row<'records'>,
  'id' | 'day' | 'value_day' | 'amount' | 'direction' | 'currency' | 'decimal_places' | 'description' | 'metadata' | 'dedupe_key'
>;

/** Returns the records of a batch in a currency by day, at most one more than `limit`. */
export function recordsInCurrency(read: ReadHandle, batchId: number, currency: string, limit: number): MoneyRecord[] {
  return read
    .prepare<[number, string, number], MoneyRecord>(
      `SELECT id, day, value_day, amount, direction, currency, decimal_places, description, metadata, dedupe_key
       FROM records INDEXED BY records_batch_day WHERE batch_id = ? AND currency = ? ORDER BY day, id LIMIT ?`,
    )
    .all(batchId, currency, limit + 1);
}

/** Returns whether a stream has visible records in a currency outside of a batch. */
export function hasOthersInCurrency(read: ReadHandle, streamId: number, currency: string, batchId: number): boolean {
  const sql = `SELECT 1 FROM records r WHERE r.stream_id = ? AND r.currency = ? AND r.batch_id IS NOT ? AND ${PUBLISHED_RECORD} LIMIT 1`;
  return read.prepare<[number, string, number], unknown>(sql).get(streamId, currency, batchId) !== undefined;
}

export type OtherMoney = Pick<Row<'records'>, 'id' | 'amount' | 'currency' | 'decimal_places' | 'dedupe_key'>;

/** Sets amount, currency and key of records. They move from the lists to the indices of keys and amounts. */
export function setMoney(write: WriteHandle, records: readonly OtherMoney[]): void {
  const update = write.prepare<[number, string, number, string | null, number], unknown>(
    'UPDATE records SET amount = ?, currency = ?, decimal_places = ?, dedupe_key = ? WHERE id = ?',
  );
  // The records leave the lists first, since the triggers on the lists expect one change of a record at a time.
  for (const { id } of records) unlist(write, id);
  for (const { id, amount, currency, decimal_places: places, dedupe_key: key } of records) update.run(amount, currency, places, key, id);
}

export type StatedBalance = Pick<Row<'bank_account_balances'>, 'id' | 'amount'>;

/** Returns the balances in a currency that the statement of a batch states. */
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

/** Returns whether an account has balances from a person or a client, or a stream with records in a currency outside of a batch. */
export function isAccountOfOthers(read: ReadHandle, accountId: number, currency: string, batchId: number): boolean {
  const own = read.prepare<[number], unknown>('SELECT 1 FROM bank_account_balances WHERE bank_account_id = ? LIMIT 1').get(accountId);
  if (own !== undefined) return true;
  return read
    .prepare<[number], { id: number }>('SELECT id FROM streams WHERE bank_account_id = ?')
    .all(accountId)
    .some(({ id }) => hasOthersInCurrency(read, id, currency, batchId));
}

/** Excludes records from unpublished runs, which have read them with their former amounts. */
export function excludeAll(write: WriteHandle, runIds: readonly number[], recordIds: readonly number[]): void {
  const exclude = write.prepare<[number, string], unknown>(
    'INSERT INTO run_exclusions(run_id, record_id) SELECT ?, value FROM json_each(?) WHERE true ON CONFLICT DO NOTHING',
  );
  for (const runId of runIds) exclude.run(runId, JSON.stringify(recordIds));
}

/** Returns the currency of the oldest visible record of a stream; null if it has none. */
export function firstCurrencyOfStream(read: ReadHandle, streamId: number): string | null {
  const sql = `SELECT r.currency FROM records r WHERE r.stream_id = ? AND ${PUBLISHED_RECORD} ORDER BY r.day, r.id LIMIT 1`;
  return read.prepare<[number], { currency: string }>(sql).get(streamId)?.currency ?? null;
}

/** Yields the currencies of all records of an environment, visible or not, sorted. Each needs one look-up in an index. */
export function* currenciesOfEnvironment(read: ReadHandle, environmentId: number): Generator<string> {
  const next = read.prepare<[number, string], { currency: string }>(
    `SELECT currency FROM records INDEXED BY records_all_created WHERE environment_id = ? AND currency > ? ORDER BY currency LIMIT 1`,
  );
  for (let row = next.get(environmentId, ''); row !== undefined; row = next.get(environmentId, row.currency)) yield row.currency;
}

/** Returns the currencies of visible records and of bank accounts of an environment, sorted. */
export function currenciesOfBook(read: ReadHandle, environmentId: number): string[] {
  const seen = read.prepare<[number, string], unknown>(
    `SELECT 1 FROM records r INDEXED BY records_all_created WHERE r.environment_id = ? AND r.currency = ? AND ${PUBLISHED_RECORD} LIMIT 1`,
  );
  const ofRecords = [...currenciesOfEnvironment(read, environmentId)].filter((currency) => seen.get(environmentId, currency) !== undefined);
  const ofAccounts = listBankAccounts(read, environmentId).flatMap(({ currency }) => currency ?? []);
  return [...new Set([...ofRecords, ...ofAccounts])].filter((currency) => namedCurrency(currency) !== null).toSorted();
}

/** Returns whether a stream has visible records in a currency. If it has none, this reads all of its records. */
export function hasRecordsIn(read: ReadHandle, streamId: number, currency: string): boolean {
  const sql = `SELECT 1 AS found FROM records r WHERE r.stream_id = ? AND r.currency = ? AND ${PUBLISHED_RECORD} LIMIT 1`;
  return read.prepare<[number, string], { found: number }>(sql).get(streamId, currency) !== undefined;
}
