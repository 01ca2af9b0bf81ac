import type * as Sheets from '@e965/xlsx';
import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { csvLines, FORMULA_BUT_NUMBER } from '../../../src-shared/values/csv.ts';
import { sheetLibrary } from '../statement/workbook/sheet-library.ts';

/** A column of a list: days are ISO texts, and amounts are decimal texts. */
export interface ListColumn {
  readonly title: string;
  readonly kind: 'text' | 'day' | 'amount' | 'count';
}

export interface ListTable {
  readonly name: string;
  readonly columns: readonly ListColumn[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/** Returns a list for other programs: amounts with a point, days as 2026-06-30. */
export function listCsv({ columns, rows }: ListTable): string {
  return csvLines([columns.map(({ title }) => title), ...rows], { escapeFormulae: FORMULA_BUT_NUMBER });
}

/** The day that a workbook counts as 1970-01-01. */
const EPOCH = 25_569;
const WIDEST = 48;
const NARROWEST = 8;

function sheetCell(value: string | number | null, kind: ListColumn['kind']): Sheets.CellObject {
  if (value === null || value === '') return { t: 'z' };
  if (kind === 'day') return { t: 'n', v: present(dayFromIso(String(value)), 'day') + EPOCH, z: 'yyyy-mm-dd' };
  if (kind === 'amount') {
    const decimals = (/\.(\d+)$/.exec(String(value))?.[1] ?? '').length;
    return { t: 'n', v: Number(value), z: `#,##0${decimals === 0 ? '' : `.${'0'.repeat(decimals)}`}` };
  }
  return typeof value === 'number' ? { t: 'n', v: value } : { t: 's', v: value };
}

/** Returns a list as a workbook with one sheet, whose days and amounts are numbers that a spreadsheet sorts and adds. */
export function listWorkbook({ name, columns, rows }: ListTable): Uint8Array {
  const { utils, write } = sheetLibrary();
  const titles = columns.map(({ title }): Sheets.CellObject => ({ t: 's', v: title }));
  const cells = rows.map((row) => columns.map(({ kind }, place) => sheetCell(row[place] ?? null, kind)));
  const sheet = utils.aoa_to_sheet([titles, ...cells]);
  const widthOf = (place: number): number => rows.reduce((most, row) => Math.max(most, String(row[place] ?? '').length), NARROWEST);
  sheet['!cols'] = columns.map(({ title }, place) => ({ wch: Math.min(WIDEST, Math.max(title.length, widthOf(place)) + 2) }));
  sheet['!autofilter'] = { ref: utils.encode_range({ s: { c: 0, r: 0 }, e: { c: columns.length - 1, r: rows.length } }) };
  const workbook = utils.book_new();
  utils.book_append_sheet(workbook, sheet, name);
  return write(workbook, { type: 'buffer', bookType: 'xlsx', bookSST: true, compression: true }) as Uint8Array;
}
