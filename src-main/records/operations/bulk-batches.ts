import { addedTotals, type CurrencyTotal } from '../../imports/work/figures.ts';
import { appendAudit } from '../../book/store/audit.ts';
import { storedJson } from '../../database/json-columns.ts';
import type { WriteHandle } from '../../database/database.ts';
import { insertBatch, publishBatch } from '../../imports/store/import-batches.ts';
import { streamByKey } from '../../streams/store/streams.ts';
import { type ClosedSpan, closedSpansOfStream } from '../../close/store/closed-spans.ts';
import { RESERVED_KEYS } from '../../service/reserved-streams.ts';
import { batchesOfBulkRequest, batchOfBulkStream, type BulkRequestRow, setBatchOfBulkStream } from '../store/bulk-requests.ts';
import type { NewRecord } from '../store/records.ts';

/** The import batch of one request in one stream, while items are put into it. */
export interface OpenBatch {
  readonly streamId: number;
  readonly batchId: number;
  /** The closed periods of the stream. */
  readonly closed: readonly ClosedSpan[];
  kept: number;
  skipped: number;
  rejected: number;
  totals: CurrencyTotal[];
  /** The currency of the first record, in which the batch states its single sums. */
  currency: string | null;
  first: number | null;
  last: number | null;
}

type Money = Pick<NewRecord, 'amount' | 'direction' | 'currency' | 'decimal_places'>;

/** Returns the totals with one more record; null if a total would exceed 2^53-1 and so no longer be exact. */
export function totalsWith(
  totals: readonly CurrencyTotal[],
  { amount, direction, currency, decimal_places }: Money,
): CurrencyTotal[] | null {
  const [credits, debits] = direction === 1 ? [amount, 0] : [0, amount];
  return addedTotals(totals, [{ currency, decimal_places, credits, debits }], 1);
}

/** The batches of one request within one transaction. A batch is read when the first item names its stream; `save` stores all of them. */
export class RequestBatches {
  readonly #byKey = new Map<string, OpenBatch | null>();
  readonly #write: WriteHandle;
  readonly #request: BulkRequestRow;
  readonly #atMs: number;

  constructor(write: WriteHandle, request: BulkRequestRow, atMs: number) {
    this.#write = write;
    this.#request = request;
    this.#atMs = atMs;
  }

  /** Returns the batch in a stream, created by the first item that names it; null if the stream does not exist or accepts no records. */
  of(streamKey: string): OpenBatch | null {
    const known = this.#byKey.get(streamKey);
    if (known !== undefined) return known;
    const stream = RESERVED_KEYS.has(streamKey) ? undefined : streamByKey(this.#write, this.#request.environment_id, streamKey);
    const batch = stream === undefined ? null : this.#open(stream.id);
    this.#byKey.set(streamKey, batch);
    return batch;
  }

  #open(streamId: number): OpenBatch {
    const write = this.#write;
    const request = this.#request;
    const closed = closedSpansOfStream(write, streamId);
    const stored = batchOfBulkStream(write, request.id, streamId);
    if (stored !== undefined) {
      const totals = storedJson('import_batches.totals', stored.totals, stored.id);
      const { kept, skipped, rejected, currency, date_start: first, date_end: last } = stored;
      return { streamId, batchId: stored.id, closed, kept, skipped, rejected, totals, currency, first, last };
    }
    const batchId = insertBatch(write, {
      environment_id: request.environment_id,
      stream_id: streamId,
      // A record becomes visible as soon as its result says that it was taken.
      writing: 0,
      source: 'bulk_api',
      filename: null,
      format: 'json',
      sha256: request.sha256,
      byte_length: request.byte_length,
      created_at: this.#atMs,
    });
    setBatchOfBulkStream(write, request.id, streamId, batchId);
    return { streamId, batchId, closed, kept: 0, skipped: 0, rejected: 0, totals: [], currency: null, first: null, last: null };
  }

  save(): void {
    for (const batch of this.#byKey.values()) {
      if (batch === null) continue;
      publishBatch(this.#write, batch.batchId, {
        kept: batch.kept,
        skipped: batch.skipped,
        rejected: batch.rejected,
        totals: JSON.stringify(batch.totals),
        currency: batch.currency,
        date_start: batch.first,
        date_end: batch.last,
      });
    }
  }
}

/** Appends one audit entry for each batch; call it in the transaction that ends the request. */
export function auditBatches(write: WriteHandle, request: BulkRequestRow, atMs: number): void {
  for (const batch of batchesOfBulkRequest(write, request.id)) {
    appendAudit(write, {
      environmentId: request.environment_id,
      atMs,
      actor: request.actor,
      action: 'import_batch.created',
      detail: {
        batch_id: batch.id,
        stream: batch.data_stream_key,
        bulk_request_id: request.id,
        sha256: batch.sha256,
        kept: batch.kept,
        skipped: batch.skipped,
        rejected: batch.rejected,
      },
    });
  }
}

/** Counts a record that was inserted. */
export function countIn(batch: OpenBatch, totals: CurrencyTotal[], day: number): void {
  batch.kept += 1;
  batch.totals = totals;
  batch.currency ??= totals[0]?.currency ?? null;
  batch.first = Math.min(batch.first ?? day, day);
  batch.last = Math.max(batch.last ?? day, day);
}
