import type { SyncActivity } from '../../../src-shared/contract/index.ts';
import type { ReadHandle } from '../../database/database.ts';
import { DELETIONS_WAIT, QUESTIONS, resultOf } from '../operations/sync-history.ts';
import { isAsking } from '../store/questions.ts';
import type { SyncRemoteRow } from '../store/remotes.ts';
import { syncRunsOf } from '../store/runs.ts';
import type { LastTry } from './due-times.ts';

/** More failures in a row make no difference. */
const LOOKED_AT = 8;
const UNREACHABLE = 'unreachable';
/** Somebody stopped it, or it waits for somebody: the remote answers as ever. */
const NO_FAILURES: ReadonlySet<string> = new Set(['cancelled', DELETIONS_WAIT, ...QUESTIONS]);

interface Ended {
  readonly atMs: number;
  /** Null: it came to its end, or somebody stopped it. */
  readonly code: string | null;
}

function codeIn(result: string | null): string | null {
  const code = resultOf({ result })?.error?.code ?? null;
  return code === null || NO_FAILURES.has(code) ? null : code;
}

/** How the tries ended that stand in the book, the newest first. One that Tieout was stopped in says nothing of the remote. */
function storedTries(read: ReadHandle, remoteId: number): Ended[] {
  return syncRunsOf(read, remoteId, LOOKED_AT).map(({ started_at: startedAt, ended_at: endedAt, result }) => ({
    atMs: endedAt ?? startedAt,
    code: codeIn(result),
  }));
}

function leadingFailures(tries: readonly Ended[]): number {
  const first = tries.findIndex(({ code }) => code === null);
  return first < 0 ? tries.length : first;
}

/** Whether the next sync with a remote would only ask again: a question or deletions wait for a person, who starts the next one by hand. */
export function waitsForPerson(read: ReadHandle, row: SyncRemoteRow): boolean {
  if (isAsking(row)) return true;
  const last = syncRunsOf(read, row.id, 1).find(({ ended_at: endedAt }) => endedAt !== null);
  return last !== undefined && resultOf(last)?.error?.code === DELETIONS_WAIT;
}

/** Tries of this start of Tieout that came to nothing before the book had an entry of them. */
export class LastTries {
  readonly #read: ReadHandle;
  readonly #unstored = new Map<number, Ended[]>();

  constructor(read: ReadHandle) {
    this.#read = read;
  }

  /** One that was refused, or ended without an entry. */
  note(remoteId: number, ended: Ended): void {
    this.#unstored.set(remoteId, [ended, ...(this.#unstored.get(remoteId) ?? [])].slice(0, LOOKED_AT));
  }

  /** Takes from what ran last how it ended. */
  noteActivity(remoteId: number, activity: SyncActivity | null): void {
    if (activity === null || activity.ended_at === null || activity.run_id !== null) return;
    if (activity.what !== 'sync' && activity.what !== 'repair') return;
    const atMs = Date.parse(activity.ended_at);
    if (this.#unstored.get(remoteId)?.some((known) => known.atMs === atMs) === true) return;
    const code = activity.error === null || activity.cancelled || NO_FAILURES.has(activity.error.code) ? null : activity.error.code;
    this.note(remoteId, { atMs, code });
  }

  of({ id, last_synced_at: lastSyncedAt }: SyncRemoteRow): LastTry {
    const tries = [...storedTries(this.#read, id), ...(this.#unstored.get(id) ?? [])].toSorted((one, other) => other.atMs - one.atMs);
    const last = tries[0];
    return {
      endedAtMs: Math.max(last?.atMs ?? 0, lastSyncedAt ?? 0),
      failures: leadingFailures(tries),
      isUnreachable: last?.code === UNREACHABLE,
    };
  }
}
