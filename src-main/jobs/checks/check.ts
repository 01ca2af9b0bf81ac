import type { Database, WriteHandle } from '../../store/database/database.ts';

/** Something in a book that is not as it should be. */
export interface Finding {
  /** What it is and what to do about it, in sentences for people. */
  readonly message: string;
  /** What Tieout itself does about it, once all checks are done; the message says so. */
  readonly mend?: (write: WriteHandle) => void;
}

/** One thing that `tieout verify` looks at. */
export interface Check {
  /** For machines; stays what it is. */
  readonly id: string;
  /** Told while it goes on: "checking LABEL". */
  readonly label: string;
  /** Looks at a snapshot of the book, which it does not change. May throw what SQLite throws of a damaged file. */
  readonly find: (database: Database) => Iterable<Finding>;
  /** Findings that are told one by one; `MOST_FINDINGS` where it says nothing. */
  readonly most?: number;
  /** What it finds says that the file itself is damaged, so that nothing read of it can be relied on. */
  readonly isOfFile?: boolean;
}

/** Findings of one check that are told one by one. */
export const MOST_FINDINGS = 20;
