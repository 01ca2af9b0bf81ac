import type * as Sheets from '@e965/xlsx';
import type { StatementDocument } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso, isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { csvLines, FORMULA_BUT_NUMBER } from '../../../src-shared/values/csv.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import { sheetLibrary } from '../statement/workbook/sheet-library.ts';
import type { Block, Cell, Column, Document, Row, Table } from './document.ts';
import { identityRows } from './report-words.ts';
import { rowText, verdictText } from './statement-document.ts';

type Line = readonly (string | number | null)[];

/** Writes amounts and days for programs: `-1275.00`, `2026-06-13`. */
class CsvRows {
  readonly rows: Line[] = [];
  readonly #decimalPlaces: number;

  constructor(decimalPlaces: number) {
    this.#decimalPlaces = decimalPlaces;
  }

  #amount(value: number | null): string | null {
    return value === null ? null : decimalText(value, this.#decimalPlaces);
  }

  #cell(value: Cell, { kind }: Column): string | number | null {
    if (typeof value !== 'number') return value;
    return kind === 'amount' ? this.#amount(value) : kind === 'day' ? isoFromDay(value) : value;
  }

  /** The second line of a cell gets a column of its own. */
  #cells({ columns }: Table, row: Row): Line {
    return columns.flatMap((column, place) => {
      const cell = this.#cell(row.cells[place] ?? null, column);
      return column.second === null ? [cell] : [cell, row.second?.[place] ?? null];
    });
  }

  #table(table: Table): void {
    if (table.title !== null) this.rows.push([table.title]);
    if (table.groups.every(({ rows }) => rows.length === 0)) {
      this.rows.push([table.whenEmpty]);
      return;
    }
    this.rows.push(table.columns.flatMap(({ title, second }) => (second === null ? [title] : [title, second])));
    const total = (label: string, cells: Table['totals'][number]['cells']): Line => {
      const line = table.columns.flatMap((column, place): (string | number | null)[] => {
        const cell = cells.find((each) => each.column === place)?.value ?? null;
        return column.second === null ? [this.#cell(cell, column)] : [this.#cell(cell, column), null];
      });
      return [label === '' ? 'Total' : label, ...line.slice(1)];
    };
    for (const { number, title, rows, totals } of table.groups) {
      if (title !== null) this.rows.push([number === null ? title : `${number} ${title}`]);
      for (const row of rows) this.rows.push(this.#cells(table, row));
      for (const { label, cells } of totals) this.rows.push(total(label, cells));
    }
    for (const { label, cells } of table.totals) this.rows.push(total(label, cells));
  }

  #statement({ sides, unexplained, undone, reason, ...verdict }: StatementDocument): void {
    for (const { title, account, balance, groups, adjusted } of sides) {
      this.rows.push([title, account], [rowText(balance), null, this.#amount(balance.amount)]);
      for (const { label, section, amount, lines } of groups) {
        for (const line of lines) this.rows.push([rowText(line), line.date, this.#amount(line.amount)]);
        this.rows.push([label, `note ${section}`, this.#amount(amount)]);
      }
      this.rows.push([adjusted.label, null, this.#amount(adjusted.amount)]);
    }
    this.rows.push([unexplained.label, verdictText(verdict), this.#amount(unexplained.amount)]);
    for (const text of [undone, reason]) if (text !== null) this.rows.push([text]);
  }

  add(block: Block): void {
    switch (block.kind) {
      case 'statement':
        this.#statement(block.statement);
        return;
      case 'table':
        this.#table(block);
        return;
      case 'facts':
        for (const { name, value } of block.rows) this.rows.push([name, value]);
        return;
      case 'sentences':
        for (const { lead, text } of block.items) this.rows.push([lead === null ? text : `${lead} ${text}`]);
        return;
      case 'pair':
        for (const each of block.blocks) {
          this.add(each);
          this.rows.push([]);
        }
        return;
      case 'signatures':
        for (const { title, name, at } of block.signers) this.rows.push([title, name, at]);
    }
  }
}

/** Returns the report as one CSV file, section after section. Text that begins like a formula gets an apostrophe in front. */
export function reportCsv(document: Document): string {
  const csv = new CsvRows(document.identity.decimalPlaces);
  csv.rows.push([document.sections[0]?.heading ?? ''], ...identityRows(document.identity));
  for (const warning of document.warnings) csv.rows.push(['Warning', warning]);
  for (const { number, heading, remark, blocks } of document.sections) {
    csv.rows.push([], [number === null ? heading : `${number} ${heading}`, remark]);
    for (const block of blocks) csv.add(block);
  }
  return csvLines(csv.rows, { escapeFormulae: FORMULA_BUT_NUMBER });
}

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
