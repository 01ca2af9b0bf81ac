import sax from 'sax';
import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { phrase } from '../../../../src-shared/words/say.ts';
import { CellRoom, tooManyCells } from '../archive/unpacked-size.ts';
import type { GridRow } from '../model/grid-row.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import { unreadable } from '../model/problems.ts';
import type { Unreadable } from '../model/statement.ts';
import { faultOf } from '../text/grid.ts';
import { numberText, type Sheet, textOfCell, type Workbook } from './workbook.ts';

/** An element of an XML document, without its namespace prefix. */
export interface XmlElement {
  readonly name: string;
  /** Line of the text where the element begins, from 1. */
  readonly row: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly XmlElement[];
}

interface Building {
  readonly name: string;
  readonly row: number;
  readonly attributes: Record<string, string>;
  text: string;
  readonly children: XmlElement[];
}

const MAX_DEPTH = 100;

/**
 * Reads an XML document element by element. `take` gets each element when it ends and returns whether its parent keeps it, so that a long statement
 * is never in memory as a whole. A document type is refused; nothing outside is fetched and no entity resolved.
 */
export function readXml(text: string, take: (element: XmlElement, parent: string) => boolean): Result<XmlElement, Unreadable> {
  const parser = sax.parser(true, { position: true });
  const root: Building = { name: '', row: 1, attributes: {}, text: '', children: [] };
  const open: Building[] = [root];
  const refusals: Unreadable[] = [];
  const row = (): number => parser.line + 1;
  const refuse = (message: string): void => void refusals.push(unreadable('unreadable_xml', message, row()));
  const addText = (piece: string): void => {
    const current = open.at(-1);
    if (current !== undefined) current.text += piece;
  };
  const handlers: Partial<sax.SAXParser> = {
    onerror: (error) => {
      const reason = error.message.split('\n')[0] ?? '';
      refuse(phrase('statement.xml.xmlIsBrokenInLine', { row: row(), reason: reason.replace(/\.$/, '') }));
    },
    ondoctype: () => refuse(declaresType(row())),
    onopentag: ({ name, attributes }) => {
      if (open.length > MAX_DEPTH) refuse(phrase('statement.xml.xmlIsNestedMoreThanDeep', { maxDepth: MAX_DEPTH, row: row() }));
      else open.push({ name: localName(name), row: row(), attributes: localAttributes(attributes), text: '', children: [] });
    },
    ontext: addText,
    oncdata: addText,
    onclosetag: () => {
      const element = open.length > 1 ? open.pop() : undefined;
      const parent = open.at(-1);
      if (element !== undefined && parent !== undefined && take(element, parent.name)) parent.children.push(element);
    },
  };
  Object.assign(parser, handlers);
  const strange = strangeMark(text);
  if (strange !== null) return failed(strange);
  const step = 64 * 1024;
  for (let at = 0; at < text.length && refusals.length === 0; at += step) parser.write(text.slice(at, at + step));
  if (refusals.length === 0) parser.close();
  const [refusal] = refusals;
  return refusal === undefined ? success(root) : failed(refusal);
}

/**
 * Returns the fault of a `<!` that begins neither a comment nor CDATA, or has no end. No statement needs one, and the parser gets slow over the text
 * after it.
 */
function strangeMark(text: string): Unreadable | null {
  for (let at = text.indexOf('<!'); at >= 0; at = text.indexOf('<!', at)) {
    const end = text.startsWith('<!--', at) ? '-->' : text.startsWith('<![CDATA[', at) ? ']]>' : null;
    const ends = end === null ? -1 : text.indexOf(end, at + 4);
    if (end === null || ends < 0) return markFault(text, at, end);
    at = ends;
  }
  return null;
}

function markFault(text: string, at: number, end: string | null): Unreadable {
  const row = text.slice(0, at).split('\n').length;
  if (/^<!doctype/i.test(text.slice(at, at + 9))) return unreadable('unreadable_xml', declaresType(row), row);
  const reason = end === null ? phrase('statement.xml.noMarkBeginsWithButComments') : phrase('statement.xml.aCommentHasNoEnd', { end });
  return unreadable('unreadable_xml', phrase('statement.xml.xmlIsBrokenInLine', { row, reason }), row);
}

function declaresType(row: number): string {
  return phrase('statement.xml.theXmlDeclaresADocument', { row });
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function localAttributes(attributes: Readonly<Record<string, string | sax.QualifiedAttribute>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [localName(name), typeof value === 'string' ? value : value.value]),
  );
}

/** Returns the first element at a path of names. */
export function at(element: XmlElement | undefined, ...names: readonly string[]): XmlElement | undefined {
  let current = element;
  for (const name of names) current = current?.children.find((child) => child.name === name);
  return current;
}

/** Returns the text of the element at a path; null where it is missing or empty. */
export function textAt(element: XmlElement | undefined, ...names: readonly string[]): string | null {
  const text = at(element, ...names)?.text.trim() ?? '';
  return text === '' ? null : text;
}

/** Returns all children with a name. */
export function childrenOf(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

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
