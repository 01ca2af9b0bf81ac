import iconv from 'iconv-lite';
import type { Problem } from '../../../src-shared/contract/index.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { unpackedLimit } from './archive/unpacked-size.ts';
import { recognised } from './columns/recipe.ts';
import type { PdfFault, PdfText } from './formats/pdf/pages.ts';
import { wordsOfFault } from './formats/pdf/read-pdf.ts';
import { isOfFormat, readFormat, readPdfStatement } from './formats/read-format.ts';
import type { GridRow } from './model/grid-row.ts';
import { STATEMENT_LIMITS } from './model/limits.ts';
import { cancelled, note, quoted, unreadable } from './model/problems.ts';
import type { ReadControl, ReadOptions } from './model/read-options.ts';
import type { RowSource } from './model/row-source.ts';
import type { BuiltLine, Statement, Unreadable } from './model/statement.ts';
import { heldRows, type OpenStatement, openTable, readTable } from './passes/read-table.ts';
import { type LineTaker, LISTED_LINES } from './passes/speculative-lines.ts';
import { chooseSheet } from './table/choose-sheet.ts';
import { findDelimiter, NUL, nulAt, readGrid, RowSplitter, sampleRows, unifyLineEnds } from './text/grid.ts';
import { meaningsOf } from './vocabulary/header-words.ts';
import { beginsAsHtml, beginsAsWorkbook, htmlRows, looksLikeWorkbook, readWorkbook, type Workbook } from './workbook/workbook.ts';
import { looksLikeXmlWorkbook, readXmlWorkbook } from './workbook/xml.ts';

/** Share of the progress that splitting a text into cells takes. */
const GRID_SHARE = 0.5;
/** Bytes at the beginning of a file that are searched for the layout of a recipe. */
const HEAD_BYTES = 64 * 1024;
/** Least bytes per millisecond that a slow, busy machine reads. It bounds a step that cannot report progress. */
const SLOWEST_BYTES_PER_MS = 500;

/** Reads a statement or ledger from a file's bytes. The content decides on the format, never the name. */
export function readStatement(bytes: Uint8Array, options: ReadOptions, control: ReadControl): Result<Statement, Unreadable> {
  return withProblems(readAny(bytes, options, control), yearNotUsed(options));
}

/** Returns a note that a year was given for nothing: only the dates of a PDF are completed by it. */
function yearNotUsed({ answers }: ReadOptions): readonly Problem[] {
  if (answers?.year === undefined) return [];
  return [note('year_not_used', phrase('statement.read.yearNotUsed', { year: answers.year }))];
}

function readAny(bytes: Uint8Array, options: ReadOptions, control: ReadControl): Result<Statement, Unreadable> {
  const step = <T>(work: () => T, workBytes = bytes.length): T =>
    control.longStep === undefined ? work() : control.longStep(workBytes / SLOWEST_BYTES_PER_MS, work);
  if (looksLikeWorkbook(bytes))
    return readSheet(
      step(() => readWorkbook(bytes), unpackedLimit(bytes.length)),
      bytes.length,
      options,
      control,
    );
  const decoded = step(() => decodedBy(bytes, options));
  if (!decoded.ok) return decoded;
  const whole = step(() => unifyLineEnds(decoded.value.text));
  if (looksLikeXmlWorkbook(whole))
    return readSheet(
      step(() => readXmlWorkbook(whole)),
      bytes.length,
      options,
      control,
    );
  const ofFormat = step(() => readFormat(whole, decoded.value.encoding, options));
  if (ofFormat !== null) {
    control.onProgress(bytes.length, bytes.length);
    if (control.isCancelled()) return failed(cancelled());
    return (options.recipe || options.table) && ofFormat.ok
      ? failed(needsNone(ofFormat.value.format))
      : withProblems(ofFormat, decoded.value.problems);
  }
  const htmlTable = step(() => htmlRows(whole));
  if (htmlTable !== null) return readHtml(bytes, htmlTable, decoded.value, options, control);
  const foreign = step(() => foreignByText(whole));
  if (foreign !== null) return failed(foreign);
  return readCells(bytes, { ...decoded.value, text: whole }, options, control);
}

