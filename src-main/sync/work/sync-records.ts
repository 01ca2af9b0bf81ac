import { phrase } from '../../../src-shared/words/say.ts';
import { idsOfStream } from '../store/reads.ts';
import { agreedRecord, mergedRecord } from './agreed-history.ts';
import type { Answer } from './answers.ts';
import { type Choice, GONE, type Met, recordDetail, recordName, recordOf, recordWords } from './conflict-book.ts';
import type { SyncContext } from './context.ts';
import { carriedOut, decide, type Decision, mergedUnless, overruled, yielded } from './decide.ts';
import { noteDeleted } from './deleted.ts';
import { hashOf, recordHash } from './hashes.ts';
import type { Link } from './links.ts';
import { statusOf } from './pull-low-volume.ts';
import { canonicalRecord, contentKey, madeExternalId, moneyOf, ownExternalId, recordsByIds, recordsInPages } from './record-content.ts';
import type { Item, RecordContent, RecordItem } from './resources.ts';
import {
  type BulkOutcome,
  bulkOutcomes,
  emptyPlan,
  type Merge,
  pushRecords,
  type RecordChange,
  type RecordPlan,
  type StreamPair,
} from './sending.ts';
import type { RecognisedBy } from './sync-result.ts';
import { cannotMove, moved, saveRecords, tellRefusal } from './told.ts';

/** A local record that is not linked with a remote one. */
interface Unlinked {
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
class LocalIndex {
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

const CHUNK = 1_000;

interface Pulled {
  readonly item: RecordItem;
  readonly hash: string;
}

/**
 * Puts new records of one stream into the book, a thousand at a time, and saves the links with each thousand. While the book works on one thousand,
 * the next is read and sent, so the book never waits. Call `end` after the last `add`.
 */
class RecordPuller {
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
      return this.#refused(item, {
        code: 'key_taken',
        message: phrase('sync.syncRecords.lineHasTheSameExternalId', { recordKey }),
        status,
      });
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
        what: phrase('sync.syncRecords.recordOf', { stream: this.#stream }),
        local: phrase('sync.pullLowVolume.notInTheBook'),
        remote: name,
        detail: {
          ...recordDetail({ stream: this.#stream, localId: null, ours: null, theirs: content }),
          words: phrase('sync.syncRecords.newThereThePeriodIsClosed'),
        },
      },
    });
  }
}

/** A new remote line that waits until the whole stream has been read. */
interface Kept {
  readonly item: RecordItem;
  readonly hash: string;
}

/** A pair of lines, one of each side, that may be the same. */
interface Tie {
  readonly localId: number;
  readonly kept: Kept;
}

/** The outcome for lines that may be the same. */
interface Settled {
  /** Remote lines that are new here. */
  readonly fresh: readonly Kept[];
  readonly same: readonly Tie[];
  /** Local ids of lines that wait for a decision. */
  readonly held: ReadonlySet<number>;
  /** Remote keys of lines that wait for a decision. */
  readonly waiting: readonly string[];
  readonly undecided: number;
}

const CHOICES: readonly Choice[] = ['same', 'both'];
/** Up to this many pairs are decided one by one; more become a single question. */
const ONE_BY_ONE = 200;
const SHOWN = 100;
/** One sync compares at most this many lines of a stream, which bounds its memory; the others wait for the next sync. */
const MOST = 20_000;

/**
 * Finds new remote lines of a stream that may be local lines under alternative descriptions, as two exports of one account have them. None of them
 * moves before a person has decided. A remote line whose amount no new local line has is not kept back.
 */
class OtherWords {
  readonly #context: SyncContext;
  readonly #stream: StreamPair;
  readonly #index: LocalIndex;
  readonly #kept: Kept[] = [];
  readonly #left: string[] = [];

  constructor(context: SyncContext, stream: StreamPair, index: LocalIndex) {
    this.#context = context;
    this.#stream = stream;
    this.#index = index;
  }

