import { unreadable } from '../model/problems.ts';
import type { Unreadable } from '../model/statement.ts';

export const NUL = '\0';

/** Returns the fault of a row with a NUL character; null for any other row. */
export function nulInRow(cells: readonly string[], row: number): Unreadable | null {
  const at = cells.findIndex((cell) => cell.includes(NUL));
  return at < 0 ? null : nulAt(row, at + 1, 'column');
}

/** Returns the fault of a NUL character at this place, both numbers from 1. */
export function nulAt(row: number, column: number, unit: 'column' | 'character'): Unreadable {
  const message = `There is a NUL character in row ${row}, ${unit} ${column}, which no text has: the file was damaged on its way, or is no text. Download it again, or take the character out.`;
  return unreadable('binary_file', message, row, String(column));
}
