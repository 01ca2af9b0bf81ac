import type * as Sheets from '@e965/xlsx';
import { figureFormula, headingOf, LINKED_TABLES, type LinkedTable } from '../../../src-shared/values/sheet-link.ts';
import { say } from '../../../src-shared/words/say.ts';
import { sheetLibrary } from '../statement/workbook/sheet-library.ts';
import { escaped } from './escape.ts';

/** Cells of the first sheet that its formulas read. */
const LINK_CELL = '$B$2';
const DAY_CELL = '$B$3';
/** Holds the part of an address that names the day; it is empty where no day is given. */
const DAY_QUERY_CELL = '$B$4';
const FIRST_FIGURE = 6;

const FIGURES = [
  { path: 'open', measure: 'read_at', words: () => say('close.linked.readAt') },
  { path: 'open', measure: 'count', words: () => say('close.linked.openItems') },
  { path: 'open', measure: 'net', words: () => say('close.linked.openNet') },
  { path: 'open', measure: 'receipts', words: () => say('close.linked.openReceipts') },
  { path: 'open', measure: 'payments', words: () => say('close.linked.openPayments') },
  { path: 'matched', measure: 'percent', words: () => say('close.linked.matched') },
  { path: 'balances', measure: 'bank', words: () => say('close.linked.bank') },
  { path: 'balances', measure: 'books', words: () => say('close.linked.books') },
  { path: 'balances', measure: 'adjusted_bank', words: () => say('close.linked.adjustedBank') },
  { path: 'balances', measure: 'adjusted_books', words: () => say('close.linked.adjustedBooks') },
  { path: 'balances', measure: 'unexplained', words: () => say('close.linked.unexplained') },
  { path: 'balances', measure: 'verdict', words: () => say('close.linked.verdict') },
] as const;

/** The row of a table sheet where its headings stand, below the time and a hint. */
const HEADING_ROW = 4;

interface PartsLibrary {
  read: (bytes: Uint8Array, options: { type: 'buffer' }) => Parts;
  write: (parts: Parts, options: { type: 'buffer'; fileType: 'zip'; compression: true }) => Uint8Array;
  utils: { cfb_add: (parts: Parts, name: string, content: Uint8Array) => void };
}

interface Parts {
  readonly FullPaths: string[];
  readonly FileIndex: { content: Uint8Array; size: number }[];
}

const formulaCell = (f: string, z?: string): Sheets.CellObject => ({ t: 's', f, v: '', ...(z === undefined ? {} : { z }) });
const textCell = (v: string): Sheets.CellObject => ({ t: 's', v });

