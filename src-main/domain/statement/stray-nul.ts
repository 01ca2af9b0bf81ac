import { isOfFormat } from './formats/read-format.ts';
import type { Unreadable } from './model/statement.ts';
import { findDelimiter } from './text/delimiter.ts';
import { unifyLineEnds } from './text/grid.ts';
import { NUL, nulAt } from './text/nul-character.ts';
import { sampleRows } from './text/row-splitter.ts';

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
