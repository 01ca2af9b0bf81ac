import type { Problem } from '../../../../../src-shared/contract/index.ts';
import { note, rejection } from '../../model/problems.ts';

/** Whether a text ends in the middle of a line. A file may leave out the last line end, so that alone says nothing. */
export function isTorn(text: string): boolean {
  return !text.endsWith('\n');
}

/** The last line of a text that is not blank, from 1. */
export function lastRow(text: string): number {
  const filled = text.trimEnd();
  let rows = 1;
  for (let at = filled.indexOf('\n'); at >= 0; at = filled.indexOf('\n', at + 1)) rows += 1;
  return rows;
}

/** That a file ends before its format lets it; `missing` is what should stand there. It breaks the proof. */
export function cutOff(row: number, missing: string): Problem {
  const message = `The file ends in row ${row} without ${missing}: it is cut off, and what stood behind that row is missing. Ask the bank for the whole file.`;
  return note('file_cut_off', message, row);
}

/** That the file ends within a transaction, so that none of its figures can be relied on. */
export function cutOffRow(row: number, field: string | null): Problem {
  const message = `The file ends in the middle of the transaction in row ${row}, which was not read. Ask the bank for the whole file.`;
  return rejection(row, field, 'cut_off_row', message);
}
