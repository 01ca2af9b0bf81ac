import type { DateForm } from '../cells/dates.ts';
import type { ColumnFacts } from './column-facts.ts';
import type { BesideMoney, CurrencyColumn, MoneyColumns } from './money-columns.ts';

/** Directions that a person or a recipe gives to words without a known direction. Words are compared without regard to case. */
export interface SaidDirections {
  readonly in: readonly string[];
  readonly out: readonly string[];
  /** True where all other unknown words mean money in. */
  readonly areOthersIn: boolean;
}

/** The role of each column; indices from 0, null where no column has it. */
export interface Layout extends MoneyColumns, BesideMoney {
  /** Header texts; `Column 3` where the file has none. Several may be equal. */
  readonly headers: readonly string[];
  /** Column names as people see them; no two are equal. */
  readonly names: readonly string[];
  readonly facts: readonly ColumnFacts[];
  readonly date: number;
  /** The form of a date column whose cells are digits; null where its cells are dates by themselves. */
  readonly dateForm: DateForm | null;
  /** The value day beside the booking day, or the day of the document beside that of the posting. */
  readonly valueDate: number | null;
  readonly valueDateForm: DateForm | null;
  readonly direction: number | null;
  /** A column that may state in and out by unknown words. It is no direction before a person says what they mean. */
  readonly askedDirection: number | null;
  /** What a person said about words that Tieout does not know. */
  readonly saidDirections: SaidDirections | null;
  readonly currency: number | null;
  readonly description: number | null;
  readonly externalId: number | null;
  readonly status: number | null;
  readonly account: number | null;
  /** Set where several columns each hold the amounts of another currency; `amount` is the first of them. */
  readonly currencyColumns: readonly CurrencyColumn[];
  /** The column that a recipe names; null where the content decides later. */
  readonly reference: number | null;
  /** Columns that a recipe leaves out. */
  readonly ignored: ReadonlySet<number>;
  readonly literalDebitCredit: boolean;
}

/** Returns the names of columns as people see them: their headers, with the place added to equal ones, so that each name is unique. */
export function namesOf(headers: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  const plain = headers.map((header) => header.toLowerCase());
  for (const name of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  if (counts.size === headers.length) return headers;
  // A name with its place may equal the header of another column.
  return namesOf(headers.map((header, index) => ((counts.get(plain[index] ?? '') ?? 0) > 1 ? `${header} (column ${index + 1})` : header)));
}
