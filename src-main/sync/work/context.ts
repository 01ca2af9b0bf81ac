import type { Database, WriteHandle } from '../../database/database.ts';
import type { Clock } from '../../platform/ports.ts';
import {
  insertMoves,
  insertNotMoved,
  type MovedAct,
  type MovedLine,
  type NewMoves,
  type NotMovedAct,
  type NotMovedRow,
} from '../store/lines.ts';
import type { ConflictBook } from './conflict-book.ts';
import { Links } from './links.ts';
import type { SyncProgress } from './progress.ts';
import type { Remote } from './remote.ts';
import type { Fields, RecordContent, Resource } from './resources.ts';
import type { Side } from './side.ts';
import type { Counted, SyncResult, Tally } from './sync-result.ts';

/** Keeps a remote rule that cannot be used here unchanged, paused with the reason. `id` is the local rule's id, or null. Returns the rule's id. */
export type KeepRule = (rule: { readonly id: number | null; readonly fields: Fields; readonly reason: string }) => number;

/**
 * Finds new remote lines that may be local lines under alternative descriptions, as the comparison of files does. `place` and `contested` are indices
 * into `lines`; a contested line is an equally likely pair.
 */
export type SameInOtherWords = (
  streamId: number,
  lines: readonly RecordContent[],
  candidates: ReadonlySet<number>,
) => { readonly pairs: readonly { readonly place: number; readonly recordId: number }[]; readonly contested: readonly number[] };

export interface SyncScope {
  /** Stream keys. */
  readonly streams: ReadonlySet<string>;
  /** Local ids. */
  readonly reconciliations: ReadonlySet<number>;
}

/** An account or reconciliation of the book that a person identified with one at the remote. */
export interface SamePair {
  readonly resource: 'accounts' | 'reconciliations';
  readonly local_id: number;
  readonly remote_key: string;
}

/** A book that was restored from a backup, in its first sync since. */
export interface PutBack {
  /** Whether a person chose to remove here what only this book has; otherwise it is sent. */
  readonly takes: boolean;
  /** When the book was restored; records created later are new for certain. Null if unknown. */
  readonly since: number | null;
  /**
   * Counts of objects that only this book has, or has in this form. It is unknown whether they were never sent, or deleted or changed at the remote
   * since.
   */
  readonly onlyHere: Map<Counted, number>;
}

/** Everything that one sync works with. */
export interface SyncContext {
  readonly database: Database;
  readonly environmentId: number;
  readonly remoteId: number | null;
  readonly preview: boolean;
  readonly seed: string;
  /** Distinguishes the requests of this sync from those of others. */
  readonly run: string;
  readonly local: Side;
  readonly remote: Remote;
  readonly conflicts: ConflictBook;
  readonly result: SyncResult;
  readonly log: SyncLog;
  readonly tally: Tally;
  readonly progress: SyncProgress;
  /** The differing streams and reconciliations to which a repair is limited; null for a whole sync. */
  readonly scope: SyncScope | null;
  /** Accounts and reconciliations that a person identified as the same on both sides. */
  readonly same: readonly SamePair[];
  readonly keepRule: KeepRule;
  readonly sameInOtherWords: SameInOtherWords;
  /** Returns why the book accepts no writes; usually null. */
  readonly trouble: () => string | null;
  readonly clock: Clock;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly note: (words: string) => void;
  readonly signal: AbortSignal;
  readonly links: (resource: string) => Links;
  /** Null unless the book was restored. */
  readonly putBack: PutBack | null;
  /** Objects of which it is unknown whether they are at the remote, as resource and local id. */
  readonly unsure: Set<string>;
  /** Lines that wait for a decision about alternative descriptions, as local ids and remote keys. */
  readonly waiting: { readonly here: Set<number>; readonly there: Set<string> };
  /** The number of deletions that a person allowed this sync. */
  readonly accepted: number;
  /** Backs the book up unless this sync has done so. Ends the sync if the backup fails. */
  readonly backUpFirst: () => Promise<void>;
  /** Objects of one side whose removal waits for the end of the sync. Whatever belongs to them must be left alone until then. */
  readonly leaving: { readonly here: Set<string>; readonly there: Set<string> };
}

/** Returns a function that creates the Links of each resource once per sync. */
export function linkBook(database: Database, remote: { readonly id: number | null; readonly writes: boolean }): SyncContext['links'] {
  const made = new Map<string, Links>();
  return (resource) => {
    const known = made.get(resource);
    if (known !== undefined) return known;
    const links = new Links(database, remote, resource);
    made.set(resource, links);
    return links;
  };
}

type Way = 'sent' | 'received' | 'not_moved';

interface About {
  readonly counted: Counted;
  readonly resource: Resource | 'periods';
  readonly localId: number | null;
  readonly name: string;
}

/** One object that moved, or did not. */
export type LoggedLine = About &
  (
    | { readonly way: 'sent' | 'received'; readonly act: MovedAct; readonly reason: null }
    | { readonly way: 'not_moved'; readonly act: NotMovedAct; readonly reason: string }
  );

/** The number of lines that a preview keeps for each figure. */
const KEPT = 1_000;
/** More than a chunk of records, whose lines are saved together with its links. */
const SAVE_AT = 1_500;

/** Logs what a sync did, object by object. A sync writes it to the book; a preview keeps the first lines of each figure. */
export class SyncLog {
  readonly #database: Database;
  readonly #runId: number | null;
  readonly #places = new Map<string, number>();
  readonly #moves = new Map<string, Omit<NewMoves, 'lines'> & { readonly lines: MovedLine[] }>();
  readonly #notMoved: NotMovedRow[] = [];
  #unsaved = 0;
  readonly #kept = new Map<string, LoggedLine[]>();

  constructor(database: Database, runId: number | null) {
    this.#database = database;
    this.#runId = runId;
  }

  add(line: LoggedLine): void {
    const figure = `${line.way} ${line.counted}`;
    const place = this.#places.get(figure) ?? 0;
    this.#places.set(figure, place + 1);
    if (this.#runId === null) {
      const kept = this.#kept.get(figure) ?? [];
      if (kept.length < KEPT) kept.push(line);
      this.#kept.set(figure, kept);
      return;
    }
    const { counted, resource, localId: local_id, name } = line;
    const at = { run_id: this.#runId, counted, place };
    if (line.way === 'not_moved') {
      this.#notMoved.push({ ...at, act: line.act, resource, local_id, name, reason: line.reason });
    } else {
      const moves = this.#moves.get(figure) ?? { ...at, way: line.way, lines: [] };
      this.#moves.set(figure, moves);
      moves.lines.push({ act: line.act, resource, local_id, name });
    }
    this.#unsaved += 1;
    if (this.#unsaved >= SAVE_AT) this.save();
  }

  save(): void {
    if (this.#unsaved > 0) this.#database.write((write) => this.saveIn(write));
  }

  /** Does the same in a transaction of the caller. */
  saveIn(write: WriteHandle): void {
    const [moves, notMoved] = [[...this.#moves.values()], this.#notMoved.splice(0)];
    this.#moves.clear();
    this.#unsaved = 0;
    for (const row of moves) insertMoves(write, row);
    for (const row of notMoved) insertNotMoved(write, row);
  }

  /** Returns the lines that a preview kept, and their total number. */
  linesOf(way: Way, counted: Counted): { readonly total: number; readonly lines: readonly LoggedLine[] } {
    const figure = `${way} ${counted}`;
    return { total: this.#places.get(figure) ?? 0, lines: this.#kept.get(figure) ?? [] };
  }
}