/** Does the same as `readStatement` and returns it in the shape of a large file; all its lines are in memory at once. */
export function openHeld(bytes: Uint8Array, options: ReadOptions, control: ReadControl): Result<OpenStatement, Unreadable> {
  return opened(readStatement(bytes, options, control));
}

/** Does the same for the text of a PDF, which was taken out of the file before. */
export function openPdf(text: Result<PdfText, PdfFault>, options: ReadOptions): Result<OpenStatement, Unreadable> {
  if (!text.ok) return failed(wordsOfFault(text.error));
  if (options.recipe || options.table) return failed(needsNone('pdf'));
  return opened(readPdfStatement(text.value, options));
}

function opened(read: Result<Statement, Unreadable>): Result<OpenStatement, Unreadable> {
  if (!read.ok) return read;
  const { proof, questions, currencies, accounts, rows, table } = read.value;
  const facts = { proof, questions, currencies, accounts, rows, followed: table?.followed ?? null };
  return success({ ...facts, isHeld: true, taken: read.value, read: () => read });
}

/** Decodes the bytes. A file whose encoding a person names is text, whatever its bytes look like. */
function decodedBy(bytes: Uint8Array, { table }: ReadOptions): Result<Decoded, Unreadable> {
  const text = decodeText(bytes);
  const isNamed = table?.encoding !== undefined;
  const nul = text.ok && !isNamed ? strayNul(text.value.text) : null;
  const decoded = nul === null ? text : failed(nul);
  return decoded.ok || !isNamed || decoded.error.code !== 'binary_file' ? decoded : success({ text: '', encoding: '', problems: [] });
}

function needsNone(format: string): Unreadable {
  return unreadable('recipe_does_not_fit', phrase('statement.read.fileIsOfTheFormat', { format }));
}

function hasNoSheets(sheet: string): Unreadable {
  return unreadable('no_such_sheet', phrase('statement.read.theFileIsNoWorkbook', { sheet: quoted(sheet) }));
}

function readCells(bytes: Uint8Array, guessed: Decoded, options: ReadOptions, control: ReadControl): Result<Statement, Unreadable> {
  const dialect = dialectOf(bytes, guessed, options);
  if (!dialect.ok) return dialect;
  const { encoding, delimiter, text, problems, isAsItLooks } = dialect.value;
  const onShare = (share: number): void => control.onProgress(Math.floor(bytes.length * share * GRID_SHARE), bytes.length);
  const grid = readGrid(text, delimiter, { onShare, isCancelled: control.isCancelled });
  if (!grid.ok) return grid;
  const source = {
    format: 'csv',
    encoding,
    delimiter,
    isAsItLooks,
    rows: heldRows(grid.value.rows, bytes.length),
    problems: [...problems, ...grid.value.problems],
  };
  return readTable(source, options, control);
}

interface TextDialect extends Decoded {
  readonly delimiter: string;
  /** True where neither a recipe nor a person sets another encoding or delimiter. */
  readonly isAsItLooks: boolean;
}

/**
 * Returns the encoding and delimiter: those of the recipe or of a person, else those under which the head of the file has the layout of a known
 * recipe, else the detected ones.
 */
function dialectOf(bytes: Uint8Array, guessed: Decoded, { recipe, table, known = [] }: ReadOptions): Result<TextDialect, Unreadable> {
  const looks = { ...guessed, delimiter: findDelimiter(guessed.text), isAsItLooks: true };
  if (recipe) return dialectSaid(bytes, looks, recipe);
  if (table?.sheet !== undefined) return failed(hasNoSheets(table.sheet));
  if (table) return dialectSaid(bytes, looks, table);
  const head = guessed.text.slice(0, HEAD_BYTES);
  if (known.length === 0 || recognised(gridOf(head, looks.delimiter), known) !== null) return success(looks);
  for (const one of known) {
    const other = dialectSaid(bytes.subarray(0, HEAD_BYTES), { ...looks, text: head }, one.recipe);
    if (other.ok && recognised(gridOf(other.value.text, other.value.delimiter), [one]) !== null)
      return dialectSaid(bytes, looks, one.recipe);
  }
  return success(looks);
}

