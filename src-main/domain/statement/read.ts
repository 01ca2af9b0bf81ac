import type { Problem } from '../../../src-shared/contract/index.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import { phrase } from '../../../src-shared/words/say.ts';
import { unpackedLimit } from './archive/unpacked-size.ts';
import { recognised } from './columns/recipe.ts';
import type { PdfFault, PdfText } from './formats/pdf/pages.ts';
import { wordsOfFault } from './formats/pdf/read-pdf.ts';
import { isOfFormat, readFormat, readPdfStatement } from './formats/read-format.ts';
import type { GridRow } from './model/grid-row.ts';
import { cancelled, quoted, unreadable } from './model/problems.ts';
import type { ReadControl, ReadOptions } from './model/read-options.ts';
import type { RowSource } from './model/row-source.ts';
import type { BuiltLine, Statement, Unreadable } from './model/statement.ts';
import { heldRows, type OpenStatement, openTable, readTable } from './passes/read-table.ts';
import { type LineTaker, LISTED_LINES } from './passes/speculative-lines.ts';
import { chooseSheet } from './table/choose-sheet.ts';
import { asLegacy, decodeAs, type Decoded, decodeText, type FileSource, foreignByText, type TextForm, textsOf } from './text/decode.ts';
import { NUL, nulAt, unifyLineEnds } from './text/grid.ts';
import { findDelimiter, readGrid, RowSplitter, sampleRows } from './text/row-splitter.ts';
import { beginsAsHtml, htmlRows } from './workbook/html-table.ts';
import { beginsAsWorkbook, looksLikeWorkbook, readWorkbook, type Workbook } from './workbook/workbook.ts';
import { looksLikeXmlWorkbook, readXmlWorkbook } from './workbook/xml.ts';

/** Share of the progress that splitting a text into cells takes. */
const GRID_SHARE = 0.5;
/** Bytes at the beginning of a file that are searched for the layout of a recipe. */
const HEAD_BYTES = 64 * 1024;
/** Least bytes per millisecond that a slow, busy machine reads. It bounds a step that cannot report progress. */
const SLOWEST_BYTES_PER_MS = 500;

/** Reads a statement or ledger from a file's bytes. The content decides on the format, never the name. */
export function readStatement(bytes: Uint8Array, options: ReadOptions, control: ReadControl): Result<Statement, Unreadable> {
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
  return unreadable('recipe_does_not_fit', phrase('statement.read.theFileIsOfThe', { format }));
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
    const message = phrase('statement.read.theEncodingIsToBe', { encoding: quoted(encoding) });
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
  return read;
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
