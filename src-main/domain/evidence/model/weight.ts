/** Kinds of evidence, in the order of a weight's parts. */
export const PARTS = ['amount', 'lag', 'text', 'references', 'rivals'] as const;
export type Part = (typeof PARTS)[number];

/** Steps of a bit for log odds, and for parts. */
export const LOG_ODDS_STEPS = 64;
export const PART_STEPS = 4;
export const MOST_LOG_ODDS = 2_047;
export const MOST_PART = 127;

/** The log odds of a link and their parts: 52 bits in all. */
export interface Weight {
  /** Log2 of the odds that the link is right, in 1/64 bit, -2047..2047. */
  readonly logOdds: number;
  /**
   * Contribution of each kind of evidence in quarter bits, -127..127, in the order of `PARTS`. `rivals` is what other candidates and the probability
   * of having no partner subtract.
   */
  readonly parts: readonly number[];
}
