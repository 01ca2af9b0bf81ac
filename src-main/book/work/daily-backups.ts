import type { Database } from '../../database/database.ts';
import { QuietTurns } from '../../jobs/idle-scheduler.ts';
import { regularly } from '../../jobs/regularly.ts';
import type { Alarm, Clock, Log } from '../../platform/ports.ts';
import { hasUnsavedEntries } from '../store/audit.ts';
import { listBackups } from '../store/backup-files.ts';
import { BACKED_UP } from './write-backup.ts';

/** A backup begins once nothing was written for this long. */
const QUIET_MS = 10_000;
/** How often a program that runs for days checks. */
const LOOK_EVERY_MS = 3_600_000;
const RETRY_AFTER_MS = 3_600_000;
const TROUBLE = 'the daily backup could not be made';

interface DailyBackupsOptions {
  readonly database: Database;
  readonly dataFolder: string;
  readonly clock: Clock;
  readonly alarm: Alarm;
  readonly log: Log;
  /** Makes a backup; returns the reason for a failure, or null. */
  readonly backUp: () => Promise<string | null>;
}

function isSameDay(leftMs: number, rightMs: number): boolean {
  return new Date(leftMs).toDateString() === new Date(rightMs).toDateString();
}

/** Backs a book up once a day, if it changed since its last backup, in a moment without writes. */
export class DailyBackups {
  readonly #options: DailyBackupsOptions;
  readonly #turns: QuietTurns;
  readonly #callOff: () => void;
  #isWorking = false;
  #notBeforeMs = 0;

  constructor(options: DailyBackupsOptions) {
    this.#options = options;
    this.#turns = new QuietTurns({ ...options, quietMs: QUIET_MS, turn: () => this.#turn(), trouble: TROUBLE });
    this.#callOff = regularly(options.alarm, LOOK_EVERY_MS, () => this.#turns.wantWithin(QUIET_MS));
  }

  /** Must be called after writes, and once after opening the book. */
  kick(): void {
    this.#turns.kick();
  }

  close(): void {
    this.#turns.close();
    this.#callOff();
  }

  /** Whether today has no backup yet and the newest one lacks something. */
  isDue(): boolean {
    const { database, dataFolder, clock } = this.#options;
    const nowMs = clock.nowMs();
    const good = listBackups(dataFolder).filter(({ facts }) => facts !== null);
    if (nowMs < this.#notBeforeMs || good.some(({ madeAtMs }) => isSameDay(madeAtMs, nowMs))) return false;
    return hasUnsavedEntries(database, good[0]?.facts ?? null, BACKED_UP);
  }

  #turn(): null {
    if (!this.#isWorking && this.isDue()) void this.#work();
    return null;
  }

  async #work(): Promise<void> {
    const { clock, log, backUp } = this.#options;
    this.#isWorking = true;
    const failure = await backUp().catch((error: unknown) => String(error));
    this.#isWorking = false;
    if (failure === null) return;
    this.#notBeforeMs = clock.nowMs() + RETRY_AFTER_MS;
    if (!this.#turns.isClosing) log.warning(TROUBLE, { error: failure });
  }
}
