import type { ImportPreview, Problem } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';
import { countOf } from './counts.ts';
import { delimiterText } from './words.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

const ENCODINGS: Readonly<Record<string, string>> = {
  'utf-8': say('imports.encodings.utf8'),
  'utf-16le': say('imports.encodings.utf16le'),
  'utf-16be': say('imports.encodings.utf16be'),
  'windows-1252': say('imports.encodings.windows1252'),
  'windows-1250': say('imports.encodings.windows1250'),
  'windows-1251': say('imports.encodings.windows1251'),
  'windows-1253': say('imports.encodings.windows1253'),
  'windows-1254': say('imports.encodings.windows1254'),
  'windows-1255': say('imports.encodings.windows1255'),
  'windows-1256': say('imports.encodings.windows1256'),
  'windows-1257': say('imports.encodings.windows1257'),
  'iso-8859-1': say('imports.encodings.iso88591'),
  'iso-8859-2': say('imports.encodings.iso88592'),
  'iso-8859-15': say('imports.encodings.iso885915'),
  cp437: say('imports.encodings.cp437'),
  cp850: say('imports.encodings.cp850'),
  cp852: say('imports.encodings.cp852'),
  macintosh: say('imports.encodings.macintosh'),
  'koi8-r': say('imports.encodings.koi8R'),
  shift_jis: say('imports.encodings.shiftJis'),
  gb18030: say('imports.encodings.gb18030'),
  big5: say('imports.encodings.big5'),
  'euc-kr': say('imports.encodings.eucKr'),
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
  return words === delimiter ? say('imports.table.theCharacter', { delimiter }) : `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** Returns the delimiters of the select. The one in use is always among them. */
export function delimiterChoices(used: string): Choice[] {
  const usual = [',', ';', '\t', '|', ' '].map((value) => ({ value, label: named(value) }));
  return [...withUsed(usual, used, named), { value: OTHER_DELIMITER, label: say('imports.table.anotherCharacter') }];
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
  return [
    rows === null ? say('imports.table.cannotBeRead') : rows === 0 ? 'empty' : countOf(rows, 'count.rows'),
    ...(isHidden ? ['hidden'] : []),
  ];
}

/** Returns `12 rows understood`, and of several sheets which one. */
export function understoodText(rows: number, sheets: readonly Sheet[]): string {
  const read = sheets.length > 1 ? sheets.find(({ is_read: isRead }) => isRead) : undefined;
  const words = { rows: countOf(rows, 'count.rows') };
  return read === undefined
    ? say('imports.table.understood', words)
    : say('imports.table.understoodInTheSheet', { ...words, name: read.name });
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
    .map(({ row, cells }) => ({ value: String(row), label: say('imports.table.rowWithItsLine', { row, line: lineText(cells) }) }));
  const none = { value: NO_HEADER, label: say('imports.table.noHeader') };
  return [none, ...(used === null ? rows : withUsed(rows, String(used), (row) => say('imports.table.row', { row })))];
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

/** The weight of a problem: its severity, or `broken` for the place where the file's own figures do not hold. */
type ProblemWeight = Problem['severity'] | 'broken';

const BREAKS: ReadonlySet<string> = new Set(['balance_broken', 'control_broken', 'file_cut_off']);
const ORDER: readonly ProblemWeight[] = ['fatal', 'broken', 'rejected', 'note'];

export function weightOf({ severity, code }: Pick<Problem, 'severity' | 'code'>): ProblemWeight {
  return severity === 'note' && BREAKS.has(code) ? 'broken' : severity;
}

/** Returns the most serious problems first. Problems of the same weight keep the order of the file. */
export function gravestFirst(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((left, right) => ORDER.indexOf(weightOf(left)) - ORDER.indexOf(weightOf(right)));
}
