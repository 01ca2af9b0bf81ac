import type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { CellRoom, tooManyCells, unpackedLimit, unpacksToTooMuch, WorkbookSizes } from '../archive/unpacked-size.ts';
import { unzipped, type ZipEntry, type ZipFault } from '../archive/zip-archive.ts';
import { TYPED_MARK } from '../cells/amounts.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import { unreadable } from '../model/problems.ts';
import type { Unreadable } from '../model/statement.ts';
import { faultOf } from '../text/grid.ts';
import { sheetLibrary } from './sheet-library.ts';

/** Parts that say nothing of cells: pictures, links to other files, the order of formulas ... Of a sheet that is a chart, that it is one is seen. */
const NOT_NEEDED =
  /^(?:docprops|customxml|xl\/(?:drawings|media|charts\/|chartsheets\/_rels|externallinks|theme|printersettings|worksheets\/_rels|comments))|calcchain\.xml$/i;
const KNOWN = /^(?:\[content_types\]\.xml|.*\.rels|xl\/(?:workbook|sharedstrings|styles|metadata)\.xml|xl\/persons\/.*)$/i;
const SHARED_TEXTS = /^xl\/sharedstrings\.xml$/i;
const BINARY_WORKBOOK = /^xl\/workbook\.bin$/i;

/**
 * The parts of a workbook of which its cells are made. Of a sheet its rows alone: what stands around them (links, merged cells, widths) may name ranges of
 * billions of cells, and says nothing of a statement.
 */
function partsOfWorkbook(bytes: Uint8Array): Result<readonly ZipEntry[], Unreadable> {
  let isBinary = false;
  const found = unzipped(bytes, unpackedLimit(bytes.length), (name) => {
    isBinary ||= BINARY_WORKBOOK.test(name);
    return /\.(?:xml|rels)$/i.test(name) && !NOT_NEEDED.test(name);
  });
  if (!found.ok) return failed(refusalOf(found.error, bytes.length));
  if (isBinary) {
    const message =
      'This is a binary workbook (XLSB), which is not read. Save it as an Excel workbook (XLSX) or as CSV and choose that file.';
    return failed(unreadable('unsupported_format', message));
  }
  const declaring = found.value.find(({ bytes: content }) => declaresType(content));
  if (declaring !== undefined) {
    const message = `The part ${declaring.name} of the workbook declares a document type, which no workbook needs; it was not read. Save the sheet as CSV and choose that file.`;
    return failed(unreadable('unreadable_workbook', message));
  }
  const sizes = new WorkbookSizes();
  for (const entry of found.value) {
    const fault = sizes.faultOf(entry, kindOf(entry.name));
    if (fault !== null) return failed(fault);
  }
  const parts = found.value.map((entry) => (KNOWN.test(entry.name) ? entry : { ...entry, bytes: rowsAlone(entry.bytes) }));
  const workbook = parts.find(({ name }) => name.toLowerCase() === 'xl/workbook.xml');
  // A sheet that is named a thousand times would be read a thousand times.
  const named = workbook === undefined ? 0 : countOf(workbook.bytes, 'sheetId');
  return named > parts.length ? failed(refusalOf('damaged', bytes.length)) : success(parts);
}

function kindOf(name: string): 'rows' | 'texts' | 'other' {
  if (SHARED_TEXTS.test(name)) return 'texts';
  return KNOWN.test(name) ? 'other' : 'rows';
}

function refusalOf(fault: ZipFault, fileBytes: number): Unreadable {
  switch (fault) {
    case 'damaged':
      return unreadable('unreadable_workbook', 'The workbook is cut off or damaged. Download or save it again.');
    case 'encrypted':
      return unreadable('unreadable_workbook', 'The workbook is protected by a password. Save it without one and choose it again.');
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

/** A document type may declare entities and name files outside: nothing of it is ever looked at. */
function declaresType(bytes: Uint8Array): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const stands = (text: string, at: number): boolean => buffer.toString('latin1', at, at + text.length).toUpperCase() === text;
  for (let at = buffer.indexOf('<'); at >= 0; at = buffer.indexOf('<', at)) {
    if (stands('<!DOCTYPE', at)) return true;
    const end = stands('<!--', at) ? '-->' : stands('<?', at) ? '>' : null;
    if (end === null) return false;
    const ends = buffer.indexOf(end, at);
    if (ends < 0) return false;
    at = ends;
  }
  return false;
}

/** A formula beside which no result is saved, with what stands in its cell. */
const UNSOLVED = /<c\b([^<>]*)>(?:<f\b[^<>]*\/>|<f\b[^<>]*>([^<]*)<\/f>)(?:<v\s*\/>|<v><\/v>)?<\/c>/g;
/** Sheets with more bytes hold data, and hardly formulas. */
const FORMULA_BYTES = 64 * 1024 * 1024;

/** Formulas are not worked out: one without a result stands there as it is written, so that it is named and not taken for an empty cell. */
function withFormulas(rows: Buffer): Buffer {
  if (rows.length > FORMULA_BYTES || !rows.includes('<f')) return rows;
  const asText = (_: string, attributes: string, formula = '…'): string =>
    `<c${attributes.replace(/\st="[^"]*"/, '')} t="str"><v>=${formula}</v></c>`;
  return Buffer.from(rows.toString('utf8').replaceAll(UNSOLVED, asText));
}

const ROWS = 'sheetData';

/** A sheet's XML without all but its rows. */
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
  /** Those with filled cells; null for one that cannot be read. */
  readonly rows: readonly GridRow[] | null;
  readonly isHidden: boolean;
}

