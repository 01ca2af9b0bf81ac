import type { JobRow } from '../book/store/jobs.ts';
import type { Database } from '../database/database.ts';
import type { Clock } from '../platform/ports.ts';
import type { JobProgress } from './protocol.ts';

/** What a task works with. */
export interface TaskContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly job: JobRow;
  readonly report: (progress: JobProgress) => void;
  readonly isCancelled: () => boolean;
  /** As `ReadControl` has it. */
  readonly longStep?: <T>(milliseconds: number, work: () => T) => T;
  /** Bytes up to which a file is read whole; without it as `STATEMENT_LIMITS` says. */
  readonly wholeBytes?: number | undefined;
  /** Lines of a file that are staged together; without it as many as there is room for. */
  readonly stagedLines?: number | undefined;
  /** Texts of a file's rows that are held in memory before they spill into files; without it as many as `TextCounts` says. */
  readonly heldTexts?: number | undefined;
  /** The thread that reads a file is ended when it is silent for so long; without it as `SILENCE_MS` says. */
  readonly silenceMs?: number | undefined;
}

/** How a task ended, when it did not complete by its own last transaction. */
export type TaskEnd = { readonly end: 'completed' } | { readonly end: 'cancelled' } | { readonly end: 'failed'; readonly message: string };

/** Rows of one bounded transaction: the write lock is held for some tens of milliseconds. */
export const CHUNK_ROWS = 2_000;
