import { statSync } from 'node:fs';
import type { Database } from '../../database/database.ts';
import { isAnythingPending, sealPending } from '../../database/digests/pending.ts';
import { QuietTurns } from '../../jobs/idle-scheduler.ts';
import { CANCEL, type SealingStart } from '../../jobs/protocol.ts';
import { startThread } from '../../jobs/threads.ts';
import type { Alarm, Clock, Log } from '../../platform/ports.ts';
import { AnchorKeeper } from '../store/audit-anchor.ts';
import { hasUnsavedEntries } from '../store/audit.ts';
import { listBackups } from '../store/backup-files.ts';
import { BACKED_UP } from './write-backup.ts';

/** How often it is checked whether a large write left something. */
const DIGEST_LOOK_MS = 250;
const DIGEST_TROUBLE = 'what was written cannot be digested';

interface ContentSealerOptions {
  readonly database: Database;
  readonly dataFolder: string;
  readonly alarm: Alarm;
  readonly log: Log;
}

/** Writes the digests that large writes leave, on its own thread while they go on. Writes the rest before Tieout ends. */
class ContentSealer {
  readonly #options: ContentSealerOptions;
  readonly #callOff: () => void;
  #cancel = new SharedArrayBuffer(4);
  #working: Promise<void> | null = null;

  constructor(options: ContentSealerOptions) {
    this.#options = options;
    this.#callOff = regularly(options.alarm, DIGEST_LOOK_MS, () => this.#look());
  }

  /** Writes the remaining digests; call it after all jobs have ended. */
  async close(): Promise<void> {
    this.#callOff();
    const flag = new Int32Array(this.#cancel);
    Atomics.store(flag, 0, CANCEL.closing);
    Atomics.notify(flag, 0);
    await this.#working;
    try {
      sealPending(this.#options.database, () => false);
    } catch (error) {
      this.#trouble(error);
    }
  }

  #look(): void {
    if (this.#working === null && isAnythingPending(this.#options.database)) this.#work();
  }

  #work(): void {
    this.#cancel = new SharedArrayBuffer(4);
    const start: SealingStart = { kind: 'seal', dataFolder: this.#options.dataFolder, cancel: this.#cancel };
    const worker = startThread(start);
    worker.on('error', (error) => this.#trouble(error));
    this.#working = new Promise((resolve) => {
      worker.once('exit', () => {
        this.#working = null;
        resolve();
      });
    });
  }

  /** Logs a failure; the work is tried again. */
  #trouble(error: unknown): void {
    this.#options.log.warning(DIGEST_TROUBLE, { error: error instanceof Error ? error.message : String(error) });
  }
}

/** How often it is checked whether the book has changed. */
const LOOK_MS = 2_000;
const TROUBLE = 'what is remembered of the audit log beside the book cannot be written';

interface AnchorTurnsOptions {
  readonly dataFolder: string;
  readonly database: Database;
  readonly alarm: Alarm;
  readonly log: Log;
}

/** Keeps the anchor beside the book up to date: shortly after any thread has changed the book, and when Tieout ends. */
class AnchorTurns {
  readonly #options: AnchorTurnsOptions;
  readonly #keeper: AnchorKeeper;
  readonly #callOff: () => void;
  #isTroubled = false;

  constructor(options: AnchorTurnsOptions) {
    this.#options = options;
    this.#keeper = new AnchorKeeper(options.dataFolder, options.database);
    if (this.#keeper.fault !== null) {
      options.log.warning('the book is not the one that Tieout wrote last: look at it with tieout verify', { fault: this.#keeper.fault });
    }
    this.#callOff = regularly(options.alarm, LOOK_MS, () => this.#keep());
  }

  close(): void {
    this.#callOff();
    this.#keep();
  }

  #keep(): void {
    try {
      this.#keeper.keep();
      this.#isTroubled = false;
    } catch (error) {
      if (!this.#isTroubled) this.#options.log.warning(TROUBLE, { error: error instanceof Error ? error.message : String(error) });
      this.#isTroubled = true;
    }
  }
}

/** Makes changes without Tieout detectable: digests what large writes leave, and keeps the anchor beside the book. */
export function keepBook(options: AnchorTurnsOptions): { readonly close: () => Promise<void> } {
  const sealer = new ContentSealer(options);
  const anchor = new AnchorTurns(options);
  return {
    close: async () => {
      await sealer.close();
      anchor.close();
    },
  };
}

/** Runs work repeatedly, each time this many milliseconds after the last. Returns a function that stops it. */
function regularly(alarm: Alarm, everyMs: number, work: () => void): () => void {
  let callOff = (): void => {};
  const plan = (): void => {
    callOff = alarm.after(everyMs, () => {
      work();
      plan();
    });
  };
  plan();
  return () => callOff();
}

/** A backup begins once nothing was written for this long. */
const QUIET_MS = 10_000;
/** How often a program that runs for days checks. */
const LOOK_EVERY_MS = 3_600_000;
const RETRY_AFTER_MS = 3_600_000;
const BACKUP_TROUBLE = 'the daily backup could not be made';

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
    this.#turns = new QuietTurns({ ...options, quietMs: QUIET_MS, turn: () => this.#turn(), trouble: BACKUP_TROUBLE });
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
    if (!this.#turns.isClosing) log.warning(BACKUP_TROUBLE, { error: failure });
  }
}

const LOG_QUIET_MS = 3_000;
/** Writes that were not reported are noticed after at most this long. */
const LOG_LOOK_MS = 30_000;
/** The checkpoint of a log up to this size takes some milliseconds. */
const SHORT_LOG_BYTES = 1_048_576;
const LOG_TROUBLE = 'the log could not be carried into the book';

interface LogKeeperOptions {
  readonly database: Database;
  readonly alarm: Alarm;
  readonly log: Log;
  /** Makes the checkpoint on its own thread. */
  readonly checkpointOnThread: () => Promise<boolean>;
}

/**
 * Makes a WAL checkpoint in a moment without writes, and empties the log, so that a copy of `book.sqlite` made by hand is complete. Does not wait for
 * readers of the log; tries again later.
 */
export class LogKeeper {
  readonly #options: LogKeeperOptions;
  readonly #turns: QuietTurns;
  readonly #callOff: () => void;
  #checkpoint: Promise<unknown> | null = null;

  constructor(options: LogKeeperOptions) {
    this.#options = options;
    this.#turns = new QuietTurns({ ...options, quietMs: LOG_QUIET_MS, turn: () => this.#turn(), trouble: LOG_TROUBLE });
    this.#callOff = regularly(options.alarm, LOG_LOOK_MS, () => this.#turns.wantWithin(LOG_QUIET_MS));
  }

  kick(): void {
    this.#turns.kick();
  }

  async close(): Promise<void> {
    this.#turns.close();
    this.#callOff();
    await this.#checkpoint;
  }

  #turn(): null {
    const { database, log, checkpointOnThread } = this.#options;
    const bytes = statSync(`${database.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > SHORT_LOG_BYTES && this.#checkpoint === null) {
      this.#checkpoint = checkpointOnThread()
        .catch((error: unknown) => log.warning(LOG_TROUBLE, { error: String(error) }))
        .finally(() => {
          this.#checkpoint = null;
        });
    } else if (bytes > 0 && this.#checkpoint === null) database.checkpointAll();
    return null;
  }
}
