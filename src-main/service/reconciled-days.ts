import type { Database } from '../database/database.ts';
import type { Clock, Log } from '../platform/ports.ts';
import { noteReconciledDays } from '../records/store/reconciled-days.ts';

/**
 * How long a transaction may hold the thread and the write lock. A person who pages quickly gets one slice per page, so a few slices must be enough.
 */
const SLICE_MS = 30;
const BREATH_MS = 3;
/** A list may be slow for other reasons, so the same list does not start this work again within this time. */
const AGAIN_AFTER_MS = 5_000;

interface ReconciledDaysOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** The place where a slice continues. */
interface Place {
  readonly reconciliationId: number;
  readonly streamId: number;
  readonly day: number;
}

/**
 * Notes which days of a stream are reconciled, in short transactions of the service's thread, after a list of open records had to skip many
 * reconciled ones. Bulk requests and runs thus do not pay for it, and later lists skip those days.
 */
export class ReconciledDays {
  readonly #options: ReconciledDaysOptions;
  readonly #places: Place[] = [];
  readonly #askedAtMs = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;
  #isClosing = false;

  constructor(options: ReconciledDaysOptions) {
    this.#options = options;
  }

  /** Call it when a list of open records of these streams had to read many records. The work is done later. */
  readonly want = (reconciliationId: number, streamIds: readonly number[]): void => {
    const nowMs = this.#options.clock.monotonicMs();
    const key = `${reconciliationId} ${streamIds.join(' ')}`;
    const askedAtMs = this.#askedAtMs.get(key);
    if (this.#isClosing || (askedAtMs !== undefined && nowMs - askedAtMs < AGAIN_AFTER_MS)) return;
    this.#askedAtMs.set(key, nowMs);
    for (const streamId of streamIds) this.#places.push({ reconciliationId, streamId, day: Number.MIN_SAFE_INTEGER });
    this.#timer ??= this.#later();
  };

  close(): void {
    this.#isClosing = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  /** Runs one transaction; returns whether anything is left. */
  step(): boolean {
    const place = this.#places.shift();
    if (place === undefined) return false;
    const { reconciliationId, streamId } = place;
    const { database, clock } = this.#options;
    const untilMs = clock.monotonicMs() + SLICE_MS;
    const isOver = () => clock.monotonicMs() >= untilMs;
    const day = database.write((write) => noteReconciledDays(write, reconciliationId, streamId, place.day, isOver));
    if (day !== null) this.#places.unshift({ reconciliationId, streamId, day });
    return this.#places.length > 0;
  }

  #later(): NodeJS.Timeout {
    return setTimeout(() => this.#turn(), BREATH_MS).unref();
  }

  #turn(): void {
    this.#timer = null;
    if (this.#isClosing) return;
    try {
      if (this.step()) this.#timer = this.#later();
    } catch (error) {
      // Lists are correct without it, only slower, and will ask again.
      this.#places.length = 0;
      this.#options.log.warning('reconciled days could not be noted', { error: error instanceof Error ? error.message : String(error) });
    }
  }
}
