import type { SyncContext } from './context.ts';
import { moved, saveRecords, tellRefusal } from './told.ts';
import { recordDetail } from './conflict-detail.ts';
import { recordName, recordWords } from './conflict-words.ts';
import { agreedRecord } from './agreed.ts';
import { hashOf } from './hashes.ts';
import type { RecordItem } from './resources.ts';
import { type BulkOutcome, bulkOutcomes } from './bulk-outcome.ts';
import { statusOf } from './pull-low-volume.ts';

const CHUNK = 1_000;

interface Pulled {
  readonly item: RecordItem;
  readonly hash: string;
}

/**
 * Puts new records of one stream into the book, a thousand at a time, and saves the links with each thousand. While the book works on one thousand,
 * the next is read and sent, so the book never waits. Call `end` after the last `add`.
 */
export class RecordPuller {
  readonly #context: SyncContext;
  readonly #stream: string;
  #waiting: Pulled[] = [];
  #working: Promise<void> = Promise.resolve();

  constructor(context: SyncContext, streamKey: string) {
    this.#context = context;
    this.#stream = streamKey;
  }

  async add(item: RecordItem, hash: string): Promise<void> {
    this.#waiting.push({ item, hash });
    if (this.#waiting.length >= CHUNK) await this.#take();
  }

  async end(): Promise<void> {
    if (this.#waiting.length > 0) await this.#take();
    await this.#working;
  }

  async #take(): Promise<void> {
    const chunk = this.#waiting;
    this.#waiting = [];
    const { preview, local, run, signal } = this.#context;
    // The request in progress is linked and counted even if the sync is cancelled.
    if (signal.aborted) await this.#working;
    signal.throwIfAborted();
    if (preview) {
      for (const { item } of chunk) this.#moved(item, null);
      return;
    }
    const key = `sync-${run}-${hashOf(chunk.map(({ item, hash }) => `${item.key} ${hash}`).join('\n'))}`;
    const records = chunk.map(({ item }) => ({ stream: this.#stream, content: item.content }));
    const sending = local.sendBulk(records, key);
    sending.catch(() => {});
    await this.#working;
    const sent = await sending;
    if (!sent.ok) {
      for (const { item } of chunk) this.#refused(item, { ...sent.error });
      return;
    }
    this.#working = this.#ended(chunk, sent.value.id);
    // The next `#take` or `end` awaits it; until then a rejection must not count as unhandled.
    this.#working.catch(() => {});
  }

  async #ended(chunk: readonly Pulled[], id: number): Promise<void> {
    const { local, wait, trouble, note, result } = this.#context;
    const outcomes = await bulkOutcomes(local, { id, count: chunk.length }, { wait, trouble });
    for (const [place, pulled] of chunk.entries()) this.#settle(pulled, outcomes[place] ?? null);
    saveRecords(this.#context);
    note(`received ${result.received.records} records`);
  }

  #settle({ item, hash }: Pulled, outcome: BulkOutcome | null): void {
    if (outcome === null) return;
    const { code, message, recordKey } = outcome;
    if (outcome.status === 'refused' || recordKey === null) return this.#refused(item, { code, message, status: statusOf(code) });
    const links = this.#context.links('records');
    if (links.ofLocal(Number(recordKey)) !== undefined) {
      const status = statusOf('key_taken');
      return this.#refused(item, { code: 'key_taken', message: `Record ${recordKey} has the same external_id.`, status });
    }
    // The next sync compares a record that was there with other content.
    if (code !== 'same_id_other_content') {
      const agreed = agreedRecord(item.content, this.#context.remote.dialect.recordFields);
      links.put({ local_id: Number(recordKey), remote_key: item.key, local_hash: hash, remote_hash: hash, agreed });
      this.#moved(item, Number(recordKey));
    }
  }

  #moved({ content }: RecordItem, localId: number | null): void {
    moved(this.#context, 'received', { resource: 'records', act: 'made', name: recordName(content), localId, stream: this.#stream });
  }

  #refused({ key, content }: RecordItem, error: { code: string; message: string; status: number }): void {
    const name = recordWords(content);
    tellRefusal(this.#context, error, {
      resource: 'records',
      name,
      here: true,
      conflict: {
        kind: 'closed_period',
        resource: 'records',
        localId: null,
        remoteKey: key,
        what: `Record of ${this.#stream}`,
        local: 'not in the book',
        remote: name,
        detail: {
          ...recordDetail({ stream: this.#stream, localId: null, ours: null, theirs: content }),
          words: 'New there, the period is closed here',
        },
      },
    });
  }
}