function gridOf(text: string, delimiter: string) {
  return sampleRows(text, delimiter).map((cells, index) => ({ row: index + 1, cells: cells.map((cell) => cell.trim()) }));
}

interface SaidDialect {
  readonly encoding?: string | null | undefined;
  readonly delimiter?: string | null | undefined;
}

function dialectSaid(
  bytes: Uint8Array,
  looks: TextDialect,
  { encoding = null, delimiter = null }: SaidDialect,
): Result<TextDialect, Unreadable> {
  if (encoding === null || encoding === looks.encoding) {
    const isAsItLooks = delimiter === null || delimiter === looks.delimiter;
    return success({ ...looks, delimiter: delimiter ?? looks.delimiter, isAsItLooks });
  }
  const text = decodeAs(bytes, encoding);
  if (text === null) {
    const message = phrase('statement.read.encodingIsToBeWhichIsNotKnown', { encoding: quoted(encoding) });
    return failed(unreadable('recipe_does_not_fit', message));
  }
  const nul = strayNul(text);
  if (nul !== null) return failed(nul);
  const unified = unifyLineEnds(text);
  return success({ text: unified, encoding, problems: [], delimiter: delimiter ?? findDelimiter(unified), isAsItLooks: false });
}

/** Reads the tables of an HTML page, which some banks name as a workbook. */
function readHtml(
  bytes: Uint8Array,
  rows: readonly GridRow[],
  { problems }: Decoded,
  options: ReadOptions,
  control: ReadControl,
): Result<Statement, Unreadable> {
  if (options.table?.sheet !== undefined) return failed(hasNoSheets(options.table.sheet));
  const source = { format: 'html', encoding: '', delimiter: '', rows: heldRows(rows, bytes.length), problems };
  return readTable(source, options, control);
}

function readSheet(
  workbook: Result<Workbook, Unreadable>,
  totalBytes: number,
  options: ReadOptions,
  control: ReadControl,
): Result<Statement, Unreadable> {
  if (!workbook.ok) return workbook;
  control.onProgress(Math.floor(totalBytes * GRID_SHARE), totalBytes);
  if (control.isCancelled()) return failed(cancelled());
  const chosen = chooseSheet(workbook.value, options);
  if (!chosen.ok) return chosen;
  const { known, ...source } = chosen.value;
  const followed = { ...options, known: known === null ? [] : [known] };
  const rows = heldRows(source.rows, totalBytes);
  const read = readTable({ ...source, rows, format: workbook.value.format, encoding: '', delimiter: '' }, followed, control);
  return read.ok ? read : failed({ ...read.error, sheets: source.sheet.all });
}

function withProblems(read: Result<Statement, Unreadable>, problems: readonly Problem[]): Result<Statement, Unreadable> {
  return read.ok ? success({ ...read.value, problems: [...problems, ...read.value.problems] }) : read;
}

/** Returns a fault with the row and column of a NUL character; null where the text has none. In a bank format the column counts characters. */
function strayNul(text: string): Unreadable | null {
  const at = text.indexOf(NUL);
  if (at < 0) return null;
  const before = unifyLineEnds(text.slice(0, at));
  const start = before.lastIndexOf('\n') + 1;
  const line = before.slice(start);
  const row = before.split('\n').length;
  const plain = text.replaceAll(NUL, '');
  const ofFormat = isOfFormat(plain);
  const column = ofFormat ? line.length + 1 : (sampleRows(line, findDelimiter(plain))[0]?.length ?? 1);
  return nulAt(row, column, ofFormat ? 'character' : 'column');
}

/**
 * Reads a table of any size as `readStatement` does, in several passes over the file and with memory for some thousands of its rows. Returns null for
 * a file that is not a table of text: it must be read whole. `taker` gets lines as soon as the first rows show how to read them; it must drop them
 * all when the file turns out otherwise or reading fails.
 */
export function readLarge(
  source: FileSource,
  options: ReadOptions,
  control: ReadControl,
  taker: LineTaker | null = null,
): Result<OpenStatement | null, Unreadable> {
  const taking = taker === null ? null : new Taking(taker);
  const read = readTaking(source, options, control, taking);
  const taken = read.ok ? (read.value?.taken ?? null) : null;
  if (taken === null) taking?.drop();
  return read.ok && read.value !== null ? success(withNotes(read.value, yearNotUsed(options))) : read;
}

