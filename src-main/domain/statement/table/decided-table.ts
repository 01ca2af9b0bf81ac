import type { Problem } from '../../../../src-shared/contract/index.ts';
import type { WrittenDate } from '../cells/date-examples.ts';
import type { DecidedOrder } from '../cells/date-order.ts';
import type { DateOrder } from '../cells/dates.ts';
import type { Layout } from '../columns/table-columns.ts';
import type { AcceptedCurrencies } from '../model/read-options.ts';
import type { RowNumbers } from '../model/row-numbers.ts';
import type { UnderstoodColumn, WhoseFile } from '../model/statement.ts';
import type { Candidate } from '../proof/reading.ts';
import type { NamedAccount } from '../proof/table-accounts.ts';
import type { WaitingRule } from '../rows/pending.ts';
import type { CardSigns } from '../rows/card-signs.ts';
import type { ColumnSigns } from '../rows/column-signs.ts';
import type { SignsAssumed } from '../rows/signs.ts';
import type { FileCurrencies } from './file-currencies.ts';
import type { DecidedWords } from './unknown-directions.ts';

/** How the rows of a table are read, apart from which of the candidates its balances choose. */
export interface DecidedTable {
  /** Without a column of ids that are missing or not distinct. */
  readonly layout: Layout;
  readonly currencies: FileCurrencies;
  /** By what rows in another currency than the target's are rejected. */
  readonly strangers: AcceptedCurrencies | null;
  readonly order: DecidedOrder;
  /** Of the value dates. */
  readonly valueOrder: DateOrder | null;
  /** A spreadsheet exchanged day and month of those that are no texts. */
  readonly areValueDatesTurned: boolean;
  readonly candidates: readonly Candidate[];
  readonly isMarkOpen: boolean;
  readonly assumedSigns: SignsAssumed | null;
  /** What a minus means in columns of money in and money out. */
  readonly columnSigns: ColumnSigns;
  /** Whether what is positive in the one column of amounts may have been spent. */
  readonly cardSigns: CardSigns;
  /** In a column of their own. */
  readonly hasFees: boolean;
  /** Rows whose amount says what came back of it. */
  readonly returns: RowNumbers;
  readonly columns: readonly UnderstoodColumn[];
  /** Dates to ask by for the order of day and month. */
  readonly dates: readonly WrittenDate[];
  /** A recipe or a person says how amounts are signed. */
  readonly isModelSaid: boolean;
  /** Of a column that may say in and out by words that are not known, or of which somebody says something. */
  readonly directionWords: DecidedWords | null;
  /** The rejection of the last row, where the file is cut off in it. */
  readonly torn: Problem | null;
  /** Which rows the bank has not booked. */
  readonly waiting: WaitingRule;
  /** As a column names them, whether or not they are those of the file. */
  readonly named: readonly NamedAccount[];
  /** What is said beside the rows of whose they are. */
  readonly whose: WhoseFile;
}
