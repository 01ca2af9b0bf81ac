import type { Problem } from '../../../../src-shared/contract/index.ts';
import type { Result } from '../../../../src-shared/values/result.ts';
import type { GridRow } from './grid-row.ts';
import type { ReadControl } from './read-options.ts';
import type { Unreadable } from './statement.ts';

/** A share of the work, for the progress: from and to, 0..1. */
export type Share = readonly [from: number, to: number];

/** The rows of a table as cells, from its beginning to its end as often as wanted. */
export interface RowSource {
  readonly byteLength: number;
  /** Whether all rows are in memory. What was made of them is then kept as well, and not made anew by each pass. */
  readonly isHeld: boolean;
  /** Shows all rows in order, a stretch at a time; answers the notes on mended rows. `visit` answers what is wrong with its rows, if anything. */
  readonly read: (
    control: ReadControl,
    share: Share,
    visit: (rows: readonly GridRow[]) => Unreadable | null,
  ) => Result<readonly Problem[], Unreadable>;
}
