import { say } from '../../src-shared/words/say.ts';

/** What a column of a table there holds, as far as a mapping cares. */
export type ColumnKind = 'text' | 'integer' | 'decimal' | 'float' | 'day' | 'instant' | 'instant_with_zone' | 'other';

export interface SourceColumn {
  readonly name: string;
  readonly kind: ColumnKind;
  /** The type in the engine's own words, for sentences. */
  readonly type: string;
}

/** A value that an engine answers. Whole numbers beyond the safe integers are refused by the engine port. */
export type Cell = string | number | null;
export type Page = readonly (readonly Cell[])[];

/** Returns the name of a table or column as standard SQL takes it, whatever characters it has. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The places in which engines differ. Each returns SQL. */
export interface Dialect {
  readonly name: string;
  /** Whole numbers of any size, for products of amounts. */
  readonly wide: string;
  readonly quoted: (name: string) => string;
  /** The type of texts of any length. */
  readonly string: string;
  /** A text as a constant of a statement. */
  readonly literal: (text: string) => string;
  /** A value as a text, compared by its bytes. */
  readonly text: (value: string) => string;
  /** A text without the characters of a second text at its beginning, or at its end. */
  readonly trimStart: (text: string, characters: string) => string;
  readonly trimEnd: (text: string, characters: string) => string;
  readonly isAscii: (text: string) => string;
  /** Removes the characters of a class of ASCII characters, such as `0-9`, or, with `isOther`, all others. */
  readonly without: (text: string, characters: string, isOther: boolean) => string;
  /** A whole number that is equal for equal values; different values may share it. */
  readonly hash: (values: readonly string[]) => string;
  readonly places: (text: string, part: string) => string;
  /** Days since 1970-01-01 of a date. */
  readonly dayOf: (date: string) => string;
  /** Months since 1970-01 of days since 1970-01-01. */
  readonly monthOf: (day: string) => string;
  readonly makeTable: (table: string, query: string) => string;
  /** The date on which an instant lies in a time zone. */
  readonly dateIn: (instant: string, zone: string) => string;
  /** Whether a table has an order of rows. */
  readonly hasOrder: boolean;
  /** The number of a line within its side, and the order that the rows of a side are numbered in, by columns that tell lines apart. */
  readonly lineNumber: (first: number, columns: readonly string[]) => string;
  readonly lineOrder: (columns: readonly string[]) => string;
  /** An exact decimal times a power of ten, without a loss of places. */
  readonly times: (decimal: string, power: string) => string;
  /** A whole number or a decimal as an exact decimal. */
  readonly decimalOf: (number: string) => string;
  /** The exact decimal that a text spells, such as `-1234.5`, or null for any other text. */
  readonly decimalOfText: (text: string) => string;
  /** The date with which a text begins as YYYY-MM-DD, or null for any other text, in whatever order the engine would read it. */
  readonly dateOfText: (text: string) => string;
}

/** What a connection can see. */
interface Look {
  /** The tables and views that may be read, as a person names them. */
  readonly tables: readonly string[];
  /** Whether the user can change none of them; null where the engine does not tell. */
  readonly isReadOnly: boolean | null;
}

/** A place that holds tables and runs SQL. All tables that are made live in a room of our own, which goes when the connection is closed. */
export interface Engine {
  readonly dialect: Dialect;
  /** Returns the SQL of a table, a view or a Parquet file that a person named. */
  readonly source: (name: string) => string;
  readonly columns: (source: string) => Promise<SourceColumn[]>;
  readonly look: () => Promise<Look>;
  readonly run: (sql: string) => Promise<void>;
  /** Makes the table of a side's lines, whose numbers then follow each other from `first` + 1 on. */
  readonly makeLines: (table: string, query: string, first: number) => Promise<void>;
  readonly pages: (sql: string) => AsyncIterable<Page>;
  readonly insert: (table: string, rows: Page) => Promise<void>;
  /** Stops the statement that runs; it then fails. */
  readonly cancel: () => void;
  readonly close: () => Promise<void>;
}

/** A refusal in words: what is asked cannot be done there. */
export class WarehouseError extends Error {
  override readonly name = 'WarehouseError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The texts that spell a decimal of an amount, as a regular expression of any engine. */
export const DECIMAL_TEXT = String.raw`^[+-]?[0-9]{1,15}([.][0-9]{1,18})?$`;

/** The texts that begin with a day that exists, as YYYY-MM-DD, and end there or go on with a time; as a regular expression of any engine. */
export const DAY_TEXT = [
  '^(',
  '([1-9][0-9]{3}|0[1-9][0-9]{2}|00[1-9][0-9]|000[1-9])-((01|03|05|07|08|10|12)-(0[1-9]|[12][0-9]|3[01])|(04|06|09|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))|',
  '([0-9]{2}(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)-02-29',
  ')($|[T ])',
].join('');

/** Returns the months since 1970-01 of a date, in SQL of any engine. */
export function monthIn(date: string): string {
  return `CAST(EXTRACT(year FROM ${date}) * 12 + EXTRACT(month FROM ${date}) - 23641 AS INTEGER)`;
}

export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The places in which DuckDB and PostgreSQL do not differ. */
export const COMMON_DIALECT = {
  quoted,
  string: 'VARCHAR',
  literal: sqlText,
  trimStart: (text: string, characters: string) => `ltrim(${text}, ${characters})`,
  trimEnd: (text: string, characters: string) => `rtrim(${text}, ${characters})`,
  dateIn: (instant: string, zone: string) => `CAST(${instant} AT TIME ZONE ${zone} AS DATE)`,
  hasOrder: false,
  lineOrder: () => '',
  times: (decimal: string, power: string) => `(${decimal} * ${power})`,
} as const satisfies Partial<Dialect>;

/** Returns a driver, which is no part of Tieout and is loaded when a person names its engine. */
export async function loadedDriver<Driver>(engine: string, name: string, load: () => Promise<Driver>): Promise<Driver> {
  try {
    return await load();
  } catch {
    throw new WarehouseError('driver_missing', say('warehouse.engine.theDriverIsMissing', { engine, package: name }));
  }
}

/** Yields statements that insert rows, each with at most so many in its text. */
export function* insertsOf(table: string, rows: Page, { literal }: Dialect, rowsOfInsert: number): Iterable<string> {
  const valueText = (cell: Cell): string => (cell === null ? 'NULL' : typeof cell === 'number' ? String(cell) : literal(cell));
  for (let from = 0; from < rows.length; from += rowsOfInsert) {
    const values = rows.slice(from, from + rowsOfInsert).map((row) => `(${row.map(valueText).join(', ')})`);
    yield `INSERT INTO ${table} VALUES ${values.join(', ')}`;
  }
}

/** Returns all rows of a query that has few. */
export async function rowsOf(engine: Engine, sql: string): Promise<Page> {
  const rows: (readonly Cell[])[] = [];
  for await (const page of engine.pages(sql)) rows.push(...page);
  return rows;
}

export async function numberOf(engine: Engine, sql: string): Promise<number> {
  return Number((await rowsOf(engine, sql))[0]?.[0] ?? 0);
}

/** Returns a value of a driver as a cell. */
export function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const whole = typeof value === 'bigint' ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(whole)) return whole;
  throw new WarehouseError('number_out_of_range', say('warehouse.engine.aNumberIsTooLarge', { value: String(value) }));
}
