import type { Problem } from '../../../../src-shared/contract/index.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import { note, unreadable } from '../model/problems.ts';
import type { Unreadable } from '../model/statement.ts';

export interface Grid {
  readonly rows: readonly GridRow[];
  readonly problems: readonly Problem[];
}

export interface GridControl {
  /** Share of the text done, 0..1. */
  readonly onShare: (share: number) => void;
  readonly isCancelled: () => boolean;
}

/** One kind of line end, so that lines can be counted inside cells as well. CR CR LF is one line end. */
export function unifyLineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r+\n?/g, lineEndsOf) : text;
}

function lineEndsOf(returns: string): string {
  return returns.endsWith('\n') ? '\n' : '\n'.repeat(returns.length);
}

/** Why a row cannot be taken, if it cannot. */
export function faultOf(cells: readonly string[], line: number): Unreadable | null {
  if (cells.length > STATEMENT_LIMITS.columns) {
    return unreadable(
      'too_large',
      `Row ${line} has ${cells.length} cells; ${STATEMENT_LIMITS.columns} is the limit. Check the file's delimiter.`,
      line,
    );
  }
  const long = cells.findIndex((cell) => cell.length > STATEMENT_LIMITS.cellCharacters);
  if (long < 0) return null;
  const message = `A cell in row ${line}, column ${long + 1}, is longer than 1 MiB. Shorten it, or check the quotation marks there.`;
  return unreadable('too_large', message, line, String(long + 1));
}

export function unclosedQuote(row: number): Problem {
  const message = `A quotation mark in row ${row} is never closed; the row was read without quotation marks. Check it.`;
  return note('unclosed_quote', message, row);
}

const BLANK = 0x20;
const QUOTE = 0x22;
const EQUALS = 0x3d;
const LAST_OF_ASCII = 0x7e;

/** A quick look, for all cells of a file: neither blanks nor quotation marks stand at its ends. */
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

/** A cell as it is kept. */
export function tidied(cell: string): string {
  if (isTidy(cell)) return cell;
  const trimmed = cell.trim();
  // So that a spreadsheet leaves a text as it is: ="0012".
  if (trimmed.startsWith('="')) return (/^="([^"]*)"$/.exec(trimmed)?.[1] ?? trimmed).trim();
  // A lone quotation mark at one end is left from a row whose other one was lost.
  if (trimmed.endsWith('"') && trimmed.indexOf('"') === trimmed.length - 1) return trimmed.slice(0, -1).trimEnd();
  return trimmed.startsWith('"') && trimmed.lastIndexOf('"') === 0 ? trimmed.slice(1).trimStart() : trimmed;
}
