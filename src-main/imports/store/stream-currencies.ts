import { namedCurrency } from '../../../src-shared/values/money.ts';
import type { ReadHandle } from '../../database/database.ts';
import { listBankAccounts } from '../../streams/store/bank-accounts.ts';
import { PUBLISHED_RECORD } from './import-batches.ts';

/** The currency of the oldest record of a stream that people see; null where they see none. */
export function firstCurrencyOfStream(read: ReadHandle, streamId: number): string | null {
  const sql = `SELECT r.currency FROM records r WHERE r.stream_id = ? AND ${PUBLISHED_RECORD} ORDER BY r.day, r.id LIMIT 1`;
  return read.prepare<[number], { currency: string }>(sql).get(streamId)?.currency ?? null;
}

/** Currencies of which an environment has records, seen or not, in order; one look into an index for each. */
export function* currenciesOfEnvironment(read: ReadHandle, environmentId: number): Generator<string> {
  const next = read.prepare<[number, string], { currency: string }>(
    `SELECT currency FROM records INDEXED BY records_all_created WHERE environment_id = ? AND currency > ? ORDER BY currency LIMIT 1`,
  );
  for (let row = next.get(environmentId, ''); row !== undefined; row = next.get(environmentId, row.currency)) yield row.currency;
}

/** The currencies of records that people see in an environment, and of its bank accounts, in order. */
export function currenciesOfBook(read: ReadHandle, environmentId: number): string[] {
  const seen = read.prepare<[number, string], unknown>(
    `SELECT 1 FROM records r INDEXED BY records_all_created WHERE r.environment_id = ? AND r.currency = ? AND ${PUBLISHED_RECORD} LIMIT 1`,
  );
  const ofRecords = [...currenciesOfEnvironment(read, environmentId)].filter((currency) => seen.get(environmentId, currency) !== undefined);
  const ofAccounts = listBankAccounts(read, environmentId).flatMap(({ currency }) => currency ?? []);
  return [...new Set([...ofRecords, ...ofAccounts])].filter((currency) => namedCurrency(currency) !== null).toSorted();
}

/** Whether people see records of a currency in a stream. If there are none, this reads all records of the stream. */
export function hasRecordsIn(read: ReadHandle, streamId: number, currency: string): boolean {
  const sql = `SELECT 1 AS found FROM records r WHERE r.stream_id = ? AND r.currency = ? AND ${PUBLISHED_RECORD} LIMIT 1`;
  return read.prepare<[number, string], { found: number }>(sql).get(streamId, currency) !== undefined;
}
