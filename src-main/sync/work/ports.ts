import type { OperationId } from '../../../src-shared/contract/index.ts';
import type { Outcome } from '../../../src-shared/contract/wire.ts';
import type { Result } from '../../../src-shared/values/result.ts';
import type { Clock, Log, Random } from '../../platform/ports.ts';
import type { Database } from '../../database/database.ts';
import type { SyncRunRow } from '../store/runs.ts';
import type { KeepRule, SameInOtherWords, SamePair } from './context.ts';
import type { SyncAnswers } from './answers.ts';
import type { SyncProgress } from './progress.ts';

/** The ports of sync: everything it needs from the service and from outside. */
export interface SyncPorts {
  readonly database: Database;
  /** Calls an operation of the service as the actor `sync`. */
  readonly dispatch: (operation: OperationId, input: unknown, idempotencyKey: string | undefined) => Promise<Outcome<unknown>>;
  readonly keepRule: KeepRule;
  readonly sameInOtherWords: SameInOtherWords;
  /**
   * Backs the book up before its first sync with a remote, and before each sync that changes it. Returns the name of the backup, or one sentence that
   * says why it failed.
   */
  readonly backUp: (kind: 'before_sync' | 'before_changes') => Promise<Result<string, string>>;
  /** Returns why the book accepts no writes, such as a full disk; usually null. */
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
  /** The remote that a person chose; without it, address and identity decide. */
  readonly remoteId?: number | undefined;
  /** A person's answers to questions of earlier syncs. */
  readonly answers?: SyncAnswers | undefined;
}

export interface SyncOrder extends SyncAddress {
  readonly preview: boolean;
  readonly what: SyncRunRow['what'];
  readonly startedBy: SyncRunRow['started_by'];
  readonly same: readonly SamePair[];
  /** The number of deletions that a person has allowed after seeing them. */
  readonly acceptDeletions: number;
}
