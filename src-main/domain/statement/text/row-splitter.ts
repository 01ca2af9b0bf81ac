import type { Problem } from '../../../../src-shared/contract/index.ts';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { cellsOfWidth } from '../cells/stray-quotes.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import { cancelled, unreadable } from '../model/problems.ts';
import type { Unreadable } from '../model/statement.ts';
import { faultOf, type Grid, type GridControl, tidied, unclosedQuote } from './grid.ts';
import { NUL, nulInRow } from './nul-character.ts';

/** What a row needs that is not there yet: more text, or a closing quotation mark that the file does not have. */
const MORE = -1;
const OPEN = -2;
/** A cell continues in the next line, perhaps only because of quotation marks inside of it. */
const ASTRAY = -3;

/** Where something stands next in a text; -1 for nowhere. What was found holds for all places before it, so that nothing is looked for twice. */
class NextPlace {
  readonly #what: string;
  #from = 0;
  #at = -1;
  #isKnown = false;

  constructor(what: string) {
    this.#what = what;
  }

  /** Another text follows: forgets what was found. */
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

/** Where no quotation mark stands inside of a cell. */
const NOWHERE = Infinity;

/**
 * Text to rows of cells, a whole text or a stretch at a time. What is kept between two stretches is one row, so a cell, and a row, may be no longer than
 * their limits; a quotation mark that is not closed within the length of a cell ends the reading, unless the file ends before. Marks inside of cells that are not
 * escaped belong to them: a mark ends a cell before a delimiter or line end alone, and a line with such marks is split into as many cells as the row above it
 * has, if there is exactly one way to do so.
 */
export class RowSplitter {
  readonly #delimiter: string;
  readonly #problems: Problem[] = [];
  #text = '';
  #line = 1;
  /** Of the row that is being split. */
  #cells: string[] = [];
  #cellStart = 0;
  #breaks = 0;
  /** The first quotation mark inside of a cell, unescaped. */
  #strayAt = NOWHERE;
  /** Cells of the last row with several of them that has no such mark. */
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

  /** Characters that are not split yet. */
  get left(): number {
    return this.#text.length;
  }

  /**
   * Rows that end in the text so far, with `\n` line ends; all of them with the last text, but no more than `most` at once: then the last text comes again,
   * empty, for more. Answers why the text is at fault, or null.
   */
  push(text: string, isLast: boolean, into: GridRow[], most = Infinity): Unreadable | null {
    this.#text += text;
    this.#forgetPlaces();
    this.#hasNul ||= text.includes(NUL);
    const until = into.length + most;
    let at = 0;
    // What follows the last line end is no row.
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
      const message = `A cell in row ${this.#line}, column ${column}, is longer than 1 MiB. Shorten it, or check the quotation marks there.`;
      return unreadable('too_large', message, this.#line, String(column));
    }
    if (this.#text.length <= STATEMENT_LIMITS.rowCharacters) return null;
    const megabytes = STATEMENT_LIMITS.rowCharacters / 1024 / 1024;
    return unreadable('too_large', `Row ${this.#line} is longer than ${megabytes} MiB. Check the file's line ends.`, this.#line);
  }

  /** The file ends in its last row. */
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

  /** Reads the line of a row whose quotation mark is never closed without quotes; answers where the next one begins. */
  #mend(at: number, into: GridRow[]): number {
    const newline = this.#text.indexOf('\n', at);
    const end = newline < 0 ? this.#text.length : newline;
    into.push({ row: this.#line, cells: this.#text.slice(at, end).split(this.#delimiter).map(tidied) });
    this.#problems.push(unclosedQuote(this.#line));
    this.#line += 1;
    if (newline < 0) this.#tear(into);
    return newline < 0 ? this.#text.length + 1 : newline + 1;
  }

  /** Splits the row that begins at a place; answers where its line end is, or the end of the text. */
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

  /** Splits the row that begins in a line. Quotation marks inside of cells can mislead: then the line is split by itself, if there is exactly one way to do so. */
  #splitLine(line: string, at: number, isLast: boolean): number {
    const end = at + line.length;
    const found = this.#splitQuoted(at, isLast, end);
    const isAstray = found === ASTRAY || (found === end && this.#strayAt < end);
    const cells = isAstray && this.#width > 0 ? cellsOfWidth(line, this.#delimiter, this.#width) : null;
    if (cells === null) return found === ASTRAY ? this.#splitAnew(at, isLast) : found;
    this.#cells = cells;
    return end;
  }

  /** Wherever it ends. */
  #splitAnew(at: number, isLast: boolean): number {
    this.#cells = [];
    this.#breaks = 0;
    return this.#splitQuoted(at, isLast);
  }

  /** `lineEnd`: that of the first line, beyond which marks inside of its cells may lead. */
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

  /** One cell in quotation marks, from behind the first of them; answers the place of the delimiter or line end behind it. */
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
      // Blanks may stand behind a cell; any other text there makes the mark a part of the cell.
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

/** Text (with `\n` line ends) to rows of cells. A quote that is never closed costs its own line alone. */
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

/** Characters at the beginning of a text that are looked at. */
const SAMPLE = 64 * 1024;

/** Cells of the first rows only, to judge a delimiter. */
export function sampleRows(text: string, delimiter: string): readonly (readonly string[])[] {
  const splitter = new RowSplitter(delimiter);
  const rows: GridRow[] = [];
  const most = STATEMENT_LIMITS.delimiterSampleRows;
  splitter.push(text.slice(0, SAMPLE), text.length <= SAMPLE, rows, most);
  // The beginning of a text may be less than a row.
  if (rows.length === 0) splitter.push('', true, rows, most);
  return rows.map(({ cells }) => cells);
}
