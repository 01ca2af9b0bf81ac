import type { StatementDocument } from '../../../src-shared/contract/index.ts';

/** What stands in a column. Amounts are minor units of the document's currency, days count from 1970-01-01. */
export type ColumnKind = 'text' | 'day' | 'amount' | 'count' | 'hash';

export interface Column {
  readonly title: string;
  /** Of the second line of each cell; null where it has none. */
  readonly second: string | null;
  readonly kind: ColumnKind;
  /** Share of the width beside the others. */
  readonly weight: number;
}

/** Text for `text` and `hash`, a number for the others, null for nothing. */
export type Cell = string | number | null;

/** What a figure is called elsewhere in the document, and which figures it adds: `-name` takes one away. */
export interface Named {
  readonly name: string | null;
  readonly adds: readonly string[] | null;
}

export interface Row {
  readonly cells: readonly Cell[];
  /** Text of the second lines, by column; null for none. */
  readonly second: readonly (string | null)[] | null;
  /** By column, for figures that others add or that add others; null for none. */
  readonly named: readonly (Named | null)[] | null;
  /** It goes on with the row before it, such as the further lines of a match. */
  readonly isContinued: boolean;
}

/** What a total adds: its column in the rows of its group, in all rows of its table, or figures of these names, `-name` taken away. */
export type Addends = 'group' | 'table' | readonly string[];

export interface TotalCell {
  readonly column: number;
  readonly value: number;
  readonly adds: Addends;
  /** By which other totals refer to it; null for none. */
  readonly name: string | null;
}

export interface Total {
  readonly label: string;
  readonly cells: readonly TotalCell[];
  /** The last of its table: a double rule stands below it. */
  readonly isFinal: boolean;
}

export interface Group {
  /** Note number, such as `1.1`; null for none. */
  readonly number: string | null;
  readonly title: string | null;
  /** Behind the title in lighter type. */
  readonly remark: string | null;
  readonly rows: readonly Row[];
  readonly totals: readonly Total[];
  /** What a page for people to read adds up after so many rows; the workbook, the CSV and the pack list all. Null for none. */
  readonly shortAfter: number | null;
}

export interface Table {
  readonly kind: 'table';
  readonly title: string | null;
  /** Each row has a box to tick on paper. */
  readonly hasBoxes: boolean;
  /** Name of the sheet of its own that it has in a workbook; null where it stands on that of its section. */
  readonly sheet: string | null;
  readonly columns: readonly Column[];
  readonly groups: readonly Group[];
  readonly totals: readonly Total[];
  /** Instead of the rows where there are none. */
  readonly whenEmpty: string;
}

/** A line of a named value, such as of a file. */
export interface Facts {
  readonly kind: 'facts';
  readonly title: string | null;
  readonly rows: readonly { readonly name: string; readonly value: string; readonly isHash: boolean }[];
}

export interface Sentences {
  readonly kind: 'sentences';
  /** Each with what stands in bold in front of it, or null. */
  readonly items: readonly { readonly lead: string | null; readonly text: string }[];
}

/** The statement itself: balance, groups and adjusted balance of each side, and what remains. */
export interface StatementBlock {
  readonly kind: 'statement';
  readonly statement: StatementDocument;
}

/** Where a person signs. */
export interface Signatures {
  readonly kind: 'signatures';
  readonly statement: string;
  readonly signers: readonly {
    readonly title: string;
    readonly name: string | null;
    readonly at: string | null;
    /** First digits of the hash of the figures that were signed. */
    readonly figures: string | null;
  }[];
  readonly remark: string;
}

/** Two blocks beside each other where there is room. */
export interface Pair {
  readonly kind: 'pair';
  readonly blocks: readonly [Table | Facts, Table | Facts];
}

export type Block = StatementBlock | Table | Facts | Sentences | Signatures | Pair;

export interface Section {
  /** Note number; null for the statement. */
  readonly number: string | null;
  /** Short and different from all others: a sheet of the workbook has it as its name. */
  readonly name: string;
  readonly heading: string;
  readonly remark: string | null;
  readonly blocks: readonly Block[];
  /** How many things it lists; null where it lists none. */
  readonly count: number | null;
  /** Too long for paper: left out of the page that people print. */
  readonly isAppendix: boolean;
}

/** What stands on every page. */
export interface Identity {
  readonly bookName: string | null;
  readonly reconciliation: string;
  readonly account: string;
  readonly accountNumber: string | null;
  /** Files or streams, the bank's first. */
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
  /** First hexadecimal digits, in groups, of the hash over all that the report says. */
  readonly contents: string;
  readonly printed: string;
}

/** The report as headings, figures and sentences; each format renders this and nothing else. */
export interface Document {
  readonly title: string;
  readonly subtitle: string;
  readonly identity: Identity;
  /** Said above all figures, such as that the period is stale or a balance is missing. */
  readonly warnings: readonly string[];
  readonly sections: readonly Section[];
}
