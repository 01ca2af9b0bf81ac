import { assert } from '../../../../src-shared/values/assert.ts';
import { log2Of } from './logarithm.ts';

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

/** Returns log odds in whole steps. From here on decisions compare integers. */
export function logOddsOf(odds: number): number {
  return bounded(log2Of(odds) * LOG_ODDS_STEPS, MOST_LOG_ODDS);
}

/** Returns the weight of a link. `factors` holds the likelihood ratio of each kind of evidence except rivals, which take the remainder. */
export function weightOf(logOdds: number, factors: readonly number[]): Weight {
  const parts = factors.map((factor) => bounded(log2Of(factor) * PART_STEPS, MOST_PART));
  const sum = parts.reduce((total, part) => total + part, 0);
  return { logOdds, parts: [...parts, bounded((logOdds * PART_STEPS) / LOG_ODDS_STEPS - sum, MOST_PART)] };
}

/** Returns bits rounded down to a whole step of a part, as they are stored. */
export function floorToSteps(bits: number): number {
  return Math.floor(bits * PART_STEPS) / PART_STEPS;
}

function bounded(value: number, most: number): number {
  return Math.max(-most, Math.min(most, Math.round(value))) + 0;
}

/**
 * Packs a weight into one integer that is never 0: log odds in the upper 12 of 52 bits, then the parts with eight bits each. A run keeps and binds
 * one number for each match, and SQL divides it into the columns `likelihood` and `evidence`.
 */
const EVIDENCE_BITS = 40;
const LIKELIHOOD_OFFSET = 2 ** 11;
const PART_OFFSET = 128;
const PART_VALUES = 256;

export function packWeight({ logOdds, parts }: Weight): number {
  assert(Number.isInteger(logOdds) && Math.abs(logOdds) <= MOST_LOG_ODDS, 'log odds are whole steps within their bounds');
  assert(parts.length === PARTS.length, 'a weight has all its parts');
  let packed = logOdds + LIKELIHOOD_OFFSET;
  for (const part of parts) {
    assert(Number.isInteger(part) && Math.abs(part) <= MOST_PART, 'a part is whole steps within its bounds');
    packed = packed * PART_VALUES + part + PART_OFFSET;
  }
  return packed;
}

/** Returns the columns `likelihood` and `evidence` of a packed weight. */
export function storedWeight(packed: number): { readonly likelihood: number; readonly evidence: number } {
  const high = Math.floor(packed / 2 ** EVIDENCE_BITS);
  return { likelihood: high - LIKELIHOOD_OFFSET, evidence: packed - high * 2 ** EVIDENCE_BITS };
}

export function packedOfStored(likelihood: number, evidence: number): number {
  return (likelihood + LIKELIHOOD_OFFSET) * 2 ** EVIDENCE_BITS + evidence;
}

export function weightOfPacked(packed: number): Weight {
  const { likelihood, evidence } = storedWeight(packed);
  const parts: number[] = [];
  for (let rest = evidence, left = PARTS.length; left > 0; left -= 1) {
    const above = Math.floor(rest / PART_VALUES);
    parts.unshift(rest - above * PART_VALUES - PART_OFFSET);
    rest = above;
  }
  return { logOdds: likelihood, parts };
}

/** Returns the probability, 0..1, that a link is right, from its stored log odds. It is for display and sums; no decision depends on it. */
export function probabilityOf(likelihood: number): number {
  return 1 / (1 + 2 ** (-likelihood / LOG_ODDS_STEPS));
}

/** Returns the least stored log odds of links with at least this probability. */
export function leastLogOdds(probability: number): number {
  if (probability >= 1) return MOST_LOG_ODDS;
  return Math.max(-MOST_LOG_ODDS, Math.min(MOST_LOG_ODDS, Math.ceil(Math.log2(probability / (1 - probability)) * LOG_ODDS_STEPS)));
}
