import type { Database } from '../../database/database.ts';
import type { Clock } from '../../platform/ports.ts';
import type { ConflictBook } from './conflict-book.ts';
import { Links } from './links.ts';
import type { SyncProgress } from './progress.ts';
import type { SyncLog } from './sync-log.ts';
import type { Tally } from './tally.ts';
import type { Fields, RecordContent } from './resources.ts';
import type { Counted, SyncResult } from './sync-result.ts';
import type { Remote } from './remote.ts';
import type { Side } from './side.ts';

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
