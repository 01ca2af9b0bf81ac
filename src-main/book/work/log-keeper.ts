import { statSync } from 'node:fs';
import type { Database } from '../../database/database.ts';
import { QuietTurns } from '../../jobs/idle-scheduler.ts';
import { regularly } from './keep-book.ts';
import type { Alarm, Log } from '../../platform/ports.ts';

const QUIET_MS = 3_000;
/** Writes that were not reported are noticed after at most this long. */
const LOOK_EVERY_MS = 30_000;
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
    this.#turns = new QuietTurns({ ...options, quietMs: QUIET_MS, turn: () => this.#turn(), trouble: LOG_TROUBLE });
    this.#callOff = regularly(options.alarm, LOOK_EVERY_MS, () => this.#turns.wantWithin(QUIET_MS));
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
