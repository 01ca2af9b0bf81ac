import type { Database } from '../../database/database.ts';
import { isAnythingPending, sealPending } from '../../database/digests/pending.ts';
import { CANCEL, type SealingStart } from '../../jobs/protocol.ts';
import { regularly } from '../../jobs/regularly.ts';
import { startThread } from '../../jobs/threads.ts';
import type { Alarm, Log } from '../../platform/ports.ts';

/** How often it is checked whether a large write left something. */
const LOOK_MS = 250;
const TROUBLE = 'what was written cannot be digested';

interface ContentSealerOptions {
  readonly database: Database;
  readonly dataFolder: string;
  readonly alarm: Alarm;
  readonly log: Log;
}

/** Writes the digests that large writes leave, on its own thread while they go on. Writes the rest before Tieout ends. */
export class ContentSealer {
  readonly #options: ContentSealerOptions;
  readonly #callOff: () => void;
  #cancel = new SharedArrayBuffer(4);
  #working: Promise<void> | null = null;

  constructor(options: ContentSealerOptions) {
    this.#options = options;
    this.#callOff = regularly(options.alarm, LOOK_MS, () => this.#look());
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
    this.#options.log.warning(TROUBLE, { error: error instanceof Error ? error.message : String(error) });
  }
}
