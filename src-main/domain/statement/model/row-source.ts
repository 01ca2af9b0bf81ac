import type { Problem } from '../../../../src-shared/contract/index.ts';
import type { Result } from '../../../../src-shared/values/result.ts';
import type { GridRow } from './grid-row.ts';
import type { ReadControl } from './read-options.ts';
import type { Unreadable } from './statement.ts';

/** A share of the progress: from and to, 0..1. */
export type Share = readonly [from: number, to: number];

/** The rows of a table as cells. It can be read from beginning to end any number of times. */
export interface RowSource {
  readonly byteLength: number;
  /** Whether all rows are in memory. Results built from them are then kept and not rebuilt by each pass. */
  readonly isHeld: boolean;
  /** Passes all rows in order to `visit`, some at a time, and returns notes on repaired rows. `visit` returns a fault to stop reading, or null. */
  readonly read: (
    control: ReadControl,
    share: Share,
    visit: (rows: readonly GridRow[]) => Unreadable | null,
  ) => Result<readonly Problem[], Unreadable>;
}
