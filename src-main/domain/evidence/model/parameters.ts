/** Version of the stored parameters. Parameters of another version are learned again. */
export const PARAMETERS_FORMAT = 7;

/** A level of a comparison, with its m-probability and u-probability. */
export interface Level {
  readonly name: string;
  /** Share of true pairs, 0..1. */
  readonly m: number;
  /** Share of unrelated pairs, 0..1; null if it is computed for each value. */
  readonly u: number | null;
}

export interface Alias {
  /** The name as side A and side B write it. */
  readonly a: string;
  readonly b: string;
  /** Confirmed pairs, each on a different day, from which the alias was learned. */
  readonly pairs: readonly (readonly [number, number])[];
  /** Bits that it adds if the texts add less, in whole steps of a part. */
  readonly bits: number;
}

/**
 * How often lines with a common property add up to a line of the other side: sums tried, exact sums, exact sums expected by chance, and the others.
 */
export interface FamilyCounts {
  seen: number;
  hits: number;
  expected: number;
  /** Sums that fall short of the line, sums that are too large, and those of either kind that are near. */
  below: number;
  above: number;
  near: number;
  /** Near sums, by size of the difference. */
  readonly fees: number[];
}

export interface LearnedFamily extends FamilyCounts {
  /** The common property, in words that do not depend on the book. */
  readonly name: string;
}

/** A formula for what is deducted from an amount before it reaches the other side: a rate and a fixed part, exact to the cent. */
export interface Formula {
  /** The side with the full amounts. */
  readonly grossOn: 'a' | 'b';
  /** In hundredths of a percent. */
  readonly rate: number;
  /** In units of the book's finest line, which has `places` decimal places. */
  readonly fixed: number;
  readonly places: number;
  /** Pairs that follow it to the cent, and pairs with a difference of its kind. */
  readonly exact: number;
  readonly of: number;
  /** For a formula of sums: what the fixed part and rounding apply to, each line or the sum. */
  readonly per?: 'line' | 'sum' | undefined;
}

/** Bits by which log odds are corrected, by class of link and then by rising log odds; empty for no correction. */
export type Calibration = readonly (readonly number[])[];

/** Parameters learned of a book, or taken from the prior. Plain JSON. */
export interface EvidenceParameters {
  /**
   * Format 5 had other bins of days, format 6 counted lines of one name as strangers, which its calibration makes up for. Books keep them, since they
   * explain the matches of their runs.
   */
  readonly format: 5 | 6 | typeof PARAMETERS_FORMAT;
  /** Lines of either side from which they were learned. */
  readonly lines: { readonly a: number; readonly b: number };
  /** Share of each side's lines that have a partner on the other side, 0..1. */
  readonly partnered: { readonly a: number; readonly b: number };
  /** Share of the prior in the parameters, 0..1; 1 for a book too small to learn from. */
  readonly prior: number;
  readonly amount: readonly Level[];
  readonly text: readonly Level[];
  readonly references: readonly Level[];
  /** Bins of days from A to B: first and last day, and the shares of true and of unrelated pairs. */
  readonly lag: readonly { readonly fromDay: number; readonly toDay: number; readonly m: number; readonly u: number }[];
  /** By days apart: how often lines of one name have the same amount. */
  readonly siblings: { readonly a: readonly number[]; readonly b: readonly number[] };
  readonly rareWords: readonly { readonly word: string; readonly count: number }[];
  readonly commonWords: readonly { readonly word: string; readonly count: number }[];
  readonly aliases: readonly Alias[];
  readonly calibration: Calibration;
  /** Fees and discounts that explain differences. */
  readonly formulas: readonly Formula[];
  /** The widest families, and those with the most sums. */
  readonly families: readonly LearnedFamily[];
}