export interface Workbook {
  readonly format: 'xlsx' | 'xls';
  /** In the order of the workbook; charts and macros are none. */
  readonly sheets: readonly Sheet[];
}

const ZIP = [0x50, 0x4b, 0x03, 0x04];
const OLE = [0xd0, 0xcf, 0x11, 0xe0];
/** The shortest compound file: a header and two sectors. */
const MIN_OLE_BYTES = 1_536;
/** Digits that Excel itself keeps and shows of a number. */
const EXCEL_DIGITS = 15;
/** Characters of a cell's format: no spreadsheet takes more. */
const LONGEST_FORMAT = 255;
const EPOCH_1904_DAYS = 1_462;
/** Kinds of sheets without cells of their own. */
const NOT_OF_CELLS: ReadonlySet<string> = new Set(['chart', 'macro', 'dialog']);
/** No sheet has more. */
const SHEET_COLUMNS = 16_384;

/** Whether a file begins as workbooks do. */
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

/** The names of the archive's parts stand in its directory, at its end. */
function namesWorkbook(bytes: Uint8Array): boolean {
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).subarray(-1_048_576);
  return tail.includes('xl/') || tail.includes('[Content_Types].xml');
}

/** Reads all sheets of a workbook. Formulas are never worked out, links never followed. */
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
  return unreadable('unreadable_workbook', 'The workbook is cut off or damaged. Download or save it again.');
}

/** What is asked of the library: cells alone, dates as numbers with their format. */
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
        ? unreadable('unreadable_workbook', 'The workbook is protected by a password. Save it without one and choose it again.')
        : unreadable(
            'unreadable_workbook',
            `The workbook cannot be read (${reason.replace(/\.$/, '')}). Save the sheet as CSV and choose that file.`,
          ),
    );
  }
}

/** Rows of a sheet; one that is not there, or has cells where no sheet has any, is damaged. */
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

/** Whether something stands before the first place, as cells do whose row or column is none. */
function hasMore(list: readonly unknown[]): boolean {
  return Object.hasOwn(list, '-1') || Object.hasOwn(list, 'NaN');
}

/** What a spreadsheet shows of formulas that went wrong, by the numbers that stand for it. */
const ERRORS: Readonly<Record<number, string>> = {
  0: '#NULL!',
  7: '#DIV/0!',
  15: '#VALUE!',
  23: '#REF!',
  29: '#NAME?',
  36: '#NUM!',
  42: '#N/A',
};

/** A cell as the CSV of the sheet would say it, but dates in ISO form and decimals with a mark of their own. */
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

/** A text on one line; an apostrophe in front keeps a number as text in a spreadsheet. */
export function textOfCell(text: string): string {
  return text
    .replaceAll(/[\t\n\r\u00a0]+/g, ' ')
    .trim()
    .replace(/^'(?=[\p{L}\d.,+\-( ]*\d)/u, '')
    .trim();
}

/** A format with a day or a year; one of hours and minutes alone is a length of time. */
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

/** What formulas add up leaves a rest far behind the decimals: 2289.7700000001 is 2289.77. */
const BEFORE_NOISE = new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 6 });
const NOISE = 1e-9;
const NOISE_OF_VALUE = 1e-13;
const EXCEL_NUMBER = new Intl.NumberFormat('en-US', { useGrouping: false, maximumSignificantDigits: EXCEL_DIGITS });

/** A number's digits as Excel keeps them: `0.1 + 0.2` is 0.3. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return '#NUM!';
  const rounded = Number(BEFORE_NOISE.format(value));
  const isNoise = Math.abs(value - rounded) < Math.max(NOISE, Math.abs(value) * NOISE_OF_VALUE);
  return EXCEL_NUMBER.format(isNoise ? rounded : value).replace('.', TYPED_MARK);
}
