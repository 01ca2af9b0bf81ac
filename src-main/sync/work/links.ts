import type { Database, WriteHandle } from '../../database/database.ts';
import { dropIntent } from '../store/intents.ts';
import { dropLink, linksOf, putLink, type SyncLinkRow } from '../store/links.ts';

export type Link = SyncLinkRow;

/** The links of one resource in memory. Changes reach the book with `save` or `saveIn`. */
export class Links {
  readonly resource: string;
  readonly #byLocal = new Map<number, Link>();
  readonly #byRemote = new Map<string, Link>();
  readonly #changed = new Set<number>();
  readonly #database: Database;
  /** The remote to write to; null in every preview, which writes nothing. */
  readonly #writesTo: number | null;

  constructor(database: Database, remote: { readonly id: number | null; readonly writes: boolean }, resource: string) {
    this.#database = database;
    this.#writesTo = remote.writes ? remote.id : null;
    this.resource = resource;
    if (remote.id === null) return;
    for (const link of linksOf(database, remote.id, resource)) {
      this.#byLocal.set(link.local_id, link);
      this.#byRemote.set(link.remote_key, link);
    }
  }

  readonly ofLocal = (id: number): Link | undefined => this.#byLocal.get(id);
  readonly ofRemote = (key: string): Link | undefined => this.#byRemote.get(key);
  readonly all = (): Iterable<Link> => this.#byLocal.values();
  get size(): number {
    return this.#byLocal.size;
  }

  /** Puts a link and drops others of either object. Omit `agreed` if the agreed fields are unknown. */
  put(said: Omit<Link, 'agreed'> & { readonly agreed?: string | null }): void {
    const link = { ...said, agreed: said.agreed ?? null };
    const [here, there] = [this.#byLocal.get(link.local_id), this.#byRemote.get(link.remote_key)];
    if (here !== undefined) this.#byRemote.delete(here.remote_key);
    if (there !== undefined && there.local_id !== link.local_id) this.drop(there.local_id);
    this.#byLocal.set(link.local_id, link);
    this.#byRemote.set(link.remote_key, link);
    this.#changed.add(link.local_id);
  }

  drop(localId: number): void {
    const link = this.#byLocal.get(localId);
    if (link === undefined) return;
    this.#byLocal.delete(localId);
    if (this.#byRemote.get(link.remote_key) === link) this.#byRemote.delete(link.remote_key);
    this.#changed.add(localId);
  }

  /** Writes the changes since the last save, and drops the intents of these objects: they are linked, or no longer need to be. */
  save(): void {
    if (this.#writesTo === null) this.#changed.clear();
    else if (this.#changed.size > 0) this.#database.write((write) => this.saveIn(write));
  }

  /** Does the same in a transaction of the caller. */
  saveIn(write: WriteHandle): void {
    const remoteId = this.#writesTo;
    const changed = [...this.#changed];
    this.#changed.clear();
    if (remoteId === null) return;
    for (const id of changed) if (!this.#byLocal.has(id)) dropLink(write, remoteId, this.resource, id);
    for (const id of changed) {
      const link = this.#byLocal.get(id);
      if (link !== undefined) putLink(write, remoteId, this.resource, link);
      if (this.resource !== 'records') dropIntent(write, remoteId, this.resource, id);
    }
  }
}
