import type { StatementDocument } from '../../../src-shared/contract/index.ts';
import type { Notation } from '../../../src-shared/values/notation.ts';

/** The kind of a column's values. Amounts are minor units of the document's currency; days count from 1970-01-01. */
export type ColumnKind = 'text' | 'day' | 'amount' | 'count' | 'hash';

export interface Column {
  readonly title: string;
  /** Title of the second line of each cell; null if it has none. */
  readonly second: string | null;
  readonly kind: ColumnKind;
  /** Width relative to the other columns. */
  readonly weight: number;
}

/** Text for `text` and `hash`, a number for the other kinds, null for an empty cell. */
export type Cell = string | number | null;

/** The name by which the document refers to a figure, and the names of the figures that it adds. `-name` is subtracted. */
export interface Named {
  readonly name: string | null;
  readonly adds: readonly string[] | null;
}

export interface Row {
  readonly cells: readonly Cell[];
  /** Texts of the second lines by column; null for none. */
  readonly second: readonly (string | null)[] | null;
  /** Names by column, for figures that others add or that add others; null for none. */
  readonly named: readonly (Named | null)[] | null;
  /** Whether it continues the row before it, such as the further lines of a match. */
  readonly isContinued: boolean;
}

/** The parts of a total: its column in the rows of its group, or in all rows of its table, or named figures. `-name` is subtracted. */
export type Addends = 'group' | 'table' | readonly string[];

interface TotalCell {
  readonly column: number;
  readonly value: number;
  readonly adds: Addends;
  /** The name by which other totals refer to it; null for none. */
  readonly name: string | null;
}

export interface Total {
  readonly label: string;
  readonly cells: readonly TotalCell[];
  /** Whether it is the last of its table, which has a double rule below it. */
  readonly isFinal: boolean;
}

export interface Group {
  /** Note number, such as `1.1`; null for none. */
  readonly number: string | null;
  readonly title: string | null;
  /** Text after the title, in lighter type. */
  readonly remark: string | null;
  readonly rows: readonly Row[];
  readonly totals: readonly Total[];
  /** Number of rows that pages for people show before they add up the rest; null for all. The workbook, the CSV and the pack always list all rows. */
  readonly shortAfter: number | null;
}

export interface Table {
  readonly kind: 'table';
  readonly title: string | null;
  /** Whether each row has a box to tick on paper. */
  readonly hasBoxes: boolean;
  /** Name of its own sheet in the workbook; null if it is on the sheet of its section. */
  readonly sheet: string | null;
  readonly columns: readonly Column[];
  readonly groups: readonly Group[];
  readonly totals: readonly Total[];
  /** Text that replaces the rows if there are none. */
  readonly whenEmpty: string;
}

/** Named values, such as those of a file. */
export interface Facts {
  readonly kind: 'facts';
  readonly title: string | null;
  readonly rows: readonly { readonly name: string; readonly value: string; readonly isHash: boolean }[];
}

export interface Sentences {
  readonly kind: 'sentences';
  /** Sentences, each with a lead in bold type or null. */
  readonly items: readonly { readonly lead: string | null; readonly text: string }[];
}

/** The statement: balance, groups and adjusted balance of each side, and the unexplained difference. */
interface StatementBlock {
  readonly kind: 'statement';
  readonly statement: StatementDocument;
}

/** The place where people sign. */
export interface Signatures {
  readonly kind: 'signatures';
  readonly statement: string;
  readonly signers: readonly {
    readonly title: string;
    readonly name: string | null;
    readonly at: string | null;
    /** First digits of the hash of the signed figures. */
    readonly figures: string | null;
  }[];
  readonly remark: string;
}

/** Two blocks that are side by side if there is room. */
export interface Pair {
  readonly kind: 'pair';
  readonly blocks: readonly [Table | Facts, Table | Facts];
}

export type Block = StatementBlock | Table | Facts | Sentences | Signatures | Pair;

export interface Section {
  /** Note number; null for the statement. */
  readonly number: string | null;
  /** A short name that is unique among the sections. The sheet of the workbook has it too. */
  readonly name: string;
  readonly heading: string;
  readonly remark: string | null;
  readonly blocks: readonly Block[];
  /** Number of things that it lists; null if it lists none. */
  readonly count: number | null;
  /** Whether it is too long for paper and left out of the printed page. */
  readonly isAppendix: boolean;
}

/** The facts that every page shows. */
export interface Identity {
  readonly bookName: string | null;
  readonly reconciliation: string;
  readonly account: string;
  readonly accountNumber: string | null;
  /** Files or streams, those of the bank first. */
  readonly sources: readonly [string, string];
  readonly period: string;
  readonly days: string;
  readonly currency: string;
  readonly decimalPlaces: number;
  readonly preparedBy: string | null;
  readonly state: 'open' | 'prepared' | 'reviewed' | 'closed';
  readonly isStale: boolean;
  /** First hexadecimal digits, in groups, of the hash over the signed figures and the sign-offs. */
  readonly fingerprint: string;
  /** First hexadecimal digits, in groups, of the hash over the whole content of the report. */
  readonly contents: string;
  readonly printed: string;
  /** How the days and numbers of the document are written, and on what paper. */
  readonly notation: Notation;
}

/** A report as headings, figures and sentences. Each format renders this and nothing else. */
export interface Document {
  readonly title: string;
  readonly subtitle: string;
  readonly identity: Identity;
  /** Warnings above all figures, such as that the period is stale or a balance is missing. */
  readonly warnings: readonly string[];
  readonly sections: readonly Section[];
}

export function column(title: string, kind: ColumnKind, weight: number, second: string | null = null): Column {
  return { title, second, kind, weight };
}

export function row(cells: readonly Cell[], rest: Partial<Omit<Row, 'cells'>> = {}): Row {
  return { cells, second: null, named: null, isContinued: false, ...rest };
}

export function group(rows: readonly Row[], rest: Partial<Omit<Group, 'rows'>> = {}): Group {
  return { number: null, title: null, remark: null, rows, totals: [], shortAfter: null, ...rest };
}

export function table(
  columns: readonly Column[],
  groups: readonly Group[],
  rest: Partial<Omit<Table, 'kind' | 'columns' | 'groups'>> = {},
): Table {
  return { kind: 'table', title: null, hasBoxes: false, sheet: null, columns, groups, totals: [], whenEmpty: 'None.', ...rest };
}

/** Returns the exact sum of a column; null if it exceeds 2^53 - 1. */
export function sumOf(rows: readonly Row[], place: number): number | null {
  let sum = 0n;
  for (const { cells } of rows) {
    const cell = cells[place];
    if (typeof cell === 'number') sum += BigInt(cell);
  }
  const narrow = Number(sum);
  return Number.isSafeInteger(narrow) ? narrow : null;
}

/** Returns the sums of columns of rows. A sum that exceeds 2^53 - 1 is left out. `names` has the order of `columns`. */
export function totalOf(
  label: string,
  rows: readonly Row[],
  columns: readonly number[],
  adds: Addends,
  names: readonly (string | null)[] = [],
): Total {
  const cells = columns.flatMap((place, index): TotalCell[] => {
    const value = sumOf(rows, place);
    return value === null ? [] : [{ column: place, value, adds, name: names[index] ?? null }];
  });
  return { label, cells, isFinal: adds === 'table' };
}
