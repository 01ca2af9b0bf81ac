import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import { unreadable } from '../model/problems.ts';
import type { Unreadable } from '../model/statement.ts';
import type { Grid, GridControl } from './grid.ts';
import { RowSplitter } from './row-splitter.ts';

/** Text (with `\n` line ends) to rows of cells. A quote that is never closed costs its own line alone. */
export function readGrid(text: string, delimiter: string, control: GridControl): Result<Grid, Unreadable> {
  const splitter = new RowSplitter(delimiter);
  const rows: GridRow[] = [];
  let next = text;
  do {
    const fault = splitter.push(next, true, rows, STATEMENT_LIMITS.rowsPerCheck);
    if (fault !== null) return failed(fault);
    next = '';
    control.onShare(text.length === 0 ? 1 : 1 - splitter.left / text.length);
    if (control.isCancelled()) return failed(unreadable('cancelled', 'Reading was cancelled; nothing was imported.'));
  } while (splitter.left > 0);
  return success({ rows, problems: splitter.problems });
}

/** Characters at the beginning of a text that are looked at. */
const SAMPLE = 64 * 1024;

/** Cells of the first rows only, to judge a delimiter. */
export function sampleRows(text: string, delimiter: string): readonly (readonly string[])[] {
  const splitter = new RowSplitter(delimiter);
  const rows: GridRow[] = [];
  const most = STATEMENT_LIMITS.delimiterSampleRows;
  splitter.push(text.slice(0, SAMPLE), text.length <= SAMPLE, rows, most);
  // The beginning of a text may be less than a row.
  if (rows.length === 0) splitter.push('', true, rows, most);
  return rows.map(({ cells }) => cells);
}
