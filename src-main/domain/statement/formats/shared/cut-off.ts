import type { Problem } from '../../../../../src-shared/contract/index.ts';
import { note, rejection } from '../../model/problems.ts';

/** Whether a text ends in the middle of a line. A file may lack its last line end, so that alone proves nothing. */
export function isTorn(text: string): boolean {
  return !text.endsWith('\n');
}

/** Returns the number of the last line that is not blank, from 1. */
export function lastRow(text: string): number {
  const filled = text.trimEnd();
  let rows = 1;
  for (let at = filled.indexOf('\n'); at >= 0; at = filled.indexOf('\n', at + 1)) rows += 1;
  return rows;
}

/** Returns the problem of a file that ends too early; `missing` names the expected end. It breaks the proof. */
export function cutOff(row: number, missing: string): Problem {
  const message = `The file ends in row ${row} without ${missing}: it is cut off, and what stood behind that row is missing. Ask the bank for the whole file.`;
  return note('file_cut_off', message, row);
}

/** Returns the rejection of a transaction within which the file ends; none of its figures is reliable. */
export function cutOffRow(row: number, field: string | null): Problem {
  const message = `The file ends in the middle of the transaction in row ${row}, which was not read. Ask the bank for the whole file.`;
  return rejection(row, field, 'cut_off_row', message);
}
