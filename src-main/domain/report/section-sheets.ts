import type * as Sheets from '@e965/xlsx';
import type { StatementDocument, StatementRow } from '../../../src-shared/contract/index.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { dayFromIso } from '../../../src-shared/values/civil-date.ts';
import { sheetLibrary } from '../statement/workbook/sheet-library.ts';
import type { Block, Column, Document, Row, Section, Table, Total } from './document.ts';
import type { Formulas } from './formulas.ts';
import { identityRows } from './identity-rows.ts';
import { referenceTo, Sheet } from './sheet.ts';
import { rowText, verdictText } from './statement-document.ts';

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

/** Writes each section of a report on a sheet of its own. */
export class SectionSheets {
  readonly sheets: Sheet[] = [];
  readonly references = new Map<Sheets.CellObject, string>();
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
      if (typeof value === 'string') this.#sheet.text(place, value);
      else if (value !== null && kind === 'day') this.#sheet.day(place, value);
      else if (value !== null && kind === 'count') this.#sheet.count(place, value);
      else if (value !== null) {
        const cell = this.#amount(place, value);
        const figure = named?.[index] ?? null;
        if (figure !== null) this.#formulas.figure(cell, figure, this.#reference(place));
      }
      if (title !== null) this.#sheet.text(place + 1, second?.[index] ?? '');
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
      this.#sheet.text(place, column.title, { isHeading: true });
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
      for (const total of group.totals) this.#total(total, columns, places, group.rows.length > 0 ? [range] : []);
    }
    for (const total of totals) this.#total(total, columns, places, all);
  }

  #line(text: string, isHeading = false): void {
    this.#sheet.text(0, text, { isHeading, widens: false });
    this.#sheet.row += 1;
  }

  #statement({ sides, unexplained, ...verdict }: StatementDocument): void {
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
    this.#sheet.text(1, verdictText(verdict));
    figure({ ...unexplained, note: null }, true);
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
          this.#sheet.text(1, name ?? 'nobody yet');
          this.#sheet.text(2, at ?? '');
          this.#sheet.row += 1;
        }
    }
    this.#sheet.row += 1;
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
      const prepared = identity.preparedBy === null ? 'not prepared yet' : `prepared by ${identity.preparedBy}`;
      this.#line(`${account}, ${identity.sources.join(', ')}, ${identity.days}, ${identity.currency}, ${prepared}, ${identity.state}`);
    }
    this.#sheet.row += 1;
    for (const block of blocks) this.#block(block);
  }
}
