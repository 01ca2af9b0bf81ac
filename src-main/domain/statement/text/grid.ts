import type { Problem } from '../../../../src-shared/contract/index.ts';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { isDataRow } from '../cells/dates.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import { cancelled, note, unreadable } from '../model/problems.ts';
import type { StatementLine, Unreadable } from '../model/statement.ts';
import { meaningsOf } from '../vocabulary/header-words.ts';

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
      phrase('statement.grid.rowHasCells', { line, cells: cells.length, columns: STATEMENT_LIMITS.columns }),
      line,
    );
  }
  const long = cells.findIndex((cell) => cell.length > STATEMENT_LIMITS.cellCharacters);
  if (long < 0) return null;
  const message = phrase('statement.grid.aCellInRowColumn', { line, long: long + 1 });
  return unreadable('too_large', message, line, String(long + 1));
}

function unclosedQuote(row: number): Problem {
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
function nulInRow(cells: readonly string[], row: number): Unreadable | null {
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

/** Results of a split other than a place: the row needs more text, or its quotation mark is never closed in the file. */
const MORE = -1;
const OPEN = -2;
/** A cell continues in the next line, perhaps only because of unescaped quotation marks inside it. */
const ASTRAY = -3;

/** Finds the next place of a string in a text, or -1. A result holds for all places before it, so that no stretch is searched twice. */
class NextPlace {
  readonly #what: string;
  #from = 0;
  #at = -1;
  #isKnown = false;

  constructor(what: string) {
    this.#what = what;
  }

  /** Forgets the last result; call when the text changes. */
  forget(): void {
    this.#isKnown = false;
  }

  in(text: string, from: number): number {
    if (!this.#isKnown || from < this.#from || (this.#at >= 0 && this.#at < from)) {
      this.#from = from;
      this.#at = text.indexOf(this.#what, from);
      this.#isKnown = true;
    }
    return this.#at;
  }
}

/** Value of `#strayAt` for a row without unescaped quotation marks. */
const NOWHERE = Infinity;

/**
 * Splits text into rows of cells, all at once or in stretches. Between two stretches it keeps at most one row, so cells and rows have limits: a
 * quotation mark that is not closed within the longest cell is a fault, unless the file ends before.
 * Unescaped quotation marks inside of a cell belong to it: a mark ends a cell only before a delimiter or a line end. A line with such marks is split
 * into as many cells as the row above it, where exactly one way leads to that number.
 */
export class RowSplitter {
  readonly #delimiter: string;
  readonly #problems: Problem[] = [];
  #text = '';
  #line = 1;
  /** Cells of the row that is being split. */
  #cells: string[] = [];
  #cellStart = 0;
  #breaks = 0;
  /** Place of the first unescaped quotation mark inside a cell. */
  #strayAt = NOWHERE;
  /** Number of cells of the last row that has several and no such mark. */
  #width = 0;
  #hasNul = false;
  readonly #nextDelimiter: NextPlace;
  readonly #nextLineEnd = new NextPlace('\n');

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
    this.#nextDelimiter = new NextPlace(delimiter);
  }

  /** Notes on mended rows. */
  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Number of characters that are not split yet. */
  get left(): number {
    return this.#text.length;
  }

  /**
   * Adds text with `
   * ` line ends and appends the rows that end in it to `into`, with the last text all remaining rows. At most `most` rows are appended at once; call
   * again with an empty last text for more. Returns the fault of the text, or null.
   */
  push(text: string, isLast: boolean, into: GridRow[], most = Infinity): Unreadable | null {
    this.#text += text;
    this.#forgetPlaces();
    this.#hasNul ||= text.includes(NUL);
    const until = into.length + most;
    let at = 0;
    // An empty rest after the last line end is no row.
    while (at < this.#text.length && into.length < until) {
      const end = this.#split(at, isLast);
      if (end === MORE) break;
      if (end === OPEN) {
        at = this.#mend(at, into);
        continue;
      }
      const fault = this.#add(into);
      if (fault !== null) return fault;
      if (end === this.#text.length) this.#tear(into);
      at = end + 1;
    }
    this.#text = this.#text.slice(at);
    this.#forgetPlaces();
    return isLast ? null : this.#tooLong();
  }

  #forgetPlaces(): void {
    this.#nextDelimiter.forget();
    this.#nextLineEnd.forget();
  }

  #tooLong(): Unreadable | null {
    if (this.#text.length <= STATEMENT_LIMITS.cellCharacters) return null;
    if (this.#split(0, false) !== MORE) return null;
    const isQuoted = this.#text[this.#cellStart] === '"';
    if (isQuoted && this.#text.length - this.#cellStart > STATEMENT_LIMITS.cellCharacters) {
      const column = this.#cells.length + 1;
      const message = phrase('statement.rowSplitter.aCellInRowColumn', { line: this.#line, column });
      return unreadable('too_large', message, this.#line, String(column));
    }
    if (this.#text.length <= STATEMENT_LIMITS.rowCharacters) return null;
    const megabytes = STATEMENT_LIMITS.rowCharacters / 1024 / 1024;
    return unreadable('too_large', phrase('statement.rowSplitter.rowIsLongerThanMib', { line: this.#line, megabytes }), this.#line);
  }

  /** Marks the last row, because the file ends inside it. */
  #tear(into: GridRow[]): void {
    const last = into.at(-1);
    if (last !== undefined) into.splice(-1, 1, { ...last, isTorn: true });
  }

  #add(into: GridRow[]): Unreadable | null {
    const fault = faultOf(this.#cells, this.#line) ?? (this.#hasNul ? nulInRow(this.#cells, this.#line) : null);
    if (fault !== null) return fault;
    into.push({ row: this.#line, cells: this.#cells.map(tidied) });
    this.#line += 1 + this.#breaks;
    if (this.#strayAt === NOWHERE && this.#cells.length > 1) this.#width = this.#cells.length;
    return null;
  }

  /** Reads the line of a row whose quotation mark is never closed as text without quotes; returns where the next line begins. */
  #mend(at: number, into: GridRow[]): number {
    const newline = this.#text.indexOf('\n', at);
    const end = newline < 0 ? this.#text.length : newline;
    into.push({ row: this.#line, cells: this.#text.slice(at, end).split(this.#delimiter).map(tidied) });
    this.#problems.push(unclosedQuote(this.#line));
    this.#line += 1;
    if (newline < 0) this.#tear(into);
    return newline < 0 ? this.#text.length + 1 : newline + 1;
  }

  /** Splits the row that begins at a place; returns the place of its line end, or the end of the text. */
  #split(at: number, isLast: boolean): number {
    const text = this.#text;
    this.#cells = [];
    this.#cellStart = at;
    this.#breaks = 0;
    this.#strayAt = NOWHERE;
    const newline = text.indexOf('\n', at);
    if (newline < 0 && !isLast && text.indexOf('"', at) < 0) return MORE;
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, end);
    const isLiteral = this.#problems.length > STATEMENT_LIMITS.mendedQuotes;
    if (!isLiteral && line.includes('"')) return newline >= 0 || isLast ? this.#splitLine(line, at, isLast) : this.#splitQuoted(at, isLast);
    if (newline < 0 && !isLast) return MORE;
    this.#cells = line.split(this.#delimiter);
    return end;
  }

  /**
   * Splits the row that begins in a line. Unescaped quotation marks can mislead; then the line is split by itself, where exactly one way gives the
   * width of the row above.
   */
  #splitLine(line: string, at: number, isLast: boolean): number {
    const end = at + line.length;
    const found = this.#splitQuoted(at, isLast, end);
    const isAstray = found === ASTRAY || (found === end && this.#strayAt < end);
    const cells = isAstray && this.#width > 0 ? cellsOfWidth(line, this.#delimiter, this.#width) : null;
    if (cells === null) return found === ASTRAY ? this.#splitAnew(at, isLast) : found;
    this.#cells = cells;
    return end;
  }

  /** Splits the row again without regard to its first line end. */
  #splitAnew(at: number, isLast: boolean): number {
    this.#cells = [];
    this.#breaks = 0;
    return this.#splitQuoted(at, isLast);
  }

  /** Splits a row with quotation marks. `lineEnd`: end of its first line; unescaped marks may lead beyond it. */
  #splitQuoted(at: number, isLast: boolean, lineEnd = -1): number {
    const text = this.#text;
    let cursor = at;
    for (;;) {
      this.#cellStart = cursor;
      if (text[cursor] === '"') {
        const end = this.#quotedCell(cursor + 1, isLast, lineEnd);
        if (end < 0 || end >= text.length || text[end] === '\n') return end;
        cursor = end + this.#delimiter.length;
        continue;
      }
      const delimiter = this.#nextDelimiter.in(text, cursor);
      const newline = this.#nextLineEnd.in(text, cursor);
      if (delimiter >= 0 && (newline < 0 || delimiter < newline)) {
        this.#addPlain(cursor, delimiter);
        cursor = delimiter + this.#delimiter.length;
        continue;
      }
      if (newline < 0 && !isLast) return MORE;
      const end = newline < 0 ? text.length : newline;
      this.#addPlain(cursor, end);
      return end;
    }
  }

  #addPlain(start: number, end: number): void {
    const cell = this.#text.slice(start, end);
    if (this.#strayAt === NOWHERE && cell.includes('"')) this.#strayAt = start;
    this.#cells.push(cell);
  }

  /** Reads one quoted cell from behind its first mark; returns the place of the delimiter or line end after it. */
  #quotedCell(start: number, isLast: boolean, lineEnd: number): number {
    const text = this.#text;
    for (let quote = text.indexOf('"', start); ; quote = text.indexOf('"', quote + 1)) {
      if ((quote < 0 || quote >= lineEnd) && this.#strayAt < lineEnd) return ASTRAY;
      if (quote < 0) return isLast ? OPEN : MORE;
      if (quote === text.length - 1) return isLast ? this.#close(start, quote, text.length) : MORE;
      if (text[quote + 1] === '"') {
        quote += 1;
        continue;
      }
      const newline = this.#nextLineEnd.in(text, quote + 1);
      if (newline < 0 && !isLast) return MORE;
      const delimiter = this.#nextDelimiter.in(text, quote + 1);
      // Blanks may follow the closing mark. Any other text there makes the mark a part of the cell.
      const next = newline < 0 ? delimiter : Math.min(delimiter, newline);
      const atDelimiter = quote + 1 + this.#blanks(quote + 1, next);
      if (text.startsWith(this.#delimiter, atDelimiter)) return this.#close(start, quote, atDelimiter);
      const atBreak = quote + 1 + this.#blanks(quote + 1, newline < 0 ? text.length : newline);
      if (text[atBreak] === '\n' || atBreak === text.length) return this.#close(start, quote, atBreak);
      this.#strayAt = Math.min(this.#strayAt, quote);
      quote += 1;
    }
  }

  #blanks(from: number, until: number): number {
    return until > from && this.#text.slice(from, until).trim() === '' ? until - from : 0;
  }

  #close(start: number, quote: number, end: number): number {
    const cell = this.#text.slice(start, quote);
    this.#cells.push(cell.includes('"') ? cell.replaceAll('""', '"') : cell);
    if (cell.includes('\n')) this.#breaks += cell.split('\n').length - 1;
    return end;
  }
}

/**
 * Splits a text with `
 * ` line ends into rows of cells. A quotation mark that is never closed affects only its own line.
 */
export function readGrid(text: string, delimiter: string, control: GridControl): Result<Grid, Unreadable> {
  const splitter = new RowSplitter(delimiter);
  const rows: GridRow[] = [];
  let next = text;
  do {
    const fault = splitter.push(next, true, rows, STATEMENT_LIMITS.rowsPerCheck);
    if (fault !== null) return failed(fault);
    next = '';
    control.onShare(text.length === 0 ? 1 : 1 - splitter.left / text.length);
    if (control.isCancelled()) return failed(cancelled());
  } while (splitter.left > 0);
  return success({ rows, problems: splitter.problems });
}

/** Characters at the beginning of a text that are split for a sample. */
const SAMPLE = 64 * 1024;

/** Returns the cells of the first rows, by which a delimiter is judged. */
export function sampleRows(text: string, delimiter: string): readonly (readonly string[])[] {
  const splitter = new RowSplitter(delimiter);
  const rows: GridRow[] = [];
  const most = STATEMENT_LIMITS.delimiterSampleRows;
  splitter.push(text.slice(0, SAMPLE), text.length <= SAMPLE, rows, most);
  // The sample may be shorter than one row.
  if (rows.length === 0) splitter.push('', true, rows, most);
  return rows.map(({ cells }) => cells);
}

/** Most quotation marks of a line that is split; with more there would be too many ways to split it. */
const MOST_MARKS = 250;
/** Counting ways stops here: two ways are as ambiguous as any larger number. */
const SEVERAL = 2;
/** Most pairs of a start and a number of cells that are tried for a line; beyond that the line counts as ambiguous. */
const MOST_WAYS_TRIED = 5_000;

/**
 * Returns the cells of a line with unescaped quotation marks inside of cells (`"SIA "Alfa"";1`), where exactly one split gives as many cells as the
 * table has columns; null where none or several do. A cell that begins with a mark ends with one before a delimiter or the end of the line; any other
 * cell has none. The line may end with one delimiter more.
 */
function cellsOfWidth(line: string, delimiter: string, width: number): string[] | null {
  if (line.split('"', MOST_MARKS + 2).length > MOST_MARKS + 1) return null;
  const ends = endsOfCells(line, delimiter);
  return splitInto(line, delimiter, ends, width) ?? (line.endsWith(delimiter) ? splitInto(line, delimiter, ends, width + 1) : null);
}

/** For each place where a cell may begin, the places where it may end. */
type Ends = ReadonlyMap<number, readonly number[]>;

function endsOfCells(line: string, delimiter: string): Ends {
  const closings: number[] = [];
  for (let mark = line.indexOf('"'); mark >= 0; mark = line.indexOf('"', mark + 1))
    if (mark + 1 === line.length || line.startsWith(delimiter, mark + 1)) closings.push(mark + 1);
  const found = new Map<number, readonly number[]>();
  const open = [0];
  for (let start = open.pop(); start !== undefined; start = open.pop()) {
    if (found.has(start)) continue;
    const from = start;
    const ends = line[from] === '"' ? closings.filter((end) => end > from + 1) : endOfPlain(line, delimiter, from);
    found.set(from, ends);
    for (const end of ends) if (end < line.length) open.push(end + delimiter.length);
  }
  return found;
}

function endOfPlain(line: string, delimiter: string, start: number): readonly number[] {
  const next = line.indexOf(delimiter, start);
  const end = next < 0 ? line.length : next;
  return line.slice(start, end).includes('"') ? [] : [end];
}

function splitInto(line: string, delimiter: string, ends: Ends, width: number): string[] | null {
  const known = new Map<string, number>();
  /** Returns in how many ways the rest of the line from a place splits into this many cells; at most `SEVERAL`. */
  const ways = (start: number, cells: number): number => {
    const name = `${start} ${cells}`;
    const before = known.get(name);
    if (before !== undefined) return before;
    if (known.size > MOST_WAYS_TRIED) return SEVERAL;
    let count = 0;
    for (const end of ends.get(start) ?? []) {
      if (end === line.length) count += cells === 1 ? 1 : 0;
      else if (cells > 1) count += ways(end + delimiter.length, cells - 1);
      if (count >= SEVERAL) break;
    }
    known.set(name, Math.min(count, SEVERAL));
    return Math.min(count, SEVERAL);
  };
  if (ways(0, width) !== 1) return null;
  const cells: string[] = [];
  for (let start = 0; cells.length < width;) {
    const left = width - cells.length;
    const at = start;
    const end = (ends.get(at) ?? []).find((each) =>
      each === line.length ? left === 1 : left > 1 && ways(each + delimiter.length, left - 1) === 1,
    );
    if (end === undefined) return null;
    const cell = line.slice(at, end);
    cells.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    start = end + delimiter.length;
  }
  return cells;
}

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** Returns the delimiter under which most rows hold a date and an amount; among equals, rows of equal width and known header words decide. */
export function findDelimiter(text: string): string {
  let best: { delimiter: string; score: number } = { delimiter: ',', score: -1 };
  for (const delimiter of DELIMITERS) {
    if (!text.includes(delimiter)) continue;
    const score = scoreOf(sampleRows(text, delimiter));
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

function scoreOf(rows: readonly (readonly string[])[]): number {
  const filled = rows.filter((cells) => cells.some((cell) => cell.trim() !== ''));
  if (filled.length === 0) return 0;
  let dataRows = 0;
  let headerWords = 0;
  const widths = new Map<number, number>();
  for (const cells of filled) {
    if (isDataRow(cells)) dataRows += 1;
    if (cells.length > 1) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
    headerWords = Math.max(headerWords, cells.length > 1 ? cells.slice(0, 100).filter((cell) => meaningsOf(cell).length > 0).length : 0);
  }
  const commonest = Math.max(0, ...widths.values());
  return (100 * dataRows) / filled.length + (10 * commonest) / filled.length + Math.min(headerWords, 20);
}
