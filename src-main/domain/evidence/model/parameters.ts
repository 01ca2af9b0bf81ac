/** The format of stored parameters; another one is learned anew. */
export const PARAMETERS_FORMAT = 5;

/** A level of a comparison: how often true pairs and strangers look like that. */
export interface Level {
  readonly name: string;
  /** Share of true pairs, 0..1. */
  readonly m: number;
  /** Share of pairs of strangers, 0..1; null where it is worked out per value. */
  readonly u: number | null;
}

export interface Alias {
  /** As side A and side B write the name. */
  readonly a: string;
  readonly b: string;
  /** Confirmed pairs on different days that it comes from. */
  readonly pairs: readonly (readonly [number, number])[];
  /** What it adds where text says less, in whole steps of a part. */
  readonly bits: number;
}

/** How often lines that have something in common add up to one of the other side: sums tried, those that came out exactly, how chance would have it, and those that did not. */
export interface FamilyCounts {
  seen: number;
  hits: number;
  expected: number;
  /** Sums that fall short of the line, that go beyond it, and of either those that come near. */
  below: number;
  above: number;
  near: number;
  /** Those that come near, by how near. */
  readonly fees: number[];
}

export interface LearnedFamily extends FamilyCounts {
  /** What the lines have in common, in words that stay the same from book to book. */
  readonly name: string;
}

/** What is kept of an amount before it reaches the other side: a rate and a fixed part, to the cent. */
export interface Formula {
  /** The side whose amounts are whole. */
  readonly grossOn: 'a' | 'b';
  /** In hundredths of a per cent. */
  readonly rate: number;
  /** In units of the finest line of the book, which has so many decimal places. */
  readonly fixed: number;
  readonly places: number;
  /** Pairs that follow it to the cent, of so many with a difference of its kind. */
  readonly exact: number;
  readonly of: number;
}

/** Bits by which likelihoods are corrected, by class of link at rising likelihoods; empty: not at all. */
export type Calibration = readonly (readonly number[])[];

/** What was learned of a book, or taken from general experience. Plain JSON. */
export interface EvidenceParameters {
  readonly format: typeof PARAMETERS_FORMAT;
  /** Lines of either side that it was learned from. */
  readonly lines: { readonly a: number; readonly b: number };
  /** Share of each side's lines that have a partner on the other one, 0..1. */
  readonly partnered: { readonly a: number; readonly b: number };
  /** Share of what was learned that stands on the prior, 0..1; 1 for a book too small to learn from. */
  readonly prior: number;
  readonly amount: readonly Level[];
  readonly text: readonly Level[];
  readonly references: readonly Level[];
  /** Days from A to B: first day of each bin and the share of true pairs in it. */
  readonly lag: readonly { readonly fromDay: number; readonly toDay: number; readonly m: number; readonly u: number }[];
  /** How often lines of one name carry the same amount, by days between them. */
  readonly siblings: { readonly a: readonly number[]; readonly b: readonly number[] };
  readonly rareWords: readonly { readonly word: string; readonly count: number }[];
  readonly commonWords: readonly { readonly word: string; readonly count: number }[];
  readonly aliases: readonly Alias[];
  readonly calibration: Calibration;
  /** Fees and discounts that explain differences. */
  readonly formulas: readonly Formula[];
  /** The widest families and those seen most. */
  readonly families: readonly LearnedFamily[];
}
