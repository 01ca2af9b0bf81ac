import type { Problem } from '../../../../src-shared/contract/index.ts';
import type { WrittenDate } from '../cells/date-examples.ts';
import type { DecidedOrder } from '../cells/date-order.ts';
import { type DateOrder, dateShape } from '../cells/dates.ts';
import type { Table } from '../columns/find-table.ts';
import type { Layout } from '../columns/table-columns.ts';
import { unreadable } from '../model/problems.ts';
import type { AcceptedCurrencies } from '../model/read-options.ts';
import type { RowNumbers } from '../model/row-numbers.ts';
import type { UnderstoodColumn, Unreadable, WhoseFile } from '../model/statement.ts';
import type { Candidate } from '../proof/reading.ts';
import type { NamedAccount } from '../proof/table-accounts.ts';
import type { CardSigns } from '../rows/card-signs.ts';
import type { ColumnSigns } from '../rows/column-signs.ts';
import type { WaitingRule } from '../rows/pending.ts';
import type { SignsAssumed } from '../rows/signs.ts';
import type { FileCurrencies } from './file-currencies.ts';
import type { DecidedWords } from './unknown-directions.ts';

/** All decisions about how the rows of a table are read, except which candidate fits its balances. */
export interface DecidedTable {
  /** Has no column of ids unless every row has its own id. */
  readonly layout: Layout;
  readonly currencies: FileCurrencies;
  /** The currencies of the target, by which single rows in other ones are rejected; null where no single row is. */
  readonly strangers: AcceptedCurrencies | null;
  readonly order: DecidedOrder;
  /** Order of day and month in value dates. */
  readonly valueOrder: DateOrder | null;
  /** Whether a spreadsheet exchanged day and month of those value dates that are true dates. */
  readonly areValueDatesTurned: boolean;
  readonly candidates: readonly Candidate[];
  readonly isMarkOpen: boolean;
  readonly assumedSigns: SignsAssumed | null;
  /** Meaning of a minus in the columns of money in and money out. */
  readonly columnSigns: ColumnSigns;
  /** Whether positive amounts of a single column may be money out, as in card statements. */
  readonly cardSigns: CardSigns;
  /** Whether fees have a column of their own. */
  readonly hasFees: boolean;
  /** Rows whose amount names a part that came back. */
  readonly returns: RowNumbers;
  readonly columns: readonly UnderstoodColumn[];
  /** Example dates for the question about the order of day and month. */
  readonly dates: readonly WrittenDate[];
  /** Whether a recipe or a person fixed how amounts are signed. */
  readonly isModelSaid: boolean;
  /** Words of the column that may tell money in from money out; null where there is no such column. */
  readonly directionWords: DecidedWords | null;
  /** The rejection of the last row, where the file is cut off inside it. */
  readonly torn: Problem | null;
  /** Rule for the rows that the bank has not booked. */
  readonly waiting: WaitingRule;
  /** Accounts that a column names, whether or not the file is one of several accounts. */
  readonly named: readonly NamedAccount[];
  /** Whose account the lines above the table and the filename name. */
  readonly whose: WhoseFile;
}

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
