import { type Database, pause, type WriteHandle } from '../database/database.ts';
import type { Clock } from '../platform/ports.ts';

/**
 * How long transactions of one kind of work hold the write lock, and the bounds of their numbers of rows: few at first, then as many as take that
 * long.
 */
export interface Share {
  readonly milliseconds: number;
  readonly firstRows: number;
  readonly fewestRows: number;
  readonly mostRows: number;
}

/** The share of a run's writes; rows are records of matches. Only a single larger match makes a longer transaction. */
export const RUN_SHARE: Share = { milliseconds: 40, firstRows: 1_000, fewestRows: 200, mostRows: 64_000 };
/**
 * A run makes a checkpoint only after this many slices, some hundred megabytes of log. Publishing writes them to the disk; the checkpoint follows
 * when nothing waits for it.
 */
export const RUN_SLICES_PER_CHECKPOINT = 250;
/** Slices between two checkpoints. Pages at the ends of a B-tree are then copied once for several slices. */
export const SLICES_PER_CHECKPOINT = 12;

/** Runs the transactions of one kind of work. Each gets as many rows as fit into its share of time, whatever the disk and the rows cost. */
export class Slices {
  /** The number of slices so far. */
  written = 0;
  #rows: number;
  #heldMs = 0;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #share: Share;

  constructor(database: Database, clock: Clock, share: Share) {
    this.#database = database;
    this.#clock = clock;
    this.#share = share;
    this.#rows = share.firstRows;
  }

  /** Runs one slice. `database` is the connection to write with, if it differs each time. */
  write<T>(work: (write: WriteHandle, rows: number) => T extends Promise<unknown> ? never : T, database = this.#database): T {
    // Waiting for the lock does not count.
    let begunAtMs = 0;
    const value = database.write<T>((write) => {
      begunAtMs = this.#clock.monotonicMs();
      return work(write, this.#rows);
    });
    this.written += 1;
    const { milliseconds, fewestRows, mostRows } = this.#share;
    const heldMs = this.#clock.monotonicMs() - begunAtMs;
    this.#heldMs += heldMs;
    const share = milliseconds / Math.max(1, heldMs);
    this.#rows = Math.min(mostRows, Math.max(fewestRows, Math.floor(this.#rows * Math.min(2, share))));
    return value;
  }

  /** Lets others take the write lock, once it was held for half a share since the last pause. The first short transactions need none. */
  letOthersIn(): void {
    if (this.#heldMs < this.#share.milliseconds / 2) return;
    this.#heldMs = 0;
    rest();
  }

  /** The number of rows of the next slice. */
  get length(): number {
    return this.#rows;
  }
}

/** The pause between two transactions of a job. Waiting writers try the lock twice a millisecond. */
const REST_MS = 1;

/** Pauses so that others can take the write lock; for a job's thread. */
export function rest(): void {
  pause(REST_MS);
}
