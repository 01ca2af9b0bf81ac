import Papa from 'papaparse';
import type { Problem } from '../../../src-shared/contract/index.ts';
import { assert } from '../../../src-shared/values/assert.ts';
import { failed, success } from '../../../src-shared/values/result.ts';
import type { Result } from '../../../src-shared/values/result.ts';
import { STATEMENT_LIMITS } from './limits.ts';
import { note, unreadable } from './sentences.ts';
import type { Unreadable } from './types.ts';

export interface GridRow {
  /** Line of the file where the row begins, from 1. */
  readonly row: number;
  /** Cells, trimmed. */
  readonly cells: readonly string[];
  /** Nothing ends the row, and the file neither: it may be cut off there. */
  readonly isTorn?: true;
}

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
  return text.includes('\r') ? text.replaceAll(/\r+\n|\r/g, '\n') : text;
}

/** Cells of the first rows only, to judge a delimiter. */
export function sampleRows(text: string, delimiter: string): readonly (readonly string[])[] {
  const sample = text.slice(0, 64 * 1024);
  return Papa.parse<string[]>(sample, { delimiter, newline: '\n', preview: STATEMENT_LIMITS.delimiterSampleRows }).data;
}

/** Text (with `\n` line ends) to rows of cells. A quote that is never closed costs its own line alone. */
export function readGrid(text: string, delimiter: string, control: GridControl): Result<Grid, Unreadable> {
  const rows: GridRow[] = [];
  const problems: Problem[] = [];
  let start = 0;
  let line = 1;
  for (let mended = 0; start < text.length; mended += 1) {
    const literal = mended > STATEMENT_LIMITS.mendedQuotes;
    const part = parsePart(text, start, line, delimiter, literal, control, rows);
    if (part.fault !== null) return failed(part.fault);
    if (part.openedAt === null) break;
    assert(part.openedAt >= start, 'reading goes forward');
    // The rest of the file went into one cell: read this line without quotes and go on behind it.
    const end = text.indexOf('\n', part.openedAt);
    const lineText = text.slice(part.openedAt, end < 0 ? text.length : end);
    rows.push({ row: part.line, cells: lineText.split(delimiter).map(tidied) });
    problems.push(unclosedQuote(part.line));
    if (end < 0) break;
    start = end + 1;
    line = part.line + 1;
  }
  const last = rows.at(-1);
  if (!text.endsWith('\n')) {
    if (last !== undefined) rows.splice(-1, 1, { ...last, isTorn: true });
  } else if (isBehindText(last, text)) rows.pop();
  return success({ rows, problems });
}

/** Whether a row is what stands behind the last line end: nothing. */
function isBehindText(row: GridRow | undefined, text: string): boolean {
  if (row?.cells.length !== 1 || row.cells[0] !== '') return false;
  let breaks = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) breaks += 1;
  return row.row === breaks + 1;
}

interface Part {
  readonly fault: Unreadable | null;
  /** Where the row with an unclosed quote begins in the text; null when the end was reached. */
  readonly openedAt: number | null;
  /** Line of that row. */
  readonly line: number;
}

function parsePart(
  text: string,
  start: number,
  firstLine: number,
  delimiter: string,
  literal: boolean,
  control: GridControl,
  rows: GridRow[],
): Part {
  let line = firstLine;
  let fault: Unreadable | null = null;
  let openedAt: number | null = null;
  let before = 0;
  Papa.parse<string[]>(start === 0 ? text : text.slice(start), {
    delimiter,
    newline: '\n',
    ...(literal ? { quoteChar: '\0' } : {}),
    step: (result, parser) => {
      if (result.errors.some((error) => error.code === 'MissingQuotes')) {
        openedAt = start + before;
        parser.abort();
        return;
      }
      fault = faultOf(result.data, line);
      if (fault === null && rows.length % STATEMENT_LIMITS.rowsPerCheck === 0) {
        control.onShare((start + result.meta.cursor) / text.length);
        if (control.isCancelled()) fault = unreadable('cancelled', 'Reading was cancelled; nothing was imported.');
      }
      if (fault !== null) {
        parser.abort();
        return;
      }
      rows.push({ row: line, cells: result.data.map(tidied) });
      line += 1;
      for (const cell of result.data) if (cell.includes('\n')) line += cell.split('\n').length - 1;
      before = result.meta.cursor;
    },
  });
  return { fault, openedAt, line };
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
