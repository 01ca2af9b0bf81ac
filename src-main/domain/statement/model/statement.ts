import type { BalanceType, ColumnRole, OpenQuestion, Problem } from '../../../../src-shared/contract/index.ts';
import type { Direction } from '../../../../src-shared/values/money.ts';
import type { GridRow } from './grid-row.ts';
import type { BatchLines, TableRecipe } from './read-options.ts';

/** One transaction line of a statement or ledger, as understood. */
export interface StatementLine {
  /** Line of the file where it stands, from 1. */
  readonly row: number;
  /** The booking day, or the posting day of a ledger, as far as the file says it. Days since 1970-01-01. */
  readonly day: number;
  /** The value day, or the day of the document of a ledger; null where the file says none that can be read. Days since 1970-01-01. */
  readonly valueDay: number | null;
  /** Magnitude in minor units. */
  readonly amountMinor: number;
  readonly direction: Direction;
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly description: string | null;
  /** Only from a column that names a transaction id, filled and distinct throughout. */
  readonly externalId: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** Only of a line that says that it returns or reverses another one. No part of its content. */
  readonly reversal?: ReversalMark;
}

/** A row that is no line, with what of it could be read. */
export interface RejectedRow extends Omit<StatementLine, 'day' | 'amountMinor' | 'direction'> {
  readonly day: number | null;
  readonly amountMinor: number | null;
  readonly direction: Direction | null;
  /** Why; members of the statement's problems. */
  readonly problems: readonly Problem[];
}

export interface UnderstoodColumn {
  /** From 0. */
  readonly index: number;
  readonly header: string;
  /** What a person calls it; no two are equal. */
  readonly name: string;
  readonly role: ColumnRole;
  /** Where its values go: `description`, `external_id`, `metadata.<key>` ...; null when nowhere. */
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

/** A balance of the account on a day, as the file says it. */
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
  /** As the file writes it. */
  readonly account: string;
  readonly currency: string;
  /** Transactions of it, rejected ones included. */
  readonly rows: number;
  readonly openingBalanceMinor: number | null;
  readonly closingBalanceMinor: number | null;
}

/** What the account has when a day ends. */
export interface DayEnd {
  readonly day: number;
  readonly minor: number;
  /** Where it does not follow from the one before it: the first day on which a line may be missing. */
  readonly breaksFrom?: number;
}

/** Days that a file speaks of for an account. Days since 1970-01-01, both included; balances are signed minor units. */
export interface StatementPeriod {
  /** As the file writes it; null unless it holds several. */
  readonly account: string | null;
  readonly firstDay: number;
  readonly lastDay: number;
  readonly openingMinor: number | null;
  readonly closingMinor: number | null;
  /** Where its running balance breaks: what it says at the ends of the days around each break. */
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
  /** Problems of rows that are counted and not in the list; only where a file is too large to list all. */
  readonly unlistedProblems?: number;
  /** What the file leaves open: it is read by one of the readings that are as good as each other. */
  readonly questions: readonly OpenQuestion[];
  readonly rejectedRows: number;
  readonly rejected: readonly RejectedRow[];
  /** Field that stands for the reference: `external_id`, `description` or `metadata.<key>`; null where none is evident. */
  readonly referenceField: string | null;
  /** Those of its transactions, rejected ones included. */
  readonly currencies: readonly string[];
  /** The one currency of the file, or that of most lines; `NO_CURRENCY` while that is asked for. */
  readonly currency: string;
  /** Whether the file names the currency of all its lines. */
  readonly namesCurrency: boolean;
  readonly openingBalanceMinor: number | null;
  readonly closingBalanceMinor: number | null;
  /** At most one of a day and type. Empty for a file that is read as several accounts together. */
  readonly balances: readonly StatementBalance[];
  /** `proved`: the opening balance and the lines make the closing one, or control sums of both directions hold for every line. */
  readonly proof: 'proved' | 'unproved' | 'broken';
  /** The balances hold for all rows of the file, those included that do not go in. */
  readonly isConfirmed: boolean;
  /** Debit/Credit columns of a ledger taken literally: such a book carries the sign opposite to the bank's. */
  readonly literalDebitCredit: boolean;
  /** The accounts of a file that holds several, whichever of them was read; else empty. */
  readonly accounts: readonly StatementAccount[];
  /** Whose transactions were read. */
  readonly whose: WhoseFile;
  /** What it covers: one for each statement in the file. */
  readonly periods: readonly StatementPeriod[];
  /** Entries that hold several transactions which add up to them; left out where there is none. */
  readonly batches?: ReadBatches;
  /** How a table was read, as a recipe; null for formats with fixed meaning. */
  readonly table: ReadTable | null;
}

/**
 * Entries that hold several transactions: as one line each, or as a line of each transaction. Both readings name the same money, so a stream that has a line of
 * the other one has the entry.
 */
export interface ReadBatches {
  readonly entries: number;
  readonly parts: number;
  readonly lines: BatchLines;
  /** Of the lines of such entries, the number of the entry. */
  readonly entryOf: ReadonlyMap<StatementLine, number>;
  /** All lines of the file by the other reading, and the same of these. */
  readonly otherLines: readonly StatementLine[];
  readonly entryOfOther: ReadonlyMap<StatementLine, number>;
}

interface ReadTable {
  readonly recipe: TableRecipe;
  /** The known recipe that was followed. */
  readonly followed: number | null;
  /** Whether it states balances, as it was read or as it would be without the recipe. */
  readonly hasBalances: boolean;
  /** Of a workbook. */
  readonly sheet: ReadSheet | null;
}

/** Why a file cannot be read at all: one sentence with the place, and a code for machines. */
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
    | 'unsupported_format';
  readonly message: string;
  readonly row: number | null;
  readonly column: string | null;
  /** Of a table: what was seen of it nevertheless. */
  readonly seen?: SeenTable;
  /** Those of a workbook. */
  readonly sheets?: readonly ListedSheet[];
}

/** Whose transactions a file holds, as far as it says so. */
export interface WhoseFile {
  /** Numbers of accounts, as the file writes them. */
  readonly accounts: readonly string[];
  readonly holders: readonly string[];
}

export const NOBODY: WhoseFile = { accounts: [], holders: [] };

/** What says of a line that it returns or reverses another one. */
export interface ReversalMark {
  /** A mark of the file's format, or words in the line's text: these count only where the line that is taken back is found. */
  readonly by: 'format' | 'words';
  /** The code of the reason, such as `AC04` or `R01`, or the words. */
  readonly reason: string | null;
  /** What the mark calls the line that it takes back: its trace number or end-to-end id. */
  readonly reference: string | null;
}

/** A sheet of a workbook, as a person chooses among them. */
export interface ListedSheet {
  readonly name: string;
  /** Those with filled cells; null for one that cannot be read. */
  readonly rows: number | null;
  readonly isHidden: boolean;
  readonly isRead: boolean;
}

/** What of a workbook was read. */
export interface ReadSheet {
  readonly name: string;
  /** A person or a recipe names a sheet; what is read otherwise is told from the workbook. */
  readonly isNamed: boolean;
  /** The sheet that the recipe names, where another one is read in its place. */
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
  /** The first rows of the file, above the table as well. */
  readonly head: readonly GridRow[];
  /** None of them is taken for anything. */
  readonly columns: readonly UnderstoodColumn[];
}
