import type { ImportPreview } from '../../src-shared/contract/index.ts';
import { counted } from './counts.ts';
import { delimiterText } from './words.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

const ENCODINGS: Readonly<Record<string, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16, little end first',
  'utf-16be': 'UTF-16, big end first',
  'windows-1252': 'Windows 1252 (Western Europe)',
  'windows-1250': 'Windows 1250 (Central Europe)',
  'windows-1251': 'Windows 1251 (Cyrillic)',
  'windows-1253': 'Windows 1253 (Greek)',
  'windows-1254': 'Windows 1254 (Turkish)',
  'windows-1255': 'Windows 1255 (Hebrew)',
  'windows-1256': 'Windows 1256 (Arabic)',
  'windows-1257': 'Windows 1257 (Baltic)',
  'iso-8859-1': 'ISO 8859-1 (Western Europe)',
  'iso-8859-2': 'ISO 8859-2 (Central Europe)',
  'iso-8859-15': 'ISO 8859-15 (Western Europe, with €)',
  cp437: 'DOS 437 (United States)',
  cp850: 'DOS 850 (Western Europe)',
  cp852: 'DOS 852 (Central Europe)',
  macintosh: 'Macintosh (Western Europe)',
  'koi8-r': 'KOI8-R (Russian)',
  shift_jis: 'Shift JIS (Japanese)',
  gb18030: 'GB 18030 (Chinese)',
  big5: 'Big5 (Chinese)',
  'euc-kr': 'EUC-KR (Korean)',
};

export function encodingText(encoding: string): string {
  return ENCODINGS[encoding.toLowerCase()] ?? encoding;
}

/** Returns the encodings of the select. The one in use is always among them. */
export function encodingChoices(used: string): Choice[] {
  return withUsed(
    Object.entries(ENCODINGS).map(([value, label]) => ({ value, label })),
    used,
    encodingText,
  );
}

/** Value of the select for a delimiter that the user types. */
export const OTHER_DELIMITER = 'other';

function named(delimiter: string): string {
  const words = delimiterText(delimiter);
  return words === delimiter ? `The character ${delimiter}` : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** Returns the delimiters of the select. The one in use is always among them. */
export function delimiterChoices(used: string): Choice[] {
  const usual = [',', ';', '\t', '|', ' '].map((value) => ({ value, label: named(value) }));
  return [...withUsed(usual, used, named), { value: OTHER_DELIMITER, label: 'Another character' }];
}

type Sheet = ImportPreview['sheets'][number];

/** Returns the sheets of a workbook for a select, by index. A sheet without filled cells is disabled. */
export function sheetChoices(sheets: readonly Sheet[]): (Choice & { readonly disabled: boolean })[] {
  return sheets.map((sheet, place) => ({
    value: String(place),
    label: `${sheet.name} (${sheetFacts(sheet).join(', ')})`,
    disabled: (sheet.rows ?? 0) === 0,
  }));
}

/** Returns facts about a sheet: `12 rows`, `hidden`. */
function sheetFacts({ rows, is_hidden: isHidden }: Sheet): string[] {
  return [rows === null ? 'cannot be read' : rows === 0 ? 'empty' : counted(rows, 'row'), ...(isHidden ? ['hidden'] : [])];
}

/** Returns which of several sheets was read; empty for a single sheet. */
export function sheetWords(sheets: readonly Sheet[]): string {
  const read = sheets.length > 1 ? sheets.find(({ is_read: isRead }) => isRead) : undefined;
  return read === undefined ? '' : ` in the sheet “${read.name}”`;
}

export function sheetsText(sheets: readonly Sheet[]): string {
  return sheets.map((sheet) => `${sheet.name} (${[...(sheet.is_read ? ['read'] : []), ...sheetFacts(sheet)].join(', ')})`).join(' · ');
}

/** Value of the select for a file without a header. */
export const NO_HEADER = 'none';
const LINE_CHARACTERS = 70;

/** Returns the rows that can be the header, each with its first cells. */
export function headerChoices(head: readonly { readonly row: number; readonly cells: readonly string[] }[], used: number | null): Choice[] {
  const rows = head
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .map(({ row, cells }) => ({ value: String(row), label: `Row ${row}: ${lineText(cells)}` }));
  const none = { value: NO_HEADER, label: 'No header' };
  return [none, ...(used === null ? rows : withUsed(rows, String(used), (row) => `Row ${row}`))];
}

/** Returns a row of cells on one line, shortened. */
function lineText(cells: readonly string[]): string {
  const text = cells.filter((cell) => cell !== '').join(' · ');
  return text.length > LINE_CHARACTERS ? `${text.slice(0, LINE_CHARACTERS - 1)}…` : text;
}

function withUsed(choices: readonly Choice[], used: string, labelOf: (value: string) => string): Choice[] {
  const isThere = used === '' || choices.some(({ value }) => value === used);
  return isThere ? [...choices] : [...choices, { value: used, label: labelOf(used) }];
}
