import type { SyncContext } from '../context.ts';
import { madeExternalId, ownExternalId } from '../identity/external-ids.ts';
import { recordHash } from '../identity/hashes.ts';
import { localRecords } from '../outbox/local-records.ts';
import { canonicalRecord, contentKey } from '../outbox/record-content.ts';

/** A record of the book that no record there is known to be. */
export interface Unlinked {
  readonly id: number;
  readonly hash: string;
  readonly externalId: string | null;
  readonly content: string;
}

/** The records of one stream here: hashes of all of them, and what the unlinked ones are known by. */
export class LocalIndex {
  readonly hashes = new Map<number, string>();
  readonly #byExternalId = new Map<string, Unlinked>();
  readonly #byContent = new Map<string, Unlinked[]>();
  readonly #taken = new Set<number>();

  constructor(context: SyncContext, streamId: number) {
    const links = context.links('records');
    const fields = context.remote.dialect.recordFields;
    for (const page of localRecords(context.database, streamId)) {
      for (const { id, content } of page) {
        const hash = recordHash(canonicalRecord(content), fields);
        this.hashes.set(id, hash);
        if (links.ofLocal(id) !== undefined) continue;
        this.#add({ id, hash, externalId: content.external_id, content: contentKey(content) }, context.seed);
      }
    }
  }

  #add(record: Unlinked, seed: string): void {
    // Under the made id it may be there already, if the last sync ended before it was linked.
    this.#byExternalId.set(record.externalId ?? madeExternalId(seed, record.id), record);
    const alike = this.#byContent.get(record.content);
    if (alike === undefined) this.#byContent.set(record.content, [record]);
    else alike.push(record);
  }

  /** The unlinked record that one of the remote is: by external id, else by content where at most one of the two has an id of its own. */
  take(externalId: string | null, content: string): (Unlinked & { readonly by: 'external_id' | 'content' }) | null {
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

  /** Frees what only comparing needs: of 100,000 records some 50 MB. */
  forget(): void {
    this.hashes.clear();
    this.#byExternalId.clear();
    this.#byContent.clear();
    this.#taken.clear();
  }

  /** Ids of the records that no record there is, oldest first. */
  rest(): number[] {
    return [...this.#byContent.values()]
      .flat()
      .map(({ id }) => id)
      .filter((id) => !this.#taken.has(id))
      .toSorted((one, other) => one - other);
  }
}