/** Returns a formula as the file has it: functions that came after the format was made have a prefix there, and there is no equals sign. */
function inFile(formula: string): string {
  return formula.replace(/^=/, '').replaceAll(/\b(WEBSERVICE|NUMBERVALUE)\(/g, '_xlfn.$1(');
}

function figureSheet(reconciliation: string, link: string): Sheets.WorkSheet {
  const { utils } = sheetLibrary();
  const sheet = utils.aoa_to_sheet([]);
  const put = (cell: string, content: Sheets.CellObject): void => void (sheet[cell] = content);
  put('A1', textCell(say('close.linked.title', { reconciliation })));
  put('A2', textCell(say('close.linked.link')));
  put('B2', textCell(link));
  put('A3', textCell(say('close.linked.asOf')));
  put('B3', { t: 'z', z: 'yyyy-mm-dd' });
  put('C3', textCell(say('close.linked.asOfHint')));
  const part = (name: string): string => `RIGHT("0"&${name}(${DAY_CELL}),2)`;
  put('B4', formulaCell(`IF(${DAY_CELL}="","","&as_of="&YEAR(${DAY_CELL})&"-"&${part('MONTH')}&"-"&${part('DAY')})`));
  put('A4', textCell(say('close.linked.inAddress')));
  for (const [index, { path, measure, words }] of FIGURES.entries()) {
    const row = FIRST_FIGURE + index;
    const isAmount = measure !== 'read_at' && measure !== 'count' && measure !== 'verdict';
    put(`A${row}`, textCell(words()));
    const address = `${LINK_CELL}&"/${path}?measure=${measure}"&${DAY_QUERY_CELL}`;
    put(`B${row}`, formulaCell(inFile(figureFormula(address)), isAmount ? '#,##0.00' : 'General'));
  }
  put(`A${FIRST_FIGURE + FIGURES.length + 1}`, textCell(say('close.linked.howToRefresh')));
  sheet['!ref'] = `A1:C${FIRST_FIGURE + FIGURES.length + 1}`;
  sheet['!cols'] = [{ wch: 30 }, { wch: 34 }, { wch: 40 }];
  return sheet;
}

function tableSheet({ columns }: LinkedTable, figures: string): Sheets.WorkSheet {
  const { utils } = sheetLibrary();
  const shown = columns.filter(({ isShown }) => isShown);
  const sheet = utils.aoa_to_sheet([[], [say('close.linked.tableHint')], [], shown.map(headingOf)]);
  sheet['A1'] = textCell(say('close.linked.readAt'));
  sheet['B1'] = formulaCell(`'${figures}'!$B$${FIRST_FIGURE}`);
  sheet['!ref'] = utils.encode_range({ s: { r: 0, c: 0 }, e: { r: HEADING_ROW - 1, c: shown.length - 1 } });
  sheet['!cols'] = shown.map(({ kind, field }) => ({ wch: field === 'description' || field === 'label' ? 36 : kind === 'text' ? 18 : 14 }));
  return sheet;
}

const FIELD_TYPES = { text: 'text', day: 'YMD', amount: 'general', number: 'general' } as const;
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const queryName = ({ path }: LinkedTable): string => `tieout_${path}`;

/** Returns the connections of the tables: each reads CSV from behind the link when the workbook is opened, and keeps no row in the file. */
function connectionsXml(link: string): string {
  const each = LINKED_TABLES.map((table, index) => {
    const fields = table.columns.map(({ kind, isShown }) => `<textField type="${isShown ? FIELD_TYPES[kind] : 'skip'}"/>`).join('');
    const source = escaped(`${link}/${table.path}?format=csv`);
    // The first row of the CSV has the names of its fields; the sheet has headings of its own.
    return `<connection id="${index + 1}" name="${queryName(table)}" type="6" refreshedVersion="6" background="0" refreshOnLoad="1" saveData="0"><textPr prompt="0" codePage="65001" firstRow="2" sourceFile="${source}" decimal="." thousands=" " tab="0" comma="1"><textFields count="${table.columns.length}">${fields}</textFields></textPr></connection>`;
  });
  return `${HEAD}<connections xmlns="${MAIN}">${each.join('')}</connections>`;
}

function queryTableXml(table: LinkedTable, index: number): string {
  return `${HEAD}<queryTable xmlns="${MAIN}" name="${queryName(table)}" headers="0" removeDataOnSave="1" refreshOnLoad="1" adjustColumnWidth="0" connectionId="${index + 1}" autoFormatId="16" applyNumberFormats="0" applyBorderFormats="0" applyFontFormats="0" applyPatternFormats="0" applyAlignmentFormats="0" applyWidthHeightFormats="0"/>`;
}

/** Adds the connections and the query of each table to a workbook whose first sheet has the figures. */
function withConnections(bytes: Uint8Array, link: string): Uint8Array {
  const library = sheetLibrary().CFB as unknown as PartsLibrary;
  const parts = library.read(bytes, { type: 'buffer' });
  const place = (name: string): number => parts.FullPaths.findIndex((each) => each.endsWith(name));
  const add = (name: string, xml: string): void => library.utils.cfb_add(parts, name, new TextEncoder().encode(xml));
  const changed = (name: string, change: (xml: string) => string): void => {
    const part = parts.FileIndex[place(name)];
    if (part === undefined) throw new Error(`${name} is missing in the workbook`);
    part.content = new TextEncoder().encode(change(new TextDecoder().decode(part.content)));
    part.size = part.content.length;
  };
  add('/xl/connections.xml', connectionsXml(link));
  const overrides = [`<Override PartName="/xl/connections.xml" ContentType="${TYPES}.connections+xml"/>`];
  for (const [index, table] of LINKED_TABLES.entries()) {
    add(`/xl/queryTables/queryTable${index + 1}.xml`, queryTableXml(table, index));
    overrides.push(`<Override PartName="/xl/queryTables/queryTable${index + 1}.xml" ContentType="${TYPES}.queryTable+xml"/>`);
    const relation = `<Relationship Id="rId1" Type="${RELATIONS}/queryTable" Target="../queryTables/queryTable${index + 1}.xml"/>`;
    add(
      `/xl/worksheets/_rels/sheet${index + 2}.xml.rels`,
      `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${relation}</Relationships>`,
    );
  }
  changed('[Content_Types].xml', (xml) => xml.replace('</Types>', `${overrides.join('')}</Types>`));
  changed('xl/_rels/workbook.xml.rels', (xml) =>
    xml.replace(
      '</Relationships>',
      `<Relationship Id="rIdConnections" Type="${RELATIONS}/connections" Target="connections.xml"/></Relationships>`,
    ),
  );
  // No result is in the file, so a program calculates all formulas when it opens it.
  changed('xl/workbook.xml', (xml) => xml.replace('</workbook>', '<calcPr calcId="0" fullCalcOnLoad="1"/></workbook>'));
  for (const index of [0, ...LINKED_TABLES.keys()].keys()) {
    changed(`xl/worksheets/sheet${index + 1}.xml`, (xml) =>
      xml.replaceAll(/ t="s"><f>([^<]*)<\/f>(?:<v>[^<]*<\/v>|<v\/>)?/g, '><f>$1</f>'),
    );
  }
  return library.write(parts, { type: 'buffer', fileType: 'zip', compression: true });
}

/**
 * Returns a workbook that reads a reconciliation by its sheet link: figures by formulas, and a sheet for each table, which Excel fills when it opens
 * the workbook. It holds no figure itself.
 */
export function linkWorkbook(reconciliation: string, link: string): Uint8Array {
  const { utils, write } = sheetLibrary();
  const workbook = utils.book_new();
  const figures = say('close.linked.sheetFigures');
  utils.book_append_sheet(workbook, figureSheet(reconciliation, link), figures);
  const names: Sheets.DefinedName[] = [];
  for (const [index, table] of LINKED_TABLES.entries()) {
    const name = say(table.words);
    utils.book_append_sheet(workbook, tableSheet(table, figures), name);
    const last = utils.encode_col(table.columns.filter(({ isShown }) => isShown).length - 1);
    const rows = `$${HEADING_ROW + 1}`;
    names.push({ Name: queryName(table), Ref: `'${name}'!$A${rows}:$${last}${rows}`, Sheet: index + 1 });
  }
  workbook.Workbook = { Names: names };
  return withConnections(write(workbook, { type: 'buffer', bookType: 'xlsx', bookSST: true, compression: false }) as Uint8Array, link);
}
