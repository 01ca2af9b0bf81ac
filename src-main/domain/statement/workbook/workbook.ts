import type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx';
import { Parser } from 'htmlparser2';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { CellRoom, tooManyCells, unpackedLimit, unpacksToTooMuch, WorkbookSizes } from '../archive/unpacked-size.ts';
import { unzipped, type ZipEntry, type ZipFault } from '../archive/zip-archive.ts';
import { TYPED_MARK } from '../cells/amounts.ts';
import { isDataRow } from '../cells/dates.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import { unreadable } from '../model/problems.ts';
import type { Unreadable } from '../model/statement.ts';
import { faultOf } from '../text/grid.ts';
import { sheetLibrary } from './sheet-library.ts';

/**
 * Parts without cells: pictures, links to other files, the order of formulas. The sheet of a chart is read nevertheless, because its type shows that
 * it is one.
 */
const NOT_NEEDED =
  /^(?:docprops|customxml|xl\/(?:drawings|media|charts\/|chartsheets\/_rels|externallinks|theme|printersettings|worksheets\/_rels|comments))|calcchain\.xml$/i;
const KNOWN = /^(?:\[content_types\]\.xml|.*\.rels|xl\/(?:workbook|sharedstrings|styles|metadata)\.xml|xl\/persons\/.*)$/i;
const SHARED_TEXTS = /^xl\/sharedstrings\.xml$/i;
const BINARY_WORKBOOK = /^xl\/workbook\.bin$/i;

/**
 * Returns the parts of a workbook that its cells need. Of a sheet only the rows are kept: the rest (links, merged cells, widths) may name ranges of
 * billions of cells and holds no data of a statement.
 */
function partsOfWorkbook(bytes: Uint8Array): Result<readonly ZipEntry[], Unreadable> {
  let isBinary = false;
  const found = unzipped(bytes, unpackedLimit(bytes.length), (name) => {
    isBinary ||= BINARY_WORKBOOK.test(name);
    return /\.(?:xml|rels)$/i.test(name) && !NOT_NEEDED.test(name);
  });
  if (!found.ok) return failed(faultInWorkbook(found.error, bytes.length));
  if (isBinary) {
    const message = phrase('statement.workbook.thisIsABinaryWorkbook');
    return failed(unreadable('unsupported_format', message));
  }
  const declaring = found.value.find(({ bytes: content }) => declaresType(content));
  if (declaring !== undefined) {
    const message = phrase('statement.workbook.thePartOfTheWorkbook', { name: declaring.name });
    return failed(unreadable('unreadable_workbook', message));
  }
  const sizes = new WorkbookSizes();
  for (const entry of found.value) {
    const fault = sizes.faultOf(entry, kindOf(entry.name));
    if (fault !== null) return failed(fault);
  }
  const parts = found.value.map((entry) => (KNOWN.test(entry.name) ? entry : { ...entry, bytes: rowsAlone(entry.bytes) }));
  const workbook = parts.find(({ name }) => name.toLowerCase() === 'xl/workbook.xml');
  // The library would read a sheet once for each time that it is named.
  const named = workbook === undefined ? 0 : countOf(workbook.bytes, 'sheetId');
  return named > parts.length ? failed(faultInWorkbook('damaged', bytes.length)) : success(parts);
}

function kindOf(name: string): 'rows' | 'texts' | 'other' {
  if (SHARED_TEXTS.test(name)) return 'texts';
  return KNOWN.test(name) ? 'other' : 'rows';
}

function faultInWorkbook(fault: ZipFault, fileBytes: number): Unreadable {
  switch (fault) {
    case 'damaged':
      return unreadable('unreadable_workbook', phrase('statement.workbook.theWorkbookIsCutOff'));
    case 'encrypted':
      return unreadable('unreadable_workbook', phrase('statement.workbook.workbookIsProtectedByAPassword'));
    case 'too_large':
      return unpacksToTooMuch(fileBytes);
  }
}

function countOf(bytes: Uint8Array, word: string): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let count = 0;
  for (let at = buffer.indexOf(word); at >= 0; at = buffer.indexOf(word, at + word.length)) count += 1;
  return count;
}

