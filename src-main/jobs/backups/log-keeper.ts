import { statSync } from 'node:fs';
import type { Alarm, Log } from '../../platform/ports.ts';
import type { Database } from '../../store/database/database.ts';
import { QuietTurns } from '../queue/idle-scheduler.ts';
import { regularly } from '../worker/regularly.ts';

const QUIET_MS = 3_000;
/** What is written without being told is seen so late. */
const LOOK_EVERY_MS = 30_000;
/** A log up to this size is carried over within some milliseconds. */
const SHORT_LOG_BYTES = 1_048_576;
const TROUBLE = 'the log could not be carried into the book';

interface LogKeeperOptions {
  readonly database: Database;
  readonly alarm: Alarm;
  readonly log: Log;
  /** Does it on a thread of its own. */
  readonly carryAside: () => Promise<boolean>;
}

/**
 * Carries what was written from the log into the book when nobody writes, and empties the log: so a copy of `book.sqlite` that somebody makes by hand holds
 * all of it. Nobody waits for that; where somebody reads what stands in the log, it is tried again.
 */
export class LogKeeper {
  private readonly options: LogKeeperOptions;
  private readonly turns: QuietTurns;
  private readonly callOff: () => void;
  private aside: Promise<unknown> | null = null;

  constructor(options: LogKeeperOptions) {
    this.options = options;
    this.turns = new QuietTurns({ ...options, quietMs: QUIET_MS, turn: () => this.turn(), trouble: TROUBLE });
    this.callOff = regularly(options.alarm, LOOK_EVERY_MS, () => this.turns.wantWithin(QUIET_MS));
  }

  kick(): void {
    this.turns.kick();
  }

  async close(): Promise<void> {
    this.turns.close();
    this.callOff();
    await this.aside;
  }

  private turn(): null {
    const { database, log, carryAside } = this.options;
    const bytes = statSync(`${database.path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > SHORT_LOG_BYTES && this.aside === null) {
      this.aside = carryAside()
        .catch((error: unknown) => log.warning(TROUBLE, { error: String(error) }))
        .finally(() => {
          this.aside = null;
        });
    } else if (bytes > 0 && this.aside === null) database.carryOverAll();
    return null;
  }
}
