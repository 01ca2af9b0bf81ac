import type { Result } from '../../../src-shared/values/result.ts';
import type { ReadHandle } from '../../database/database.ts';
import type { Alarm, Clock, Log, Random } from '../../platform/ports.ts';
import { ENVIRONMENT_IDS, type EnvironmentName } from '../../service/handler.ts';
import { isUnderWay, ownerOf } from '../operations/remote-view.ts';
import type { SyncLife, SyncStart } from '../operations/sync-life.ts';
import { allRemotes, type SyncRemoteRow } from '../store/remotes.ts';
import { type Due, dueOf } from './due-times.ts';
import { LastTries, waitsForPerson } from './last-tries.ts';
import { NetworkWatch, outerAddresses } from './networks.ts';

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