  /**
   * Keeps a new remote line back until the whole stream has been read, and returns whether it does. A later line may still be the local line with the
   * same amount.
   */
  keeps(item: RecordItem, hash: string): boolean {
    if (!this.#index.hasMoney(moneyOf(item.content))) return false;
    if (this.#kept.length < MOST) this.#kept.push({ item, hash });
    else this.#left.push(item.key);
    return true;
  }

  /** Compares the lines that were kept back with the unlinked local lines. */
  settle(): Settled {
    const { localId: streamId } = this.#stream;
    const rest = this.#index.rest();
    const none: Settled = { fresh: this.#kept, same: [], held: new Set(), waiting: [], undecided: 0 };
    if (this.#kept.length === 0 || streamId === null || rest.length === 0) return none;
    const lines = this.#kept.map(({ item }) => canonicalRecord(item.content));
    const { pairs, contested } = this.#context.sameInOtherWords(streamId, lines, new Set(rest));
    if (pairs.length === 0) return this.#withRest(none, rest);
    // In the order of local records, so that people and repeated syncs meet them in the same order.
    const inOrder = pairs.toSorted((one, other) => one.recordId - other.recordId);
    const ties = inOrder.flatMap(({ place, recordId }) => {
      const kept = this.#kept[place];
      return kept === undefined ? [] : [{ localId: recordId, kept }];
    });
    const choices = ties.length > ONE_BY_ONE ? this.#asOne(ties) : ties.map((tie) => this.#context.conflicts.meet(this.#metOf(tie)));
    const undecided = ties.filter((_, at) => choices[at] === null);
    // Until a pair is decided, lines that are equally likely to be the same wait too.
    const waits = new Set([...undecided.map(({ kept }) => kept), ...(undecided.length === 0 ? [] : contested.map((at) => this.#kept[at]))]);
    const waiting = [...waits].flatMap((kept) => kept?.item.key ?? []);
    const same = ties.filter((_, at) => choices[at] === 'same');
    for (const { kept } of same) waits.add(kept);
    return this.#withRest(
      {
        fresh: this.#kept.filter((kept) => !waits.has(kept)),
        same,
        held: new Set(undecided.map(({ localId }) => localId)),
        waiting,
        undecided: undecided.length,
      },
      rest,
    );
  }

  /** Holds all local lines back while some remote lines were not compared: any of them may be the same. */
  #withRest(settled: Settled, rest: readonly number[]): Settled {
    if (this.#left.length === 0) return settled;
    const reason = phrase('sync.syncRecords.moreLinesThereHaveAmounts', { left: this.#left.length });
    cannotMove(this.#context, 'records', this.#stream.key, reason);
    return { ...settled, held: new Set([...rest, ...settled.held]), waiting: [...settled.waiting, ...this.#left] };
  }

  /** Returns the conflict of a pair. It contains both descriptions, so a choice is valid only for these. */
  #metOf({ localId, kept: { item } }: Tie): Met {
    const { key: stream } = this.#stream;
    const ours = recordsByIds(this.#context.database, [localId])[0]?.content ?? item.content;
    const theirs = item.content;
    return {
      kind: 'overlap',
      resource: 'records',
      localId,
      remoteKey: item.key,
      what: phrase('sync.syncRecords.perhapsTheSameLine', { stream, record: recordWords(ours) }),
      local: recordWords(ours),
      remote: recordWords(theirs),
      choices: CHOICES,
      detail: { ...recordDetail({ stream, localId, ours, theirs }), words: phrase('sync.syncRecords.perhapsTheSameLineInOtherWords') },
    };
  }

  /** Asks one question about very many pairs. The answer is valid only as long as the pairs are the same. */
  #asOne(ties: readonly Tie[]): (Choice | null)[] {
    const { key: stream, localId } = this.#stream;
    const print = hashOf(ties.map((tie) => `${tie.localId} ${tie.kept.item.key} ${tie.kept.hash}`).join('\n'));
    const shown = ties.slice(0, SHOWN);
    const ours = recordsByIds(
      this.#context.database,
      shown.map((tie) => tie.localId),
    );
    const side = { gone: false, fields: [], adjustment: null };
    const title = phrase('sync.syncRecords.linesOf', { ties: ties.length, stream });
    const choice = this.#context.conflicts.meet({
      kind: 'overlap',
      resource: 'streams',
      localId,
      remoteKey: stream,
      what: phrase('sync.syncRecords.perhapsTheSameLinesInOtherWords', { title }),
      local: `${title} (${print})`,
      remote: `${title} there`,
      choices: CHOICES,
      detail: {
        title,
        words: phrase('sync.syncRecords.perhapsTheSameLines'),
        stream,
        reconciliation_id: null,
        account_id: null,
        balance: null,
        here: { ...side, records: ours.map(({ id, content }) => recordOf(stream, id, content)) },
        there: { ...side, records: shown.map(({ kept }) => recordOf(stream, null, kept.item.content)) },
      },
    });
    return ties.map(() => choice);
  }
}

const oldestFirst = ({ key: one }: RecordItem, { key: other }: RecordItem): number => Number(one) - Number(other);

interface Both {
  readonly localId: number | null;
  readonly item: RecordItem | null;
  readonly remoteKey: string;
}

function recordConflict(context: SyncContext, streamKey: string, { localId, item, remoteKey }: Both): Met {
  const ours = localId === null ? undefined : recordsByIds(context.database, [localId])[0]?.content;
  const words = ours === undefined ? (item === null ? '' : recordWords(item.content)) : recordWords(ours);
  return {
    kind: 'record',
    resource: 'records',
    localId,
    remoteKey,
    what: phrase('sync.syncRecords.lineOf', { streamKey, words }),
    local: ours === undefined ? GONE : recordWords(ours),
    remote: item === null ? GONE : recordWords(item.content),
    detail: recordDetail({ stream: streamKey, localId, ours: ours ?? null, theirs: item?.content ?? null }),
  };
}

/** Compares one stream: pulls new records, notes changes in the plan, and sends new local records. */
class StreamComparison {
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

/** Returns the streams that are on both sides; for a preview also those that would be. */
function streamPairs({ links, preview, leaving }: SyncContext, here: readonly Item[], thereKeys: ReadonlySet<string>): StreamPair[] {
  const byKey = new Map(here.map((item) => [item.key, item]));
  const pairs: StreamPair[] = [];
  for (const key of new Set([...byKey.keys(), ...thereKeys])) {
    if (leaving.here.has(`streams ${key}`) || leaving.there.has(`streams ${key}`)) continue;
    const local = byKey.get(key);
    if (local === undefined && !preview) continue;
    const isLinked = local !== undefined && links('streams').ofLocal(local.id) !== undefined;
    if (!isLinked && thereKeys.has(key) && local !== undefined && !preview) continue;
    pairs.push({ key, localId: local?.id ?? null, isThere: thereKeys.has(key) });
  }
  return pairs;
}

/** Compares the records of all streams. Moves new records at once, and returns the changes and removals. */
export async function compareRecords(context: SyncContext): Promise<RecordPlan> {
  const plan = emptyPlan();
  const here = await context.local.list('streams');
  const there = await context.remote.side.list('streams');
  const unnamed = await context.remote.unnamedStreams(there, context.links('streams').all());
  for (const pair of streamPairs(context, here, new Set([...there.map(({ key }) => key), ...unnamed]))) {
    context.signal.throwIfAborted();
    if (context.scope !== null && !context.scope.streams.has(pair.key)) continue;
    context.note(`comparing ${pair.key}`);
    context.progress.at('records', pair.key);
    await new StreamComparison(context, pair, plan).run();
  }
  return plan;
}

async function carryOut(
  context: SyncContext,
  change: RecordChange,
  side: 'here' | 'there',
  act: () => Promise<Answer<null>>,
): Promise<boolean> {
  if (context.preview) return true;
  const answer = await act();
  if (answer.ok) return true;
  const [row] = recordsByIds(context.database, [change.localId]);
  const words = change.content ?? row?.content;
  const name = words === undefined ? `record ${change.localId}` : recordWords(words);
  const item = change.content === null ? null : { key: change.remoteKey, content: change.content, overdue: [] };
  const conflict = recordConflict(context, change.stream, {
    localId: row === undefined ? null : change.localId,
    item,
    remoteKey: change.remoteKey,
  });
  if (answer.error.code === 'record_reconciled') context.conflicts.show({ ...conflict, what: `${conflict.what}: ${answer.error.message}` });
  else tellRefusal(context, answer.error, { resource: 'records', name, here: side === 'here', conflict });
  return false;
}

/** Links a record that is now equal on both sides. */
function link({ links, remote }: SyncContext, { localId, remoteKey }: RecordChange, content: RecordContent): void {
  const { recordFields } = remote.dialect;
  const hash = recordHash(content, recordFields);
  const agreed = agreedRecord(content, recordFields);
  links('records').put({ local_id: localId, remote_key: remoteKey, local_hash: hash, remote_hash: hash, agreed });
}

async function changeHere(context: SyncContext, change: RecordChange): Promise<void> {
  const { local } = context;
  const row = recordsByIds(context.database, [change.localId])[0];
  const to = change.content;
  if (row === undefined || to === null) return;
  const done = await carryOut(context, change, 'here', () =>
    local.changeRecord(String(change.localId), canonicalRecord(row.content), canonicalRecord(to)),
  );
  if (!done) return;
  moved(context, 'received', { resource: 'records', act: 'changed', name: recordName(to), localId: change.localId });
  link(context, change, canonicalRecord(to));
}

async function changeThere(context: SyncContext, change: RecordChange): Promise<void> {
  const { remote } = context;
  const row = recordsByIds(context.database, [change.localId])[0];
  if (row === undefined) return;
  const gap = remote.dialect.gaps['records.update'];
  if (gap !== undefined) return cannotMove(context, 'records', recordWords(row.content), gap, change.localId);
  const to = canonicalRecord(row.content);
  const from = change.content === null ? null : canonicalRecord(change.content);
  if (!(await carryOut(context, change, 'there', () => remote.side.changeRecord(change.remoteKey, from, to)))) return;
  moved(context, 'sent', { resource: 'records', act: 'changed', name: recordName(to), localId: change.localId });
  link(context, change, to);
}

/** Gives both sides the merged edits of a record. Without the second half the link stays as it was, and the next sync sends the rest. */
async function merge(context: SyncContext, change: Merge): Promise<void> {
  const { local, remote } = context;
  const { localId, remoteKey, content, merged } = change;
  const row = recordsByIds(context.database, [localId])[0];
  if (row === undefined || content === null) return;
  const name = recordName(merged);
  const own = canonicalRecord(row.content);
  if (!(await carryOut(context, change, 'here', () => local.changeRecord(String(localId), own, merged)))) return;
  moved(context, 'received', { resource: 'records', act: 'changed', name, localId });
  const gap = remote.dialect.gaps['records.update'];
  if (gap !== undefined) return cannotMove(context, 'records', recordWords(merged), gap, localId);
  const theirs = canonicalRecord(content);
  if (!(await carryOut(context, change, 'there', () => remote.side.changeRecord(remoteKey, theirs, merged)))) return;
  moved(context, 'sent', { resource: 'records', act: 'changed', name, localId });
  link(context, change, merged);
}

async function remove(context: SyncContext, change: RecordChange, side: 'here' | 'there'): Promise<void> {
  const { local, remote } = context;
  const gap = side === 'there' ? remote.dialect.gaps['records.remove'] : undefined;
  const words = change.content ?? recordsByIds(context.database, [change.localId])[0]?.content;
  const name = words === undefined ? change.remoteKey : recordWords(words);
  if (gap !== undefined) return cannotMove(context, 'records', name, gap);
  const act = () => (side === 'here' ? local.removeRecord(String(change.localId)) : remote.side.removeRecord(change.remoteKey));
  if (!(await carryOut(context, change, side, act))) return;
  moved(context, side === 'here' ? 'received' : 'sent', {
    resource: 'records',
    act: 'removed',
    name: words === undefined ? name : recordName(words),
    localId: null,
  });
  noteDeleted(context.links, 'records', change.localId);
}

/** Brings records back to the side that deleted them; they get a new id there. */
async function bringBack(context: SyncContext, { bringHere, bringThere }: RecordPlan): Promise<void> {
  const links = context.links('records');
  for (const { stream, localId, remoteKey, content, hash } of bringHere) {
    if (content === null) continue;
    links.drop(localId);
    const puller = new RecordPuller(context, stream);
    await puller.add({ key: remoteKey, content, overdue: [] }, hash);
    await puller.end();
  }
  for (const { stream, localId } of bringThere) {
    links.drop(localId);
    await pushRecords(context, { key: stream, localId: null, isThere: true }, [localId]);
  }
}

const SAVE_EVERY = 100;

/** Changes and removes records. Call it after the matches that hold them were taken apart. */
export async function applyRecords(context: SyncContext, plan: RecordPlan): Promise<void> {
  await bringBack(context, plan);
  const acts: (() => Promise<void>)[] = [
    ...plan.removeHere.map((change) => () => remove(context, change, 'here')),
    ...plan.removeThere.map((change) => () => remove(context, change, 'there')),
    ...plan.changeHere.map((change) => () => changeHere(context, change)),
    ...plan.changeThere.map((change) => () => changeThere(context, change)),
    ...plan.merge.map((change) => () => merge(context, change)),
  ];
  for (const [place, act] of acts.entries()) {
    context.signal.throwIfAborted();
    await act();
    if (place % SAVE_EVERY === SAVE_EVERY - 1) context.links('records').save();
  }
  context.links('records').save();
}
