import type { WriteHandle } from '../../database/database.ts';
import { type BulkRequestRow, insertBulkResult } from '../store/bulk-requests.ts';
import type { ItemResult } from './bulk-items.ts';

/** Counts and stores what becomes of the items of one request; of items that went in one after another it writes one row. */
export class ResultWriter {
  processed: number;
  readonly counts: { successful: number; failed: number; skipped: number };
  readonly #write: WriteHandle;
  readonly #requestId: number;
  #run: { readonly item: number; readonly recordId: number; items: number } | null = null;

  constructor(write: WriteHandle, request: BulkRequestRow) {
    this.#write = write;
    this.#requestId = request.id;
    this.processed = request.processed;
    this.counts = { successful: request.successful, failed: request.failed, skipped: request.skipped };
  }

  add(result: ItemResult): void {
    const item = this.processed;
    this.processed += 1;
    this.counts[result.status] += 1;
    const { recordId } = result;
    if (result.status === 'successful' && recordId !== null) {
      if (this.#run !== null && this.#run.recordId + this.#run.items === recordId) {
        this.#run.items += 1;
        return;
      }
      this.flush();
      this.#run = { item, recordId, items: 1 };
      return;
    }
    this.flush();
    const error = result.error === null ? null : JSON.stringify(result.error);
    insertBulkResult(this.#write, { bulk_request_id: this.#requestId, item, items: 1, status: result.status, record_id: recordId, error });
  }

  /** Call after the last item. */
  flush(): void {
    if (this.#run === null) return;
    const { item, items, recordId } = this.#run;
    insertBulkResult(this.#write, {
      bulk_request_id: this.#requestId,
      item,
      items,
      status: 'successful',
      record_id: recordId,
      error: null,
    });
    this.#run = null;
  }
}