/** Whether a part declares a document type. Such a part is refused, because the type may declare entities and name outside files. */
function declaresType(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isTextAt = (text: string, at: number): boolean => buffer.toString('latin1', at, at + text.length).toUpperCase() === text;
  for (let at = buffer.indexOf('<'); at >= 0; at = buffer.indexOf('<', at)) {
    if (isTextAt('<!DOCTYPE', at)) return true;
    const end = isTextAt('<!--', at) ? '-->' : isTextAt('<?', at) ? '>' : null;
    if (end === null) return false;
    const ends = buffer.indexOf(end, at);
    if (ends < 0) return false;
    at = ends;
  }
  return false;
}

/** A cell with a formula and no saved result. */
const UNSOLVED = /<c\b([^<>]*)>(?:<f\b[^<>]*\/>|<f\b[^<>]*>([^<]*)<\/f>)(?:<v\s*\/>|<v><\/v>)?<\/c>/g;
/** Longest sheet that is searched for such formulas, in bytes. Longer ones hold data rather than formulas. */
const FORMULA_BYTES = 64 * 1024 * 1024;

/**
 * Returns rows in which each formula without a result is a text cell that shows the formula. Formulas are never calculated, and such a cell must not
 * pass for an empty one.
 */
function withFormulas(rows: Buffer): Buffer {
  if (rows.length > FORMULA_BYTES || !rows.includes('<f')) return rows;
  const asText = (_: string, attributes: string, formula = '…'): string =>
    `<c${attributes.replace(/\st="[^"]*"/, '')} t="str"><v>=${formula}</v></c>`;
  return Buffer.from(rows.toString('utf8').replaceAll(UNSOLVED, asText));
}

const ROWS = 'sheetData';

/** Returns the XML of a sheet with nothing but its rows. */
function rowsAlone(bytes: Uint8Array): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const first = buffer.indexOf(ROWS);
  const last = buffer.lastIndexOf(ROWS);
  const start = buffer.lastIndexOf('<', Math.max(0, first));
  const end = buffer.indexOf('>', Math.max(0, last));
  const rows = first < 0 || start < 0 || end < 0 ? Buffer.from(`<${ROWS}/>`) : buffer.subarray(start, end + 1);
  return Buffer.concat([Buffer.from('<worksheet>'), withFormulas(rows), Buffer.from('</worksheet>')]);
}

/** A sheet of a workbook as rows of cells. */
export interface Sheet {
  readonly name: string;
  /** Rows with filled cells; null for a sheet that cannot be read. */
  readonly rows: readonly GridRow[] | null;
  readonly isHidden: boolean;
}

export interface Workbook {
  readonly format: 'xlsx' | 'xls';
  /** Sheets in the order of the workbook, without charts and macros. */
  readonly sheets: readonly Sheet[];
}

const ZIP = [0x50, 0x4b, 0x03, 0x04];
const OLE = [0xd0, 0xcf, 0x11, 0xe0];
/** The shortest compound file: a header and two sectors. */
const MIN_OLE_BYTES = 1_536;
/** Significant digits that Excel keeps of a number. */
const EXCEL_DIGITS = 15;
/** Longest format of a cell in characters; spreadsheets allow no more. */
const LONGEST_FORMAT = 255;
const EPOCH_1904_DAYS = 1_462;
/** Kinds of sheets without cells of their own. */
const NOT_OF_CELLS: ReadonlySet<string> = new Set(['chart', 'macro', 'dialog']);
/** Most columns of a sheet in Excel. */
const SHEET_COLUMNS = 16_384;

/** Whether the first bytes are those of a zip archive or a compound file. */
export function beginsAsWorkbook(bytes: Uint8Array): boolean {
  return startsWith(bytes, OLE) || startsWith(bytes, ZIP);
}

/** Whether the bytes may be a workbook: a zip archive with a workbook's content, or an old Excel file. */
export function looksLikeWorkbook(bytes: Uint8Array): boolean {
  return startsWith(bytes, OLE) || (startsWith(bytes, ZIP) && namesWorkbook(bytes));
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}

