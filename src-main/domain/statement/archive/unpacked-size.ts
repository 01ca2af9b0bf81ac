import { phrase } from '../../../../src-shared/words/say.ts';
import { STATEMENT_LIMITS } from '../model/limits.ts';
import { unreadable } from '../model/problems.ts';
import type { Unreadable } from '../model/statement.ts';
import type { ZipEntry } from './zip-archive.ts';

const { workbookBytes, bytesOfAnyWorkbook, workbookGrowth, workbookCells, sheetRows, sharedTexts, partBytes, cellCharacters } =
  STATEMENT_LIMITS;
const MEBIBYTE = 1024 * 1024;
const SAVE_AS_CSV = phrase('statement.unpackedSize.saveTheSheetWithTheStatement');

/** Returns the most bytes that a workbook may unpack to. Real workbooks pack to a tenth, so a small file that claims very much is not a workbook. */
export function unpackedLimit(fileBytes: number): number {
  return Math.min(workbookBytes, bytesOfAnyWorkbook + workbookGrowth * fileBytes);
}

export function unpacksToTooMuch(fileBytes: number): Unreadable {
  const megabytes = Math.round(unpackedLimit(fileBytes) / MEBIBYTE);
  const message = phrase('statement.unpackedSize.workbookUnpacksToMoreThanMb', { megabytes, saveAsCsv: SAVE_AS_CSV });
  return unreadable('too_large', message);
}

export function tooManyCells(): Unreadable {
  return unreadable('too_large', phrase('statement.unpackedSize.theWorkbookHasMoreThan', { workbookCells, saveAsCsv: SAVE_AS_CSV }));
}

/** Counts down the cells a workbook may have, empty ones before the last filled one of a row included. */
export class CellRoom {
  #left: number = workbookCells;

  /** Takes a row's cells; returns false where no room is left for them. */
  takes(cells: number): boolean {
    this.#left -= cells;
    return this.#left >= 0;
  }
}

/** Checks sizes before any part of a workbook is read: reading takes some hundred bytes of memory for each cell. */
export class WorkbookSizes {
  #cells = 0;

  /** Returns why a part cannot be read, or null. The part is a sheet's rows, the shared texts, or any other. Looks at each byte once. */
  faultOf({ name, bytes }: ZipEntry, kind: 'rows' | 'texts' | 'other'): Unreadable | null {
    if (kind === 'other') {
      if (bytes.length <= partBytes) return null;
      return unreadable(
        'too_large',
        phrase('statement.unpackedSize.thePartOfTheWorkbook', { name, partBytes: partBytes / MEBIBYTE, saveAsCsv: SAVE_AS_CSV }),
      );
    }
    const counts = countsOf(bytes);
    if (counts === null) {
      return unreadable(
        'too_large',
        phrase('statement.unpackedSize.aCellOfTheWorkbook', { name, cellCharacters: cellCharacters / MEBIBYTE }),
      );
    }
    if (kind === 'texts') {
      if (counts.texts <= sharedTexts) return null;
      return unreadable('too_large', phrase('statement.unpackedSize.workbookHasTooManyTexts', { sharedTexts, saveAsCsv: SAVE_AS_CSV }));
    }
    if (counts.rows > sheetRows) {
      return unreadable('too_large', phrase('statement.unpackedSize.aSheetOfTheWorkbook', { name, sheetRows, saveAsCsv: SAVE_AS_CSV }));
    }
    this.#cells += counts.cells;
    return this.#cells > workbookCells ? tooManyCells() : null;
  }
}

interface Counts {
  readonly rows: number;
  readonly cells: number;
  readonly texts: number;
}

const SLASH = 0x2f;
const COLON = 0x3a;
const BLANK = 0x20;
const END = 0x3e;
/** Letters of the element names `c`, `row` and `si`. */
const [C, R, S, I] = [0x63, 0x72, 0x73, 0x69];
/** Longest prefix of a namespace. */
const LONGEST_PREFIX = 32;

/** Returns how many rows, cells and shared texts begin in a part; null where something in it is longer than a cell may be. */
function countsOf(bytes: Uint8Array): Counts | null {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [rows, cells, texts] = [0, 0, 0];
  let from = 0;
  for (let at = buffer.indexOf('<'); at >= 0; at = buffer.indexOf('<', at + 1)) {
    if (at - from > cellCharacters * 4) return null;
    from = at;
    const name = behindPrefix(buffer, at + 1);
    const [first, second] = [buffer[name], buffer[name + 1]];
    if (first === C && endsName(second)) cells += 1;
    else if (first === R && buffer[name + 2] === 0x77) rows += 1;
    else if (first === S && second === I && endsName(buffer[name + 2])) texts += 1;
  }
  return buffer.length - from > cellCharacters * 4 ? null : { rows, cells, texts };
}

/** Returns the offset of an element's name after the prefix of its namespace. */
function behindPrefix(buffer: Buffer, from: number): number {
  const first = buffer[from] ?? 0;
  const second = buffer[from + 1] ?? 0;
  // Nearly all elements: an end tag, or a name of one letter.
  if (first === SLASH || second <= END) return second === COLON ? from + 2 : from;
  for (let at = from + 1; at < from + LONGEST_PREFIX; at += 1) {
    const byte = buffer[at] ?? 0;
    if (byte === COLON) return at + 1;
    if (byte <= BLANK || byte === END || byte === SLASH) break;
  }
  return from;
}

function endsName(byte: number | undefined): boolean {
  return byte === undefined || byte <= BLANK || byte === END || byte === SLASH;
}
