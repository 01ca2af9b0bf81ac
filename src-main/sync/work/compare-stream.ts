import type { SyncContext } from './context.ts';
import { GONE, recordWords } from './conflict-words.ts';
import { recordDetail } from './conflict-detail.ts';
import type { Met } from './conflict-book.ts';
import { agreedRecord, mergedRecord } from './agreed.ts';
import { carriedOut, decide, type Decision, mergedUnless, overruled, yielded } from './decide.ts';
import { recordHash } from './hashes.ts';
import type { RecognisedBy } from './tally.ts';
import type { Link } from './links.ts';
import type { RecordContent, RecordItem } from './resources.ts';
import { recordsByIds } from './local-records.ts';
import { canonicalRecord, contentKey } from './record-content.ts';
import { RecordPuller } from './record-puller.ts';
import { pushRecords } from './record-pusher.ts';
import { LocalIndex } from './local-index.ts';
import { OtherWords } from './other-words.ts';
import type { RecordChange, RecordPlan, StreamPair } from './record-plan.ts';

const oldestFirst = ({ key: one }: RecordItem, { key: other }: RecordItem): number => Number(one) - Number(other);

interface Both {
  readonly localId: number | null;
  readonly item: RecordItem | null;
  readonly remoteKey: string;
}

export function recordConflict(context: SyncContext, streamKey: string, { localId, item, remoteKey }: Both): Met {
  const ours = localId === null ? undefined : recordsByIds(context.database, [localId])[0]?.content;
  const words = ours === undefined ? (item === null ? '' : recordWords(item.content)) : recordWords(ours);
  return {
    kind: 'record',
    resource: 'records',
    localId,
    remoteKey,
    what: `Record of ${streamKey}: ${words}`,
    local: ours === undefined ? GONE : recordWords(ours),
    remote: item === null ? GONE : recordWords(item.content),
    detail: recordDetail({ stream: streamKey, localId, ours: ours ?? null, theirs: item?.content ?? null }),
  };
}

/** Compares one stream: pulls new records, notes changes in the plan, and sends new local records. */
export class StreamComparison {
  readonly #context: SyncContext;
  readonly #stream: StreamPair;
  readonly #plan: RecordPlan;
  readonly #index: LocalIndex;
  readonly #puller: RecordPuller;
  readonly #otherWords: OtherWords;
  readonly #seen = new Set<number>();
  /** Records that the remote lost and that are to be sent again. */
  readonly #again: number[] = [];

  constructor(context: SyncContext, stream: StreamPair, plan: RecordPlan) {
    this.#context = context;
    this.#stream = stream;
    this.#plan = plan;
    this.#index = new LocalIndex(context, stream.localId ?? 0);
    this.#puller = new RecordPuller(context, stream.key);
    this.#otherWords = new OtherWords(context, stream, this.#index);
  }

