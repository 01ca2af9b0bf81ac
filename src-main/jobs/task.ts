import type { JobRow } from '../book/store/jobs.ts';
import type { Database } from '../database/database.ts';
import type { Clock } from '../platform/ports.ts';
import type { JobProgress } from './protocol.ts';

/** The context of a task. */
export interface TaskContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly job: JobRow;
  readonly report: (progress: JobProgress) => void;
  readonly isCancelled: () => boolean;
  /** The password of a locked PDF. */
  readonly password?: string | undefined;
  /** As in `ReadControl`. */
  readonly longStep?: <T>(milliseconds: number, work: () => T) => T;
  /** The most bytes of a file that is read whole; by default as in `STATEMENT_LIMITS`. */
  readonly wholeBytes?: number | undefined;
  /** The number of lines of a file that are staged together; by default as many as fit. */
  readonly stagedLines?: number | undefined;
  /** The number of texts of a file's rows that are held in memory before they spill to disk; by default as in `TextCounts`. */
  readonly heldTexts?: number | undefined;
  /** The thread that reads a file is terminated without a heartbeat for this many milliseconds; `SILENCE_MS` by default. */
  readonly silenceMs?: number | undefined;
}

/** The end of a task that did not complete in its own last transaction. */
export type TaskEnd = { readonly end: 'completed' } | { readonly end: 'cancelled' } | { readonly end: 'failed'; readonly message: string };

/** Rows of one bounded transaction, which holds the write lock for some tens of milliseconds. */
export const CHUNK_ROWS = 2_000;
