import type { BalanceType, ColumnRole, OpenQuestion, Problem } from '../../../../src-shared/contract/index.ts';
import type { Direction } from '../../../../src-shared/values/money.ts';
import type { GridRow } from './grid-row.ts';
import type { BatchLines, TableRecipe } from './read-options.ts';

/** One transaction line of a statement or ledger, as understood. */
export interface StatementLine {
  /** Line of the file, from 1. */
  readonly row: number;
  /** The booking day, or the posting day of a ledger. Days since 1970-01-01. */
  readonly day: number;
  /** The value day, or the document day of a ledger; null where none can be read. Days since 1970-01-01. */
  readonly valueDay: number | null;
  /** Magnitude in minor units. */
  readonly amountMinor: number;
  readonly direction: Direction;
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly description: string | null;
  /** Set only from a column that names a transaction id, filled and distinct throughout. */
  readonly externalId: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** Set only on a line that says it returns or reverses another one. It is not part of its content. */
  readonly reversal?: ReversalMark;
}

/** A row that did not become a line, with the parts that could be read. */
export interface RejectedRow extends Omit<StatementLine, 'day' | 'amountMinor' | 'direction'> {
  readonly day: number | null;
  readonly amountMinor: number | null;
  readonly direction: Direction | null;
  /** The reasons; each is also among the statement's problems. */
  readonly problems: readonly Problem[];
}

/** A row of a table as a line, or rejected. */
export interface BuiltLine {
  /** Null when the row is rejected. */
  readonly line: StatementLine | null;
  /** The readable parts of a rejected row. */
  readonly rejected: RejectedRow | null;
  readonly problems: readonly Problem[];
}

export interface UnderstoodColumn {
  /** From 0. */
  readonly index: number;
  readonly header: string;
  /** The name that people see; no two are equal. */
  readonly name: string;
  readonly role: ColumnRole;
  /** The field that holds its values: `description`, `external_id`, `metadata.<key>` ...; null when they are not. */
  readonly field: string | null;
  /** Up to three non-empty cells. */
  readonly samples: readonly string[];
}

interface Dialect {
  readonly encoding: string;
  readonly delimiter: string;
  /** Line of the header, from 1; null when the file has none. */
  readonly headerRow: number | null;
  readonly dateOrder: 'ymd' | 'dmy' | 'mdy' | null;
  readonly decimalMark: '.' | ',' | null;
  /** In words, e.g. `one signed amount column`, `paid in / paid out columns`, `amount with a direction column`. */
  readonly signModel: string;
}

/** A balance of the account on a day, as the file states it. */
export interface StatementBalance {
  readonly type: BalanceType;
  /** Days since 1970-01-01. */
  readonly day: number;
  /** Minor units of `currency`, signed. */
  readonly minor: number;
  readonly currency: string;
}

/** One of several accounts that a file holds. */
export interface StatementAccount {
  /** The text as the file writes it. */
  readonly account: string;
  readonly currency: string;
  /** Transactions of it, rejected ones included. */
  readonly rows: number;
  readonly openingBalanceMinor: number | null;
  readonly closingBalanceMinor: number | null;
}

/** The balance at the end of a day. */
export interface DayEnd {
  readonly day: number;
  readonly minor: number;
  /** Set where the balance does not follow from the one before it: the first day on which a line may be missing. */
  readonly breaksFrom?: number;
}

/** Days that a file covers for an account. Days since 1970-01-01, both included; balances are signed minor units. */
export interface StatementPeriod {
  /** The text as the file writes it; null unless the file holds several. */
  readonly account: string | null;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly openingMinor: number | null;
  readonly closingMinor: number | null;
  /** Set where the running balance breaks: the balances at the ends of the days around each break. */
  readonly dayEnds?: readonly DayEnd[];
}

export interface Statement {
  readonly format: string;
  readonly dialect: Dialect;
  /** The first rows of a table as they were split; empty for formats with fixed meaning. */
  readonly head: readonly GridRow[];
  readonly columns: readonly UnderstoodColumn[];
  /** Rows that look like transactions: lines understood plus rejected ones. */
  readonly rows: number;
  readonly lines: readonly StatementLine[];
  /** Rows that were rejected carry `severity: 'rejected'`, one problem per faulty cell. */
  readonly problems: readonly Problem[];
  /** Number of problems that are not in the list; only where a file is too large to list all. */
  readonly unlistedProblems?: number;
  /** Questions that the file leaves open: it is read by one of several equally good readings. */
  readonly questions: readonly OpenQuestion[];
  readonly rejectedRows: number;
  readonly rejected: readonly RejectedRow[];
  /** The field that holds the reference: `external_id`, `description` or `metadata.<key>`; null where none is evident. */
  readonly referenceField: string | null;
  /** Currencies of its transactions, rejected ones included. */
  readonly currencies: readonly string[];
  /** The only currency of the file, or that of most lines; `NO_CURRENCY` while a question about it is open. */
  readonly currency: string;
  /** Whether the file names the currency of all its lines. */
  readonly namesCurrency: boolean;
  readonly openingBalanceMinor: number | null;
  readonly closingBalanceMinor: number | null;
  /** At most one per day and type. Empty for a file that is read as several accounts together. */
  readonly balances: readonly StatementBalance[];
  /** `proved`: the opening balance and the lines make the closing one, or control sums of both directions hold for every line. */
  readonly proof: 'proved' | 'unproved' | 'broken';
  /** True where the balances hold for all rows of the file, rejected ones included. */
  readonly isConfirmed: boolean;
  /** True for debit and credit columns that a ledger means literally: such a book has the sign opposite to the bank's. */
  readonly literalDebitCredit: boolean;
  /** All accounts of a file that holds several, whichever was read; else empty. */
  readonly accounts: readonly StatementAccount[];
  /** The accounts and holders of the transactions. */
  readonly whose: WhoseFile;
  /** The covered days: one period for each statement in the file. */
  readonly periods: readonly StatementPeriod[];
  /** Entries of several transactions that add up to them; missing where there are none. */
  readonly batches?: ReadBatches;
  /** The reading of a table, as a recipe; null for formats with fixed meaning. */
  readonly table: ReadTable | null;
  /** The places of the rows on the pages of a PDF; absent for other files. */
  readonly pages?: PagesOfStatement;
}

