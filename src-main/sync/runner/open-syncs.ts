import os from 'node:os';
import type { SyncActivity } from '../../../src-shared/contract/index.ts';
import { failed, type Result } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import type { ReadHandle } from '../../database/database.ts';
import type { Alarm, Clock, Log, Random } from '../../platform/ports.ts';
import type { ServiceContext } from '../../service/context.ts';
import { ENVIRONMENT_IDS, type EnvironmentName } from '../../service/handler.ts';
import { isUnderWay, ownerOf } from '../operations/remote-view.ts';
import { QUESTIONS, resultOf } from '../operations/sync-history.ts';
import type { SyncKeys, SyncLife, SyncStart } from '../operations/sync-life.ts';
import { allRemotes, type SyncRemoteRow } from '../store/remotes.ts';
import { isAsking, syncRunsOf } from '../store/runs.ts';
import { DELETIONS_WAIT } from '../work/deletions.ts';
import type { Syncing } from './book-sync.ts';
import { SyncRunner } from './sync-runner.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** After failures the interval grows to at most this many times itself. */
const LONGEST_BACKOFF = 6;
const JITTER = 0.1;
const FIRST_RETRY_MS = MINUTE_MS;
const LONGEST_RETRY_MS = 60 * MINUTE_MS;

/** How the last try of a remote ended. `failures` is the number of failed tries in a row. */
interface LastTry {
  readonly endedAtMs: number;
  readonly failures: number;
  /** Whether the last try failed because the remote did not answer. */
  readonly isUnreachable: boolean;
}

/** Returns the milliseconds from the end of the last sync to the next one. `share` (from 0 to below 1) spreads many computers over time. */
export function intervalMs(everyMinutes: number, failures: number, share: number): number {
  const plainMs = everyMinutes * MINUTE_MS;
  const backedOffMs = Math.max(plainMs, Math.min(plainMs * Math.min(2 ** failures, LONGEST_BACKOFF), DAY_MS));
  return Math.round(backedOffMs * (1 + JITTER * share));
}

/** Returns the milliseconds until a remote that did not answer is tried again: one minute, doubled with each failure, at most an hour. */
export function retryMs(failures: number, share: number): number {
  const backedOffMs = Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, failures - 1), LONGEST_RETRY_MS);
  return Math.round(backedOffMs * (1 + JITTER * share));
}

interface Due {
  readonly atMs: number;
  readonly trigger: 'schedule' | 'network';
}

/** Returns when the next automatic sync of a remote is due, or null if none is wanted. */
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

/** Returns the addresses of this machine in its networks; empty while it is in none. */
export function outerAddresses(interfaces: Interfaces = os.networkInterfaces()): ReadonlySet<string> {
  const all = Object.values(interfaces).flatMap((each) => each ?? []);
  // A link-local address comes and goes with the cable, and leads nowhere.
  return new Set(all.filter(({ address, internal }) => !internal && !address.startsWith('fe80:')).map(({ address }) => address));
}

/** Detects addresses that were not there at the previous check. */
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

/** The number of past tries that are read; more failures in a row make no difference. */
const LOOKED_AT = 8;
const UNREACHABLE = 'unreachable';
/** Error codes of syncs that a person stopped or that wait for a person: the remote itself answered. */
const NO_FAILURES: ReadonlySet<string> = new Set(['cancelled', DELETIONS_WAIT, ...QUESTIONS]);

interface Ended {
  readonly atMs: number;
  /** Null if the sync succeeded or a person stopped it. */
  readonly code: string | null;
}

function codeIn(run: Parameters<typeof resultOf>[0]): string | null {
  const code = resultOf(run)?.error?.code ?? null;
  return code === null || NO_FAILURES.has(code) ? null : code;
}

/** Returns how the tries in the book ended, newest first. A try during which Tieout was stopped counts as no failure. */
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

/** Whether the next sync with a remote would only ask again: the person who answers a question or allows deletions starts it by hand. */
function waitsForPerson(read: ReadHandle, row: SyncRemoteRow): boolean {
  if (isAsking(row)) return true;
  const last = syncRunsOf(read, row.id, 1).find(({ ended_at: endedAt }) => endedAt !== null);
  return last !== undefined && resultOf(last)?.error?.code === DELETIONS_WAIT;
}

/** Combines the tries in the book with those since this start of Tieout that ended before the book had an entry of them. */
class LastTries {
  readonly #read: ReadHandle;
  readonly #unstored = new Map<number, Ended[]>();

  constructor(read: ReadHandle) {
    this.#read = read;
  }

  /** Notes a try that was refused, or ended without an entry in the book. */
  note(remoteId: number, ended: Ended): void {
    this.#unstored.set(remoteId, [ended, ...(this.#unstored.get(remoteId) ?? [])].slice(0, LOOKED_AT));
  }

  /** Notes how the last activity ended, if the book has no entry of it. */
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
  /** Resolves once the sync has begun or was refused. */
  readonly start: (order: SyncStart) => Promise<Result<unknown, { readonly code: string; readonly message: string }>>;
  /** Whether a window or other programs are served. Short commands start no scheduled sync. */
  readonly isServing: () => boolean;
  /** Returns the addresses of this machine in its networks; the system's by default. */
  readonly addresses?: () => ReadonlySet<string>;
}

