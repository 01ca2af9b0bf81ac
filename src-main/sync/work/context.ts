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

/** Keeps a rule of a remote that cannot be used here: as it came, paused with the reason. `id` is that of the rule here, if there is one. */
export type KeepRule = (rule: { readonly id: number | null; readonly fields: Fields; readonly reason: string }) => number;

/** Which new lines there, by their places, may be which of some lines of a stream here in other words: as a file is compared. `contested`: others are as likely. */
export type SameInOtherWords = (
  streamId: number,
  lines: readonly RecordContent[],
  candidates: ReadonlySet<number>,
) => { readonly pairs: readonly { readonly place: number; readonly recordId: number }[]; readonly contested: readonly number[] };

export interface SyncScope {
  /** Keys of streams. */
  readonly streams: ReadonlySet<string>;
  /** Ids here. */
  readonly reconciliations: ReadonlySet<number>;
}

export interface SamePair {
  readonly resource: 'accounts' | 'reconciliations';
  readonly local_id: number;
  readonly remote_key: string;
}

/** A book that was put back from a backup, in its first sync since. */
export interface PutBack {
  /** What only this book has is taken away here, as a person said; else it goes to the remote. */
  readonly takes: boolean;
  /** Records made since are new beyond doubt; null where nobody knows when it was put back. */
  readonly since: number | null;
  /** What only this book has or has in this form. It never went to the remote, or it was deleted or changed there since: nobody can tell. */
  readonly onlyHere: Map<Counted, number>;
}

/** What one sync works with. */
export interface SyncContext {
  readonly database: Database;
  readonly environmentId: number;
  readonly remoteId: number | null;
  readonly preview: boolean;
  readonly seed: string;
  /** Tells the requests of this sync from those of others. */
  readonly run: string;
  readonly local: Side;
  readonly remote: Remote;
  readonly conflicts: ConflictBook;
  readonly result: SyncResult;
  readonly log: SyncLog;
  readonly tally: Tally;
  readonly progress: SyncProgress;
  /** Of a repair: what differs, and so alone is looked at. Null for a whole sync. */
  readonly scope: SyncScope | null;
  /** Accounts and reconciliations that a person said are the same on both sides. */
  readonly same: readonly SamePair[];
  readonly keepRule: KeepRule;
  readonly sameInOtherWords: SameInOtherWords;
  /** Why the book does not take on what it was given; null nearly always. */
  readonly trouble: () => string | null;
  readonly clock: Clock;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly note: (words: string) => void;
  readonly signal: AbortSignal;
  readonly links: (resource: string) => Links;
  /** Null but for a book that was put back. */
  readonly putBack: PutBack | null;
  /** What may be there, and nobody knows whether it is: its resource and its id here. */
  readonly unsure: Set<string>;
  /** Lines of which a person is to say first whether they are others in other words: ids here, and keys there. */
  readonly waiting: { readonly here: Set<number>; readonly there: Set<string> };
  /** So many deletions a person allowed this sync. */
  readonly accepted: number;
  /** Backs the book up, unless this sync has done so; ends the sync where that fails. */
  readonly backUpFirst: () => Promise<void>;
  /** Objects of one side alone whose removal waits for the end: what belongs to them is left alone until then. */
  readonly leaving: { readonly here: Set<string>; readonly there: Set<string> };
}

/** Every Links object of a sync is made once. */
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
