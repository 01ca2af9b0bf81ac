import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { faultOf } from '../text/grid.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import type { Unreadable } from '../model/statement.ts';
import { CellRoom, tooManyCells } from '../archive/unpacked-size.ts';
import type { GridRow } from '../model/grid-row.ts';
import { readXml, type XmlElement } from './xml.ts';
import { numberText, type Sheet, textOfCell, type Workbook } from './workbook.ts';

const WORKBOOK = /<(?:\w+:)?Workbook\b[^>]*/;
const NAMESPACE = 'urn:schemas-microsoft-com:office:spreadsheet';

/** Whether a text is a workbook in the XML of Excel 2003, which banks name .xls. */
export function looksLikeXmlWorkbook(text: string): boolean {
  return /^\s*</.test(text) && WORKBOOK.exec(text.slice(0, 4_096))?.[0].includes(NAMESPACE) === true;
}

/** Reads a workbook in the XML of Excel 2003 sheet by sheet. Formulas are not calculated, and styles are ignored. */
export function readXmlWorkbook(text: string): Result<Workbook, Unreadable> {
  const sheets: Sheet[] = [];
  const faults: Unreadable[] = [];
  let rows: GridRow[] = [];
  let last = 0;
  const room = new CellRoom();
  const read = readXml(text, (element, parent) => {
    if (faults.length > 0) return false;
    if (element.name === 'Row' && parent === 'Table') {
      last = indexOf(element) ?? last + 1;
      const cells = cellsOf(element);
      const fault = faultOf(cells, last) ?? (room.takes(cells.length) ? null : tooManyCells());
      if (fault !== null) faults.push(fault);
      else if (cells.length > 0) rows.push({ row: last, cells });
      return false;
    }
    if (element.name !== 'Worksheet') return true;
    sheets.push({ name: element.attributes['Name'] ?? `Sheet ${sheets.length + 1}`, rows, isHidden: isHidden(element) });
    rows = [];
    last = 0;
    return false;
  });
  if (!read.ok) return read;
  const [fault] = faults;
  return fault === undefined ? success({ format: 'xls', sheets }) : failed(fault);
}

/** Returns the place of a row or cell, from 1, where it does not follow the previous one; else null. */
function indexOf({ attributes }: XmlElement): number | null {
  const index = Number(attributes['Index'] ?? '');
  return Number.isSafeInteger(index) && index > 0 ? index : null;
}

function cellsOf(row: XmlElement): readonly string[] {
  const cells: string[] = [];
  let next = 0;
  for (const cell of row.children) {
    if (cell.name !== 'Cell') continue;
    const at = (indexOf(cell) ?? next + 1) - 1;
    const merged = Number(cell.attributes['MergeAcross'] ?? 0) || 0;
    // A cell beyond the limit makes a row that is over it, without filling all cells before it.
    if (at > STATEMENT_LIMITS.columns) return Array.from({ length: STATEMENT_LIMITS.columns + 1 }, () => '');
    while (cells.length < at) cells.push('');
    cells[at] = textOf(cell.children.find(({ name }) => name === 'Data'));
    next = at + 1 + Math.min(merged, STATEMENT_LIMITS.columns);
  }
  while (cells.at(-1) === '') cells.pop();
  return cells;
}

function textOf(data: XmlElement | undefined): string {
  if (data === undefined) return '';
  const text = wholeText(data).trim();
  switch (data.attributes['Type']) {
    case 'Number':
      return text === '' || Number.isNaN(Number(text)) ? text : numberText(Number(text));
    case 'DateTime':
      return text.replace(/T00:00(?::00(?:\.0+)?)?$/, '').replace(/^([^T]*)T(\d{2}:\d{2}).*$/, '$1 $2');
    default:
      return textOfCell(text);
  }
}

/** Returns the text of an element with that of its children, because parts of a cell may have a format of their own. */
function wholeText({ text, children }: XmlElement): string {
  return text + children.map(wholeText).join('');
}

function isHidden(sheet: XmlElement): boolean {
  const options = sheet.children.find(({ name }) => name === 'WorksheetOptions');
  return /hidden/i.test(options?.children.find(({ name }) => name === 'Visible')?.text ?? '');
}
