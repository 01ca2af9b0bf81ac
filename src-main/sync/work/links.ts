import type { Database, WriteHandle } from '../../database/database.ts';
import { dropIntent, dropLink, linksOf, putLink, type SyncLinkRow } from '../store/links.ts';
import { differingWords, GONE, kindOf, lowVolumeDetail, type Met, whatOf } from './conflict-book.ts';
import { canonical, hashOfValue } from './hashes.ts';
import type { Fields, Item, LowVolume } from './resources.ts';

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

/** One object on both sides; `theirs` has local references. */
export interface Pair {
  readonly ours: Item | null;
  readonly theirs: Item | null;
  readonly link: Link | undefined;
}

const wordsOf = (resource: LowVolume, { fields, extra }: Item): string => knownBy(resource, { ...extra, ...fields });

class Waiting {
  readonly #byWords = new Map<string, Item[]>();
  readonly #resource: LowVolume;

  constructor(resource: LowVolume, items: readonly Item[]) {
    this.#resource = resource;
    for (const item of items) {
      const words = wordsOf(resource, item);
      this.#byWords.set(words, [...(this.#byWords.get(words) ?? []), item]);
    }
  }

  /** Takes the first item that is known by the same words; no other call gets it. */
  take(item: Item): Item | null {
    return this.#byWords.get(wordsOf(this.#resource, item))?.shift() ?? null;
  }

  rest(): Item[] {
    return [...this.#byWords.values()].flat();
  }
}

/** Pairs linked objects, then recognised ones, each object once. An object that was created anew replaces a linked one that is gone. */
export function pairsOf(resource: LowVolume, here: readonly Item[], there: readonly Item[], links: Links): Pair[] {
  const byId = new Map(here.map((item) => [item.id, item]));
  const byKey = new Map(there.map((item) => [item.key, item]));
  const linked = [...links.all()];
  const freeHere = new Waiting(
    resource,
    here.filter(({ id }) => links.ofLocal(id) === undefined),
  );
  const freeThere = new Waiting(
    resource,
    there.filter(({ key }) => links.ofRemote(key) === undefined),
  );
  const pairs: Pair[] = linked.map((link) => {
    const [ours, theirs] = [byId.get(link.local_id) ?? null, byKey.get(link.remote_key) ?? null];
    if (ours === null && theirs !== null) return { ours: freeHere.take(theirs), theirs, link };
    if (theirs === null && ours !== null) return { ours, theirs: freeThere.take(ours), link };
    return { ours, theirs, link };
  });
  for (const theirs of freeThere.rest()) pairs.push({ ours: freeHere.take(theirs), theirs, link: undefined });
  for (const ours of freeHere.rest()) pairs.push({ ours, theirs: null, link: undefined });
  return pairs;
}

export function hashOfItem(item: Item | null): string | null {
  return item === null ? null : hashOfValue(item.fields);
}

export function metOf(resource: LowVolume, { ours, theirs, link }: Pair): Met {
  const item = ours ?? theirs;
  const isGone = ours === null || theirs === null;
  return {
    kind: kindOf(resource, isGone),
    resource,
    localId: ours?.id ?? link?.local_id ?? null,
    remoteKey: theirs?.key ?? link?.remote_key ?? null,
    what: item === null ? resource : whatOf(resource, item),
    local: ours === null ? GONE : differingWords(ours.fields, theirs?.fields ?? null),
    remote: theirs === null ? GONE : differingWords(theirs.fields, ours?.fields ?? null),
    detail: lowVolumeDetail(resource, ours, theirs),
  };
}

/** The fields by which both sides recognise an object; references are local here. Rules are recognised by what they compare. */
const KNOWN_BY: Readonly<Record<LowVolume, readonly string[]>> = {
  accounts: ['name', 'currency'],
  streams: ['key'],
  properties: ['stream', 'key'],
  reconciliations: ['name', 'side_a', 'side_b'],
  rules: ['reconciliation', 'filters', 'cardinality', 'group_by', 'rollup', 'method'],
  stories: ['name'],
  imports: ['stream', 'sha256'],
  balances: ['account', 'date', 'balance_type'],
};

export function knownBy(resource: LowVolume, fields: Fields): string {
  return canonical(KNOWN_BY[resource].map((field) => fields[field] ?? null));
}
