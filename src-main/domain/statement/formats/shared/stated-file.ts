import type { BalanceType, ImportAnswers, OpenQuestion, Problem } from '../../../../../src-shared/contract/index.ts';
import type { Direction } from '../../../../../src-shared/values/money.ts';
import type { BatchLines, AcceptedCurrencies } from '../../model/read-options.ts';
import type { ReversalMark } from '../../model/statement.ts';

/** `decimalPlaces` only where the file writes more of them than the currency has. */
export interface StatedAmount {
  readonly minor: number;
  readonly direction: Direction;
  readonly decimalPlaces?: number;
}

/** One of several transactions that a bank books as one entry. */
export interface StatedPart {
  /** Line of the file where it begins, from 1. */
  readonly row: number;
  /** Null where the file states none. */
  readonly amount: StatedAmount | null;
  readonly currency: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A transaction of a format with fixed meaning. A row with a rejecting problem has no `day` or no `amount`. */
export interface StatedEntry {
  /** Line of the file where it begins, from 1. */
  readonly row: number;
  /** The booking day where the format has one. Days since 1970-01-01; null where the file states none that exists. */
  readonly day: number | null;
  /** The value day; null where the file states none that exists. */
  readonly valueDay: number | null;
  readonly amount: StatedAmount | null;
  /** Null: that of its account. */
  readonly currency: string | null;
  readonly description: string | null;
  /** What the file calls the transaction; an id only where it is filled and distinct throughout the file. */
  readonly id: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly problems: readonly Problem[];
  /** The format's own mark of a line that takes another one back; left out where it has none. */
  readonly reversal?: ReversalMark | null;
  /** The transactions that it holds, where these are several. */
  readonly parts?: readonly StatedPart[];
  /** The bank has not booked it yet, as it says. */
  readonly isPending?: boolean;
}

/** A balance that the file states for a day. Signed minor units. */
export interface StatedBalance {
  readonly row: number;
  readonly type: BalanceType;
  readonly day: number | null;
  readonly minor: number;
  readonly currency: string | null;
  /** Between two pages of one statement: it proves the pages, and is no balance of a day. */
  readonly isIntermediate?: boolean;
}

/** A figure of the file about its own rows. */
export interface StatedControl {
  readonly row: number;
  /** In words, such as `The total of account 0123`. */
  readonly what: string;
  readonly stated: number;
  readonly found: number;
  /** Sums are `minor` and break the proof; a count that differs is a note. */
  readonly unit: 'minor' | 'count';
  /** Transactions that it confirms when it holds. */
  readonly rows: number;
}

/** One statement of one account: a section of the file. */
export interface StatedSection {
  readonly row: number;
  /** Account number or IBAN as the file writes it. */
  readonly account: string | null;
  /** Whose account it is, where the file says so. */
  readonly holder?: string | null | undefined;
  readonly currency: string | null;
  readonly entries: readonly StatedEntry[];
  readonly balances: readonly StatedBalance[];
  /** First and last day, where the file names them. */
  readonly period?: { readonly firstDay: number; readonly lastDay: number } | null;
  readonly controls: readonly StatedControl[];
}

/** How a format is read: what the caller knows beside the text. */
export interface FormatOptions {
  readonly filename: string;
  /** From the user, else the stream. */
  readonly currency: string | null;
  readonly isCurrencyOfBook?: boolean | undefined;
  readonly likelyCurrencies?: readonly string[] | undefined;
  /** Currencies of the target. */
  readonly accepted?: AcceptedCurrencies | null | undefined;
  /** What is said of dates and amounts, where a format leaves it open. */
  readonly answers?: ImportAnswers | null | undefined;
  /** What becomes of an entry of several transactions; without it one line. */
  readonly batchLines?: BatchLines | undefined;
  /** The one to read of a file with several accounts. */
  readonly account?: string | null | undefined;
}

/** What a file of a bank format says, before the rules that hold for every format are applied to it. */
export interface StatedFile {
  readonly format: string;
  readonly sections: readonly StatedSection[];
  /** Control figures of the whole file. */
  readonly controls: readonly StatedControl[];
  readonly problems: readonly Problem[];
  /** Lines of the file with transactions that were left out since they are not booked yet, where there are no others that were left out. */
  readonly pendingRows?: readonly number[];
  /** That it ends before its format lets it: then nothing proves it, and it goes in on somebody's word alone. */
  readonly cutOff?: readonly Problem[];
  /** What the file leaves open, where its format does not say everything. */
  readonly questions?: readonly OpenQuestion[];
  /** `metadata.<key>` or `description`: where the format keeps the payer's reference, best first. */
  readonly referenceFields: readonly string[];
}
