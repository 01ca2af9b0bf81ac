import type * as Sheets from '@e965/xlsx';
import type { StatementDocument, StatementRow } from '../../../src-shared/contract/index.ts';
import { OPEN_GROUPS } from '../../../src-shared/contract/close/period-statement.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { decimalText } from '../../../src-shared/values/money.ts';
import { dayPattern } from '../../../src-shared/values/notation.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { sheetLibrary } from '../statement/workbook/sheet-library.ts';
import type { Block, Column, Document, Group, Identity, Named, Row, Section, Table, Total } from './document.ts';
import { escaped } from './escape.ts';
import { identityRows } from './report-words.ts';
import { rowText, verdictText } from './statement-document.ts';

interface Waiting {
  readonly cell: Sheets.CellObject;
  readonly names: readonly string[];
  /** Differences of decimal fractions are rounded to this many places, since they may leave a remainder beyond them. */
  readonly decimalPlaces: number;
}

/** A figure on which the verdict rests: the sum of named figures, and what it comes to in the report. */
interface Proof {
  readonly names: readonly string[];
  readonly minor: number;
}

/** The open items of a group, as the workbook lists them. */
interface OpenRange {
  readonly days: string;
  readonly amounts: string;
  /** Whether its amounts have the opposite sign of their lines, as errors do. */
  readonly isTurned: boolean;
  readonly items: readonly { readonly days: number; readonly minor: number }[];
}

const CHANGED = phrase('report.reportWorkbook.figuresWereChangedSinceTheReport');
const DIFFERS_NOW = phrase('report.reportWorkbook.theyDoNotAgree', { changed: CHANGED });
const AGREES_NOW = phrase('report.reportWorkbook.nothingIsLeftUnexplained', { changed: CHANGED });
/** Maximal length of a text in a formula; the quotes in it are doubled. */
const LONGEST_LITERAL = 255;
/** Maximal length of a formula. */
const LONGEST_FORMULA = 8_192;

/** Returns a text as a part of a formula. */
function literal(text: string): string {
  const pieces = text.match(new RegExp(`[^]{1,${Math.floor(LONGEST_LITERAL / 2)}}`, 'gu')) ?? [''];
  return pieces.map((piece) => `"${piece.replaceAll('"', '""')}"`).join('&');
}

/** The cells of named figures in a workbook, and the formulas that refer to them. */
class Formulas {
  readonly #cellByName = new Map<string, Sheets.CellObject>();
  readonly #open: OpenRange[] = [];
  readonly #placeByName = new Map<string, string>();
  readonly #sums = new Set<string>();
  readonly #waiting: Waiting[] = [];
  readonly #decimalPlaces: number;

  constructor(decimalPlaces: number) {
    this.#decimalPlaces = decimalPlaces;
  }