/** The start of Tieout belongs to the person; scheduled syncs wait this long. */
const QUIET_MS = 5_000;
/** How often the network is checked while a remote waits for it. */
const LOOK_FOR_NETWORK_MS = 15_000;
/** Timers stop while a computer sleeps, so no single wait lasts a whole interval. */
const LOOK_MS = 60_000;
/** A network change does not sync again sooner than this after the last sync. */
const JUST_SYNCED_MS = 60_000;

const NAMES = new Map(Object.entries(ENVIRONMENT_IDS).map(([name, id]) => [id, name as EnvironmentName]));

/**
 * Starts syncs at their times and when the network comes back. The times follow from the book, so a missed one is made up once after a start. Leaves
 * remotes alone that were never synced, have no key here, have a sync in progress, or wait for a person. Must not be used for a read-only book.
 */
export class SyncSchedule {
  readonly #options: ScheduleOptions;
  readonly #tries: LastTries;
  readonly #network: NetworkWatch;
  /** The jitter for each end of a sync, kept so that the time shown to people does not change. */
  readonly #shares = new Map<number, { readonly endedAtMs: number; readonly share: number }>();
  readonly #withoutKey = new Set<number>();
  /** Remotes to sync since the network came back. */
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

  /** Returns when the next automatic sync with a remote starts; null if none does. */
  readonly nextAtMs = (remoteId: number): number | null => {
    const row = this.#remotes().find(({ id }) => id === remoteId);
    if (row === undefined || this.#withoutKey.has(remoteId) || isUnderWay(this.#options.activity(remoteId))) return null;
    return this.#dueOf(row)?.atMs ?? null;
  };

  /** Plans again. Must be called when remotes, schedules or keys change, when a sync ends, and when serving begins. */
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

  /** Wakes up when the next sync is due, and at intervals before; never if no remote wants a sync. */
  #plan(): void {
    this.#callOff();
    if (this.#isClosed) return;
    try {
      this.#planNext();
    } catch (error) {
      // A damaged book starts no automatic syncs; everything else continues.
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
      // The key may return with the desktop's keyring.
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

  /** Starts one sync at a time; the others are due at the next check. */
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

  /** Returns whether a sync has begun. */
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
    // Another sync began first; the next check comes after it.
    if (started.error.code === 'sync_in_progress') return true;
    log.warning('a sync could not start by itself', { remote: row.id, code: started.error.code });
    this.#tries.note(row.id, { atMs: clock.nowMs(), code: started.error.code });
    return false;
  }
}

interface SyncsOptions {
  readonly context: ServiceContext;
  readonly syncing: Syncing;
  readonly alarm: Alarm;
  readonly isServing: () => boolean;
  readonly isReadOnly: boolean;
}

/** Opens the runner and the schedule of an open book. A read-only book has no schedule. */
export function openSyncs(
  { context, syncing, alarm, isServing, isReadOnly }: SyncsOptions,
  sync: LateSync,
): { readonly close: () => Promise<void> } {
  const { database, clock, random, log } = context;
  const runner = new SyncRunner({
    context,
    syncing,
    keys: sync.keys,
    alarm,
    fetch: (input, init) => globalThis.fetch(input, init),
    onEnded: () => sync.rescheduled(),
  });
  const { start, activity } = runner;
  const schedule = isReadOnly
    ? null
    : new SyncSchedule({ database, clock, alarm, random, log, keys: sync.keys, activity, start, isServing });
  sync.attach(runner, schedule);
  return {
    close: async () => {
      schedule?.close();
      await runner.close();
    },
  };
}

type Runs = Omit<SyncLife, 'keys' | 'rescheduled' | 'nextAtMs'>;
type Schedule = Pick<SyncLife, 'rescheduled' | 'nextAtMs'>;

/** Stands in for sync until the service exists: sync needs the service, and the service is created with a `SyncLife`. */
export class LateSync implements SyncLife {
  readonly keys: SyncKeys;
  #runs: Runs | null = null;
  #schedule: Schedule | null = null;

  constructor(keys: SyncKeys) {
    this.keys = keys;
  }

  attach(runs: Runs, schedule: Schedule | null): void {
    this.#runs = runs;
    this.#schedule = schedule;
  }

  readonly probe: SyncLife['probe'] = async (environment, address) =>
    (await this.#runs?.probe(environment, address)) ??
    failed({ code: 'remote_unusable', message: phrase('sync.openSyncs.theBookIsNotOpen') });
  readonly start: SyncLife['start'] = async (order) =>
    (await this.#runs?.start(order)) ?? failed({ code: 'conflict', message: phrase('sync.openSyncs.theBookIsNotOpen') });
  readonly activity: SyncLife['activity'] = (id) => this.#runs?.activity(id) ?? null;
  readonly plan: SyncLife['plan'] = (id) => this.#runs?.plan(id) ?? null;
  readonly planLines: SyncLife['planLines'] = (...asked) => this.#runs?.planLines(...asked) ?? null;
  readonly hasChanged: SyncLife['hasChanged'] = async (asked) => (await this.#runs?.hasChanged(asked)) ?? false;
  readonly cancel: SyncLife['cancel'] = (id) => this.#runs?.cancel(id) ?? false;
  readonly retry: SyncLife['retry'] = (id) => this.#runs?.retry(id) ?? false;
  readonly nextAtMs: SyncLife['nextAtMs'] = (id) => this.#schedule?.nextAtMs(id) ?? null;
  readonly rescheduled: SyncLife['rescheduled'] = () => this.#schedule?.rescheduled();
}