/** Whether the archive holds parts of a workbook. Its directory, at the end, has their names. */
function namesWorkbook(bytes: Uint8Array): boolean {
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(-1_048_576);
  return tail.includes('xl/') || tail.includes('[Content_Types].xml');
}

/** Reads all sheets of a workbook. Formulas are never calculated and links never followed. */
export function readWorkbook(bytes: Uint8Array): Result<Workbook, Unreadable> {
  const isZip = startsWith(bytes, ZIP);
  const book = isZip ? openedParts(bytes) : openedOld(bytes);
  if (!book.ok) return book;
  const { SheetNames, Sheets, Workbook: facts } = book.value;
  const has1904 = facts?.WBProps?.date1904 === true;
  const sheets: Sheet[] = [];
  const room = new CellRoom();
  for (const [index, name] of SheetNames.entries()) {
    const sheet = Sheets[name];
    if (NOT_OF_CELLS.has(sheet?.['!type'] ?? 'sheet')) continue;
    const rows = rowsOf(sheet, has1904, room);
    if (!rows.ok && rows.error.code !== 'unreadable_workbook') return rows;
    sheets.push({ name, rows: rows.ok ? rows.value : null, isHidden: (facts?.Sheets?.[index]?.Hidden ?? 0) > 0 });
  }
  return success({ format: isZip ? 'xlsx' : 'xls', sheets });
}

export function damagedWorkbook(): Unreadable {
  return unreadable('unreadable_workbook', phrase('statement.workbook.theWorkbookIsCutOff'));
}

/** Options of the library: only cells, and dates as numbers with their format. */
const CELLS_ALONE = { dense: true, cellFormula: false, cellHTML: false, cellText: false, cellNF: true, bookVBA: false } as const;

function openedParts(bytes: Uint8Array): Result<WorkBook, Unreadable> {
  const parts = partsOfWorkbook(bytes);
  if (!parts.ok) return parts;
  const FullPaths = parts.value.map(({ name }) => `Root Entry/${name}`);
  const FileIndex = parts.value.map(({ name, bytes: content }) => ({ name, type: 2, content }));
  return opened(() => sheetLibrary().parse_zip({ FullPaths, FileIndex }, { ...CELLS_ALONE }));
}

function openedOld(bytes: Uint8Array): Result<WorkBook, Unreadable> {
  if (bytes.length < MIN_OLE_BYTES) return failed(damagedWorkbook());
  return opened(() => sheetLibrary().read(bytes, { type: 'array', ...CELLS_ALONE }));
}

function opened(read: () => WorkBook): Result<WorkBook, Unreadable> {
  try {
    return success(read());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(
      /password|encrypt/i.test(reason)
        ? unreadable('unreadable_workbook', phrase('statement.workbook.workbookIsProtectedByAPassword'))
        : unreadable('unreadable_workbook', phrase('statement.workbook.theWorkbookCannotBeRead', { reason: reason.replace(/\.$/, '') })),
    );
  }
}

/** Returns the rows of a sheet. A sheet that is missing, or has cells outside of its range, is damaged. */
function rowsOf(sheet: WorkSheet | undefined, has1904: boolean, room: CellRoom): Result<GridRow[], Unreadable> {
  if (sheet === undefined) return failed(damagedWorkbook());
  const data = (sheet['!data'] ?? []) as readonly (readonly (CellObject | undefined)[] | undefined)[];
  if (data.length > STATEMENT_LIMITS.sheetRows || hasMore(data)) return failed(damagedWorkbook());
  const rows: GridRow[] = [];
  for (const [index, row] of data.entries()) {
    if (row === undefined) continue;
    if (row.length > SHEET_COLUMNS || hasMore(row)) return failed(damagedWorkbook());
    const cells = Array.from(row, (cell) => cellText(cell, has1904));
    while (cells.at(-1) === '') cells.pop();
    const fault = faultOf(cells, index + 1);
    if (fault !== null) return failed(fault);
    if (!room.takes(cells.length)) return failed(tooManyCells());
    if (cells.length > 0) rows.push({ row: index + 1, cells });
  }
  return success(rows);
}

