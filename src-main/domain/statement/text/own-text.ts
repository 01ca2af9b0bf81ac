import type { GridRow } from '../model/grid-row.ts';
import type { StatementLine } from '../model/statement.ts';

/** V8 copies slices up to this length by itself. */
const COPIED = 12;

/** Returns a copy of a text. A slice would keep the whole text of the file in memory. */
export function ownText(text: string): string {
  return text.length <= COPIED ? text : Buffer.from(text, 'utf16le').toString('utf16le');
}

export function ownRow(row: GridRow): GridRow {
  return { ...row, cells: row.cells.map(ownText) };
}

export function ownLine(line: StatementLine): StatementLine {
  const own = (text: string | null): string | null => text && ownText(text);
  const metadata = Object.fromEntries(Object.entries(line.metadata).map(([key, text]) => [key, ownText(text)] as const));
  return { ...line, description: own(line.description), externalId: own(line.externalId), metadata };
}
