import type { Problem } from '../../../src-shared/contract/index.ts';
import { failed, success } from '../../../src-shared/values/result.ts';
import type { Result } from '../../../src-shared/values/result.ts';
import { decodeText } from './decode.ts';
import { findDelimiter } from './dialect.ts';
import { foreignByText } from './foreign.ts';
import { readFormat } from './formats/read-format.ts';
import { readGrid, unifyLineEnds } from './grid.ts';
import { cancelled, readTable } from './read-table.ts';
import type { ReadControl, ReadOptions, Statement, Unreadable } from './types.ts';
import { looksLikeWorkbook, readWorkbook } from './workbook.ts';

/** Share of the work that splitting a text into cells takes, for the progress. */
const GRID_SHARE = 0.5;

/** Reads a statement or ledger from a file's bytes; its kind is told by its content, never by its name. */
export function readStatement(bytes: Uint8Array, options: ReadOptions, control: ReadControl): Result<Statement, Unreadable> {
  if (looksLikeWorkbook(bytes)) return readSheet(bytes, options, control);
  const decoded = decodeText(bytes);
  if (!decoded.ok) return decoded;
  const { encoding, problems } = decoded.value;
  const whole = unifyLineEnds(decoded.value.text);
  const ofFormat = readFormat(whole, encoding, options);
  if (ofFormat !== null) {
    control.onProgress(bytes.length, bytes.length);
    return control.isCancelled() ? failed(cancelled()) : withProblems(ofFormat, problems);
  }
  const foreign = foreignByText(whole);
  if (foreign !== null) return failed(foreign);
  const text = whole.replace(/\n$/, '');
  const delimiter = findDelimiter(text);
  const onShare = (share: number): void => control.onProgress(Math.floor(bytes.length * share * GRID_SHARE), bytes.length);
  const grid = readGrid(text, delimiter, { onShare, isCancelled: control.isCancelled });
  if (!grid.ok) return grid;
  const source = { format: 'csv', encoding, delimiter, rows: grid.value.rows, problems: [...problems, ...grid.value.problems] };
  return readTable(source, options, control, bytes.length);
}

function readSheet(bytes: Uint8Array, options: ReadOptions, control: ReadControl): Result<Statement, Unreadable> {
  const sheet = readWorkbook(bytes);
  if (!sheet.ok) return sheet;
  control.onProgress(Math.floor(bytes.length * GRID_SHARE), bytes.length);
  if (control.isCancelled()) return failed(cancelled());
  return readTable({ ...sheet.value, encoding: '', delimiter: '' }, options, control, bytes.length);
}

function withProblems(read: Result<Statement, Unreadable>, problems: readonly Problem[]): Result<Statement, Unreadable> {
  return read.ok ? success({ ...read.value, problems: [...problems, ...read.value.problems] }) : read;
}
