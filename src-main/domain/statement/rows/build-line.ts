import { LIMITS } from '../../../../src-shared/contract/common.ts';
import type { Problem } from '../../../../src-shared/contract/index.ts';
import { isoFromDay } from '../../../../src-shared/values/civil-date.ts';
import { decimalPlacesOf } from '../../../../src-shared/values/money.ts';
import { isNothing } from '../cells/amounts.ts';
import { bookingOf, saysPending, type Unbooked } from '../vocabulary/booking.ts';
import { currencyCode, isCurrencyCell } from '../vocabulary/currencies.ts';
import { filledColumns } from '../columns/currency-columns.ts';
import type { DecidedOrder } from '../cells/date-order.ts';
import type { DateOrder } from '../cells/dates.ts';
import { beyondMonth, dateShape, fits, LEAP_YEAR, whyNoDay, windowUnder } from '../cells/dates.ts';
import type { ColumnField } from '../columns/fields.ts';
import { markOfWords } from '../reversals/words.ts';
import { bytesOf, sizeProblems } from '../cells/line-limits.ts';
import type { Layout } from '../columns/table-columns.ts';
import { quoted, rejection } from '../model/problems.ts';
import type { RejectedRow, ReversalMark, StatementLine } from '../model/statement.ts';
import type { RowValue } from './signs.ts';
import { cellOf } from './sort-rows.ts';
import type { WrittenRow } from './sort-rows.ts';

/** The context in which a row is read. */
interface LineInput {
  readonly layout: Layout;
  readonly fields: readonly ColumnField[];
  readonly order: DecidedOrder;
  /** The rejection of the row in which the file is cut off. */
  readonly torn: Problem | null;
}

/** Days since 1970-01-01; null where the row says none that can be read. */
interface DaysOfRow {
  readonly day: number | null;
  readonly valueDay: number | null;
}

export interface BuiltLine {
  /** Null when the row is rejected. */
  readonly line: StatementLine | null;
  /** The readable parts of a rejected row. */
  readonly rejected: RejectedRow | null;
  readonly problems: readonly Problem[];
}

/** Returns a line from a row with its days, amount and currency; or the reasons why not, one per faulty cell. */
export function buildLine(row: WrittenRow, { day, valueDay }: DaysOfRow, value: RowValue, currency: string, input: LineInput): BuiltLine {
  const problems: Problem[] = [];
  const surplus = row.cells.findIndex((cell, index) => index >= input.layout.names.length && cell !== '');
  if (surplus >= 0) {
    const message = `Row ${row.row} has ${row.cells.length} cells where the table has ${input.layout.names.length} columns. Put quotation marks around the cell that holds the delimiter.`;
    const problem = rejection(row.row, null, 'too_many_cells', message);
    const nothing = { day: null, valueDay: null, amountMinor: null, direction: null, description: null, externalId: null, metadata: {} };
    const rejected = { row: row.row, ...nothing, currency, decimalPlaces: decimalPlacesOf(currency), problems: [problem] };
    return { line: null, rejected, problems: [problem] };
  }
  if (input.torn !== null) problems.push(input.torn);
  else if (row.unbooked !== null) problems.push(unbookedProblem(row, row.unbooked, input.layout));
  else if (day === null) problems.push(dateProblem(row, input));
  const currencyCell = cellOf(row, input.layout.currency);
  if (currencyCell !== '' && !isCurrencyCell(currencyCell)) problems.push(currencyProblem(row, currencyCell, input.layout));
  if ('code' in value && row.unbooked === null && input.torn === null) problems.push(amountProblem(row, value, currency, input.layout));
  const description = descriptionOf(row, input.layout);
  const externalId = cellOf(row, input.layout.externalId) || null;
  const metadata = metadataOf(row, input.fields, valueDay === null ? null : input.layout.valueDate);
  const header = (index: number | null): string | null => (index === null ? null : (input.layout.names[index] ?? null));
  const columns = { description: header(input.layout.description), externalId: header(input.layout.externalId) };
  problems.push(...sizeProblems({ row: row.row, description, externalId, metadata, metadataBytes: metadataBytes(row, metadata) }, columns));
  const rest = { row: row.row, valueDay, currency, decimalPlaces: decimalPlacesOf(currency), description, externalId, metadata };
  if (day === null || 'code' in value || problems.length > 0) {
    const read = 'code' in value ? { amountMinor: null, direction: null } : { amountMinor: value.minor, direction: value.direction };
    return { line: null, rejected: { ...rest, day, ...read, problems }, problems };
  }
  const line: StatementLine = { ...rest, day, amountMinor: value.minor, direction: value.direction };
  const reversal = markOfWords(description) ?? markOfKind(row, input.fields);
  return { line: reversal === null ? line : { ...line, reversal }, rejected: null, problems };
}

/** Matches headers of columns that name the kind of transaction. */
const OF_KIND =
  /(?:^|_)(?:type|kind|status|art|buchungstext|vorgang|umsatzart|operation|operacion|tipo|omschrijving|mutatiesoort|rodzaj|typ)(?:_|$)/;
