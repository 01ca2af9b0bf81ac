import type { BalanceType, ImportAnswers, OpenQuestion, Problem } from '../../../../../src-shared/contract/index.ts';
import type { Direction } from '../../../../../src-shared/values/money.ts';
import type { BatchLines, AcceptedCurrencies } from '../../model/read-options.ts';
import type { PagesOfStatement, ReversalMark } from '../../model/statement.ts';

/** `decimalPlaces` is set only where the file writes more of them than the currency has. */
export interface StatedAmount {
  readonly minor: number;
  readonly direction: Direction;
  readonly decimalPlaces?: number;
}

/** One of several transactions that a bank books as one entry. */
export interface StatedPart {
  /** Line of the file where it begins, from 1. */
  readonly row: number;
  /** Null where the file states no amount. */
  readonly amount: StatedAmount | null;
  readonly currency: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A transaction of a format with fixed meaning. A row with a rejecting problem has no `day` or no `amount`. */
export interface StatedEntry {
  /** Line of the file where it begins, from 1. */
  readonly row: number;
  /** The booking day where the format has one. Days since 1970-01-01; null where none is stated or it does not exist. */
  readonly day: number | null;
  /** The value day; null where none is stated or it does not exist. */
  readonly valueDay: number | null;
  readonly amount: StatedAmount | null;
  /** Null: the currency of its account. */
  readonly currency: string | null;
  readonly description: string | null;
  /** The transaction's id in the file; it becomes an external id only where each transaction has a different one. */
  readonly id: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
  /** The format's own mark of a reversal; left out where the format has none. */
  readonly reversal?: ReversalMark | null;
  /** The transactions within the entry, where there are several. */
  readonly parts?: readonly StatedPart[];
  /** True where the bank says it has not booked it yet. */
  readonly isPending?: boolean;
}

/** A balance that the file states for a day. Signed minor units. */
export interface StatedBalance {
  readonly row: number;
  readonly type: BalanceType;
  readonly day: number | null;
  readonly minor: number;
  readonly currency: string | null;
  /** True between two pages of one statement: it proves the pages, and is no balance of a day. */
  readonly isIntermediate?: boolean;
}

/** A figure of the file about its own rows. */
export interface StatedControl {
  readonly row: number;
  /** Its name, such as `The total of account 0123`. */
  readonly what: string;
  readonly stated: number;
  readonly found: number;
  /** A sum (`minor`) that differs breaks the proof. A count that differs is only noted. */
  readonly unit: 'minor' | 'count';
  /** Number of transactions that it confirms when it holds. */
  readonly rows: number;
}

/** One statement of one account: a section of the file. */
export interface StatedSection {
  readonly row: number;
  /** Account number or IBAN as the file writes it. */
  readonly account: string | null;
  /** The holder of the account, where the file names one. */
  readonly holder?: string | null | undefined;
  readonly currency: string | null;
  readonly entries: readonly StatedEntry[];
  readonly balances: readonly StatedBalance[];
  /** First and last day, where the file names them. */
  readonly period?: { readonly firstDay: number; readonly lastDay: number } | null | undefined;
  readonly controls: readonly StatedControl[];
}

/** The facts that the caller knows beside the text. */
export interface FormatOptions {
  readonly filename: string;
  /** The user's choice, else the stream's currency. */
  readonly currency: string | null;
  readonly isCurrencyOfBook?: boolean | undefined;
  readonly likelyCurrencies?: readonly string[] | undefined;
  /** Currencies of the target. */
  readonly accepted?: AcceptedCurrencies | null | undefined;
  /** A person's answers to questions that the format leaves open. */
  readonly answers?: ImportAnswers | null | undefined;
  /** How entries of several transactions are read; one line each where it is missing. */
  readonly batchLines?: BatchLines | undefined;
  /** The only account to read, where the file has several. */
  readonly account?: string | null | undefined;
}

/** The content of a file in a bank format, before the rules that hold for every format. */
export interface StatedFile {
  readonly format: string;
  readonly sections: readonly StatedSection[];
  /** Control figures of the whole file. */
  readonly controls: readonly StatedControl[];
  readonly problems: readonly Problem[];
  /** Rows of transactions that are not booked yet, where no others were left out. */
  readonly pendingRows?: readonly number[];
  /** Problems of a file that ends too early: nothing then proves it, and a person must accept it. */
  readonly cutOff?: readonly Problem[];
  /** Questions that the format leaves open. */
  readonly questions?: readonly OpenQuestion[];
  /** `metadata.<key>` or `description`: where the format keeps the payer's reference, best first. */
  readonly referenceFields: readonly string[];
  /** The places of the rows on the pages of a PDF. */
  readonly pages?: PagesOfStatement;
}