function withNotes(open: OpenStatement, notes: readonly Problem[]): OpenStatement {
  const noted = (read: Result<Statement, Unreadable>): Result<Statement, Unreadable> => withProblems(read, notes);
  const taken = open.taken === null ? null : { ...open.taken, problems: [...notes, ...open.taken.problems] };
  return { ...open, taken, read: (control, visit) => noted(open.read(control, visit)) };
}

/** Passes lines on and calls `drop` only where lines were taken. */
class Taking implements LineTaker {
  readonly #taker: LineTaker;
  #isTaking = false;

  constructor(taker: LineTaker) {
    this.#taker = taker;
  }

  take(built: readonly BuiltLine[]): void {
    this.#isTaking = true;
    this.#taker.take(built);
  }

  drop(): void {
    if (this.#isTaking) this.#taker.drop();
    this.#isTaking = false;
  }
}

function readTaking(
  source: FileSource,
  options: ReadOptions,
  control: ReadControl,
  taker: LineTaker | null,
): Result<OpenStatement | null, Unreadable> {
  if (beginsAsWorkbook(source.head)) return success(null);
  const head = source.head.length === source.byteLength ? source.head : wholeLines(source.head);
  const decoded = decodedBy(head, options);
  if (!decoded.ok) return decoded.error.code === 'empty_file' ? success(null) : decoded;
  const text = unifyLineEnds(decoded.value.text);
  if (isOfFormat(text) || beginsAsHtml(text)) return success(null);
  const foreign = foreignByText(text);
  if (foreign !== null) return failed(foreign);
  const dialect = dialectOf(head, { ...decoded.value, text }, options);
  if (!dialect.ok) return dialect;
  const isGuess = dialect.value.encoding === decoded.value.encoding && options.table?.encoding === undefined;
  try {
    return readAs(source, dialect.value, isGuess, options, control, taker);
  } catch (error) {
    if (!isGuess || !(error instanceof TypeError)) throw error;
    // Further down the file is not UTF-8: the thrown error tells no more than that.
    taker?.drop();
    const legacy = asLegacy(head);
    return readAs(source, { ...dialect.value, encoding: legacy.encoding, problems: legacy.problems }, false, options, control, taker);
  }
}

/** Returns the head up to its last line end, or else without a partial character at its end. */
function wholeLines(head: Uint8Array): Uint8Array {
  const end = head.lastIndexOf(10);
  if (end > 0) return head.subarray(0, end + 1);
  let length = head.length;
  while (length > head.length - 4 && (head[length - 1] ?? 0) >= 0x80) length -= 1;
  return head.subarray(0, length);
}

function readAs(
  source: FileSource,
  { encoding, delimiter, problems, isAsItLooks }: TextDialect,
  isGuess: boolean,
  options: ReadOptions,
  control: ReadControl,
  taker: LineTaker | null,
): Result<OpenStatement, Unreadable> {
  const rows = rowsOfFile(source, { encoding, isGuess, delimiter });
  return openTable({ format: 'csv', encoding, delimiter, isAsItLooks, rows, problems }, options, control, { listed: LISTED_LINES, taker });
}

/** Returns the rows of a text file. Each pass reads the file anew. */
function rowsOfFile(source: FileSource, form: TextForm): RowSource {
  const total = source.byteLength;
  const read: RowSource['read'] = (control, [from, to], visit) => {
    const splitter = new RowSplitter(form.delimiter);
    let rowsSoFar = 0;
    for (const { text, isLast, bytes } of textsOf(source, form)) {
      const rows: GridRow[] = [];
      const fault = splitter.push(text, isLast, rows) ?? visit(rows);
      if (fault !== null) return failed(fault);
      if (control.isCancelled()) return failed(cancelled());
      rowsSoFar += rows.length;
      control.onProgress(Math.floor(total * from + bytes * (to - from)), total, rowsSoFar);
    }
    return success(splitter.problems);
  };
  return { byteLength: total, isHeld: false, read };
}

const LINE_END = 10;
/** A file with more than one valid UTF-8 line for this many legacy lines was put together from both. Fewer may be valid by chance. */
const LEGACY_LINES_PER_CHANCE = 5;

/** A text with some lines in UTF-8 and others in a legacy code page. */
interface MixedLines {
  readonly text: string;
  /** The code page of the lines that are not UTF-8. */
  readonly codePage: string;
  /** The first line that is not UTF-8, from 1. */
  readonly firstLine: number;
  readonly lines: number;
}

/** Returns the text with each line read in its own encoding, where some lines are UTF-8 with non-ASCII letters and others are not; else null. */
function mixedLines(bytes: Uint8Array): MixedLines | null {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const parts: (string | Uint8Array)[] = [];
  const legacy: Uint8Array[] = [];
  let firstLine = 0;
  let unicode = 0;
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(LINE_END, from);
    const line = bytes.subarray(from, end < 0 ? bytes.length : end + 1);
    const text = decoded(decoder, line);
    if (text === null) legacy.push(line);
    else if (text.length < line.length) unicode += 1;
    parts.push(text ?? line);
    if (text === null && firstLine === 0) firstLine = parts.length;
    from += line.length;
  }
  if (unicode === 0 || unicode * LEGACY_LINES_PER_CHANCE < legacy.length) return null;
  const codePage = codePageOf(Buffer.concat(legacy));
  const text = parts.map((part) => (typeof part === 'string' ? part : iconv.decode(Buffer.from(part), codePage))).join('');
  return { text: text.replace(/^\uFEFF/, ''), codePage, firstLine, lines: legacy.length };
}

