import type { OperationId } from '../../../src-shared/contract/index.ts';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import type { Result } from '../../../src-shared/values/result.ts';
import type { Clock, Log, Random } from '../../platform/ports.ts';
import type { Database } from '../../database/database.ts';
import type { SyncRunRow } from '../store/runs.ts';
import type { KeepRule, SameInOtherWords, SamePair } from './context.ts';
import type { SyncAnswers } from './answers.ts';
import type { SyncProgress } from './progress.ts';

/** What sync takes from the service and from outside. */
export interface SyncPorts {
  readonly database: Database;
  /** The service's own door, as the actor `sync`. */
  readonly dispatch: (operation: OperationId, input: unknown, idempotencyKey: string | undefined) => Promise<Outcome<unknown>>;
  readonly keepRule: KeepRule;
  readonly sameInOtherWords: SameInOtherWords;
  /** Backs the book up before its first sync with a remote, and before each that deletes something here; answers the name of the backup, or one sentence on why there is none. */
  readonly backUp: (kind: 'before_sync' | 'before_changes') => Promise<Result<string, string>>;
  /** Why the book does not take on what it was given, such as a full disk; null nearly always. */
  readonly trouble: () => string | null;
  readonly environmentId: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly fetch: typeof globalThis.fetch;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly signal: AbortSignal;
  readonly note: (words: string) => void;
  readonly progress: SyncProgress;
}

export interface SyncAddress {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Which one of the book's remotes a person chose; by address and identity without it. */
  readonly remoteId?: number | undefined;
  /** What a person said to what a sync stopped with before. */
  readonly answers?: SyncAnswers | undefined;
}

export interface SyncOrder extends SyncAddress {
  readonly preview: boolean;
  readonly what: SyncRunRow['what'];
  readonly startedBy: SyncRunRow['started_by'];
  readonly same: readonly SamePair[];
  /** So many deletions a person has allowed, who saw what would go. */
  readonly acceptDeletions: number;
}
