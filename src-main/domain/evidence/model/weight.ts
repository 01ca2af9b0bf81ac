/** Kinds of evidence, in the order in which a weight names them. */
export const PARTS = ['amount', 'lag', 'text', 'references', 'rivals'] as const;
export type Part = (typeof PARTS)[number];

/** Steps of a bit in which log odds are kept, and in which parts are. */
export const LOG_ODDS_STEPS = 64;
export const PART_STEPS = 4;
export const MOST_LOG_ODDS = 2_047;
export const MOST_PART = 127;

/** How likely a link is, and what speaks for it: 52 bits in all. */
export interface Weight {
  /** Log2 of the odds that the link is right, in 1/64 bit, -2047..2047. */
  readonly logOdds: number;
  /** Bits that each kind of evidence adds, in quarter bits, -127..127, in the order of `PARTS`. `rivals`: what other candidates and the chance of having no partner take away. */
  readonly parts: readonly number[];
}
