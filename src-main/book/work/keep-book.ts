import type { Database } from '../../database/database.ts';
import { regularly } from '../../jobs/regularly.ts';
import type { Alarm, Log } from '../../platform/ports.ts';
import { AnchorKeeper } from '../store/audit-anchor.ts';
import { ContentSealer } from './content-sealer.ts';

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
