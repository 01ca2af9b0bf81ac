import type { Database, WriteHandle } from '../../../database/database.ts';

/** A fault found in a book. */
export interface Finding {
  /** The fault and what to do about it, in sentences for people. */
  readonly message: string;
  /** Mends the fault after all checks; the message says so. */
  readonly mend?: (write: WriteHandle) => void;
}

/** One check of `tieout verify`. */
export interface Check {
  /** A name for programs, which never changes. */
  readonly id: string;
  /** Shown while the check runs: "checking LABEL". */
  readonly label: string;
  /** Checks a snapshot of the book without changing it. May throw SQLite's errors for a damaged file. */
  readonly find: (database: Database) => Iterable<Finding>;
  /** The number of findings that are listed; `MOST_FINDINGS` by default. */
  readonly most?: number;
  /** Whether a finding means that the file itself is damaged, so that nothing read from it can be trusted. */
  readonly isOfFile?: boolean;
}

/** The number of findings of one check that are listed. */
export const MOST_FINDINGS = 20;
