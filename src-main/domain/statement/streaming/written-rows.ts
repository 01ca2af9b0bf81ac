import { type Result, success } from '../../../../src-shared/values/result.ts';
import type { ReadControl } from '../model/read-options.ts';
import type { Unreadable } from '../model/statement.ts';
import { isOfAccount } from '../proof/table-accounts.ts';
import { type AroundRows, DateCells, RowSorter, type WrittenRow } from '../rows/sort-rows.ts';
import type { FileSource, TextForm } from '../text/bytes.ts';
import { readRows, type Share } from './rows-of-file.ts';
import type { ScannedTable } from './scan.ts';

/** What a reading of all rows found beside the transactions. */
export interface AroundTable {
  readonly around: AroundRows;
  /** Lines at the end that a recipe leaves out. */
  readonly footer: readonly number[];
}

/** A file whose table was found. */
export interface LargeFile {
  readonly source: FileSource;
  readonly form: TextForm;
  readonly scanned: ScannedTable;
  /** The one whose rows are read, of a file with several; else null. */
  readonly account: string | null;
}

/**
 * Reads the file once more and shows its transactions in order, some thousands at a time; `place` is that of the first of them among all, from 0.
 * Answers what stands around them.
 */
export function readWritten(
  { source, form, scanned, account }: LargeFile,
  control: ReadControl,
  share: Share,
  visit: (written: readonly WrittenRow[], place: number) => void,
): Result<AroundTable, Unreadable> {
  const sorter = new RowSorter(scanned.table, scanned.layout, scanned.lastDated, new DateCells(scanned.layout.dateForm));
  const footer: number[] = [];
  let index = -scanned.above;
  let place = 0;
  const show = (isEnd: boolean): void => {
    const taken = sorter.take(isEnd);
    const written = account === null ? taken : taken.filter((row) => isOfAccount(row, account, scanned.layout));
    visit(written, place);
    place += written.length;
  };
  const read = readRows(source, form, control, share, (rows) => {
    for (const row of rows) {
      if (index >= 0 && index < scanned.rows) sorter.add(row, index);
      else if (index >= scanned.rows && index < scanned.filled) footer.push(row.row);
      index += 1;
    }
    show(false);
    return null;
  });
  if (!read.ok) return read;
  show(true);
  return success({ around: sorter.around(), footer });
}
