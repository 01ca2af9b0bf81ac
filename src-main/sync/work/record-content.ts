import { createHash } from 'node:crypto';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import type { Database } from '../../database/database.ts';
import { storedJson } from '../../database/json-columns.ts';
import { idsOfStream, recordsForSync, type SyncRecordRow } from '../store/reads.ts';
import type { RecordContent } from './resources.ts';

export function contentOfRow(row: SyncRecordRow): RecordContent {
  return {
    date: isoFromDay(row.day),
    value_date: row.value_day === null ? null : isoFromDay(row.value_day),
    amount: row.direction === 1 || row.amount === 0 ? row.amount : -row.amount,
    direction: row.direction === 1 ? 'credit' : 'debit',
    currency: row.currency,
    decimal_places: row.decimal_places,
    description: row.description === '' ? null : row.description,
    external_id: row.external_id === '' ? null : row.external_id,
    metadata: storedJson('records.metadata', row.metadata, row.id),
  };
}

/** Returns a record as it is compared: without an external id that a Tieout made. */
export function canonicalRecord(content: RecordContent): RecordContent {
  const externalId = ownExternalId(content.external_id);
  return externalId === content.external_id ? content : { ...content, external_id: externalId };
}

/** Returns the amount and currency, which are equal in two lines that may be the same. */
export function moneyOf({ amount, direction, currency }: Pick<RecordContent, 'amount' | 'direction' | 'currency'>): string {
  return `${amount === 0 ? direction : ''}${amount} ${currency}`;
}

/** Returns the key by which a record without a shared external id is recognised. */
export function contentKey({ date, amount, direction, currency, description }: RecordContent): string {
  return JSON.stringify([date, amount, amount === 0 ? direction : '', currency, description]);
}

const MADE = /^tieout-[0-9a-f]{24}$/;

/**
 * Returns the external id under which a record without one is sent: the same in every attempt, for the book and its backups. The creation time is
 * part of it, because a restored book may give the same id to another record.
 */
export function madeExternalId(seed: string, record: { readonly id: number; readonly createdAt: number }): string {
  return `tieout-${createHash('sha256').update(`${seed} ${record.id} ${record.createdAt}`).digest('hex').slice(0, 24)}`;
}

/** Returns the external id, or null if a Tieout made it: the record itself has none. */
export function ownExternalId(externalId: string | null): string | null {
  return externalId !== null && MADE.test(externalId) ? null : externalId;
}

export interface LocalRecord {
  readonly id: number;
  readonly streamId: number;
  readonly createdAt: number;
  readonly content: RecordContent;
}

const PAGE = 1_000;

export function recordsByIds(database: Database, ids: readonly number[]): LocalRecord[] {
  return recordsForSync(database, ids).map((row) => ({
    id: row.id,
    streamId: row.stream_id,
    createdAt: row.created_at,
    content: contentOfRow(row),
  }));
}

/** Yields all records of a stream, a thousand at a time. */
export function localRecords(database: Database, streamId: number): Generator<LocalRecord[]> {
  return recordsInPages(database, idsOfStream(database, streamId));
}

export function* recordsInPages(database: Database, ids: readonly number[]): Generator<LocalRecord[]> {
  for (let at = 0; at < ids.length; at += PAGE) yield recordsByIds(database, ids.slice(at, at + PAGE));
}
