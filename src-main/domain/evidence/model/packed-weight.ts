import { assert } from '../../../../src-shared/values/assert.ts';
import { LOG_ODDS_STEPS, MOST_LOG_ODDS, MOST_PART, PARTS, type Weight } from './weight.ts';

/**
 * A weight in one whole number, never 0: log odds in the 12 highest of 52 bits, then the parts, eight bits each. A run keeps and binds one number
 * a match, and SQLite parts it into the columns `likelihood` and `evidence`.
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

/** `likelihood` and `evidence` as they are stored. */
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

/** The chance that a link is right, 0..1, of its stored log odds. For people and sums that are told to them: nothing is decided by it. */
export function probabilityOf(likelihood: number): number {
  return 1 / (1 + 2 ** (-likelihood / LOG_ODDS_STEPS));
}

/** The least stored log odds of links that are at least so likely. */
export function leastLogOdds(probability: number): number {
  if (probability >= 1) return MOST_LOG_ODDS;
  return Math.max(-MOST_LOG_ODDS, Math.min(MOST_LOG_ODDS, Math.ceil(Math.log2(probability / (1 - probability)) * LOG_ODDS_STEPS)));
}
