import type { SamePair } from '../work/context.ts';
import type {
  ErrorCode,
  Errors,
  Failure,
  SyncActivity,
  SyncLine,
  SyncPlan,
  SyncProbe,
  SyncResource,
} from '../../../src-shared/contract/index.ts';
import { type Result, success } from '../../../src-shared/values/result.ts';
import { refuse } from '../../service/answers.ts';
import type { EnvironmentName } from '../../service/handler.ts';

type What = SyncActivity['what'];
type Trigger = SyncActivity['trigger'];

export interface SyncStart {
  readonly remoteId: number;
  readonly environment: EnvironmentName;
  readonly what: What;
  readonly trigger: Trigger;
  readonly same: readonly SamePair[];
  /** The number of deletions that a person has allowed. */
  readonly acceptDeletions: number;
}

interface ChangeAsked {
  readonly environment: EnvironmentName;
  readonly remoteId: number;
  readonly resource: string;
  readonly id: number;
}

/** The remote to which a key belongs. Names its address, because ids may belong to other remotes after a backup was restored. */
export interface KeyOwner {
  readonly environment: EnvironmentName;
  readonly baseUrl: string;
}

/** The result of a probe: what the window shows, and the identity that the remote states, or null if it states none. */
export interface ProbedRemote {
  readonly probe: SyncProbe;
  readonly identity: { readonly instanceId: string; readonly bookId: string | null; readonly environment: string } | null;
}

/** No place can keep a key; the message is for the person. */
export class KeyNotKept extends Error {
  override readonly name = 'KeyNotKept';
}

/** The keys of remotes, kept outside of the book. Calls of `keep` and `forget` take effect in the order in which they are made. */
export interface SyncKeys {
  readonly place: () => 'secret_store' | 'encrypted_file';
  readonly where: (owner: KeyOwner) => Promise<'secret_store' | 'encrypted_file' | 'none'>;
  /** Returns null if there is no key, or if it can no longer be decrypted. */
  readonly read: (owner: KeyOwner) => Promise<string | null>;
  /** Rejects with `KeyNotKept` if no place can keep the key. */
  readonly keep: (owner: KeyOwner, key: string) => Promise<void>;
  readonly forget: (owner: KeyOwner) => Promise<void>;
}

/** Keeps a key. Returns a refusal with this code if no place can keep it. */
export async function keptKey<Code extends ErrorCode>(
  keys: SyncKeys,
  owner: KeyOwner,
  key: string,
  code: Code,
): Promise<Result<null, Failure<Code>>> {
  try {
    await keys.keep(owner, key);
    return success(null);
  } catch (error) {
    if (error instanceof KeyNotKept) return refuse(code, error.message);
    throw error;
  }
}

/**
 * The contract between the service and whatever runs syncs. Every method may be called before syncs can run: it then refuses, or answers as if
 * nothing were in progress.
 */
export interface SyncLife {
  readonly keys: SyncKeys;
  readonly probe: (
    environment: EnvironmentName,
    address: { readonly baseUrl: string; readonly apiKey: string },
  ) => Promise<Result<ProbedRemote, Failure<'remote_unusable'>>>;
  readonly start: (order: SyncStart) => Promise<Result<SyncActivity, Failure<Errors<'syncs.start'>>>>;
  /** Returns the sync that is in progress with a remote, or the last one since Tieout started; null if there was none. */
  readonly activity: (remoteId: number) => SyncActivity | null;
  readonly plan: (remoteId: number) => SyncPlan | null;
  readonly planLines: (
    remoteId: number,
    resource: SyncResource,
    part: 'send' | 'receive' | 'stays',
  ) => { readonly total: number; readonly lines: readonly SyncLine[] } | null;
  /** Whether an object differs from the state on which both sides last agreed. */
  readonly hasChanged: (asked: ChangeAsked) => Promise<boolean>;
  /** Returns false if nothing is in progress. */
  readonly cancel: (remoteId: number) => boolean;
  /** Returns false if nothing waits. */
  readonly retry: (remoteId: number) => boolean;
  /** Returns when the next scheduled sync starts, in milliseconds since 1970; null if none is scheduled. */
  readonly nextAtMs: (remoteId: number) => number | null;
  /** Must be called after remotes, their keys or their schedules change. */
  readonly rescheduled: () => void;
}
