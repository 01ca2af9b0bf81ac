import type { SyncContext } from './context.ts';
import { recordDetail, recordOf } from './conflict-detail.ts';
import type { Met } from './conflict-book.ts';
import { recordWords } from './conflict-words.ts';
import { hashOf } from './hashes.ts';
import type { Choice } from './conflict-book.ts';
import type { RecordItem } from './resources.ts';
import { recordsByIds } from './local-records.ts';
import { canonicalRecord, moneyOf } from './record-content.ts';
import { cannotMove } from './told.ts';
import type { LocalIndex } from './local-index.ts';
import type { StreamPair } from './record-plan.ts';

/** A new line there that waits until the whole stream was read. */
export interface Kept {
  readonly item: RecordItem;
  readonly hash: string;
}

/** A line of each side. */
interface Twin {
  readonly localId: number;
  readonly kept: Kept;
}

/** What becomes of lines that may be the same. */
export interface Settled {
  /** Lines there that are new here. */
  readonly fresh: readonly Kept[];
  readonly same: readonly Twin[];
  /** Ids here of lines about which nobody has decided. */
  readonly held: ReadonlySet<number>;
  /** Keys of those there. */
  readonly waiting: readonly string[];
  readonly undecided: number;
}

const CHOICES: readonly Choice[] = ['same', 'both'];
/** Up to so many are decided one by one; more are one question. */
const ONE_BY_ONE = 200;
const SHOWN = 100;
/** Lines of one stream that are compared by one sync, to bound the memory that it takes: the others wait for the next one. */
const MOST = 20_000;

/**
 * New lines of one stream there that may be lines of the book in other words, as two exports of one account have them. None of them moves before somebody said
 * whether it is the same line. A line there whose amount no new line here has goes its way at once.
 */
export class OtherWords {
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

  /** Whether a new line there is kept back until the whole stream was read: another one may still be the line here that has its amount. */
  keeps(item: RecordItem, hash: string): boolean {
    if (!this.#index.hasMoney(moneyOf(item.content))) return false;
    if (this.#kept.length < MOST) this.#kept.push({ item, hash });
    else this.#left.push(item.key);
    return true;
  }

  /** Compares what was kept back with the lines here that no line there is. */
  settle(): Settled {
    const { localId: streamId } = this.#stream;
    const rest = this.#index.rest();
    const none: Settled = { fresh: this.#kept, same: [], held: new Set(), waiting: [], undecided: 0 };
    if (this.#kept.length === 0 || streamId === null || rest.length === 0) return none;
    const lines = this.#kept.map(({ item }) => canonicalRecord(item.content));
    const { pairs, contested } = this.#context.sameInOtherWords(streamId, lines, new Set(rest));
    if (pairs.length === 0) return this.#withRest(none, rest);
    // In the order of the lines here, so that people and repeated syncs meet them in the same one.
    const inOrder = pairs.toSorted((one, other) => one.recordId - other.recordId);
    const twins = inOrder.flatMap(({ place, recordId }) => {
      const kept = this.#kept[place];
      return kept === undefined ? [] : [{ localId: recordId, kept }];
    });
    const choices = twins.length > ONE_BY_ONE ? this.#asOne(twins) : twins.map((twin) => this.#context.conflicts.meet(this.#metOf(twin)));
    const undecided = twins.filter((_, at) => choices[at] === null);
    // Which of several alike is the new one is open until it is decided which is the same.
    const waits = new Set([...undecided.map(({ kept }) => kept), ...(undecided.length === 0 ? [] : contested.map((at) => this.#kept[at]))]);
    const waiting = [...waits].flatMap((kept) => kept?.item.key ?? []);
    const same = twins.filter((_, at) => choices[at] === 'same');
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

  /** While lines there were not compared, no line here goes: it may be one of them. */
  #withRest(settled: Settled, rest: readonly number[]): Settled {
    if (this.#left.length === 0) return settled;
    const reason = `${this.#left.length} more lines there have amounts of lines here: they are compared by the next sync, once these are decided.`;
    cannotMove(this.#context, 'records', this.#stream.key, reason);
    return { ...settled, held: new Set([...rest, ...settled.held]), waiting: [...settled.waiting, ...this.#left] };
  }

  /** What both say, so that a choice holds for these words alone. */
  #metOf({ localId, kept: { item } }: Twin): Met {
    const { key: stream } = this.#stream;
    const ours = recordsByIds(this.#context.database, [localId])[0]?.content ?? item.content;
    const theirs = item.content;
    return {
      kind: 'overlap',
      resource: 'records',
      localId,
      remoteKey: item.key,
      what: `Perhaps the same line of ${stream} in other words: ${recordWords(ours)}`,
      local: recordWords(ours),
      remote: recordWords(theirs),
      choices: CHOICES,
      detail: { ...recordDetail({ stream, localId, ours, theirs }), words: 'Perhaps the same line in other words' },
    };
  }

  /** One question about very many lines; the same one only as long as they are the same. */
  #asOne(twins: readonly Twin[]): (Choice | null)[] {
    const { key: stream, localId } = this.#stream;
    const print = hashOf(twins.map((twin) => `${twin.localId} ${twin.kept.item.key} ${twin.kept.hash}`).join('\n'));
    const shown = twins.slice(0, SHOWN);
    const ours = recordsByIds(
      this.#context.database,
      shown.map((twin) => twin.localId),
    );
    const side = { gone: false, fields: [], adjustment: null };
    const title = `${twins.length} lines of ${stream}`;
    const choice = this.#context.conflicts.meet({
      kind: 'overlap',
      resource: 'streams',
      localId,
      remoteKey: stream,
      what: `Perhaps the same lines in other words: ${title}`,
      local: `${title} (${print})`,
      remote: `${title} there`,
      choices: CHOICES,
      detail: {
        title,
        words: 'Perhaps the same lines in other words',
        stream,
        reconciliation_id: null,
        account_id: null,
        balance: null,
        here: { ...side, records: ours.map(({ id, content }) => recordOf(stream, id, content)) },
        there: { ...side, records: shown.map(({ kept }) => recordOf(stream, null, kept.item.content)) },
      },
    });
    return twins.map(() => choice);
  }
}
