import type { Problem } from '../../../../src-shared/contract/index.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import { note, unreadable } from '../model/problems.ts';
import type { StatementLine, Unreadable } from '../model/statement.ts';

export interface Grid {
  readonly rows: readonly GridRow[];
  readonly problems: readonly Problem[];
}

export interface GridControl {
  /** Share of the text done, 0..1. */
  readonly onShare: (share: number) => void;
  readonly isCancelled: () => boolean;
}

/**
 * Returns the text with `
 * ` as its only line end, so that lines inside of cells count as well. CR CR LF is one line end.
 */
export function unifyLineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r+\n?/g, lineEndsOf) : text;
}

function lineEndsOf(returns: string): string {
  return returns.endsWith('\n') ? '\n' : '\n'.repeat(returns.length);
}

/** Returns why a row is beyond the limits; null where it is not. */
export function faultOf(cells: readonly string[], line: number): Unreadable | null {
  if (cells.length > STATEMENT_LIMITS.columns) {
    return unreadable(
      'too_large',
      phrase('statement.grid.rowHasCellsIsThe', { line, cells: cells.length, columns: STATEMENT_LIMITS.columns }),
      line,
    );
  }
  const long = cells.findIndex((cell) => cell.length > STATEMENT_LIMITS.cellCharacters);
  if (long < 0) return null;
  const message = phrase('statement.grid.aCellInRowColumn', { line, long: long + 1 });
  return unreadable('too_large', message, line, String(long + 1));
}

export function unclosedQuote(row: number): Problem {
  const message = phrase('statement.grid.aQuotationMarkInRow', { row });
  return note('unclosed_quote', message, row);
}

const BLANK = 0x20;
const QUOTE = 0x22;
const EQUALS = 0x3d;
const LAST_OF_ASCII = 0x7e;

/** Whether a cell needs no tidying. This quick test spares most cells of a file the slower one. */
function isTidy(cell: string): boolean {
  const length = cell.length;
  if (length === 0) return true;
  const [first, last] = [cell.charCodeAt(0), cell.charCodeAt(length - 1)];
  return (
    first > BLANK &&
    first <= LAST_OF_ASCII &&
    first !== QUOTE &&
    first !== EQUALS &&
    last > BLANK &&
    last <= LAST_OF_ASCII &&
    last !== QUOTE
  );
}

/** Returns a cell without blanks and stray quotation marks at its ends. */
export function tidied(cell: string): string {
  if (isTidy(cell)) return cell;
  const trimmed = cell.trim();
  // Some banks write ="0012" so that spreadsheets keep the text as it is.
  if (trimmed.startsWith('="')) return (/^="([^"]*)"$/.exec(trimmed)?.[1] ?? trimmed).trim();
  // A single quotation mark at one end is left over from a pair.
  if (trimmed.endsWith('"') && trimmed.indexOf('"') === trimmed.length - 1) return trimmed.slice(0, -1).trimEnd();
  return trimmed.startsWith('"') && trimmed.lastIndexOf('"') === 0 ? trimmed.slice(1).trimStart() : trimmed;
}

export const NUL = '\0';

/** Returns the fault of a row with a NUL character; null for any other row. */
export function nulInRow(cells: readonly string[], row: number): Unreadable | null {
  const at = cells.findIndex((cell) => cell.includes(NUL));
  return at < 0 ? null : nulAt(row, at + 1, 'column');
}

/** Returns the fault of a NUL character at this place, both numbers from 1. */
export function nulAt(row: number, column: number, unit: 'column' | 'character'): Unreadable {
  const message = phrase('statement.grid.thereIsANulCharacter', { row, unit, column });
  return unreadable('binary_file', message, row, String(column));
}

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
