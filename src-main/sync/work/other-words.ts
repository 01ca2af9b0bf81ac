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

/** A new remote line that waits until the whole stream has been read. */
export interface Kept {
  readonly item: RecordItem;
  readonly hash: string;
}

/** A pair of lines, one of each side, that may be the same. */
interface Tie {
  readonly localId: number;
  readonly kept: Kept;
}

/** The outcome for lines that may be the same. */
export interface Settled {
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
    const reason = `${this.#left.length} more lines there have amounts of lines here: they are compared by the next sync, once these are decided.`;
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
      what: `Perhaps the same line of ${stream} in other words: ${recordWords(ours)}`,
      local: recordWords(ours),
      remote: recordWords(theirs),
      choices: CHOICES,
      detail: { ...recordDetail({ stream, localId, ours, theirs }), words: 'Perhaps the same line in other words' },
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
    const title = `${ties.length} lines of ${stream}`;
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
    return ties.map(() => choice);
  }
}
