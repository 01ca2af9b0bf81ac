import type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { CellRoom, tooManyCells } from '../archive/unpacked-size.ts';
import { TYPED_MARK } from '../cells/amounts.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import { unreadable } from '../model/problems.ts';
import type { Unreadable } from '../model/statement.ts';
import { faultOf } from '../text/grid.ts';
import { sheetLibrary } from './sheet-library.ts';
import { partsOfWorkbook } from './workbook-parts.ts';

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
