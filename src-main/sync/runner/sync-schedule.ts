import os from 'node:os';
import type { SyncActivity } from '../../../src-shared/contract/index.ts';
import type { Result } from '../../../src-shared/values/result.ts';
import type { ReadHandle } from '../../database/database.ts';
import type { Alarm, Clock, Log, Random } from '../../platform/ports.ts';
import { ENVIRONMENT_IDS, type EnvironmentName } from '../../service/handler.ts';
import { isUnderWay, ownerOf } from '../operations/remote-view.ts';
import { DELETIONS_WAIT, QUESTIONS, resultOf } from '../operations/sync-history.ts';
import type { SyncLife, SyncStart } from '../operations/sync-life.ts';
import { isAsking } from '../store/questions.ts';
import { allRemotes, type SyncRemoteRow } from '../store/remotes.ts';
import { syncRunsOf } from '../store/runs.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** After failures the interval doubles up to so many times itself. */
const LONGEST_BACKOFF = 6;
const JITTER = 0.1;
const FIRST_RETRY_MS = MINUTE_MS;
const LONGEST_RETRY_MS = 60 * MINUTE_MS;

/** How the last try of a remote ended. `failures`: how many in a row did not come to their end. */
interface LastTry {
  readonly endedAtMs: number;
  readonly failures: number;
  /** The remote did not answer. */
  readonly isUnreachable: boolean;
}

/** Milliseconds from the end of the last sync to the next one. `share` (0 to below 1) keeps many computers from asking one remote at the same moment. */
export function intervalMs(everyMinutes: number, failures: number, share: number): number {
  const plainMs = everyMinutes * MINUTE_MS;
  const backedOffMs = Math.max(plainMs, Math.min(plainMs * Math.min(2 ** failures, LONGEST_BACKOFF), DAY_MS));
  return Math.round(backedOffMs * (1 + JITTER * share));
}

/** Milliseconds until a remote that did not answer is tried again: a minute, doubled each time, an hour at most. */
export function retryMs(failures: number, share: number): number {
  const backedOffMs = Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, failures - 1), LONGEST_RETRY_MS);
  return Math.round(backedOffMs * (1 + JITTER * share));
}

interface Due {
  readonly atMs: number;
  readonly trigger: 'schedule' | 'network';
}

/** When a remote is to be synced next by itself; null where nothing asks for it. */
export function dueOf(
  wanted: { readonly everyMinutes: number | null; readonly whenOnline: boolean },
  { endedAtMs, failures, isUnreachable }: LastTry,
  share: number,
): Due | null {
  const schedule: Due | null =
    wanted.everyMinutes === null ? null : { atMs: endedAtMs + intervalMs(wanted.everyMinutes, failures, share), trigger: 'schedule' };
  const retry: Due | null = wanted.whenOnline && isUnreachable ? { atMs: endedAtMs + retryMs(failures, share), trigger: 'network' } : null;
  if (schedule === null || retry === null) return schedule ?? retry;
  return retry.atMs < schedule.atMs ? retry : schedule;
}

type Interfaces = NodeJS.Dict<readonly Pick<os.NetworkInterfaceInfo, 'address' | 'internal'>[]>;

/** Addresses of this machine by which others reach it; none while it is in no network. */
export function outerAddresses(interfaces: Interfaces = os.networkInterfaces()): ReadonlySet<string> {
  const all = Object.values(interfaces).flatMap((each) => each ?? []);
  // Those of a cable alone come and go with the cable, and lead nowhere.
  return new Set(all.filter(({ address, internal }) => !internal && !address.startsWith('fe80:')).map(({ address }) => address));
}

/** Notices when an address appears that was not there at the look before. */
export class NetworkWatch {
  readonly #addresses: () => ReadonlySet<string>;
  #before: ReadonlySet<string>;

  constructor(addresses: () => ReadonlySet<string>) {
    this.#addresses = addresses;
    this.#before = addresses();
  }

