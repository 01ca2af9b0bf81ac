import type { SyncActivity, SyncRemote } from '../../../src-shared/contract/index.ts';
import { SYNC_CHOICES } from '../../../src-shared/contract/sync/sync-remotes.ts';
import { timestampOf, timestampOrNull } from '../../service/answers.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { EnvironmentName } from '../../service/handler.ts';
import { countUndecided, type SyncRemoteRow } from '../store/remotes.ts';
import { questionOf, syncRunsOf } from '../store/runs.ts';
import { countWaiting } from '../store/conflicts.ts';
import { DELETIONS_WAIT } from '../work/deletions.ts';
import { isQuestion, NO_NETWORK, resultOf } from './sync-history.ts';
import type { KeyOwner } from './sync-life.ts';

type State = SyncRemote['state'];

interface Failed {
  readonly code: string;
  readonly message: string;
}

/** A moving sync changes the book with every page; during one, waiting changes are counted at most this often. */
const COUNTED_EVERY_MS = 2_000;

/** Returns the owner of a remote's key. Two remotes at one address, such as two environments of one instance, have different owners. */
export function ownerOf(environment: EnvironmentName, remote: Pick<SyncRemoteRow, 'base_url' | 'key_suffix'>): KeyOwner {
  return { environment, baseUrl: `${remote.base_url}${remote.key_suffix}` };
}

/** Whether a sync with a remote is in progress. */
export function isUnderWay(activity: SyncActivity | null): activity is SyncActivity {
  return activity !== null && activity.ended_at === null;
}

/** Returns the error that ended the last sync, or null. A cancelled sync did not fail. */
function lastFailure(context: ServiceContext, remoteId: number, activity: SyncActivity | null): Failed | null {
  const run = syncRunsOf(context.database, remoteId, 1).find(({ ended_at: endedAt }) => endedAt !== null);
  const endedMs = activity?.ended_at === undefined || activity.ended_at === null ? null : Date.parse(activity.ended_at);
  const isNewer = endedMs !== null && (run === undefined || endedMs >= (run.ended_at ?? 0));
  const failure = isNewer ? (activity?.error ?? null) : run === undefined ? null : (resultOf(run)?.error ?? null);
  return failure === null || failure.code === 'cancelled' ? null : failure;
}

function progressOf({ done, total }: SyncActivity): number | null {
  return total === null || total === 0 ? null : Math.min(100, Math.floor((100 * done) / total));
}

/** Returns the question that a sync stopped with, as the window shows it, or null. Leaves out choices that only the command line offers. */
export function questionView(row: SyncRemoteRow): SyncRemote['question'] {
  const kept = questionOf(row);
  if (kept === null || !isQuestion(kept.code)) return null;
  const choiceOf = (said: string | null) => SYNC_CHOICES.find((each) => each === said) ?? null;
  const choices = kept.choices.flatMap((each) => choiceOf(each) ?? []);
  return { code: kept.code, message: kept.message, choices, choice: choiceOf(kept.choice) };
}

interface Told {
  readonly state: State;
  readonly message: string | null;
  readonly progress: number | null;
  /** Replaces the schedule's next time where it is not null. */
  readonly nextAt: string | null;
}

function told(
  row: SyncRemoteRow,
  activity: SyncActivity | null,
  failure: Failed | null,
  counts: { waiting: number; toDecide: number },
): Told {
  const plain = (state: State): Told => ({ state, message: null, progress: null, nextAt: null });
  if (isUnderWay(activity)) {
    const { waits } = activity;
    if (waits !== null) return { state: 'no_network', message: waits.reason, progress: progressOf(activity), nextAt: waits.next_at };
    return { ...plain('under_way'), progress: progressOf(activity) };
  }
  const question = questionView(row);
  if (question !== null && question.choice === null) return { ...plain('asks'), message: question.message };
  if (failure?.code === DELETIONS_WAIT) return { ...plain('deletions_wait'), message: failure.message };
  if (failure !== null && (question === null || !isQuestion(failure.code)))
    return { ...plain(NO_NETWORK.has(failure.code) ? 'no_network' : 'failed'), message: failure.message };
  if (row.last_synced_at === null) return plain('not_synced');
  if (counts.toDecide > 0) return plain('to_decide');
  return plain(counts.waiting > 0 ? 'waiting' : 'agrees');
}

interface Held {
  /** Identifies the state that was counted: the book's data revision, the last sync, and the number of undecided conflicts. */
  readonly of: string;
  readonly atMs: number;
  readonly waiting: number;
}

/** Builds the views of remotes. Counts waiting changes once for each revision of the book. */
export class RemoteViews {
  readonly #context: ServiceContext;
  readonly #held = new Map<number, Held>();

  constructor(context: ServiceContext) {
    this.#context = context;
  }

  async view(environment: EnvironmentName, row: SyncRemoteRow): Promise<SyncRemote> {
    const { database, sync } = this.#context;
    const keyKept = await sync.keys.where(ownerOf(environment, row));
    const activity = sync.activity(row.id);
    const toDecide = countUndecided(database, row.id);
    const waiting = this.#waiting(row, toDecide, isUnderWay(activity));
    const { state, message, progress, nextAt } = told(row, activity, lastFailure(this.#context, row.id, activity), { waiting, toDecide });
    return {
      id: row.id,
      name: row.name,
      base_url: row.base_url,
      kind: row.kind,
      created_at: timestampOf(row.created_at),
      key_kept: keyKept,
      every_minutes: row.every_minutes,
      when_online: row.when_online === 1,
      next_at: nextAt ?? timestampOrNull(sync.nextAtMs(row.id)),
      last_synced_at: timestampOrNull(row.last_synced_at),
      state,
      message,
      waiting,
      to_decide: toDecide,
      question: questionView(row),
      progress,
    };
  }

  #waiting(row: SyncRemoteRow, toDecide: number, isMoving: boolean): number {
    const { database, clock, dataRevision } = this.#context;
    const held = this.#held.get(row.id);
    const [run] = syncRunsOf(database, row.id, 1);
    const of = [dataRevision(), run?.id, run?.ended_at, toDecide].join(' ');
    const nowMs = clock.nowMs();
    if (held !== undefined && (held.of === of || (isMoving && nowMs - held.atMs < COUNTED_EVERY_MS))) return held.waiting;
    const waiting = countWaiting(database, row);
    this.#held.set(row.id, { of, atMs: nowMs, waiting });
    return waiting;
  }
}
