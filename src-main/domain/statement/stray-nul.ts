import { findDelimiter } from './dialect.ts';
import { isOfFormat } from './formats/read-format.ts';
import { sampleRows, unifyLineEnds } from './grid.ts';
import { unreadable } from './sentences.ts';
import type { Unreadable } from './types.ts';

/** The character that no text has. */
export const NUL = '\0';

/** Where a text holds a NUL character, by row and column; null where it holds none. In a bank format the column is that of characters. */
export function strayNul(text: string): Unreadable | null {
  const at = text.indexOf(NUL);
  if (at < 0) return null;
  const before = unifyLineEnds(text.slice(0, at));
  const start = before.lastIndexOf('\n') + 1;
  const line = before.slice(start);
  const row = before.split('\n').length;
  const plain = text.replaceAll(NUL, '');
  const ofFormat = isOfFormat(plain);
  const column = ofFormat ? line.length + 1 : (sampleRows(line, findDelimiter(plain))[0]?.length ?? 1);
  return nulAt(row, column, ofFormat ? 'character' : 'column');
}

/** The same of a row that was split. */
export function nulInRow(cells: readonly string[], row: number): Unreadable | null {
  const at = cells.findIndex((cell) => cell.includes(NUL));
  return at < 0 ? null : nulAt(row, at + 1, 'column');
}

function nulAt(row: number, column: number, unit: 'column' | 'character'): Unreadable {
  const message = `There is a NUL character in row ${row}, ${unit} ${column}, which no text has: the file was damaged on its way, or is no text. Download it again, or take the character out.`;
  return unreadable('binary_file', message, row, String(column));
}
