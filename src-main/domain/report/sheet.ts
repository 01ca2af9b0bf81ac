import type * as Sheets from '@e965/xlsx';
import { decimalText } from '../../../src-shared/values/money.ts';
import { sheetLibrary } from '../statement/workbook/sheet-library.ts';

/** Days from the first day that a workbook counts to 1970-01-01. */
const EPOCH = 25_569;
const NARROWEST = 8;
const WIDEST = 60;
/** The length of a text that a cell holds. */
const LONGEST_TEXT = 32_767;

export const FORMATS = { day: 'dd/mm/yyyy', count: '#,##0', heading: '@' } as const;

/** `#,##0.00` at two places. Totals have a format that says the same in more letters, by which `finishedWorkbook` finds and thickens them. */
export function amountFormat(decimalPlaces: number, isTotal: boolean): string {
  const format = `#,##0${decimalPlaces === 0 ? '' : `.${'0'.repeat(decimalPlaces)}`}`;
  return isTotal ? `${format};-${format}` : format;
}

/** A reference to a cell from any sheet: `'Open items'!G8`. */
export function referenceTo(sheet: string, column: number, row: number): string {
  return `'${sheet.replaceAll("'", "''")}'!${sheetLibrary().utils.encode_cell({ c: column, r: row })}`;
}

/** One sheet that is written row by row. */
export class Sheet {
  readonly name: string;
  readonly #decimalPlaces: number;
  readonly #cells = new Map<string, Sheets.CellObject>();
  readonly #widths: number[] = [];
  #lastColumn = 0;
  /** The row written next, from 0 on. */
  row = 0;
  /** Rows above it stay in sight; 0 for none. */
  frozen = 0;

  constructor(name: string, decimalPlaces: number) {
    this.name = name;
    this.#decimalPlaces = decimalPlaces;
  }

  #put(column: number, cell: Sheets.CellObject, width: number): Sheets.CellObject {
    this.#cells.set(sheetLibrary().utils.encode_cell({ c: column, r: this.row }), cell);
    this.#lastColumn = Math.max(this.#lastColumn, column);
    this.#widths[column] = Math.min(WIDEST, Math.max(this.#widths[column] ?? NARROWEST, width));
    return cell;
  }

  /** A text stays a text whatever it begins with. `widens`: the column becomes as wide as it. */
  text(column: number, text: string, { isHeading = false, widens = true } = {}): void {
    if (text === '') return;
    const value = text.slice(0, LONGEST_TEXT);
    this.#put(column, isHeading ? { t: 's', v: value, z: FORMATS.heading } : { t: 's', v: value }, widens ? value.length + 2 : 0);
  }

  day(column: number, day: number): void {
    this.#put(column, { t: 'n', v: day + EPOCH, z: FORMATS.day }, 12);
  }

  count(column: number, count: number): Sheets.CellObject {
    return this.#put(column, { t: 'n', v: count, z: FORMATS.count }, 8);
  }

  /** Minor units, shown with the places of the currency. Answers the cell, which may get a formula. */
  amount(column: number, minor: number, isTotal = false): Sheets.CellObject {
    const text = decimalText(minor, this.#decimalPlaces);
    return this.#put(column, { t: 'n', v: Number(text), z: amountFormat(this.#decimalPlaces, isTotal) }, text.length + 6);
  }

  finished(): Sheets.WorkSheet {
    const { encode_range } = sheetLibrary().utils;
    return {
      ...Object.fromEntries(this.#cells),
      '!ref': encode_range({ s: { c: 0, r: 0 }, e: { c: this.#lastColumn, r: Math.max(0, this.row - 1) } }),
      '!cols': Array.from({ length: this.#lastColumn + 1 }, (_, column) => ({ wch: this.#widths[column] ?? NARROWEST })),
    };
  }
}
