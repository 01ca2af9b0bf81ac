import type { Clock } from '../platform/ports.ts';
import { type Database, pause, type WriteHandle } from '../store/database.ts';

/** How long transactions of one kind of work hold the write lock, and how many rows they are of: few at first, and then as many as take that long. */
export interface Share {
  readonly milliseconds: number;
  readonly firstRows: number;
  readonly fewestRows: number;
  readonly mostRows: number;
}

/** Transactions of one kind of work, of as many rows as fit into their share, however fast the disk is and however much hangs on a row. */
export class Slices {
  private rows: number;
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly share: Share;

  constructor(database: Database, clock: Clock, share: Share) {
    this.database = database;
    this.clock = clock;
    this.share = share;
    this.rows = share.firstRows;
  }

  write<T>(work: (write: WriteHandle, rows: number) => T extends Promise<unknown> ? never : T): T {
    // Waiting for the lock is not holding it.
    let begunAtMs = 0;
    const value = this.database.write<T>((write) => {
      begunAtMs = this.clock.monotonicMs();
      return work(write, this.rows);
    });
    const { milliseconds, fewestRows, mostRows } = this.share;
    const share = milliseconds / Math.max(1, this.clock.monotonicMs() - begunAtMs);
    this.rows = Math.min(mostRows, Math.max(fewestRows, Math.floor(this.rows * Math.min(2, share))));
    return value;
  }

  /** The next slice's length. */
  get length(): number {
    return this.rows;
  }
}

/** Left to everyone else between two transactions of a job. */
const REST_MS = 4;

/** Lets others at the write lock; for the thread of a job, which has nothing else to do meanwhile. */
export function rest(): void {
  pause(REST_MS);
}
