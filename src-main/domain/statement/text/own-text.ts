import type { GridRow } from '../model/grid-row.ts';
import type { StatementLine } from '../model/statement.ts';

/** Texts up to this length are copies anyway. */
const COPIED = 12;

/** The same text as a copy: a part of a longer text keeps all of that in memory, which would be most of a file for some rows all over it. */
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