/** A rectangle on a page as it is shown, in points from its top left corner. */
export interface PlaceOnPage {
  readonly page: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The pages of a file that shows its rows on pages. */
export interface PagesOfStatement {
  /** For each page, the quarter turns by which its text runs; 0 from left to right. */
  readonly quarters: readonly number[];
  /** The places of the rows, by the numbers that lines and problems give. */
  readonly places: ReadonlyMap<number, PlaceOnPage>;
}

/**
 * Entries of several transactions, read as one line each or as one line per transaction. Both readings are the same money, so a stream that holds a
 * line of one reading has the entry.
 */
interface ReadBatches {
  readonly entries: number;
  readonly parts: number;
  readonly lines: BatchLines;
  /** For each line of such an entry, the number of the entry. */
  readonly entryOf: ReadonlyMap<StatementLine, number>;
  /** All lines of the file by the other reading, with their entries. */
  readonly otherLines: readonly StatementLine[];
  readonly entryOfOther: ReadonlyMap<StatementLine, number>;
}

interface ReadTable {
  readonly recipe: TableRecipe;
  /** The known recipe that was followed. */
  readonly followed: number | null;
  /** Whether it states balances, as read or as it would be without the recipe. */
  readonly hasBalances: boolean;
  /** Set for a workbook. */
  readonly sheet: ReadSheet | null;
}

/** The reason why a file cannot be read at all: one sentence with the place, and a code for machines. */
export interface Unreadable {
  readonly code:
    | 'empty_file'
    | 'binary_file'
    | 'not_csv'
    | 'no_header'
    | 'no_date_column'
    | 'no_amount_column'
    | 'no_rows'
    | 'cancelled'
    | 'too_large'
    | 'unreadable_xml'
    | 'unreadable_workbook'
    | 'no_such_account'
    | 'no_such_sheet'
    | 'recipe_does_not_fit'
    | 'answer_does_not_fit'
    | 'overrule_does_not_fit'
    | 'unsupported_format'
    | 'needs_password'
    | 'wrong_password';
  readonly message: string;
  readonly row: number | null;
  readonly column: string | null;
  /** For a table: what was seen of it. */
  readonly seen?: SeenTable;
  /** For a workbook: its sheets. */
  readonly sheets?: readonly ListedSheet[];
}

/** The accounts and holders that a file names. */
export interface WhoseFile {
  /** Numbers of accounts, as the file writes them. */
  readonly accounts: readonly string[];
  readonly holders: readonly string[];
}

export const NOBODY: WhoseFile = { accounts: [], holders: [] };

/** The mark by which a line says that it returns or reverses another one. */
export interface ReversalMark {
  /** A mark of the file's format, or words in the line's text. Words count only where the reversed line is found. */
  readonly by: 'format' | 'words';
  /** The code of the reason, such as `AC04` or `R01`, or the words. */
  readonly reason: string | null;
  /** The mark's reference to the reversed line: its trace number or end-to-end id. */
  readonly reference: string | null;
}

/** A sheet of a workbook, for a person's choice. */
export interface ListedSheet {
  readonly name: string;
  /** Number of rows with filled cells; null where the sheet cannot be read. */
  readonly rows: number | null;
  readonly isHidden: boolean;
  readonly isRead: boolean;
}

/** The sheet of a workbook that was read. */
export interface ReadSheet {
  readonly name: string;
  /** Whether a person or a recipe named the sheet; otherwise the reader chose it. */
  readonly isNamed: boolean;
  /** The sheet that the recipe names, where another one was read in its place. */
  readonly missing: string | null;
  /** All sheets, in the order of the workbook. */
  readonly all: readonly ListedSheet[];
}

/** A table as it was split into cells, whether or not it could be understood. */
export interface SeenTable {
  readonly format: string;
  readonly encoding: string;
  readonly delimiter: string;
  /** Line of the file, from 1. */
  readonly headerRow: number | null;
  /** The first rows of the file, those above the table included. */
  readonly head: readonly GridRow[];
  /** No column has a role yet. */
  readonly columns: readonly UnderstoodColumn[];
}
