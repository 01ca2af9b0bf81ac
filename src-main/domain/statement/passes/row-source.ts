import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import type { Problem } from '../../../../src-shared/contract/index.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import type { ReadControl } from '../model/read-options.ts';
import type { Unreadable } from '../model/statement.ts';
import { cancelled } from '../table/refusals.ts';
import { type FileSource, type TextForm, textsOf } from '../text/bytes.ts';
import { RowSplitter } from '../text/row-splitter.ts';

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

/** Rows in memory. */
export function heldRows(rows: readonly GridRow[], byteLength: number): RowSource {
  const read: RowSource['read'] = (control, share, visit) => {
    const left = inStretches(rows, byteLength, control, share, visit);
    return left === null ? success([]) : failed(left);
  };
  return { byteLength, isHeld: true, read };
}

/** Shows what is in memory, some thousands at a time, with progress and cancel; `at` is the place of the first of them. */
export function inStretches<T>(
  all: readonly T[],
  byteLength: number,
  control: ReadControl,
  [from, to]: Share,
  visit: (some: readonly T[], at: number) => Unreadable | null,
): Unreadable | null {
  for (let at = 0; at < all.length; at += STATEMENT_LIMITS.rowsPerCheck) {
    const end = Math.min(all.length, at + STATEMENT_LIMITS.rowsPerCheck);
    const fault = visit(all.slice(at, end), at);
    if (fault !== null) return fault;
    if (control.isCancelled()) return cancelled();
    control.onProgress(Math.floor(byteLength * (from + ((to - from) * end) / all.length)), byteLength, end);
  }
  return null;
}

/** Rows of a file of text, which is read anew for each pass. */
export function rowsOfFile(source: FileSource, form: TextForm): RowSource {
  const total = source.byteLength;
  const read: RowSource['read'] = (control, [from, to], visit) => {
    const splitter = new RowSplitter(form.delimiter);
    let rowsSoFar = 0;
    for (const { text, isLast, bytes } of textsOf(source, form)) {
      const rows: GridRow[] = [];
      const fault = splitter.push(text, isLast, rows) ?? visit(rows);
      if (fault !== null) return failed(fault);
      if (control.isCancelled()) return failed(cancelled());
      rowsSoFar += rows.length;
      control.onProgress(Math.floor(total * from + bytes * (to - from)), total, rowsSoFar);
    }
    return success(splitter.problems);
  };
  return { byteLength: total, isHeld: false, read };
}
