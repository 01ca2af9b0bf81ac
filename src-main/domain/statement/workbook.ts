import type { CellObject, WorkBook, WorkSheet } from '@e965/xlsx';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { TYPED_MARK } from './amounts.ts';
import { faultOf, type GridRow } from './grid.ts';
import { STATEMENT_LIMITS } from './limits.ts';
import { note, quoted, unreadable } from './sentences.ts';
import { sheetLibrary } from './sheet-library.ts';
import { findTable } from './table.ts';
import type { Unreadable } from './types.ts';
import { partsOfWorkbook } from './workbook-parts.ts';

/** A sheet of a workbook as rows of cells, and what a person should know of the rest. */
export interface SheetGrid {
  readonly format: 'xlsx' | 'xls';
  readonly rows: readonly GridRow[];
  readonly problems: readonly ReturnType<typeof note>[];
}

const ZIP = [0x50, 0x4b, 0x03, 0x04];
const OLE = [0xd0, 0xcf, 0x11, 0xe0];
/** The shortest compound file: a header and two sectors. */
const MIN_OLE_BYTES = 1_536;
/** Digits that Excel itself keeps and shows of a number. */
const EXCEL_DIGITS = 15;
const EPOCH_1904_DAYS = 1_462;
/** No sheet has more. */
const SHEET_ROWS = 1_048_576;
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

/** The sheet that holds the statement: the first with rows of transactions. Formulas are never worked out, links never followed. */
export function readWorkbook(bytes: Uint8Array): Result<SheetGrid, Unreadable> {
  const isZip = startsWith(bytes, ZIP);
  const book = isZip ? openedParts(bytes) : openedOld(bytes);
  if (!book.ok) return book;
  const has1904 = book.value.Workbook?.WBProps?.date1904 === true;
  const sheets: { readonly name: string; readonly rows: readonly GridRow[] }[] = [];
  const damaged: string[] = [];
  for (const name of book.value.SheetNames) {
    const rows = rowsOf(book.value.Sheets[name], has1904);
    if (rows.ok) sheets.push({ name, rows: rows.value });
    else if (rows.error.code === 'unreadable_workbook') damaged.push(name);
    else return rows;
  }
  const filled = sheets.filter((sheet) => sheet.rows.length > 0);
  const chosen = filled.find((sheet) => holdsTransactions(sheet.rows)) ?? filled[0];
  if (chosen === undefined && damaged.length > 0) return failed(damagedWorkbook());
  if (chosen === undefined) return failed(unreadable('empty_file', 'The workbook has no filled cells. Choose the one with the statement.'));
  const others = filled.filter((sheet) => sheet !== chosen && holdsTransactions(sheet.rows)).map((sheet) => quoted(sheet.name));
  const problems = [...leftOutNotes(chosen.name, others), ...damagedNotes(damaged)];
  return success({ format: isZip ? 'xlsx' : 'xls', rows: chosen.rows, problems });
}

function leftOutNotes(chosen: string, others: readonly string[]): SheetGrid['problems'] {
  if (others.length === 0) return [];
  const message = `The sheet ${quoted(chosen)} was read; ${others.join(', ')} ${others.length === 1 ? 'holds' : 'hold'} transactions as well. Save each as a file of its own to import it.`;
  return [note('sheets_left_out', message)];
}

function damagedNotes(damaged: readonly string[]): SheetGrid['problems'] {
  if (damaged.length === 0) return [];
  const names = damaged.map(quoted).join(', ');
  return [
    note(
      'sheets_damaged',
      `The ${damaged.length === 1 ? 'sheet' : 'sheets'} ${names} cannot be read and ${damaged.length === 1 ? 'was' : 'were'} left out. Open the workbook and save it again.`,
    ),
  ];
}

function damagedWorkbook(): Unreadable {
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

function holdsTransactions(rows: readonly GridRow[]): boolean {
  const table = findTable(rows);
  return table.header !== null && table.knownHeader && table.body.some((row) => row.cells.some((cell) => cell !== ''));
}

/** Rows of a sheet; one that is not there, or has cells where no sheet has any, is damaged. */
function rowsOf(sheet: WorkSheet | undefined, has1904: boolean): Result<GridRow[], Unreadable> {
  if (sheet === undefined) return failed(damagedWorkbook());
  const data = (sheet['!data'] ?? []) as readonly (readonly (CellObject | undefined)[] | undefined)[];
  if (data.length > SHEET_ROWS || hasMore(data)) return failed(damagedWorkbook());
  const rows: GridRow[] = [];
  let count = 0;
  for (const [index, row] of data.entries()) {
    if (row === undefined) continue;
    if (row.length > SHEET_COLUMNS || hasMore(row)) return failed(damagedWorkbook());
    const cells = Array.from(row, (cell) => cellText(cell, has1904));
    while (cells.at(-1) === '') cells.pop();
    const fault = faultOf(cells, index + 1);
    if (fault !== null) return failed(fault);
    count += cells.length;
    if (count > STATEMENT_LIMITS.sheetCells) return failed(tooManyCells());
    if (cells.length > 0) rows.push({ row: index + 1, cells });
  }
  return success(rows);
}

function tooManyCells(): Unreadable {
  const message = `A sheet of the workbook has more than ${STATEMENT_LIMITS.sheetCells} cells. Save the sheet with the statement as CSV and choose that file.`;
  return unreadable('too_large', message);
}

/** Whether something stands before the first place, as cells do whose row or column is none. */
function hasMore(list: readonly unknown[]): boolean {
  return Object.hasOwn(list, '-1') || Object.hasOwn(list, 'NaN');
}

/** A cell as the CSV of the sheet would say it, but dates in ISO form and decimals with a mark of their own. */
function cellText(cell: CellObject | undefined, has1904: boolean): string {
  if (cell === undefined || cell.v === undefined) return '';
  if (cell.t === 'e') return typeof cell.w === 'string' && cell.w !== '' ? cell.w : '#ERROR!';
  if (typeof cell.v === 'number') {
    const format = cell.z === undefined ? '' : String(cell.z);
    return isDateFormat(format) ? dateText(cell.v, has1904) : numberText(cell.v);
  }
  if (cell.v instanceof Date) return cell.v.toISOString().slice(0, 10);
  // An apostrophe in front keeps a number as text in a spreadsheet.
  return String(cell.v)
    .replaceAll(/[\t\n\r\u00a0]+/g, ' ')
    .trim()
    .replace(/^'(?=[\p{L}\d.,+\-( ]*\d)/u, '')
    .trim();
}

/** A format with a day or a year; one of hours and minutes alone is a length of time. */
function isDateFormat(format: string): boolean {
  return format !== '' && sheetLibrary().SSF.is_date(format) && /[dy]/i.test(format.replaceAll(/"[^"]*"|\\.|\[[^\]]*\]/g, ''));
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

const EXCEL_NUMBER = new Intl.NumberFormat('en-US', { useGrouping: false, maximumSignificantDigits: EXCEL_DIGITS });

/** A number's digits as Excel keeps them: `0.1 + 0.2` is 0.3. */
function numberText(value: number): string {
  return Number.isFinite(value) ? EXCEL_NUMBER.format(value).replace('.', TYPED_MARK) : '#NUM!';
}
