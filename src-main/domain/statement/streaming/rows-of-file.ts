import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import type { Problem } from '../../../../src-shared/contract/index.ts';
import type { GridRow } from '../model/grid-row.ts';
import type { ReadControl } from '../model/read-options.ts';
import { cancelled } from '../table/read-table.ts';
import type { Unreadable } from '../model/statement.ts';
import { type FileSource, type TextForm, textsOf } from '../text/bytes.ts';
import { RowSplitter } from '../text/row-splitter.ts';

/** A share of the work, for the progress: from and to, 0..1. */
export type Share = readonly [from: number, to: number];

/** Reads all rows of a file, a stretch at a time; answers the notes on mended rows. `visit` answers what is wrong with its rows, if anything. */
export function readRows(
  source: FileSource,
  form: TextForm,
  control: ReadControl,
  [from, to]: Share,
  visit: (rows: readonly GridRow[]) => Unreadable | null,
): Result<readonly Problem[], Unreadable> {
  const splitter = new RowSplitter(form.delimiter);
  const total = source.byteLength;
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
}