const kindColumns = new WeakMap<readonly ColumnField[], readonly number[]>();

/** Returns the mark of a column of kinds, such as `Reversal`. */
function markOfKind({ cells }: WrittenRow, fields: readonly ColumnField[]): ReversalMark | null {
  let columns = kindColumns.get(fields);
  if (columns === undefined) {
    columns = fields.flatMap(({ key }, index) => (key !== null && OF_KIND.test(key) ? [index] : []));
    kindColumns.set(fields, columns);
  }
  for (const column of columns) {
    const mark = markOfWords(cells[column] ?? null);
    if (mark !== null) return mark;
  }
  return null;
}

function descriptionOf(row: WrittenRow, layout: Layout): string | null {
  const own = cellOf(row, layout.description);
  const text = row.continuation.length === 0 ? own : [own, ...row.continuation].filter((part) => part !== '').join(' ');
  return text === '' ? null : text;
}

/** `but`: a column whose cell has been read as something else. */
function metadataOf(row: WrittenRow, fields: readonly ColumnField[], but: number | null): Record<string, string> {
  const metadata: Record<string, string> = {};
  for (let index = 0; index < fields.length; index += 1) {
    const key = fields[index]?.key ?? null;
    const cell = row.cells[index] ?? '';
    if (key === null || cell === '' || index === but) continue;
    // A header may be called `__proto__`.
    if (key === '__proto__') Object.defineProperty(metadata, key, { value: cell, enumerable: true, configurable: true, writable: true });
    else metadata[key] = cell;
  }
  return metadata;
}

function currencyProblem(row: WrittenRow, cell: string, layout: Layout): Problem {
  const column = layout.names[layout.currency ?? 0] ?? null;
  const message = `${quoted(cell)} in row ${row.row}, column ${column ?? ''}, is not a currency. Write its three letters, such as EUR.`;
  return rejection(row.row, column, 'unknown_currency', message);
}

/** Returns the rejection of a row that says it is not booked; its cells have no fault. */
function unbookedProblem(row: WrittenRow, unbooked: Unbooked, layout: Layout): Problem {
  const status = cellOf(row, layout.status);
  const isStatus = unbooked === 'never' ? bookingOf(status) === 'never' : saysPending(status);
  const column = isStatus ? layout.status : layout.date;
  const said = quoted(isStatus ? status : cellOf(row, layout.date));
  const what =
    unbooked === 'never'
      ? `was never booked: it says ${said}`
      : `is not booked yet: it says ${said}, and the bank lists it again when it is`;
  const message = `Row ${row.row} ${what}. Correct the row to import it nevertheless.`;
  return rejection(row.row, column === null ? null : (layout.names[column] ?? null), 'not_booked', message);
}

const NO_YEAR = /^'?\d{1,2}[-/.]\d{1,2}[-/.]?$/;

function dateProblem(row: WrittenRow, input: LineInput): Problem {
  const column = input.layout.names[input.layout.date] ?? null;
  const cell = cellOf(row, input.layout.date);
  const place = `row ${row.row}, column ${column ?? ''}`;
  if (cell === '') return rejection(row.row, column, 'unreadable_date', `The date in ${place}, is empty. Fill it in, or remove the row.`);
  const { order } = input.order;
  const yearless = whyNoYear(row, cell, input.order);
  if (yearless !== null)
    return rejection(row.row, column, 'unreadable_date', `${quoted(cell)} in ${place}, is a date without a year${yearless}`);
  const ofFormula = formulaProblem(row.row, column, cell, place);
  if (ofFormula !== null) return ofFormula;
  const compact = row.date === null ? whyNoDigits(cell) : null;
  if (compact !== null)
    return rejection(row.row, column, 'impossible_date', `The date ${quoted(cell)} in ${place}, ${compact} ${MEND_DATE}`);
  if (row.date === null) {
    return rejection(row.row, column, 'unreadable_date', `${quoted(cell)} in ${place}, is not a date. Write it like 2026-06-30.`);
  }
  const outOfRange = order !== null && !fits(row.date, order);
  const reason = outOfRange
    ? `is not a date when read as the other rows are (${orderWords(order)}). Correct it in the file.`
    : `${whyNoDay(row.date, order) ?? 'is not on the calendar of the years 1000 to 2199.'} ${MEND_DATE}`;
  return rejection(row.row, column, 'impossible_date', `The date ${quoted(cell)} in ${place}, ${reason}`);
}

/** Returns why a date without a year is rejected, as the end of a sentence; null where that is not the reason. */
function whyNoYear({ date }: WrittenRow, cell: string, { order, years }: DecidedOrder): string | null {
  const isYearless = date === null ? NO_YEAR.test(cell) || dateShape(`${cell} ${LEAP_YEAR}`) !== null : date.kind === 'yearless';
  if (!isYearless || (date !== null && order !== null && !fits(date, order))) return null;
  if (date === null || !years) return `. ${MEND_YEAR}`;
  const window = windowUnder(years.byOrder, order);
  const days = window === null ? '' : ` (${isoFromDay(window.from)} to ${isoFromDay(window.to)})`;
  return `, and no such day is near those that row ${years.row} states${days}. ${MEND_YEAR}`;
}