/** Whether an array has entries outside of its places, as cells without a valid row or column produce. */
function hasMore(list: readonly unknown[]): boolean {
  return Object.hasOwn(list, '-1') || Object.hasOwn(list, 'NaN');
}

/** Texts that spreadsheets show for errors of formulas, by their codes. */
const ERRORS: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
};

/** Returns the text of a cell as CSV would have it, but dates in ISO form and decimals behind a mark of their own. */
function cellText(cell: CellObject | undefined, has1904: boolean): string {
  if (cell === undefined || cell.v === undefined) return '';
  if (cell.t === 'e') return ERRORS[Number(cell.v)] ?? '#ERROR!';
  if (typeof cell.v === 'number') {
    const format = cell.z === undefined ? '' : String(cell.z);
    return isDateFormat(format) ? dateText(cell.v, has1904) : numberText(cell.v);
  }
  if (cell.v instanceof Date) return cell.v.toISOString().slice(0, 10);
  return textOfCell(String(cell.v));
}

/** Returns a text on one line, without the leading apostrophe by which spreadsheets keep a number as text. */
export function textOfCell(text: string): string {
  return text
    .replaceAll(/[\t\n\r\u00a0]+/g, ' ')
    .trim()
    .replace(/^'(?=[\p{L}\d.,+\-( ]*\d)/u, '')
    .trim();
}

/** Whether a format shows a day or a year. One with only hours and minutes is a duration. */
function isDateFormat(format: string): boolean {
  if (format === '' || format.length > LONGEST_FORMAT) return false;
  return sheetLibrary().SSF.is_date(format) && /[dy]/i.test(format.replaceAll(/"[^"]*(?:"|$)|\\.|\[[^\]]*(?:\]|$)/g, ''));
}

function dateText(serial: number, has1904: boolean): string {
  const parts = sheetLibrary().SSF.parse_date_code(has1904 ? serial + EPOCH_1904_DAYS : serial) as {
    readonly y: number;
    readonly m: number;
    readonly d: number;
    readonly H: number;
    readonly M: number;
  } | null;
  if (parts === null || serial < 1) return numberText(serial);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${String(parts.y).padStart(4, '0')}-${two(parts.m)}-${two(parts.d)}`;
  return parts.H === 0 && parts.M === 0 ? day : `${day} ${two(parts.H)}:${two(parts.M)}`;
}

/** Rounds off the errors of floating-point sums: 2289.7700000001 is 2289.77. */
const BEFORE_NOISE = new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 6 });
const NOISE = 1e-9;
const NOISE_OF_VALUE = 1e-13;
const EXCEL_NUMBER = new Intl.NumberFormat('en-US', { useGrouping: false, maximumSignificantDigits: EXCEL_DIGITS });

/** Returns the digits of a number as Excel shows them: `0.1 + 0.2` is 0.3. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return '#NUM!';
  const rounded = Number(BEFORE_NOISE.format(value));
  const isNoise = Math.abs(value - rounded) < Math.max(NOISE, Math.abs(value) * NOISE_OF_VALUE);
  return EXCEL_NUMBER.format(isNoise ? rounded : value).replace('.', TYPED_MARK);
}

const BEGINS = /^\s*(?:<!doctype html|<!--|<html|<head|<meta|<body|<table|<div|<style)/i;
/** Most empty cells that column and row spans may add; a page with more of them is no statement. */
const MOST_PADDED = 2_000_000;
/** Characters that the parser gets at once; it copies this much of a page. */
const AT_ONCE = 64 * 1024;
/** Deepest nesting of elements. No real page has so much, and each level makes the parser slower. */
const MOST_NESTED = 20_000;

/** Whether a text begins as a web page does. */
export function beginsAsHtml(text: string): boolean {
  return BEGINS.test(text.slice(0, 1_000));
}

/**
 * Returns the rows of all tables of a web page, because banks name such pages `.xls`. `row` counts from 1 over all tables. Null where no row holds a
 * date and an amount, or elements are nested too deep.
 */
export function htmlRows(text: string): readonly GridRow[] | null {
  if (!beginsAsHtml(text)) return null;
  const rows = new TableRows();
  // The parser reports text inside of script and style, which belongs to no cell.
  const hidden: string[] = [];
  let [depth, isTooDeep] = [0, false];
  const parser = new Parser({
    onopentag: (name, { colspan, rowspan }) => {
      depth += 1;
      if (depth > MOST_NESTED) isTooDeep = true;
      if (HIDDEN.has(name)) hidden.push(name);
      rows.begin(name, { columns: spanOf(colspan), rows: spanOf(rowspan) });
    },
    onclosetag: (name, isImplied) => {
      depth -= 1;
      if (hidden.at(-1) === name) hidden.pop();
      else if (!isImplied) rows.end(name);
    },
    ontext: (some) => {
      if (hidden.length === 0) rows.addText(some);
    },
  });
  for (let at = 0; at < text.length; at += AT_ONCE) {
    parser.write(text.slice(at, at + AT_ONCE));
    if (isTooDeep) return null;
  }
  parser.end();
  if (isTooDeep) return null;
  const found = rows.all();
  return found.some(({ cells }) => isDataRow(cells)) ? found : null;
}

/** Elements without visible text. */
const HIDDEN: ReadonlySet<string> = new Set(['script', 'style']);

interface Span {
  readonly columns: number;
  readonly rows: number;
}

/** Elements that separate words. */
const PARTS: ReadonlySet<string> = new Set(['br', 'p', 'div']);

class TableRows {
  readonly #rows: GridRow[] = [];
  #cells: string[] | null = null;
  #text: string | null = null;
  #span: Span = { columns: 1, rows: 1 };
  /** Number of rows that a cell of an earlier row still covers, by column. */
  #covered: number[] = [];
  #padded = 0;

  addText(text: string): void {
    if (this.#text !== null) this.#text += text;
  }

  begin(name: string, span: Span): void {
    if (name === 'tr' || name === 'table') {
      this.end(name);
      if (name === 'tr') this.#cells = [];
    } else if (name === 'td' || name === 'th') {
      this.#endCell();
      this.#cells ??= [];
      this.#skipCovered(this.#cells);
      this.#text = '';
      this.#span = span;
    } else if (PARTS.has(name)) this.addText(' ');
  }

  end(name: string): void {
    if (name === 'tr' || name === 'table') {
      this.#endRow();
      if (name === 'table') this.#covered = [];
    } else if (name === 'td' || name === 'th') this.#endCell();
    else if (PARTS.has(name)) this.addText(' ');
  }

  #skipCovered(cells: string[]): void {
    while ((this.#covered[cells.length] ?? 0) > 0 && this.#mayPad()) {
      this.#covered[cells.length] = (this.#covered[cells.length] ?? 0) - 1;
      cells.push('');
    }
  }

  #mayPad(): boolean {
    this.#padded += 1;
    return this.#padded <= MOST_PADDED;
  }

  #endCell(): void {
    if (this.#text === null || this.#cells === null) return;
    const text = this.#text.replaceAll(/\s+/g, ' ').trim();
    for (let column = 0; column < this.#span.columns && this.#cells.length < STATEMENT_LIMITS.columns; column += 1) {
      if (column > 0 && !this.#mayPad()) break;
      if (this.#span.rows > 1) this.#covered[this.#cells.length] = this.#span.rows - 1;
      this.#cells.push(column === 0 ? text : '');
    }
    this.#text = null;
  }

  #endRow(): void {
    this.#endCell();
    if (this.#cells !== null) {
      this.#skipCovered(this.#cells);
      this.#rows.push({ row: this.#rows.length + 1, cells: this.#cells });
    }
    this.#cells = null;
  }

  all(): readonly GridRow[] {
    this.#endRow();
    return this.#rows;
  }
}

function spanOf(attribute: string | undefined): number {
  const said = Number(/^\s*(\d{1,4})/.exec(attribute ?? '')?.[1] ?? 1);
  return Math.min(Math.max(said, 1), STATEMENT_LIMITS.columns);
}
