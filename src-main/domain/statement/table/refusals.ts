import { dateShape } from '../cells/dates.ts';
import type { Table } from '../columns/find-table.ts';
import { unreadable } from '../model/problems.ts';
import type { Unreadable } from '../model/statement.ts';

export function noRows(table: Table): Unreadable {
  const where = table.header === null ? '' : ` below the header in row ${table.header.row}`;
  return unreadable(
    'no_rows',
    `The file has no transactions${where}. Choose another period and download it again.`,
    table.header?.row ?? null,
  );
}

/** Returns why a table without a header cannot be read; null where one of its rows has several cells and a date. */
export function refusalOf({ body }: Table): Unreadable | null {
  const hasData = body.some(({ cells }) => cells.length > 1 && cells.some((cell) => dateShape(cell) !== null));
  if (hasData) return null;
  const message =
    'This does not look like a statement: no row holds a date and an amount, and no header names them. Choose the CSV export of the account.';
  return unreadable('not_csv', message);
}
