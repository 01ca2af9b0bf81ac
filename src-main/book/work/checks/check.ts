import type { Database, WriteHandle } from '../../../database/database.ts';

/** Something in a book that is not as it should be. */
export interface Finding {
  /** What it is and what to do about it, in sentences for people. */
  readonly message: string;
  /** What Tieout itself does about it, once all checks are done; the message says so. */
  readonly mend?: (write: WriteHandle) => void;
}

/** One thing that `tieout verify` looks at. */
export interface Check {
  /** A name for programs, which never changes. */
  readonly id: string;
  /** Shown while the check goes on: "checking LABEL". */
  readonly label: string;
  /** Looks at a snapshot of the book, which it does not change. May throw what SQLite throws of a damaged file. */
  readonly find: (database: Database) => Iterable<Finding>;
  /** How many findings are told one by one; without it `MOST_FINDINGS`. */
  readonly most?: number;
  /** Whether a finding means that the file itself is damaged, so that nothing read from it can be trusted. */
  readonly isOfFile?: boolean;
}

/** Findings of one check that are told one by one. */
export const MOST_FINDINGS = 20;
