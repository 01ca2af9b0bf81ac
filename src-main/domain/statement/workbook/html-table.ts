import { isDataRow } from '../cells/data-row.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';

const BEGINS = /^\s*(?:<!doctype html|<!--|<html|<head|<meta|<body|<table|<div|<style)/i;
const NAMED: Readonly<Record<string, string>> = {
  nbsp: ' ',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  euro: '€',
  pound: '£',
  yen: '¥',
  szlig: 'ß',
};
const MARKS: Readonly<Record<string, string>> = {
  grave: '\u0300',
  acute: '\u0301',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  ring: '\u030a',
  caron: '\u030c',
  cedil: '\u0327',
};
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z])(grave|acute|circ|tilde|uml|ring|caron|cedil)|([a-z]{2,8}));/gi;
const LAST_CODE_POINT = 0x10_ff_ff;
/** Ends of the parts of a page that are no text, by the name of the part. */
const HIDDEN: ReadonlyMap<string, RegExp> = new Map([
  ['script', /<\/script/gi],
  ['style', /<\/style/gi],
]);
const COLUMN_SPAN = /colspan\s*=\s*["']?(\d{1,4})/i;
const ROW_SPAN = /rowspan\s*=\s*["']?(\d{1,4})/i;
/** Cells that are there only since another one covers them; beyond, a page says more than it holds. */
const MOST_PADDED = 2_000_000;
const NAME = /^\/?([a-z][a-z\d]*)/i;

/** Whether a text begins as a web page does. */
export function beginsAsHtml(text: string): boolean {
  return BEGINS.test(text.slice(0, 1_000));
}

/** The rows of the tables of a web page, for banks name such pages `.xls`; null where none of them holds a date and an amount. `row`: from 1 over all tables. */
export function htmlRows(text: string): readonly GridRow[] | null {
  if (!beginsAsHtml(text)) return null;
  const rows = new TableRows();
  for (let at = 0; at < text.length;) {
    const open = text.indexOf('<', at);
    rows.addText(text.slice(at, open < 0 ? text.length : open));
    if (open < 0) break;
    const isComment = text.startsWith('<!--', open);
    const close = text.indexOf(isComment ? '-->' : '>', open);
    if (close < 0) break;
    at = close + (isComment ? 3 : 1);
    const tag = isComment ? '' : text.slice(open + 1, close);
    const name = NAME.exec(tag)?.[1]?.toLowerCase() ?? '';
    const hidden = tag.startsWith('/') ? undefined : HIDDEN.get(name);
    if (hidden === undefined) rows.addTag(name, tag);
    else at = endOf(text, hidden, at);
  }
  const found = rows.end();
  return found.some(({ cells }) => isDataRow(cells)) ? found : null;
}

function endOf(text: string, end: RegExp, from: number): number {
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}

class TableRows {
  readonly #rows: GridRow[] = [];
  #cells: string[] | null = null;
  #text: string | null = null;
  #span = { columns: 1, rows: 1 };
  /** Rows that a cell of an earlier row still covers, by column. */
  #covered: number[] = [];
  #padded = 0;

  addText(text: string): void {
    if (this.#text !== null) this.#text += text;
  }

  addTag(name: string, tag: string): void {
    const isEnd = tag.startsWith('/');
    if (name === 'tr' || name === 'table') {
      this.#endRow();
      if (name === 'table') this.#covered = [];
      else if (!isEnd) this.#cells = [];
    } else if (name === 'td' || name === 'th') {
      this.#endCell();
      if (!isEnd) this.#beginCell(tag);
    } else if (name === 'br' || name === 'p' || name === 'div') this.addText(' ');
  }

  #beginCell(tag: string): void {
    this.#cells ??= [];
    this.#skipCovered(this.#cells);
    this.#text = '';
    this.#span = { columns: spanOf(tag, COLUMN_SPAN), rows: spanOf(tag, ROW_SPAN) };
  }

  #skipCovered(cells: string[]): void {
    while ((this.#covered[cells.length] ?? 0) > 0 && this.#mayPad()) {
      this.#covered[cells.length] = (this.#covered[cells.length] ?? 0) - 1;
      cells.push('');
    }
  }

  #mayPad(): boolean {
    this.#padded += 1;
    return this.#padded <= MOST_PADDED;
  }

  #endCell(): void {
    if (this.#text === null || this.#cells === null) return;
    const text = plainText(this.#text);
    for (let column = 0; column < this.#span.columns && this.#cells.length < STATEMENT_LIMITS.columns; column += 1) {
      if (column > 0 && !this.#mayPad()) break;
      if (this.#span.rows > 1) this.#covered[this.#cells.length] = this.#span.rows - 1;
      this.#cells.push(column === 0 ? text : '');
    }
    this.#text = null;
  }

  #endRow(): void {
    this.#endCell();
    if (this.#cells !== null) {
      this.#skipCovered(this.#cells);
      this.#rows.push({ row: this.#rows.length + 1, cells: this.#cells });
    }
    this.#cells = null;
  }

  end(): readonly GridRow[] {
    this.#endRow();
    return this.#rows;
  }
}

function spanOf(tag: string, attribute: RegExp): number {
  const found = attribute.exec(tag)?.[1];
  return Math.min(Math.max(Number(found ?? 1), 1), STATEMENT_LIMITS.columns);
}

function plainText(html: string): string {
  return html.replaceAll(ENTITY, entityText).replaceAll(/\s+/g, ' ').trim();
}

function entityText(whole: string, decimal?: string, hex?: string, letter?: string, mark?: string, name?: string): string {
  if (letter !== undefined && mark !== undefined) return `${letter}${MARKS[mark.toLowerCase()] ?? ''}`.normalize('NFC');
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
  return code > 0 && code <= LAST_CODE_POINT ? String.fromCodePoint(code) : whole;
}