const MEND_YEAR = 'Write it like 2026-06-30, or export the file with years.';
const MEND_DATE = 'Correct it in the file, or take the row out.';

/** Returns why eight digits are not a date. */
function whyNoDigits(cell: string): string | null {
  const found = /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(cell);
  return found === null ? null : beyondMonth([Number(found[1]), Number(found[2]), Number(found[3])]);
}

/** "day first", "month first" or "year first". */
export function orderWords(order: DateOrder | null): string {
  if (order === 'mdy') return 'month first';
  return order === 'ymd' ? 'year first' : 'day first';
}

function amountProblem(row: WrittenRow, fault: Extract<RowValue, { code: string }>, currency: string, layout: Layout): Problem {
  const column = layout.names[fault.column] ?? null;
  const cell = cellOf(row, fault.column);
  const place = `row ${row.row}, column ${column ?? ''}`;
  const ofFormula = formulaProblem(row.row, column, cell, place);
  return ofFormula ?? rejection(row.row, column, fault.code, amountSentence(row, fault, cell, place, currency, layout));
}

/** Returns the problem of a cell that holds a spreadsheet formula or its error; null for any other. */
function formulaProblem(row: number, column: string | null, cell: string, place: string): Problem | null {
  if (cell.startsWith('=')) {
    const message = `${quoted(cell)} in ${place}, is a formula whose result the file does not hold; formulas are not worked out. Open the file in a spreadsheet, save it and choose it again, or write the result there.`;
    return rejection(row, column, 'formula_without_result', message);
  }
  if (!/^#(?:NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|ERROR!)$/.test(cell)) return null;
  const message = `${quoted(cell)} in ${place}, is the error of a formula. Mend the formula in the spreadsheet and save the file, or write the result there.`;
  return rejection(row, column, 'formula_error', message);
}

function amountSentence(
  row: WrittenRow,
  fault: Extract<RowValue, { code: string }>,
  cell: string,
  place: string,
  currency: string,
  layout: Layout,
): string {
  if (fault.code === 'two_amounts') {
    const [paidIn, paidOut] = [quoted(cellOf(row, layout.paidIn)), quoted(cellOf(row, layout.paidOut))];
    return `Row ${row.row} has an amount both in ${layout.names[layout.paidIn ?? 0] ?? ''} (${paidIn}) and in ${layout.names[layout.paidOut ?? 0] ?? ''} (${paidOut}). Leave one of them empty.`;
  }
  const [one, other] = filledColumns(row, layout.currencyColumns);
  if (one !== undefined && other !== undefined) {
    const [first, second] = [one, other].map(({ column: index }) => `${layout.names[index] ?? ''} (${quoted(cellOf(row, index))})`);
    return `Row ${row.row} has an amount both in ${first ?? ''} and in ${second ?? ''}. Leave one of them empty, or make two rows of it.`;
  }
  if (fault.code === 'unknown_direction') return `${quoted(cell)} in ${place}, says neither credit nor debit. Write credit or debit.`;
  if (fault.code === 'too_many_decimals') {
    return currencyCode(currency) === null
      ? `The amount ${quoted(cell)} in ${place}, has more decimals than are kept of ${currency}, whose own are not known (${decimalPlacesOf(currency)}). Round it in the file, or leave the row out.`
      : `The amount ${quoted(cell)} in ${place}, has more decimals than ${currency} has (${decimalPlacesOf(currency)}). Correct it, or the currency.`;
  }
  if (fault.code === 'amount_out_of_range')
    return `The amount ${quoted(cell)} in ${place}, is too large to be kept exactly. Correct it in the file.`;
  if (isNothing(cell)) return `The amount in ${place}, is empty. Fill it in, or remove the row.`;
  const unit = (AMOUNT_OF_UNIT.exec(cell) ?? []).slice(1).find((each) => each !== undefined);
  if (unit !== undefined)
    return `${quoted(cell)} in ${place}, is an amount of ${unit}, which is no currency that is known. Write a currency of three letters in a column of its own, or leave the row out.`;
  return `${quoted(cell)} in ${place}, is not an amount. Write it with digits, such as 1234.50.`;
}

/** Digits with capitals behind or before them, as exchanges write what they trade. */
const AMOUNT_OF_UNIT = /^[-+]?\d[\d.,]*\s?([A-Z]{3,6})$|^([A-Z]{3,6})\s?[-+]?\d[\d.,]*$/;

/** Serialised size in bytes; worked out only where the row is long enough to matter. */
function metadataBytes(row: WrittenRow, metadata: Readonly<Record<string, string>>): number {
  const characters = row.cells.reduce((sum, cell) => sum + cell.length, 0) + row.cells.length * LIMITS.metadataKeyLength;
  // A character is at most six bytes as JSON.
  return characters * 6 <= LIMITS.metadataBytes ? 0 : bytesOf(metadata);
}