function decoded(decoder: TextDecoder, line: Uint8Array): string | null {
  try {
    return decoder.decode(line);
  } catch {
    // The bytes are not UTF-8; the error says no more than that.
    return null;
  }
}

export interface Decoded {
  readonly text: string;
  /** `utf-8`, `utf-16le`, `windows-1252` ... */
  readonly encoding: string;
  readonly problems: readonly Problem[];
}

const SAMPLE_BYTES = 64 * 1024;

/**
 * Decodes a file. UTF-16 is recognised by its byte order mark or its zero bytes, UTF-8 by its form; anything else is read in the legacy code page
 * that fits its words best.
 */
export function decodeText(bytes: Uint8Array): Result<Decoded, Unreadable> {
  if (bytes.length === 0) return failed(unreadable('empty_file', phrase('statement.decode.fileIsEmpty')));
  if (bytes.length > STATEMENT_LIMITS.fileBytes) {
    const megabytes = Math.round(STATEMENT_LIMITS.fileBytes / 1024 / 1024);
    return failed(unreadable('too_large', phrase('statement.decode.fileIsLargerThanMb', { megabytes })));
  }
  const foreign = foreignByBytes(bytes);
  if (foreign !== null) return failed(foreign);
  const wide = wideEncoding(bytes);
  const decoded = wide === null ? narrow(bytes) : { text: iconv.decode(asBuffer(bytes), wide), encoding: wide, problems: [] };
  if (decoded.text.trim() === '') return failed(unreadable('empty_file', phrase('statement.decode.fileHoldsNothingButBlankLines')));
  if (looksBinary(decoded.text)) {
    return failed(unreadable('binary_file', phrase('statement.decode.theFileHoldsBinaryData')));
  }
  return success(decoded);
}

/** Decodes bytes in the encoding that a recipe names; returns null where there is no such encoding. */
function decodeAs(bytes: Uint8Array, encoding: string): string | null {
  return iconv.encodingExists(encoding) ? iconv.decode(asBuffer(bytes), encoding) : null;
}

/** Returns which UTF-16 the bytes are, by the byte order mark or by the zero bytes of digits, delimiters and line ends; null for anything else. */
function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const length = Math.min(bytes.length, SAMPLE_BYTES);
  let even = 0;
  let odd = 0;
  for (let index = 0; index < length; index += 1) {
    if (bytes[index] !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  if (length < 8) return null;
  if (odd > length * 0.1 && even * 10 < odd) return 'utf-16le';
  return even > length * 0.1 && odd * 10 < even ? 'utf-16be' : null;
}

function narrow(bytes: Uint8Array): Decoded {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'utf-8', problems: [] };
  } catch {
    // The bytes are not UTF-8; the error says no more than that.
  }
  const mixed = mixedLines(bytes);
  return mixed === null ? asLegacy(bytes) : asMixed(mixed);
}

