import { idsOfStream } from '../store/reads.ts';
import type { SyncContext } from './context.ts';
import { madeExternalId, ownExternalId } from './external-ids.ts';
import { recordHash } from './hashes.ts';
import { recordsInPages } from './local-records.ts';
import { canonicalRecord, contentKey, moneyOf } from './record-content.ts';

/** A local record that is not linked with a remote one. */
export interface Unlinked {
  readonly id: number;
  readonly createdAt: number;
  readonly hash: string;
  readonly externalId: string | null;
  readonly content: string;
}

/**
 * The records of one stream here: the hashes of all, and the recognition keys of unlinked ones. Contents are read at the first question, which a
 * stream that is new at the remote never asks: for 100,000 records reading takes about a second.
 */
export class LocalIndex {
  /** The ids of all records, oldest first. */
  readonly ids: readonly number[];
  readonly #unlinked: readonly number[];
  readonly #context: SyncContext;
  #isRead = false;
  readonly #hashes = new Map<number, string>();
  readonly #byExternalId = new Map<string, Unlinked>();
  readonly #byContent = new Map<string, Unlinked[]>();
  /** The amounts of unlinked records. */
  readonly #money = new Set<string>();
  readonly #taken = new Set<number>();

  constructor(context: SyncContext, streamId: number) {
    const links = context.links('records');
    this.#context = context;
    this.ids = idsOfStream(context.database, streamId);
    this.#unlinked = this.ids.filter((id) => links.ofLocal(id) === undefined);
  }

  #read(): void {
    if (this.#isRead) return;
    this.#isRead = true;
    const { database, remote, seed } = this.#context;
    const unlinked = new Set(this.#unlinked);
    for (const page of recordsInPages(database, this.ids)) {
      for (const { id, createdAt, content } of page) {
        const hash = recordHash(canonicalRecord(content), remote.dialect.recordFields);
        this.#hashes.set(id, hash);
        if (!unlinked.has(id)) continue;
        this.#add({ id, createdAt, hash, externalId: content.external_id, content: contentKey(content) }, seed);
        this.#money.add(moneyOf(content));
      }
    }
  }

  hashOf(id: number): string | undefined {
    this.#read();
    return this.#hashes.get(id);
  }

  /** Whether an unlinked record has this amount. */
  hasMoney(money: string): boolean {
    this.#read();
    return this.#money.has(money);
  }

  #add(record: Unlinked, seed: string): void {
    // The remote may have it under the generated id already, if the last sync ended before it was linked.
    this.#byExternalId.set(record.externalId ?? madeExternalId(seed, record), record);
    const alike = this.#byContent.get(record.content);
    if (alike === undefined) this.#byContent.set(record.content, [record]);
    else alike.push(record);
  }

  /** Whether several unlinked records have the content of a remote record, so that the order of both sides decides. */
  hasAlike(externalId: string | null, content: string): boolean {
    this.#read();
    if (externalId !== null && this.#byExternalId.has(externalId)) return false;
    return (this.#byContent.get(content)?.length ?? 0) > 1;
  }

  /**
   * Takes the unlinked record that equals a remote one: by external id, else by content if at most one of them has an external id of its own. Each
   * record is taken once.
   */
  take(externalId: string | null, content: string): (Unlinked & { readonly by: 'external_id' | 'content' }) | null {
    this.#read();
    const known = externalId === null ? undefined : this.#byExternalId.get(externalId);
    const own = ownExternalId(externalId);
    const found =
      known !== undefined && !this.#taken.has(known.id)
        ? known
        : this.#byContent
            .get(content)
            ?.find((each) => !this.#taken.has(each.id) && (own === null || ownExternalId(each.externalId) === null));
    if (found === undefined) return null;
    this.#taken.add(found.id);
    return { ...found, by: found === known ? 'external_id' : 'content' };
  }

  /** Frees what only the comparison needs: some 50 MB for 100,000 records. */
  forget(): void {
    this.#hashes.clear();
    this.#byExternalId.clear();
    this.#byContent.clear();
    this.#money.clear();
    this.#taken.clear();
  }

  /** Returns the ids of unlinked records that were not taken, oldest first. */
  rest(): number[] {
    return this.#unlinked.filter((id) => !this.#taken.has(id));
  }
}
