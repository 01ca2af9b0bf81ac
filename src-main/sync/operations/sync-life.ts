import type { Errors, Failure, SyncActivity, SyncLine, SyncPlan, SyncProbe, SyncResource } from '../../../src-shared/contract/index.ts';
import type { Result } from '../../../src-shared/values/result.ts';
import type { EnvironmentName } from '../../service/handler.ts';

type What = SyncActivity['what'];
type Trigger = SyncActivity['trigger'];

/** An account or reconciliation of the book that is the same as one there, as a person said. */
export interface SamePair {
  readonly resource: 'accounts' | 'reconciliations';
  readonly local_id: number;
  readonly remote_key: string;
}

export interface SyncStart {
  readonly remoteId: number;
  readonly environment: EnvironmentName;
  readonly what: What;
  readonly trigger: Trigger;
  readonly same: readonly SamePair[];
  /** So many deletions a person has allowed. */
  readonly acceptDeletions: number;
}

export interface ChangeAsked {
  readonly environment: EnvironmentName;
  readonly remoteId: number;
  readonly resource: string;
  readonly id: number;
}

/** Which remote a key belongs to: ids may be those of other remotes after a backup was restored. */
export interface KeyOwner {
  readonly environment: EnvironmentName;
  readonly baseUrl: string;
}

/** What a probe found: what people see of it, and what the remote says that it is, where it has a way to. */
export interface ProbedRemote {
  readonly probe: SyncProbe;
  readonly identity: { readonly instanceId: string; readonly bookId: string | null; readonly environment: string } | null;
}

/** There is no place to keep a key; the message is for the person. */
export class KeyNotKept extends Error {
  override readonly name = 'KeyNotKept';
}

/** The keys of remotes, kept outside of the book. */
export interface SyncKeys {
  readonly place: () => 'secret_store' | 'encrypted_file';
  readonly where: (owner: KeyOwner) => Promise<'secret_store' | 'encrypted_file' | 'none'>;
  /** Null where there is none, or it can be read no more. */
  readonly read: (owner: KeyOwner) => Promise<string | null>;
  /** Rejects with `KeyNotKept` where there is no place for it. */
  readonly keep: (owner: KeyOwner, key: string) => Promise<void>;
  readonly forget: (owner: KeyOwner) => Promise<void>;
}

/** Sync as the service sees it, whoever runs it. */
export interface SyncLife {
  readonly keys: SyncKeys;
  readonly probe: (
    environment: EnvironmentName,
    address: { readonly baseUrl: string; readonly apiKey: string },
  ) => Promise<Result<ProbedRemote, Failure<'remote_unusable'>>>;
  readonly start: (order: SyncStart) => Promise<Result<SyncActivity, Failure<Errors<'syncs.start'>>>>;
  /** What is under way or was last with a remote since Tieout started. */
  readonly activity: (remoteId: number) => SyncActivity | null;
  readonly plan: (remoteId: number) => SyncPlan | null;
  readonly planLines: (
    remoteId: number,
    resource: SyncResource,
    part: 'send' | 'receive' | 'stays',
  ) => { readonly total: number; readonly lines: readonly SyncLine[] } | null;
  /** Whether an object is another one than when both sides agreed on it. */
  readonly hasChanged: (asked: ChangeAsked) => Promise<boolean>;
  /** False where nothing is under way. */
  readonly cancel: (remoteId: number) => boolean;
  /** False where nothing waits. */
  readonly retry: (remoteId: number) => boolean;
  /** When the next sync starts by itself; null where none does. */
  readonly nextAtMs: (remoteId: number) => number | null;
  /** Remotes or their schedules changed. */
  readonly rescheduled: () => void;
}
