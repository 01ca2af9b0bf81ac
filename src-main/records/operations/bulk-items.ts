import { isDeepStrictEqual } from 'node:util';
import type { BulkItemError, Failure, OnConflict } from '../../../src-shared/contract/index.ts';
import { bulkItem } from '../../../src-shared/contract/records/bulk-requests.ts';
import { isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { isWholeText } from '../../../src-shared/values/whole-text.ts';
import type { WriteHandle } from '../../database/database.ts';
import { refusedWithin } from '../../service/period-lock.ts';
import { ONLY_MATCHES_ADJUST, RESERVED_KEYS, reservedStream } from '../../service/reserved-streams.ts';
import { recordOfExternalId, type RecordOfExternalId } from '../store/bulk-requests.ts';
import { insertRecord, type NewRecord } from '../store/records.ts';
import { newRecord } from './record-input.ts';
import { countIn, type OpenBatch, type RequestBatches, totalsWith } from './bulk-batches.ts';

export interface ItemResult {
  readonly status: 'successful' | 'failed' | 'skipped';
  /** The record made, or the one that was there. */
  readonly recordId: number | null;
  readonly error: BulkItemError | null;
}

/** What the items of a request are worked with, within one transaction. */
export interface ItemWork {
  readonly write: WriteHandle;
  readonly environmentId: number;
  readonly onConflict: OnConflict;
  readonly atMs: number;
  readonly batches: RequestBatches;
  /** What is wrong with an item that does not fit its schema, in words. */
  readonly failureOf: (item: unknown) => Failure;
}

type ItemError = Pick<Failure, 'message' | 'errors'> & { readonly code: string; readonly differences?: BulkItemError['differences'] };

function refused(batch: OpenBatch | null, error: ItemError, recordId: number | null = null): ItemResult {
  if (batch !== null) batch.rejected += 1;
  const { code, message, errors = [], differences = [] } = error;
  return { status: 'failed', recordId, error: { code, message, errors: [...errors], differences } };
}

/** The stream that an item names, even if the item is faulty. */
function streamNamed(item: unknown): string {
  const named: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, 'data_stream_key') : undefined;
  return typeof named === 'string' ? named : '';
}

function unwritableStream(key: string): ItemError {
  if (RESERVED_KEYS.has(key)) return reservedStream('data_stream_key', ONLY_MATCHES_ADJUST).error;
  const message = `There is no data stream ${key} in this environment: create it first.`;
  return { code: 'unknown_reference', message, errors: [{ path: 'data_stream_key', code: 'unknown_reference', message }] };
}

/** A record's content as the wire has it. */
function contentOf(record: NewRecord): Readonly<Record<string, unknown>> {
  return {
    date: isoFromDay(record.day),
    value_date: record.value_day === null ? null : isoFromDay(record.value_day),
    amount: record.amount,
    direction: record.direction === 1 ? 'credit' : 'debit',
    currency: record.currency,
    decimal_places: record.decimal_places,
    description: record.description,
    metadata: JSON.parse(record.metadata) as unknown,
  };
}

function differencesOf(there: NewRecord, given: NewRecord): BulkItemError['differences'] {
  const existing = contentOf(there);
  return Object.entries(contentOf(given))
    .filter(([field, value]) => !isDeepStrictEqual(existing[field], value))
    .map(([field, value]) => ({ field, existing: existing[field], given: value }));
}

/** An item whose external_id is in the stream already, be it from before or by an earlier item of the request. */
function duplicate(work: ItemWork, batch: OpenBatch, streamKey: string, there: RecordOfExternalId, given: NewRecord): ItemResult {
  const differences = differencesOf(there, given);
  const place = `external_id ${given.external_id} exists already in the stream ${streamKey}, as record ${there.id}`;
  const fields = differences.map((difference) => difference.field).join(', ');
  const error =
    differences.length > 0
      ? {
          code: 'same_id_other_content',
          message: `${place}, with other content (${fields}): correct the external_id, or change that record.`,
        }
      : { code: 'key_taken', message: `${place}: leave the item out, or send on_conflict skip.` };
  const errors = [{ path: 'external_id', ...error }];
  if (work.onConflict === 'error') return refused(batch, { ...error, errors, differences }, there.id);
  batch.skipped += 1;
  return { status: 'skipped', recordId: there.id, error: differences.length === 0 ? null : { ...error, errors, differences } };
}

function totalOutOfRange(streamKey: string): ItemError {
  const message = `With this amount a total of the import batch in the stream ${streamKey} would pass 2^53-1: send the item in another request.`;
  return { code: 'total_out_of_range', message, errors: [{ path: 'amount', code: 'total_out_of_range', message }] };
}

/**
 * Puts one item into the book, or says why not. Null when it cannot be said yet: a record with its external_id is in a batch
 * that is half-written or on its way out.
 */
export function processItem(work: ItemWork, item: unknown): ItemResult | null {
  const parsed = bulkItem.safeParse(item);
  if (!parsed.success || !isWholeText(item)) return refused(work.batches.of(streamNamed(item)), work.failureOf(item));
  // An empty external_id, as from an empty cell of a sheet, is none: two such items are not the same record.
  const { data_stream_key: streamKey, ...input } = parsed.data.external_id === '' ? { ...parsed.data, external_id: null } : parsed.data;
  const batch = work.batches.of(streamKey);
  if (batch === null) return refused(null, unwritableStream(streamKey));
  const record = newRecord(input, { environmentId: work.environmentId, streamId: batch.streamId, createdAtMs: work.atMs });
  if (!record.ok) return refused(batch, record.error);
  const externalId = record.value.external_id;
  const there = externalId === null ? undefined : recordOfExternalId(work.write, batch.streamId, externalId);
  if (there !== undefined) return there.hidden ? null : duplicate(work, batch, streamKey, there, record.value);
  const closed = refusedWithin(batch.closed, record.value.day, 'a record');
  if (closed !== null) return refused(batch, { ...closed.error, errors: [{ path: 'date', ...closed.error }] });
  const totals = totalsWith(batch.totals, record.value);
  if (totals === null) return refused(batch, totalOutOfRange(streamKey));
  const row = { ...record.value, batch_id: batch.batchId };
  // An imported line that had this external id, and was given another, keeps the key: a re-import must not add it again.
  const recordId = insertRecord(work.write, row) ?? insertRecord(work.write, { ...row, dedupe_key: null });
  countIn(batch, totals, row.day);
  return { status: 'successful', recordId, error: null };
}
