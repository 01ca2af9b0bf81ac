import { openJobs } from '../book/store/jobs.ts';
import type { Database } from '../database/database.ts';
import type { Alarm, Log } from '../platform/ports.ts';
import { nextOpenBulkRequest } from '../records/store/bulk-requests.ts';

/** While requests or jobs keep writing, a turn is put off at most this many times. An import counts once, however long it takes. */
const MAX_PUT_OFF = 20;

interface QuietTurnsOptions {
  readonly database: Database;
  readonly alarm: Alarm;
  readonly log: Log;
  /** A turn comes when nothing was written for this long, so that many writes in a row are not slowed down. */
  readonly quietMs: number;
  /** Runs one turn. Returns the milliseconds until the next one is wanted; null if nothing is left. */
  readonly turn: () => number | null;
  /** The log message of a failed turn; the next turn then waits for the next kick. */
  readonly trouble: string;
}

/** Runs work that gives way to everything else: some time after the last write, while no bulk request and no job is open. */
export class QuietTurns {
  readonly #options: QuietTurnsOptions;
  #callOff: (() => void) | null = null;
  #putOff = 0;
  /** The id of the import for which the turn waits. */
  #importId: number | null = null;
  #isOver = false;

  constructor(options: QuietTurnsOptions) {
    this.#options = options;
  }

  get isClosing(): boolean {
    return this.#isOver;
  }

  /** Must be called after every write. A turn comes once nothing was written for a while. */
  kick(): void {
    if (this.#isOver || this.#putOff >= MAX_PUT_OFF) return;
    if (this.#callOff !== null && this.#importId === null) this.#putOff += 1;
    this.#plan(this.#options.quietMs);
  }

  /** Plans a turn after some milliseconds, unless one is planned. */
  wantWithin(delayMs: number): void {
    if (this.#callOff === null && !this.#isOver) this.#plan(delayMs);
  }

  close(): void {
    this.#isOver = true;
    this.#callOff?.();
    this.#callOff = null;
  }

  #plan(delayMs: number): void {
    this.#callOff?.();
    this.#callOff = this.#options.alarm.after(delayMs, () => this.#begin());
  }

  #begin(): void {
    this.#callOff = null;
    try {
      if (this.#putOff < MAX_PUT_OFF && this.#isOthersTurn()) {
        this.#waitForOthers();
        this.#plan(this.#options.quietMs);
        return;
      }
      this.#importId = null;
      const delayMs = this.#options.turn();
      if (delayMs !== null) return this.#plan(delayMs);
    } catch (error) {
      this.#options.log.warning(this.#options.trouble, { error: error instanceof Error ? error.message : String(error) });
    }
    this.#putOff = 0;
  }

  /** Waits for the end of an import: until then a turn would only compete with it for the write lock. */
  #waitForOthers(): void {
    const importId = openJobs(this.#options.database).find(({ kind, status }) => kind === 'import' && status === 'running')?.id ?? null;
    if (importId === null || importId !== this.#importId) this.#putOff += 1;
    this.#importId = importId;
  }

  #isOthersTurn(): boolean {
    const { database } = this.#options;
    return nextOpenBulkRequest(database) !== null || openJobs(database).length > 0;
  }
}