  /** Registers the cell of a name. A cell that adds rows takes precedence over one that only repeats the figure. */
  name(name: string | null, reference: string, isSum: boolean): void {
    if (name === null || this.#sums.has(name) || (this.#placeByName.has(name) && !isSum)) return;
    this.#placeByName.set(name, reference);
    if (isSum) this.#sums.add(name);
  }

  /** Registers a figure. Its formula adds the figures in `adds`; without these it refers to the cell that sums the same name. */
  figure(cell: Sheets.CellObject, { name, adds }: Named, reference: string): void {
    this.name(name, reference, false);
    if (name !== null && !this.#cellByName.has(name)) this.#cellByName.set(name, cell);
    if (adds !== null) this.#waiting.push({ cell, names: adds, decimalPlaces: this.#decimalPlaces });
    else if (name !== null) this.#waiting.push({ cell, names: [name], decimalPlaces: this.#decimalPlaces });
  }

  #numberOf(minor: number): number {
    return Number(decimalText(minor, this.#decimalPlaces));
  }

  /** Returns the sum of named figures; null if one has no cell. */
  #sumOf(names: readonly string[]): string | null {
    const parts = names.map((name) => {
      const place = this.#placeByName.get(name.replace(/^-/, ''));
      return place === undefined ? null : `${name.startsWith('-') ? '-' : '+'}${place}`;
    });
    return parts.includes(null) ? null : parts.join('').replace(/^\+/, '');
  }

  /** Makes a verdict depend on the figures that prove it: when one is changed, it says what they come to now. */
  verdict(cell: Sheets.CellObject | null, text: string, proofs: readonly Proof[]): void {
    if (cell === null || proofs.length === 0) return;
    const sums = proofs.map(({ names, minor }) => ({ sum: this.#sumOf(names), stated: this.#numberOf(minor) }));
    if (sums.some(({ sum }) => sum === null)) return;
    const all = (of: (sum: string, stated: number) => string): string =>
      `AND(${sums.map(({ sum, stated }) => `ROUND(${of(sum ?? '', stated)},${this.#decimalPlaces})=0`).join(',')})`;
    const now = `IF(${all((sum) => sum)},${literal(AGREES_NOW)},${literal(DIFFERS_NOW)})`;
    const formula = `IF(${all((sum, stated) => `${sum}-(${stated})`)},${literal(text)},${now})`;
    if (formula.length <= LONGEST_FORMULA) cell.f = formula;
  }

  /** Makes receipts and payments of a side formulas over its lines, where these are all that the figure adds. */
  movement(side: string, range: string, amounts: readonly number[]): void {
    for (const [name, criterion, isPart] of [
      [`receipts_${side}`, '>0', (amount: number) => amount > 0],
      [`payments_${side}`, '<0', (amount: number) => amount < 0],
    ] as const) {
      const cell = this.#cellByName.get(name);
      const sum = Number(amounts.filter(isPart).reduce((total, amount) => total + BigInt(amount), 0n));
      if (cell !== undefined && Number.isSafeInteger(sum) && cell.v === this.#numberOf(sum)) {
        cell.f = `ROUND(SUMIF(${range},"${criterion}"),${this.#decimalPlaces})`;
      }
    }
  }

  openItems(range: OpenRange): void {
    this.#open.push(range);
  }

  /** Makes a figure of the ageing, such as `aged_receipts_0_30`, a formula over the open items, where these are all that it counts. */
  aged(cell: Sheets.CellObject, name: string): void {
    const [, what, from, to] = /^aged_(count|receipts|payments)_(\d+)_(\d*)$/.exec(name) ?? [];
    if (what === undefined || this.#open.length === 0) return;
    const [least, most] = [Number(from), to === '' ? Infinity : Number(to)];
    let sum = 0n;
    const parts = this.#open.map(({ days, amounts, isTurned, items }) => {
      const within = `${days},">=${from}"${to === '' ? '' : `,${days},"<=${to}"`}`;
      const fitting = items.filter((item) => item.days >= least && item.days <= most).map(({ minor }) => (isTurned ? 0 - minor : minor));
      if (what === 'count') {
        sum += BigInt(fitting.length);
        return `+COUNTIFS(${within})`;
      }
      const isReceipt = what === 'receipts';
      for (const minor of fitting) if (minor > 0 === isReceipt) sum += BigInt(minor);
      return `${isTurned ? '-' : '+'}SUMIFS(${amounts},${within},${amounts},"${isReceipt === isTurned ? '<' : '>'}0")`;
    });
    const formula = parts.join('').replace(/^\+/, '');
    const shown = what === 'count' ? Number(sum) : this.#numberOf(Number(sum));
    if (Number.isSafeInteger(Number(sum)) && cell.v === shown)
      cell.f = what === 'count' ? formula : `ROUND(${formula},${this.#decimalPlaces})`;
  }

  /** Writes all formulas whose parts are registered. A figure never refers to itself. */
  resolve(referenceOf: (cell: Sheets.CellObject) => string | undefined): void {
    for (const { cell, names, decimalPlaces } of this.#waiting) {
      const parts = names.map((name) => {
        const isTaken = name.startsWith('-');
        const place = this.#placeByName.get(isTaken ? name.slice(1) : name);
        return place === undefined || place === referenceOf(cell) ? null : `${isTaken ? '-' : '+'}${place}`;
      });
      if (parts.includes(null)) continue;
      const sum = parts.join('').replace(/^\+/, '');
      cell.f = names.length === 1 ? sum : `ROUND(${sum},${decimalPlaces})`;
    }
  }
}

/** Days from day 0 of a workbook to 1970-01-01. */
const EPOCH = 25_569;
const NARROWEST = 8;
const WIDEST = 60;
/** Maximal length of a text in a cell. */
const LONGEST_TEXT = 32_767;

/** Characters that a page holds side by side at a size that can be read on paper. */
const PAGE_WIDTH = 160;
/** The width of a sheet of sentences alone: programs do not shrink one column to a page. */
const ONE_COLUMN = 96;
const NARROWEST_TEXT = 12;
const ROW_POINTS = 16;
/** Widths are counted in digits, and so many letters of a text fit into the room of one. */
const LETTERS_TO_DIGITS = 1.08;

/** Returns how many lines a text takes in a column. Words are not parted unless one is longer than the column. */
function linesIn(text: string, width: number): number {
  let lines = 1;
  let used = 0;
  for (const { length } of text.split(' ')) {
    if (used > 0 && used + 1 + length > width) {
      lines += 1;
      used = 0;
    }
    used += (used === 0 ? 0 : 1) + length;
    lines += Math.floor((used - 1) / width);
    used = used > width ? used % width : used;
  }
  return Math.max(1, lines);
}

/**
 * Formats of cells. Those of wrapped texts and of headings above figures show a text as it is, and their codes are the marks by which
 * `finishedWorkbook` finds them.
 */
const FORMATS = { count: '#,##0', heading: '@', wrapped: 'General;-General;General;@', figureHeading: '0;-0;0;@' } as const;
/** The number of a paper in the set-up of a page. */
const PAPERS = { A4: 9, Letter: 1 } as const;

/**
 * Returns a cell format such as `#,##0.00`. That of totals has the same effect and another text, by which `finishedWorkbook` finds totals and makes
 * them bold.
 */
function amountFormat(decimalPlaces: number, isTotal: boolean): string {
  const format = `#,##0${decimalPlaces === 0 ? '' : `.${'0'.repeat(decimalPlaces)}`}`;
  return isTotal ? `${format};-${format}` : format;
}

/** Returns a reference to a cell that works on any sheet, such as `'Open items'!G8`. */
function referenceTo(sheet: string, column: number, row: number): string {
  return `'${sheet.replaceAll("'", "''")}'!${sheetLibrary().utils.encode_cell({ c: column, r: row })}`;
}

/** A sheet that is written row by row. */
class Sheet {
  readonly name: string;
  readonly #decimalPlaces: number;
  readonly #cells = new Map<string, Sheets.CellObject>();
  readonly #widths: number[] = [];
  /** Columns whose texts may take several lines. */
  readonly #wrapped = new Set<number>();
  /** Sentences across the sheet, by their row. */
  readonly #lines = new Map<number, Sheets.CellObject>();
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

  /**
   * Writes a text, which stays text even if it begins like a formula. `widens`: whether the column grows to its length. `wraps`: whether it takes
   * several lines where the page is too narrow.
   */
  text(
    column: number,
    text: string,
    { isHeading = false, widens = true, wraps = false, isOfFigures = false } = {},
  ): Sheets.CellObject | null {
    if (text === '') return null;
    const value = text.slice(0, LONGEST_TEXT);
    if (wraps) this.#wrapped.add(column);
    const format = isHeading ? (isOfFigures ? FORMATS.figureHeading : FORMATS.heading) : wraps ? FORMATS.wrapped : null;
    return this.#put(column, { t: 's', v: value, ...(format === null ? {} : { z: format }) }, widens ? value.length + 2 : 0);
  }

  /** Writes a sentence across the sheet. */
  line(text: string, isHeading: boolean): void {
    const cell = this.text(0, text, { isHeading, widens: false });
    if (cell !== null) this.#lines.set(this.row, cell);
  }

  day(column: number, day: number): void {
    this.#put(column, { t: 'n', v: day + EPOCH, z: dayPattern() }, 12);
  }

  count(column: number, count: number): Sheets.CellObject {
    return this.#put(column, { t: 'n', v: count, z: FORMATS.count }, 8);
  }

  /** Writes minor units with the decimal places of the currency. Returns the cell, which may get a formula. */
  amount(column: number, minor: number, isTotal = false): Sheets.CellObject {
    const text = decimalText(minor, this.#decimalPlaces);
    return this.#put(column, { t: 'n', v: Number(text), z: amountFormat(this.#decimalPlaces, isTotal) }, text.length + 6);
  }

  /** Returns the markup with the text of each formula in its cell: the library refers to the shared texts there, which formulas may not. */
  withTexts(xml: string): string {
    return [...this.#cells].reduce((markup, [address, { t, f, v }]) => {
      if (t !== 's' || f === undefined) return markup;
      const written = new RegExp(`(<c r="${address}"[^>]*) t="s"([^>]*><f>[^<]*</f>)<v>\\d+</v>`);
      return markup.replace(written, (_, before: string, formula: string) => `${before} t="str"${formula}<v>${escaped(String(v))}</v>`);
    }, xml);
  }

  /** Returns the widths of the columns. Where they are more than a page holds, columns of texts that wrap give way by their shares. */
  #pageWidths(): number[] {
    const widths = Array.from({ length: this.#lastColumn + 1 }, (_, column) => this.#widths[column] ?? NARROWEST);
    const sumOf = (isWrapped: boolean): number =>
      widths.reduce((sum, width, column) => sum + (this.#wrapped.has(column) === isWrapped ? width : 0), 0);
    const share = (PAGE_WIDTH - sumOf(false)) / sumOf(true);
    if (share >= 1) return widths;
    return widths.map((width, column) =>
      this.#wrapped.has(column) ? Math.min(width, Math.max(NARROWEST_TEXT, Math.floor(width * share))) : width,
    );
  }

  /** Returns the height of each row in which a text takes several lines: not all programs find it by themselves. */
  #heights(widths: readonly number[], long: ReadonlyMap<number, unknown>): Sheets.RowInfo[] {
    const { decode_cell } = sheetLibrary().utils;
    const all = widths.reduce((sum, width) => sum + width, 0);
    const lines: number[] = [];
    for (const [address, { z, v }] of this.#cells) {
      const { c, r } = decode_cell(address);
      if (z === FORMATS.wrapped)
        lines[r] = Math.max(
          lines[r] ?? 1,
          linesIn(String(v), Math.floor(LETTERS_TO_DIGITS * (long.has(r) ? all : (widths[c] ?? NARROWEST)))),
        );
    }
    const rows: Sheets.RowInfo[] = [];
    for (const [row, count] of lines.entries()) if ((count ?? 1) > 1) rows[row] = { hpt: ROW_POINTS * count };
    return rows;
  }

  finished(): Sheets.WorkSheet {
    const { encode_range } = sheetLibrary().utils;
    const widths = this.#pageWidths();
    if (widths.length === 1) widths[0] = ONE_COLUMN;
    const all = widths.reduce((sum, each) => sum + each, 0);
    const long = new Map([...this.#lines].filter(([, { v }]) => String(v).length > all));
    for (const cell of long.values()) cell.z = FORMATS.wrapped;
    const rows = this.#heights(widths, long);
    const merges = widths.length === 1 ? [] : [...long.keys()].map((r) => ({ s: { c: 0, r }, e: { c: widths.length - 1, r } }));
    return {
      ...Object.fromEntries(this.#cells),
      '!ref': encode_range({ s: { c: 0, r: 0 }, e: { c: this.#lastColumn, r: Math.max(0, this.row - 1) } }),
      '!cols': widths.map((wch) => ({ wch })),
      ...(rows.length === 0 ? {} : { '!rows': rows }),
      ...(merges.length === 0 ? {} : { '!merges': merges }),
    };
  }
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Returns the sheet column of each table column. A column with second lines takes two. */
function placesOf(columns: readonly Column[]): number[] {
  let next = 0;
  return columns.map(({ second }) => {
    const place = next;
    next += second === null ? 1 : 2;
    return place;
  });
}

/** Returns what the verdict rests on: what is unexplained, and on each side what is stated beyond the lines. Nothing where that is not known. */
function proofsOf(sides: StatementDocument['sides'], unexplained: StatementRow): Proof[] {
  if (unexplained.amount === null) return [];
  const stated = sides.flatMap(({ side, movement }) => {
    const amountOf = (name: string) => movement.find((row) => row.name === name)?.amount ?? null;
    const [said, computed] = [amountOf(`stated_${side}`), amountOf(`computed_${side}`)];
    return said === null || computed === null ? [] : [{ names: [`stated_${side}`, `-computed_${side}`], minor: said - computed }];
  });
  return [{ names: ['unexplained'], minor: unexplained.amount }, ...stated];
}

/** Writes each section of a report on a sheet of its own. */
class SectionSheets {
  readonly sheets: Sheet[] = [];
  readonly references = new Map<Sheets.CellObject, string>();
  #verdict: { readonly cell: Sheets.CellObject | null; readonly text: string; readonly proofs: readonly Proof[] } | null = null;
  readonly #document: Document;
  readonly #formulas: Formulas;
  #sheet: Sheet;
  /** Whether the sheet begins with a list. Only that of the statement does not: its short tables are far below its head. */
  #isList = false;

  constructor(document: Document, formulas: Formulas) {
    this.#document = document;
    this.#formulas = formulas;
    this.#sheet = new Sheet('', document.identity.decimalPlaces);
  }

  #amount(column: number, value: number, isTotal = false): Sheets.CellObject {
    const cell = this.#sheet.amount(column, value, isTotal);
    this.references.set(cell, this.#reference(column));
    return cell;
  }

  #reference(column: number): string {
    return referenceTo(this.#sheet.name, column, this.#sheet.row);
  }

  #figure(column: number, figure: StatementRow, isTotal: boolean): void {
    if (figure.amount === null) this.#sheet.text(column, figure.unknown);
    else this.#formulas.figure(this.#amount(column, figure.amount, isTotal), figure, this.#reference(column));
  }

  #row({ cells, second, named }: Row, columns: readonly Column[], places: readonly number[]): void {
    for (const [index, { kind, second: title }] of columns.entries()) {
      const [place, value] = [places[index] ?? 0, cells[index] ?? null];
      if (typeof value === 'string') this.#sheet.text(place, value, { wraps: true });
      else if (value !== null && kind === 'day') this.#sheet.day(place, value);
      else if (value !== null) {
        const cell = kind === 'count' ? this.#sheet.count(place, value) : this.#amount(place, value);
        const figure = named?.[index] ?? null;
        if (figure?.name?.startsWith('aged_') === true) this.#formulas.aged(cell, figure.name);
        else if (figure !== null) this.#formulas.figure(cell, figure, this.#reference(place));
      }
      if (title !== null) this.#sheet.text(place + 1, second?.[index] ?? '', { wraps: true });
    }
    this.#sheet.row += 1;
  }

  #total({ label, cells }: Total, columns: readonly Column[], places: readonly number[], ranges: readonly Range[]): void {
    const { encode_range } = sheetLibrary().utils;
    if (!cells.some(({ column }) => column === 0)) this.#sheet.text(0, label === '' ? 'Total' : label, { isHeading: true });
    for (const { column, value, adds, name } of cells) {
      const place = places[column] ?? 0;
      const cell = columns[column]?.kind === 'count' ? this.#sheet.count(place, value) : this.#amount(place, value, true);
      if (adds === 'group' || adds === 'table') {
        const added = ranges.map(({ from, to }) => encode_range({ s: { c: place, r: from }, e: { c: place, r: to } }));
        if (added.length > 0) cell.f = `SUM(${added.join(',')})`;
        this.#formulas.name(name, this.#reference(place), true);
      } else this.#formulas.figure(cell, { name, adds }, this.#reference(place));
    }
    this.#sheet.row += 1;
  }

  #table({ title, columns, groups, totals, whenEmpty }: Table): void {
    const places = placesOf(columns);
    if (title !== null) this.#line(title, true);
    if (groups.every(({ rows }) => rows.length === 0)) {
      this.#line(whenEmpty);
      return;
    }
    for (const [index, column] of columns.entries()) {
      const place = places[index] ?? 0;
      this.#sheet.text(place, column.title, { isHeading: true, isOfFigures: column.kind === 'amount' || column.kind === 'count' });
      if (column.second !== null) this.#sheet.text(place + 1, column.second, { isHeading: true });
    }
    this.#sheet.row += 1;
    if (this.#sheet.frozen === 0 && this.#isList) this.#sheet.frozen = this.#sheet.row;
    const all: Range[] = [];
    for (const group of groups) {
      if (group.title !== null) {
        this.#line(
          [group.number, group.title, group.remark === null ? null : `(${group.remark})`].filter((text) => text !== null).join(' '),
          true,
        );
      }
      const from = this.#sheet.row;
      for (const row of group.rows) this.#row(row, columns, places);
      const range = { from, to: this.#sheet.row - 1 };
      if (group.rows.length > 0) all.push(range);
      this.#movement(group, range, places);
      this.#openItems(group, range, columns, places);
      for (const total of group.totals) this.#total(total, columns, places, group.rows.length > 0 ? [range] : []);
    }
    for (const total of totals) this.#total(total, columns, places, all);
  }

  /** Registers the lines of a side, if the group is one. */
  #movement({ rows, totals }: Group, { from, to }: Range, places: readonly number[]): void {
    const total = totals.flatMap(({ cells }) => cells).find(({ name }) => name?.startsWith('movement_') === true);
    if (total === undefined) return;
    const { column, name } = total;
    const place = places[column] ?? 0;
    const last = sheetLibrary().utils.encode_cell({ c: place, r: to });
    const amounts = rows.map(({ cells }) => cells[column]).filter((cell) => typeof cell === 'number');
    this.#formulas.movement((name ?? '').replace('movement_', ''), `${referenceTo(this.#sheet.name, place, from)}:${last}`, amounts);
  }

  /** Registers the open items of a group, if the rows are some. A match among them has no age. */
  #openItems({ rows, totals }: Group, { from, to }: Range, columns: readonly Column[], places: readonly number[]): void {
    const total = totals.flatMap(({ cells }) => cells).find(({ name }) => OPEN_GROUPS.some((each) => each === name));
    const days = columns.findIndex(({ kind }) => kind === 'count');
    if (total === undefined || days === -1) return;
    const rangeOf = (column: number): string =>
      [from, to].map((row) => sheetLibrary().utils.encode_cell({ c: places[column] ?? 0, r: row })).join(':');
    this.#formulas.openItems({
      days: rangeOf(days),
      amounts: rangeOf(total.column),
      isTurned: total.name === 'bank_errors' || total.name === 'book_errors',
      items: rows.flatMap(({ cells }) => {
        const [age, minor] = [cells[days], cells[total.column]];
        return typeof age === 'number' && typeof minor === 'number' ? [{ days: age, minor }] : [];
      }),
    });
  }

  #line(text: string, isHeading = false): void {
    this.#sheet.line(text, isHeading);
    this.#sheet.row += 1;
  }

  #statement({ sides, unexplained, undone, reason, ...verdict }: StatementDocument): void {
    const figure = (row: StatementRow, isTotal: boolean): void => {
      this.#sheet.text(0, rowText(row), { isHeading: isTotal });
      this.#figure(3, row, isTotal);
      this.#sheet.row += 1;
    };
    for (const { title, account, balance, groups, adjusted } of sides) {
      this.#sheet.text(0, title, { isHeading: true });
      this.#sheet.text(1, account, { widens: false });
      this.#sheet.row += 1;
      figure(balance, false);
      for (const group of groups) {
        this.#line(group.label);
        for (const [index, line] of group.lines.entries()) {
          if (line.date !== null) this.#sheet.day(0, present(dayFromIso(line.date), 'date'));
          this.#sheet.text(1, rowText(line));
          this.#sheet.amount(2, line.amount);
          if (index === group.lines.length - 1) this.#figure(3, group, false);
          this.#sheet.row += 1;
        }
      }
      figure(adjusted, true);
      this.#sheet.row += 1;
    }
    const text = verdictText(verdict);
    this.#verdict = { cell: this.#sheet.text(1, text), text, proofs: proofsOf(sides, unexplained) };
    figure({ ...unexplained, note: null }, true);
    for (const said of [undone, reason]) if (said !== null) this.#line(said);
  }

  #block(block: Block): void {
    switch (block.kind) {
      case 'statement':
        this.#statement(block.statement);
        break;
      case 'table':
        this.#table(block);
        break;
      case 'facts':
        for (const { name, value } of block.rows) {
          this.#sheet.text(0, name);
          this.#sheet.text(1, value);
          this.#sheet.row += 1;
        }
        break;
      case 'sentences':
        for (const { lead, text } of block.items) this.#line(lead === null ? text : `${lead} ${text}`);
        break;
      case 'pair':
        for (const each of block.blocks) this.#block(each);
        return;
      case 'signatures':
        for (const { title, name, at } of block.signers) {
          this.#sheet.text(0, title);
          this.#sheet.text(1, name ?? phrase('report.reportWorkbook.nobodyYet'));
          this.#sheet.text(2, at ?? '');
          this.#sheet.row += 1;
        }
    }
    this.#sheet.row += 1;
  }

  /** Writes all formulas, when all sections are there. */
  resolve(): void {
    this.#formulas.resolve((cell) => this.references.get(cell));
    if (this.#verdict !== null) this.#formulas.verdict(this.#verdict.cell, this.#verdict.text, this.#verdict.proofs);
  }

  /** Adds a sheet for the section, and one for each of its tables that has a sheet of its own. */
  add(section: Section): void {
    const { blocks, name } = section;
    const own = blocks.filter((block): block is Table => block.kind === 'table' && block.sheet !== null);
    this.#add(
      section,
      name,
      blocks.filter((block) => !own.some((each) => each === block)),
    );
    for (const block of own) this.#add(section, block.sheet ?? name, [block]);
  }

  /** Each sheet begins with facts about the report. */
  #add({ number, heading, remark }: Section, name: string, blocks: readonly Block[]): void {
    const { identity, warnings } = this.#document;
    this.#isList = number !== null;
    this.#sheet = new Sheet(name, identity.decimalPlaces);
    this.sheets.push(this.#sheet);
    this.#line(number === null ? heading : `${number} ${heading}${remark === null ? '' : `, ${remark}`}`, true);
    if (number === null) {
      for (const [title, value] of identityRows(identity)) {
        this.#sheet.text(0, title);
        this.#sheet.text(1, value, { widens: false });
        this.#sheet.row += 1;
      }
      for (const warning of warnings) this.#line(`Warning: ${warning}`);
    } else {
      const account = identity.accountNumber === null ? identity.account : `${identity.account} ${identity.accountNumber}`;
      const prepared =
        identity.preparedBy === null
          ? phrase('report.reportWorkbook.notPreparedYet')
          : phrase('report.reportWorkbook.preparedBy', { preparedBy: identity.preparedBy });
      this.#line(`${account}, ${identity.sources.join(', ')}, ${identity.days}, ${identity.currency}, ${prepared}, ${identity.state}`);
    }
    this.#sheet.row += 1;
    for (const block of blocks) this.#block(block);
  }
}

/** Programs allow 255 characters in a header or footer, including its fields. */
const LONGEST_LINE = 180;

/** The parts of a workbook file as the library unpacks them. */
interface Parts {
  readonly FullPaths: readonly string[];
  readonly FileIndex: { content: Uint8Array; size: number }[];
}

interface PartsLibrary {
  readonly read: (bytes: Uint8Array, options: { readonly type: 'buffer' }) => Parts;
  readonly write: (parts: Parts, options: { readonly type: 'buffer'; readonly fileType: 'zip'; readonly compression: true }) => Uint8Array;
}

/** Freezes the first rows, which the library cannot do. */
function withPane(xml: string, rows: number): string {
  const pane = `<pane ySplit="${rows}" topLeftCell="A${rows + 1}" activePane="bottomLeft" state="frozen"/>`;
  return rows === 0
    ? xml
    : xml.replace(/<sheetView ([^<>]*)\/>/, (_, attributes: string) => `<sheetView ${attributes}>${pane}</sheetView>`);
}

/** Sets the pages to landscape, one page wide, with facts about the report in header and footer. The library cannot do this. */
function withPages(
  xml: string,
  { account, accountNumber, days, currency, state, preparedBy, sources, fingerprint, contents, notation }: Identity,
): string {
  // `&` begins a field in a header or footer.
  const line = (text: string): string => escaped(text.replaceAll('&', '&&').slice(0, LONGEST_LINE));
  const above = line(
    `${account} ${accountNumber ?? ''}, ${days}, ${currency}, ${preparedBy === null ? phrase('report.reportWorkbook.notPrepared') : phrase('report.reportWorkbook.preparedBy', { preparedBy })}, ${state}`,
  );
  const below = line(`${sources.join(', ')}, fingerprint ${fingerprint}, contents ${contents}`);
  const setup = `<pageSetup paperSize="${PAPERS[notation.paper]}" orientation="landscape" fitToWidth="1" fitToHeight="0"/>`;
  const margins = '<pageMargins left="0.5" right="0.5" top="0.75" bottom="0.75" header="0.3" footer="0.3"/>';
  const lines = `<headerFooter><oddHeader>&amp;L&amp;8 ${above}&amp;R&amp;8 &amp;A</oddHeader><oddFooter>&amp;L&amp;8 ${below}&amp;R&amp;8 Page &amp;P of &amp;N</oddFooter></headerFooter>`;
  return xml
    .replace('<dimension ', '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><dimension ')
    .replace(xml.includes('</mergeCells>') ? '</mergeCells>' : '</sheetData>', (end) => `${end}${margins}${setup}${lines}`);
}

/** Formats that every program knows by their number, so that their codes are not in the file. */
const BUILT_IN: ReadonlyMap<string, string> = new Map([
  ['1', '0'],
  ['3', '#,##0'],
  ['4', '#,##0.00'],
  ['49', '@'],
]);
/** Figures keep away from the text that follows. */
const RIGHT = ' horizontal="right" indent="1"';

/** How the cells of a format look. */
interface Look {
  readonly isBold?: boolean;
  /** Attributes of their alignment beside the top of the row. */
  readonly alignment?: string;
}

/**
 * Makes headings and totals bold, wraps texts, and puts all cells beside a wrapped text at the top of their row. The library writes only one font
 * and no alignment, so the formats of cells get them here.
 */
function withLooks(xml: string, looks: ReadonlyMap<string, Look>): string {
  const codes = new Map([...xml.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"\/>/g)].map(([, id, code]) => [id, code]));
  const start = xml.indexOf('<font>');
  const plain = xml.slice(start, xml.indexOf('</fonts>'));
  const twice = xml.replace(`<fonts count="1">${plain}`, () => `<fonts count="2">${plain}${plain.replace('<font>', '<font><b/>')}`);
  const [head = '', cells = '', tail = ''] = twice.split(/(?=<cellXfs)|(?<=<\/cellXfs>)/);
  const drawn = cells.replaceAll(/<xf numFmtId="(\d+)" fontId="0"([^<>]*)\/>/g, (_, id: string, rest: string) => {
    const { isBold = false, alignment = '' } = looks.get(BUILT_IN.get(id) ?? codes.get(id) ?? '') ?? {};
    const font = isBold ? 'fontId="1" applyFont="1"' : 'fontId="0"';
    return `<xf numFmtId="${id}" ${font}${rest} applyAlignment="1"><alignment vertical="top"${alignment}/></xf>`;
  });
  return head + drawn + tail;
}

function finishedWorkbook(bytes: Uint8Array, sheets: readonly Sheet[], identity: Identity): Uint8Array {
  const library = sheetLibrary().CFB as PartsLibrary;
  const parts = library.read(bytes, { type: 'buffer' });
  const changed = (path: string, change: (xml: string) => string): void => {
    const part = present(parts.FileIndex[parts.FullPaths.findIndex((each) => each.endsWith(path))], path);
    part.content = new TextEncoder().encode(change(new TextDecoder().decode(part.content)));
    part.size = part.content.length;
  };
  for (const [index, sheet] of sheets.entries()) {
    changed(`worksheets/sheet${index + 1}.xml`, (xml) => withPages(withPane(sheet.withTexts(xml), sheet.frozen), identity));
  }
  const looks = new Map<string, Look>([
    [FORMATS.heading, { isBold: true }],
    [FORMATS.figureHeading, { isBold: true, alignment: RIGHT }],
    [FORMATS.count, { alignment: RIGHT }],
    [amountFormat(identity.decimalPlaces, false), { alignment: RIGHT }],
    [FORMATS.wrapped, { alignment: ' wrapText="1"' }],
    [amountFormat(identity.decimalPlaces, true), { isBold: true, alignment: RIGHT }],
    [dayPattern(), { alignment: ' horizontal="left"' }],
  ]);
  changed('/styles.xml', (xml) => withLooks(xml, looks));
  return library.write(parts, { type: 'buffer', fileType: 'zip', compression: true });
}

/** Returns the report as a workbook: a sheet for each section, and totals as formulas over their rows, together with their values. */
export function reportWorkbook(document: Document): Uint8Array {
  const { utils, write } = sheetLibrary();
  const { decimalPlaces } = document.identity;
  const formulas = new Formulas(decimalPlaces);
  const sections = new SectionSheets(document, formulas);
  for (const section of document.sections) sections.add(section);
  sections.resolve();
  const workbook = utils.book_new();
  for (const sheet of sections.sheets) utils.book_append_sheet(workbook, sheet.finished(), sheet.name);
  // The headings of a list repeat on each page of it.
  const titles = sections.sheets.flatMap(({ name, frozen }, index) =>
    frozen === 0 ? [] : [{ Name: '_xlnm.Print_Titles', Ref: `'${name.replaceAll("'", "''")}'!$${frozen}:$${frozen}`, Sheet: index }],
  );
  workbook.Workbook = { Names: titles };
  const bytes = write(workbook, { type: 'buffer', bookType: 'xlsx', bookSST: true, compression: false }) as Uint8Array;
  return finishedWorkbook(bytes, sections.sheets, document.identity);
}