function asMixed({ text, codePage, firstLine, lines }: MixedLines): Decoded {
  const others = lines === 1 ? `line ${firstLine} is` : phrase('statement.decode.areNotTheFirstOfThem', { lines, firstLine });
  const message = phrase('statement.decode.someLinesOfTheFile', { others, codePage });
  return { text, encoding: 'utf-8', problems: [note('encoding_mixed', message)] };
}

/** Decodes bytes that are not UTF-8 in the code page that fits the words at their beginning best. */
function asLegacy(bytes: Uint8Array): Decoded {
  const body = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
  const encoding = codePageOf(body);
  const message = phrase('statement.decode.theFileIsNotValid', { encoding });
  return { text: iconv.decode(asBuffer(body), encoding), encoding, problems: [note('encoding_assumed', message)] };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Whether a text has too many control characters other than line ends and tabs. A few stray ones are allowed. */
function looksBinary(text: string): boolean {
  const sample = text.slice(0, SAMPLE_BYTES);
  let controls = 0;
  for (let index = 0; index < sample.length; index += 1) {
    const code = sample.charCodeAt(index);
    if (code < 32 && code !== 9 && code !== 10 && code !== 13 && code !== 12 && code !== 26) controls += 1;
  }
  return controls > Math.max(2, sample.length * 0.005);
}

const MAGIC: readonly (readonly [readonly number[], Unreadable['code'], string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'unsupported_format', phrase('statement.decode.aZipArchiveUnpackIt')],
  [[0x50, 0x4b, 0x05, 0x06], 'unsupported_format', phrase('statement.decode.anEmptyZipArchiveChoose')],
  [[0x25, 0x50, 0x44, 0x46], 'unsupported_format', phrase('statement.decode.pdfDocumentDownloadTheStatement')],
  [[0x1f, 0x8b], 'unsupported_format', phrase('statement.decode.aGzipArchiveUnpackIt')],
  [[0x53, 0x51, 0x4c, 0x69, 0x74, 0x65], 'unsupported_format', phrase('statement.decode.sqliteDatabaseExportItsTable')],
  [[0x89, 0x50, 0x4e, 0x47], 'binary_file', phrase('statement.decode.pngPictureChooseACsvFile')],
  [[0xff, 0xd8, 0xff], 'binary_file', phrase('statement.decode.jpegPictureChooseACsvFile')],
  [[0x47, 0x49, 0x46, 0x38], 'binary_file', phrase('statement.decode.gifPictureChooseACsvFile')],
];

const TEXTS: readonly (readonly [RegExp, Unreadable['code'], string])[] = [
  [/^\s*(?:<!doctype html|<html|<head|<body)/i, 'not_csv', phrase('statement.decode.webPageHtmlTheDownload')],
  [/^\s*<\?xml/i, 'not_csv', phrase('statement.decode.xmlDocumentThatIsNoCamtStatement')],
  [/^\{\\rtf/, 'not_csv', phrase('statement.decode.rtfDocumentSaveTheTable')],
  [/^\s*\{\s*(?:"|\})/, 'not_csv', phrase('statement.decode.jsonDocumentSaveTheTable')],
  [/^\s*\[\s*(?:\{\s*"|\])/, 'not_csv', phrase('statement.decode.jsonDocumentSaveTheTable')],
];

/** Returns why a file is no statement, by its first bytes; null where they show no other kind of file. */
function foreignByBytes(bytes: Uint8Array): Unreadable | null {
  const found = MAGIC.find(([magic]) => magic.every((byte, index) => bytes[index] === byte));
  return found === undefined ? null : unreadable(found[1], phrase('statement.decode.thisIsNoStatement', { found: found[2] }));
}

/** Returns why a text is no statement, by its beginning; null where that shows no other kind of file. */
function foreignByText(text: string): Unreadable | null {
  const head = text.slice(0, 8_192);
  const found = TEXTS.find(([pattern]) => pattern.test(head));
  return found === undefined ? null : unreadable(found[1], phrase('statement.decode.thisIsNoStatement', { found: found[2] }));
}

const SCORED_BYTES = 64 * 1024;
/** In order of preference: an earlier one wins unless a later one scores higher. */
const CODE_PAGES = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
  'euc-jp',
  'windows-1254',
  'windows-1253',
  'windows-1255',
  'windows-1257',
  'windows-1256',
  'windows-874',
  'cp850',
  'cp852',
  'cp866',
  'koi8-r',
  'macintosh',
] as const;

/** Returns the code page that fits best: header words are known under it, and words consist of letters rather than signs. */
function codePageOf(bytes: Uint8Array): string {
  const sample = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, SCORED_BYTES));
  const scores = CODE_PAGES.map((encoding) => ({ encoding, score: plausibility(iconv.decode(sample, encoding)) }));
  return scores.reduce((top, one) => (one.score > top.score ? one : top)).encoding;
}

function plausibility(text: string): number {
  const cells = new Set(text.slice(0, 8_192).split(/[\t\n\r,;|"]+/));
  let score = 0;
  for (const cell of cells) {
    const foreign = cell.match(/[^\0-\u007f]/g);
    if (foreign?.every((letter) => /[\p{L}\p{Sc}]/u.test(letter)) === true && meaningsOf(cell).length > 0) score += 20;
  }
  score -= text.match(/\p{L}[¹²³¿¡¢£¥¦§¨©ª«¬®¯°±´¶·¸º»¼½¾×÷]\p{L}/gu)?.length ?? 0;
  // Two scripts in one word, or a capital inside a lower-case word, show a wrong code page.
  score -= text.match(/[a-z][\u0400-\u04ff]|[\u0400-\u04ff][a-z]/gi)?.length ?? 0;
  score -= text.match(/\p{Ll}[À-ÖØ-ÞĀ-ž]{0}\p{Lu}(?=[^\0-\u007f])/gu)?.length ?? 0;
  score -= text.match(/\ufffd|[\u0080-\u009f]/g)?.length ?? 0;
  score += text.match(/[\u0430-\u044f]{4,}/g)?.length ?? 0;
  return score;
}

/** A file that can be read from its beginning any number of times. Memory holds one stretch of it at a time. */
export interface FileSource {
  readonly byteLength: number;
  /** The first bytes; they show the kind of the file. */
  readonly head: Uint8Array;
  /** Returns all bytes in order. A stretch is valid only until the next one is read. */
  readonly stretches: () => Iterable<Uint8Array>;
}

/** Most carriage returns before a line feed that still form one line end with it across two stretches. */
const MOST_RETURNS = 16;

/** The encoding and delimiter by which bytes become cells. */
interface TextForm {
  readonly encoding: string;
  /** Whether the encoding was only guessed. Then bytes that are not UTF-8 throw. */
  readonly isGuess: boolean;
  readonly delimiter: string;
}

interface TextStretch {
  readonly text: string;
  readonly isLast: boolean;
  /** Bytes of the file so far. */
  readonly bytes: number;
}

/**
 * Yields the text of a file in order, with `
 * ` line ends.
 */
function* textsOf(source: FileSource, form: TextForm): Generator<TextStretch> {
  const decoder = decoderOf(form);
  let bytes = 0;
  let held = '';
  for (const stretch of source.stretches()) {
    bytes += stretch.length;
    const text = held + decoder.write(stretch);
    // A line end may continue in the next stretch.
    let end = text.length;
    while (text.length - end < MOST_RETURNS && text[end - 1] === '\r') end -= 1;
    held = text.slice(end);
    yield { text: unifyLineEnds(text.slice(0, end)), isLast: false, bytes };
  }
  yield { text: unifyLineEnds(held + decoder.end()), isLast: true, bytes };
}

interface Decoder {
  readonly write: (bytes: Uint8Array) => string;
  readonly end: () => string;
}

function decoderOf({ encoding, isGuess }: TextForm): Decoder {
  if (isGuess && encoding === 'utf-8') {
    const decoder = new TextDecoder(encoding, { fatal: true });
    return { write: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() };
  }
  const decoder = iconv.getDecoder(encoding);
  return {
    write: (bytes) => decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    end: () => decoder.end() ?? '',
  };
}
