import type { ImportAnswers, ImportRecipe, TableByHand } from '../../../../src-shared/contract/index.ts';
import type { SpillRoom } from '../../collections/spilled-counts.ts';

/** The part of a recipe that decides how a table is read; the rest decides where its lines go. */
export type TableRecipe = Pick<
  ImportRecipe,
  | 'encoding'
  | 'delimiter'
  | 'sheet'
  | 'has_header'
  | 'columns'
  | 'date_order'
  | 'decimal_mark'
  | 'sign_model'
  | 'footer_rows'
  | 'direction_words'
>;

/** A stored recipe with the fingerprint of its layout. */
export interface KnownRecipe {
  readonly id: number;
  readonly fingerprint: string;
  readonly recipe: TableRecipe;
  /** True for a recipe of the stream into which the file is imported. */
  readonly isOfStream?: boolean;
}

/** One line for the entry that the bank booked, or a line for each of its transactions. */
export type BatchLines = 'entry' | 'parts';

/** The currencies that the target of a file accepts. */
export interface AcceptedCurrencies {
  readonly has: (currency: string) => boolean;
  /** Such as `the stream “Bank” holds GBP`. */
  readonly words: string;
}

export interface ReadOptions {
  readonly filename: string;
  /** The user's choice, else the stream's currency, else the book's; the file's own currency overrides it. Without any a question is asked. */
  readonly currency: string | null;
  /** True where it is only the book's currency: a file in another one then needs no warning. */
  readonly isCurrencyOfBook?: boolean | undefined;
  /** Currencies of the book, offered as answers where no currency is known. */
  readonly likelyCurrencies?: readonly string[] | undefined;
  /** Currencies of the target; null where it has none or accepts all. */
  readonly accepted?: AcceptedCurrencies | null | undefined;
  /** The only account to read, where the file has several; all where it is missing. */
  readonly account?: string | null | undefined;
  /** The recipe to follow for a table. */
  readonly recipe?: TableRecipe | null | undefined;
  /** A person's description of the table, without a recipe; it overrides what the file shows. Known recipes are then ignored. */
  readonly table?: TableByHand | null | undefined;
  /** How entries of several transactions are read; one line each where it is missing. */
  readonly batchLines?: BatchLines | undefined;
  /** Answers to the questions of a file; they override a recipe. */
  readonly answers?: ImportAnswers | null | undefined;
  /** Recipes that are tried in this order; the first whose layout the table has is followed. */
  readonly known?: readonly KnownRecipe[] | undefined;
  /** The files for facts about a large file's rows that do not fit into memory. */
  readonly spill?: SpillRoom | undefined;
}

export interface ReadControl {
  /** Reports the bytes of the file read so far, and its rows where they are known. Where a file is read twice, the passes share its bytes. */
  readonly onProgress: (processedBytes: number, totalBytes: number, rows?: number) => void;
  readonly isCancelled: () => boolean;
  /** Runs a step that cannot report progress, with the time it may take on a slow machine. */
  readonly longStep?: <T>(milliseconds: number, work: () => T) => T;
}