  isBack(): boolean {
    const before = this.#before;
    this.#before = this.#addresses();
    return [...this.#before].some((address) => !before.has(address));
  }
}

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

function codeIn(run: Parameters<typeof resultOf>[0]): string | null {
  const code = resultOf(run)?.error?.code ?? null;
  return code === null || NO_FAILURES.has(code) ? null : code;
}

/** How the tries ended that stand in the book, the newest first. One that Tieout was stopped in says nothing of the remote. */
function storedTries(read: ReadHandle, remoteId: number): Ended[] {
  return syncRunsOf(read, remoteId, LOOKED_AT).map(({ id, started_at: startedAt, ended_at: endedAt, result }) => ({
    atMs: endedAt ?? startedAt,
    code: codeIn({ id, result }),
  }));
}

function leadingFailures(tries: readonly Ended[]): number {
  const first = tries.findIndex(({ code }) => code === null);
  return first < 0 ? tries.length : first;
}

/** Whether the next sync with a remote would only ask again: a question or deletions wait for a person, who starts the next one by hand. */
function waitsForPerson(read: ReadHandle, row: SyncRemoteRow): boolean {
  if (isAsking(row)) return true;
  const last = syncRunsOf(read, row.id, 1).find(({ ended_at: endedAt }) => endedAt !== null);
  return last !== undefined && resultOf(last)?.error?.code === DELETIONS_WAIT;
}

/** Tries of this start of Tieout that came to nothing before the book had an entry of them. */
class LastTries {
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

interface ScheduleOptions {
  readonly database: ReadHandle;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly random: Random;
  readonly log: Log;
  readonly keys: Pick<SyncLife['keys'], 'where'>;
  readonly activity: SyncLife['activity'];
  /** Resolves once the sync has begun, or was refused. */
  readonly start: (order: SyncStart) => Promise<Result<unknown, { readonly code: string; readonly message: string }>>;
  /** Whether a window or other programs are served: short commands start nothing by themselves. */
  readonly isServing: () => boolean;
  /** Addresses of this machine in its networks; those of the system without it. */
  readonly addresses?: () => ReadonlySet<string>;
}

/** A start of Tieout is for the person first. */
const QUIET_MS = 5_000;
/** While a remote waits for the network, so often it is looked whether that is back. */
const LOOK_FOR_NETWORK_MS = 15_000;
/** Timers stand still while a computer sleeps, so no wait is as long as the interval. */
const LOOK_MS = 60_000;
/** Another address of a network that was there all the time is no reason to sync again at once. */
const JUST_SYNCED_MS = 60_000;

const NAMES = new Map(Object.entries(ENVIRONMENT_IDS).map(([name, id]) => [id, name as EnvironmentName]));

/**
 * Starts syncs by itself: at their times, and when the network comes back. What it goes by stands in the book, so a time that was missed is made up once after a
 * start. One that was never synced, has no key here, is under way, or waits for a person's word is left alone. Not for a book that can only be read.
 */
export class SyncSchedule {
  readonly #options: ScheduleOptions;
  readonly #tries: LastTries;
  readonly #network: NetworkWatch;
  /** A share of the jitter for each end of a sync, so that the next time stays what was told. */
  readonly #shares = new Map<number, { readonly endedAtMs: number; readonly share: number }>();
  readonly #withoutKey = new Set<number>();
  /** Remotes that wait for a turn since the network came back. */
  readonly #back = new Set<number>();
  #callOff: () => void;
  #isLooking = false;
  #isClosed = false;

  constructor(options: ScheduleOptions) {
    this.#options = options;
    this.#tries = new LastTries(options.database);
    this.#network = new NetworkWatch(options.addresses ?? outerAddresses);
    this.#callOff = options.alarm.after(QUIET_MS, () => void this.#look());
  }

