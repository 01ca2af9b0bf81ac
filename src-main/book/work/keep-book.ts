import type { Database } from '../../database/database.ts';
import { regularly } from '../../jobs/regularly.ts';
import type { Alarm, Log } from '../../platform/ports.ts';
import { AnchorKeeper } from '../store/audit-anchor.ts';
import { isAnythingPending, sealPending } from '../../database/digests/pending.ts';
import { CANCEL, type SealingStart } from '../../jobs/protocol.ts';
import { startThread } from '../../jobs/threads.ts';

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
