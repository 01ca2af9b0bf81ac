import { unreadable } from '../model/problems.ts';
import type { Unreadable } from '../model/statement.ts';

/** The character that no text has. */
export const NUL = '\0';

/** Where a row holds one, by row and column; null where it holds none. */
export function nulInRow(cells: readonly string[], row: number): Unreadable | null {
  const at = cells.findIndex((cell) => cell.includes(NUL));
  return at < 0 ? null : nulAt(row, at + 1, 'column');
}

/** That one is there. */
export function nulAt(row: number, column: number, unit: 'column' | 'character'): Unreadable {
  const message = `There is a NUL character in row ${row}, ${unit} ${column}, which no text has: the file was damaged on its way, or is no text. Download it again, or take the character out.`;
  return unreadable('binary_file', message, row, String(column));
}