  /** When the next sync with a remote starts by itself; null where none does. */
  readonly nextAtMs = (remoteId: number): number | null => {
    const row = this.#remotes().find(({ id }) => id === remoteId);
    if (row === undefined || this.#withoutKey.has(remoteId) || isUnderWay(this.#options.activity(remoteId))) return null;
    return this.#dueOf(row)?.atMs ?? null;
  };

  /** Remotes, their schedules or keys changed, a sync ended, or somebody is served from now on. */
  readonly rescheduled = (): void => {
    this.#withoutKey.clear();
    if (!this.#isClosed && !this.#isLooking) this.#plan();
  };

  close(): void {
    this.#isClosed = true;
    this.#callOff();
  }

  #remotes(): SyncRemoteRow[] {
    const { database } = this.#options;
    return allRemotes(database).filter((row) => row.last_synced_at !== null && !waitsForPerson(database, row));
  }

  #dueOf(row: SyncRemoteRow): Due | null {
    this.#tries.noteActivity(row.id, this.#options.activity(row.id));
    const last = this.#tries.of(row);
    return dueOf({ everyMinutes: row.every_minutes, whenOnline: row.when_online === 1 }, last, this.#shareOf(row.id, last.endedAtMs));
  }

  #shareOf(remoteId: number, endedAtMs: number): number {
    const known = this.#shares.get(remoteId);
    if (known?.endedAtMs === endedAtMs) return known.share;
    const share = (this.#options.random.bytes(1)[0] ?? 0) / 256;
    this.#shares.set(remoteId, { endedAtMs, share });
    return share;
  }

  /** Wakes when the next one is due, and now and then before; never where no remote asks for it. */
  #plan(): void {
    this.#callOff();
    if (this.#isClosed) return;
    try {
      this.#planNext();
    } catch (error) {
      // Of a book that is damaged there nothing starts by itself; all else goes on.
      this.#options.log.error('syncs that start by themselves could not be planned', { error: String(error) });
    }
  }

  #planNext(): void {
    const { clock, alarm } = this.#options;
    const rows = this.#remotes();
    const waits: number[] = [];
    for (const row of rows) {
      if (row.when_online === 1) waits.push(LOOK_FOR_NETWORK_MS);
      const due = this.#withoutKey.has(row.id) ? null : this.#dueOf(row);
      if (due !== null) waits.push(Math.min(LOOK_MS, Math.max(QUIET_MS, due.atMs - clock.nowMs())));
      // A key may come back with the desktop's keyring.
      if (this.#withoutKey.has(row.id)) waits.push(LOOK_MS);
    }
    if (waits.length > 0) this.#callOff = alarm.after(Math.min(...waits), () => void this.#look());
  }

  async #look(): Promise<void> {
    if (this.#isClosed || this.#isLooking) return;
    this.#isLooking = true;
    try {
      if (this.#network.isBack()) for (const row of this.#remotes()) if (row.when_online === 1) this.#back.add(row.id);
      if (this.#options.isServing()) await this.#startDue();
    } catch (error) {
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#options.log.error('a sync could not start by itself', { error: reason });
    }
    this.#isLooking = false;
    if (!this.#isClosed) this.#plan();
  }

  /** One at a time: the others are due at the next look. */
  async #startDue(): Promise<void> {
    const { clock, activity, database } = this.#options;
    if (allRemotes(database).some(({ id }) => isUnderWay(activity(id)))) return;
    for (const row of this.#remotes()) {
      const trigger = this.#triggerOf(row, clock.nowMs());
      if (trigger !== null && (await this.#start(row, trigger))) return;
      if (this.#isClosed) return;
    }
  }

  #triggerOf(row: SyncRemoteRow, nowMs: number): Due['trigger'] | null {
    if (this.#back.has(row.id)) {
      const { failures, endedAtMs } = this.#tries.of(row);
      if (failures > 0 || nowMs - endedAtMs >= JUST_SYNCED_MS) return 'network';
      this.#back.delete(row.id);
    }
    const due = this.#dueOf(row);
    return due !== null && due.atMs <= nowMs ? due.trigger : null;
  }

  /** Answers whether a sync has begun. */
  async #start(row: SyncRemoteRow, trigger: Due['trigger']): Promise<boolean> {
    const { keys, start, clock, log } = this.#options;
    const environment = NAMES.get(row.environment_id) ?? 'live';
    const kept = await keys.where(ownerOf(environment, row));
    if (kept === 'none') this.#withoutKey.add(row.id);
    else this.#withoutKey.delete(row.id);
    if (kept === 'none' || this.#isClosed) return false;
    this.#back.delete(row.id);
    const started = await start({ remoteId: row.id, environment, what: 'sync', trigger, same: [], acceptDeletions: 0 });
    if (started.ok) return true;
    // Somebody was faster: it is looked again when that has ended.
    if (started.error.code === 'sync_in_progress') return true;
    log.warning('a sync could not start by itself', { remote: row.id, code: started.error.code });
    this.#tries.note(row.id, { atMs: clock.nowMs(), code: started.error.code });
    return false;
  }
}
