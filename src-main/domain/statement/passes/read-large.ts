import { failed, type Result, success } from '../../../../src-shared/values/result.ts';
import { isOfFormat } from '../formats/read-format.ts';
import type { GridRow } from '../model/grid-row.ts';
import { cancelled } from '../model/problems.ts';
import type { ReadControl, ReadOptions } from '../model/read-options.ts';
import type { RowSource } from '../model/row-source.ts';
import type { Unreadable } from '../model/statement.ts';
import { decodedBy, dialectOf, type TextDialect } from '../read.ts';
import type { BuiltLine } from '../rows/build-line.ts';
import { RowSplitter } from '../text/row-splitter.ts';
import { type FileSource, type TextForm, textsOf } from '../text/bytes.ts';
import { asLegacy } from '../text/decode.ts';
import { foreignByText } from '../text/foreign.ts';
import { unifyLineEnds } from '../text/grid.ts';
import { beginsAsHtml } from '../workbook/html-table.ts';
import { beginsAsWorkbook } from '../workbook/workbook.ts';
import { type OpenTable, openTable } from './read-table.ts';
import { LISTED_LINES, type LineTaker } from './speculative-lines.ts';

/**
 * Understands a table of any size as `readStatement` does, with some passes over the file and memory for some thousands of its rows. Null for a file
 * that is no table as text: it is to be read whole. `taker`: where lines are wanted as soon as the first rows show how they are to be read; those of a file that
 * turns out otherwise are dropped again, and so are all where the reading fails.
 */
export function readLarge(
  source: FileSource,
  options: ReadOptions,
  control: ReadControl,
  taker: LineTaker | null = null,
): Result<OpenTable | null, Unreadable> {
  const taking = taker === null ? null : new Taking(taker);
  const read = readTaking(source, options, control, taking);
  const taken = read.ok ? (read.value?.taken ?? null) : null;
  if (taken === null) taking?.drop();
  return read;
}

/** Drops only what was taken. */
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
): Result<OpenTable | null, Unreadable> {
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
    // Not UTF-8 further down: the thrown error says no more than that.
    taker?.drop();
    const legacy = asLegacy(head);
    return readAs(source, { ...dialect.value, encoding: legacy.encoding, problems: legacy.problems }, false, options, control, taker);
  }
}

/** The head up to its last line end, or at least without a part of a character at its end. */
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
): Result<OpenTable, Unreadable> {
  const rows = rowsOfFile(source, { encoding, isGuess, delimiter });
  return openTable({ format: 'csv', encoding, delimiter, isAsItLooks, rows, problems }, options, control, { listed: LISTED_LINES, taker });
}

/** Rows of a file of text, which is read anew for each pass. */
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
