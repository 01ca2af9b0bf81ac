import type { ImportAnswers, ImportRecipe, TableByHand } from '../../../../src-shared/contract/index.ts';
import type { SpillRoom } from '../../collections/spilled-counts.ts';

/** The part of a recipe that says how a table is read; the rest says where its lines go. */
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

/** A recipe that is kept, and by what its layout is known. */
export interface KnownRecipe {
  readonly id: number;
  readonly fingerprint: string;
  readonly recipe: TableRecipe;
  /** It is one of the stream into which the file is imported. */
  readonly isOfStream?: boolean;
}

/** The one line that the bank booked, or a line of each of its transactions. */
export type BatchLines = 'entry' | 'parts';

/** Currencies that the target of a file has. */
export interface AcceptedCurrencies {
  readonly has: (currency: string) => boolean;
  /** Such as `the stream “Bank” holds GBP`. */
  readonly words: string;
}

export interface ReadOptions {
  readonly filename: string;
  /** From the user, else the stream, else the book; the file's own wins. Where there is none, somebody is asked. */
  readonly currency: string | null;
  /** It is only that of the book: a file in another one is none that should be looked at. */
  readonly isCurrencyOfBook?: boolean | undefined;
  /** Those of the book, of which one is likely where nobody says. */
  readonly likelyCurrencies?: readonly string[] | undefined;
  /** Those of the target; where it has none, or whatever comes is accepted, null. */
  readonly accepted?: AcceptedCurrencies | null | undefined;
  /** The one to read of a file with several accounts; without it all of them. */
  readonly account?: string | null | undefined;
  /** The recipe to follow for a table. */
  readonly recipe?: TableRecipe | null | undefined;
  /** Without a recipe: how the table is found, against what the file shows. Known recipes are not followed then. */
  readonly table?: TableByHand | null | undefined;
  /** What becomes of an entry of several transactions; without it one line. */
  readonly batchLines?: BatchLines | undefined;
  /** What is said to the questions of a file; it holds whatever a recipe says. */
  readonly answers?: ImportAnswers | null | undefined;
  /** Recipes of which one is followed when the table has its layout; the better ones first. */
  readonly known?: readonly KnownRecipe[] | undefined;
  /** Where what is seen of the rows of a large file goes when it is too much for memory. */
  readonly spill?: SpillRoom | undefined;
}

export interface ReadControl {
  /** Bytes of the file done so far, and rows of it, where they are told apart. A file that is read twice has its bytes shared out among both. */
  readonly onProgress: (processedBytes: number, totalBytes: number, rows?: number) => void;
  readonly isCancelled: () => boolean;
  /** Does a step that can tell nothing while it goes on, and says how long it may take on a slow machine. */
  readonly longStep?: <T>(milliseconds: number, work: () => T) => T;
}