  async run(): Promise<void> {
    const { remote, tally } = this.#context;
    tally.add('records', { here: this.#index.ids.length });
    const matches = this.#context.links('matches');
    if (this.#stream.isThere) {
      const alike: RecordItem[] = [];
      for await (const page of remote.records(this.#stream.key, (key) => matches.ofRemote(key) !== undefined)) {
        for (const item of page) {
          this.#marks(item);
          if (this.#isOneOfSeveral(item)) alike.push(item);
          else await this.#compare(item);
        }
      }
      // Equal lines are compared in the order in which the remote created them. In list order their matches could cross and look like conflicts.
      for (const item of alike.toSorted(oldestFirst)) await this.#compare(item);
    }
    const held = await this.#settleOtherWords();
    await this.#puller.end();
    if (this.#stream.isThere && !remote.dialect.listsByBatches) this.#gone();
    this.#context.links('records').save();
    const { conflicts } = this.#context;
    const isGivenUp = (id: number): boolean =>
      !this.#again.includes(id) && (conflicts.closedChoice('records', id, null) === 'take_remote' || yields.has(id));
    const unlinked = this.#index.rest().filter((id) => !held.has(id) && this.#context.links('records').ofLocal(id) === undefined);
    const yields = this.#yields(unlinked);
    const rest = Map.groupBy([...unlinked, ...this.#again], isGivenUp);
    for (const localId of rest.get(true) ?? []) this.#note('remove_here', { localId, remoteKey: '', content: null, hash: '' });
    this.#index.forget();
    await pushRecords(this.#context, this.#stream, rest.get(false) ?? []);
  }

  /** Returns the records of a restored book that are removed here because the remote lacks them. Records created since the restore stay. */
  #yields(unlinked: readonly number[]): ReadonlySet<number> {
    const { putBack, database } = this.#context;
    if (putBack === null) return new Set();
    const { since } = putBack;
    const made =
      since === null ? unlinked : recordsByIds(database, unlinked).flatMap(({ id, createdAt }) => (createdAt > since ? [] : [id]));
    return new Set(made.filter(() => yielded(this.#context, 'records', 'make_there') === 'remove_here'));
  }

  /** Settles lines of both sides that may be the same under alternative descriptions. Returns the ids of local records that have no decision yet. */
  async #settleOtherWords(): Promise<ReadonlySet<number>> {
    const { links, tally, waiting } = this.#context;
    const { fresh, same, held, undecided, waiting: keys } = this.#otherWords.settle();
    for (const id of held) waiting.here.add(id);
    for (const key of keys) waiting.there.add(key);
    for (const { item, hash } of fresh) await this.#puller.add(item, hash);
    for (const { localId, kept } of same) {
      // Each side keeps its own description.
      links('records').put({
        local_id: localId,
        remote_key: kept.item.key,
        local_hash: this.#index.hashOf(localId) ?? '',
        remote_hash: kept.hash,
      });
      this.#seen.add(localId);
    }
    tally.add('records', { agree: same.length, decide: undecided });
    return held;
  }

  #isOneOfSeveral({ key, content }: RecordItem): boolean {
    return this.#context.links('records').ofRemote(key) === undefined && this.#index.hasAlike(content.external_id, contentKey(content));
  }

  #marks({ key, overdue }: RecordItem): void {
    for (const { reconciliation, at } of overdue) this.#plan.marksThere.push({ record: key, reconciliation, at });
  }

  async #compare(item: RecordItem): Promise<void> {
    const links = this.#context.links('records');
    const remoteHash = recordHash(canonicalRecord(item.content), this.#context.remote.dialect.recordFields);
    const link = links.ofRemote(item.key);
    if (link !== undefined && this.#seen.has(link.local_id)) return;
    const found = link === undefined ? this.#index.take(item.content.external_id, contentKey(item.content)) : null;
    const localId = link?.local_id ?? found?.id ?? null;
    if (localId !== null) this.#seen.add(localId);
    const localHash = localId === null ? null : (this.#index.hashOf(localId) ?? null);
    const both = { localId, item, remoteKey: item.key };
    const decision = this.#decided(both, { local: localHash, remote: remoteHash, link });
    this.#tally(localId !== null && localHash !== null, decision, link === undefined ? (found?.by ?? null) : 'known');
    if (decision === 'make_here') {
      if (link !== undefined) links.drop(link.local_id);
      if (link === undefined && this.#otherWords.keeps(item, remoteHash)) return;
      await this.#puller.add(item, remoteHash);
      return;
    }
    if (localId === null) {
      if (decision === 'remove_there') this.#note(decision, { localId: 0, remoteKey: item.key, content: item.content, hash: remoteHash });
      return;
    }
    const hash = localHash ?? '';
    const isUnknown = link !== undefined && link.agreed === null && hash === remoteHash;
    if (decision === 'agree' || (decision === 'same' && isUnknown)) {
      const agreed = hash === remoteHash ? agreedRecord(canonicalRecord(item.content), this.#context.remote.dialect.recordFields) : null;
      links.put({ local_id: localId, remote_key: item.key, local_hash: hash, remote_hash: remoteHash, agreed });
    }
    if (decision === 'merge') this.#noteMerge(item, localId, link);
    // It is the same record, and the differing content waits for a decision; the link lets matches that hold the record travel.
    if (decision === 'conflict' && link === undefined)
      links.put({ local_id: localId, remote_key: item.key, local_hash: '', remote_hash: '' });
    this.#note(decision, {
      localId,
      remoteKey: item.key,
      content: item.content,
      hash: decision === 'change_here' || decision === 'remove_there' ? remoteHash : hash,
    });
  }

  /** Counts a remote record. */
  #tally(isOnBoth: boolean, decision: Decision, by: RecognisedBy | null): void {
    const { tally } = this.#context;
    tally.add('records', {
      there: decision === 'remove_there' ? 0 : 1,
      agree: isOnBoth && decision !== 'conflict' ? 1 : 0,
      decide: isOnBoth && decision === 'conflict' ? 1 : 0,
    });
    if (isOnBoth && by !== null) tally.recognise('records', by);
  }

  #note(decision: Decision, said: Omit<RecordChange, 'stream'>): void {
    const change = { ...said, stream: this.#stream.key };
    if (decision === 'change_here') this.#plan.changeHere.push(change);
    else if (decision === 'change_there') this.#plan.changeThere.push(change);
    else if (decision === 'remove_here') this.#plan.removeHere.push(change);
    else if (decision === 'remove_there') this.#plan.removeThere.push(change);
  }

  #decided(both: Both, known: { local: string | null; remote: string | null; link: Link | undefined }): Decision {
    const decision = decide(known);
    const { conflicts } = this.#context;
    const closedChoice = conflicts.closedChoice('records', both.localId, both.remoteKey);
    if (decision !== 'conflict') return overruled(yielded(this.#context, 'records', decision), closedChoice);
    const met = recordConflict(this.#context, this.#stream.key, both);
    if (this.#merged(both.item, both.localId, known.link) !== null) {
      const merging = mergedUnless(closedChoice ?? conflicts.chosen(met));
      return merging === 'merge' ? yielded(this.#context, 'records', merging) : merging;
    }
    const choice = conflicts.meet(met);
    return choice === null ? 'conflict' : carriedOut(choice, { here: known.local !== null, there: known.remote !== null });
  }

  /** Returns the merged record if both sides edited different fields, else null. */
  #merged(item: RecordItem | null, localId: number | null, link: Link | undefined): RecordContent | null {
    const { database, remote } = this.#context;
    const agreed = link?.agreed ?? null;
    if (item === null || localId === null || agreed === null) return null;
    const ours = recordsByIds(database, [localId])[0]?.content;
    if (ours === undefined) return null;
    const edited = { agreed, ours: canonicalRecord(ours), theirs: canonicalRecord(item.content) };
    return mergedRecord(edited, remote.dialect.recordFields);
  }

  #noteMerge(item: RecordItem, localId: number, link: Link | undefined): void {
    const merged = this.#merged(item, localId, link);
    if (merged === null) return;
    const { content, key: remoteKey } = item;
    const hash = recordHash(merged, this.#context.remote.dialect.recordFields);
    this.#plan.merge.push({ stream: this.#stream.key, localId, remoteKey, content, hash, merged });
  }

  /** Handles links of this stream whose record the remote no longer lists. */
  #gone(): void {
    const links = this.#context.links('records');
    for (const localId of this.#index.ids) {
      const link = links.ofLocal(localId);
      if (link === undefined || this.#seen.has(localId)) continue;
      const local = this.#index.hashOf(localId);
      if (local === undefined) continue;
      const decision = this.#decided({ localId, item: null, remoteKey: link.remote_key }, { local, remote: null, link });
      if (decision === 'make_there') this.#sendAgain(localId);
      else this.#note(decision, { localId, remoteKey: link.remote_key, content: null, hash: '' });
      if (decision === 'remove_here') this.#context.tally.add('records', { here: -1 });
    }
  }

  #sendAgain(localId: number): void {
    this.#context.links('records').drop(localId);
    this.#again.push(localId);
  }
}
