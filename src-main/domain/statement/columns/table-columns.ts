import type { DateForm } from '../cells/date-forms.ts';
import type { ColumnFacts } from './column-facts.ts';
import type { CurrencyColumn } from './currency-columns.ts';
import type { BesideMoney } from './fee-and-side-columns.ts';
import type { MoneyColumns } from './money-columns.ts';

/** What somebody, or a recipe, says of words that would say nothing else of in and out. Words are compared without regard to case. */
export interface SaidDirections {
  readonly in: readonly string[];
  readonly out: readonly string[];
  /** All other words that are not known mean money in. */
  readonly areOthersIn: boolean;
}

/** Which column plays which part; indices from 0, null where none does. */
export interface Layout extends MoneyColumns, BesideMoney {
  /** Header texts; `Column 3` where the file has none. Several may be equal. */
  readonly headers: readonly string[];
  /** What a person calls the columns; no two are equal. */
  readonly names: readonly string[];
  readonly facts: readonly ColumnFacts[];
  readonly date: number;
  /** Where its cells are digits that say a date only under this header. */
  readonly dateForm: DateForm | null;
  /** The value day beside the booking day, or the day of the document beside that of the posting. */
  readonly valueDate: number | null;
  readonly valueDateForm: DateForm | null;
  readonly direction: number | null;
  /** May say in and out by words that are not known, and is no direction before somebody says what they mean. */
  readonly askedDirection: number | null;
  /** What words mean beside those that are known. */
  readonly saidDirections: SaidDirections | null;
  readonly currency: number | null;
  readonly description: number | null;
  readonly externalId: number | null;
  readonly status: number | null;
  readonly account: number | null;
  /** Several, where each holds the amounts of another currency; `amount` is the first of them. */
  readonly currencyColumns: readonly CurrencyColumn[];
  /** Named by a recipe; else found by what the columns hold. */
  readonly reference: number | null;
  /** Columns whose cells a recipe leaves out. */
  readonly ignored: ReadonlySet<number>;
  readonly literalDebitCredit: boolean;
}
