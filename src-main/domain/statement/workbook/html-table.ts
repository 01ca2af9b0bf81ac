import { Parser } from 'htmlparser2';
import { isDataRow } from '../cells/dates.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';

const BEGINS = /^\s*(?:<!doctype html|<!--|<html|<head|<meta|<body|<table|<div|<style)/i;
/** Most empty cells that column and row spans may add; a page with more of them is no statement. */
const MOST_PADDED = 2_000_000;
/** Characters that the parser gets at once; it copies this much of a page. */
const AT_ONCE = 64 * 1024;
/** Deepest nesting of elements. No real page has so much, and each level makes the parser slower. */
const MOST_NESTED = 20_000;

/** Whether a text begins as a web page does. */
export function beginsAsHtml(text: string): boolean {
  return BEGINS.test(text.slice(0, 1_000));
}

/**
 * Returns the rows of all tables of a web page, because banks name such pages `.xls`. `row` counts from 1 over all tables. Null where no row holds a
 * date and an amount, or elements are nested too deep.
 */
export function htmlRows(text: string): readonly GridRow[] | null {
  if (!beginsAsHtml(text)) return null;
  const rows = new TableRows();
  // The parser reports text inside of script and style, which belongs to no cell.
  const hidden: string[] = [];
  let [depth, isTooDeep] = [0, false];
  const parser = new Parser({
    onopentag: (name, { colspan, rowspan }) => {
      depth += 1;
      if (depth > MOST_NESTED) isTooDeep = true;
      if (HIDDEN.has(name)) hidden.push(name);
      rows.begin(name, { columns: spanOf(colspan), rows: spanOf(rowspan) });
    },
    onclosetag: (name, isImplied) => {
      depth -= 1;
      if (hidden.at(-1) === name) hidden.pop();
      else if (!isImplied) rows.end(name);
    },
    ontext: (some) => {
      if (hidden.length === 0) rows.addText(some);
    },
  });
  for (let at = 0; at < text.length; at += AT_ONCE) {
    parser.write(text.slice(at, at + AT_ONCE));
    if (isTooDeep) return null;
  }
  parser.end();
  if (isTooDeep) return null;
  const found = rows.all();
  return found.some(({ cells }) => isDataRow(cells)) ? found : null;
}

/** Elements without visible text. */
const HIDDEN: ReadonlySet<string> = new Set(['script', 'style']);

interface Span {
  readonly columns: number;
  readonly rows: number;
}

/** Elements that separate words. */
const PARTS: ReadonlySet<string> = new Set(['br', 'p', 'div']);

class TableRows {
  readonly #rows: GridRow[] = [];
  #cells: string[] | null = null;
  #text: string | null = null;
  #span: Span = { columns: 1, rows: 1 };
  /** Number of rows that a cell of an earlier row still covers, by column. */
  #covered: number[] = [];
  #padded = 0;

  addText(text: string): void {
    if (this.#text !== null) this.#text += text;
  }

  begin(name: string, span: Span): void {
    if (name === 'tr' || name === 'table') {
      this.end(name);
      if (name === 'tr') this.#cells = [];
    } else if (name === 'td' || name === 'th') {
      this.#endCell();
      this.#cells ??= [];
      this.#skipCovered(this.#cells);
      this.#text = '';
      this.#span = span;
    } else if (PARTS.has(name)) this.addText(' ');
  }

  end(name: string): void {
    if (name === 'tr' || name === 'table') {
      this.#endRow();
      if (name === 'table') this.#covered = [];
    } else if (name === 'td' || name === 'th') this.#endCell();
    else if (PARTS.has(name)) this.addText(' ');
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
    const text = this.#text.replaceAll(/\s+/g, ' ').trim();
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

  all(): readonly GridRow[] {
    this.#endRow();
    return this.#rows;
  }
}

function spanOf(attribute: string | undefined): number {
  const said = Number(/^\s*(\d{1,4})/.exec(attribute ?? '')?.[1] ?? 1);
  return Math.min(Math.max(said, 1), STATEMENT_LIMITS.columns);
}
