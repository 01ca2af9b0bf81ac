import { namedCurrency } from '../../../src-shared/values/money.ts';
import type { ReadHandle } from '../../database/database.ts';
import { listBankAccounts } from '../../streams/store/bank-accounts.ts';
import { PUBLISHED_RECORD } from './import-batches.ts';

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
