import type * as Sheets from '@e965/xlsx';
import { decimalText } from '../../../src-shared/values/money.ts';
import { sheetLibrary } from '../statement/workbook/sheet-library.ts';

/** Days from day 0 of a workbook to 1970-01-01. */
const EPOCH = 25_569;
const NARROWEST = 8;
const WIDEST = 60;
/** Maximal length of a text in a cell. */
const LONGEST_TEXT = 32_767;

export const FORMATS = { day: 'dd/mm/yyyy', count: '#,##0', heading: '@' } as const;

/**
 * Returns a cell format such as `#,##0.00`. That of totals has the same effect and another text, by which `finishedWorkbook` finds totals and makes
 * them bold.
 */
export function amountFormat(decimalPlaces: number, isTotal: boolean): string {
  const format = `#,##0${decimalPlaces === 0 ? '' : `.${'0'.repeat(decimalPlaces)}`}`;
  return isTotal ? `${format};-${format}` : format;
}

/** Returns a reference to a cell that works on any sheet, such as `'Open items'!G8`. */
export function referenceTo(sheet: string, column: number, row: number): string {
  return `'${sheet.replaceAll("'", "''")}'!${sheetLibrary().utils.encode_cell({ c: column, r: row })}`;
}

/** A sheet that is written row by row. */
export class Sheet {
  readonly name: string;
  readonly #decimalPlaces: number;
  readonly #cells = new Map<string, Sheets.CellObject>();
  readonly #widths: number[] = [];
  #lastColumn = 0;
  /** The row that is written next, from 0. */
  row = 0;
  /** Number of frozen rows at the top. */
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

  /** Writes a text, which stays text even if it begins like a formula. `widens`: whether the column grows to its length. */
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

  /** Writes minor units with the decimal places of the currency. Returns the cell, which may get a formula. */
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
