import { floatAt } from '../../collections/typed-arrays.ts';
import {
  AMOUNT,
  LAG_BINS,
  LAG_FAR,
  placesOfText,
  REFERENCE,
  REFERENCE_LEVELS,
  RARITY_LEVELS,
  TEXT_LEVELS,
  TEXT_MISSING,
} from '../comparison/levels.ts';
import type { ReferenceFacts } from '../features/shared-references.ts';

/**
 * The prior describes true pairs of most books. Its weight is given as a number of pairs that are added to those of the book. Days have the
 * most, because a dozen pairs do not show whether a payment can be a month late or is that of another month. */
export const PRIOR_PAIRS = { amount: 15, lag: 30, text: 12, reference: 10 } as const;
/** Prior share of lines of the smaller side that have a partner. */
export const PRIOR_PARTNERED = 0.6;
/** Least number of unrelated pairs at a level, even if none was seen. */
export const LEAST_UNRELATED = 0.5;

const AMOUNT_SHARES = [0.85, 0.02, 0.02, 0.025, 0.02, 0.01, 0.004, 0.008, 0.02];
const LAG_SHARES = [
  0.0005, 0.001, 0.0015, 0.003, 0.002, 0.004, 0.004, 0.006, 0.006, 0.012, 0.02, 0.045, 0.37, 0.19, 0.11, 0.07, 0.04, 0.03, 0.03, 0.02,
  0.012, 0.01, 0.008, 0.005, 0.003, 0.003, 0.001,
];
/** Prior share of true pairs by share level of their names. */
const TEXT_SHARES = [0.22, 0.13, 0.15, 0.15, 0.35];
/** Upper bounds of the likelihood ratio of a text level before the book has shown it: by bit level, and a factor by share level. */
const MOST_RATIOS = [1, 8, 32, 128, 512, 2_048, 4_096, 8_192];
const SHARE_FACTORS = [0.125, 0.5, 1, 2, 2];
/** Prior share of true pairs that share no reference although both lines hold some. */
const DIFFERING = 0.06;

function normal(numbers: readonly number[] | Float64Array): Float64Array {
  let sum = 0;
  for (const number of numbers) sum += number;
  return Float64Array.from(numbers, (number) => (sum === 0 ? 1 / numbers.length : number / sum));
}

export function amountPrior(): Float64Array {
  return normal(AMOUNT_SHARES.slice(0, AMOUNT.count));
}

/** Returns the prior of days from A to B. `isTurned` says that the lines of side B come first, as in a book whose side A is the bank. */
export function lagPrior(isTurned: boolean): Float64Array {
  const within = LAG_SHARES.slice(0, LAG_FAR);
  return normal([...(isTurned ? within.toReversed() : within), ...LAG_SHARES.slice(LAG_FAR, LAG_BINS)]);
}

/**
 * Returns the prior of text levels. `unrelated` holds the shares of unrelated pairs by level, which show how distinctive the names of the book are.
 */
export function textPrior(unrelated: Float64Array): Float64Array {
  const missing = floatAt(unrelated, TEXT_MISSING);
  const found = new Float64Array(TEXT_LEVELS);
  const sums = new Float64Array(TEXT_SHARES.length);
  for (let level = 1; level < TEXT_LEVELS; level += 1) {
    const [, ofShare] = placesOfText(level);
    found[level] = Math.sqrt(floatAt(unrelated, level) + 1e-6);
    sums[ofShare] = floatAt(sums, ofShare) + floatAt(found, level);
  }
  for (let level = 1; level < TEXT_LEVELS; level += 1) {
    const [ofBits, ofShare] = placesOfText(level);
    const share = (1 - missing) * (TEXT_SHARES[ofShare] ?? 0) * (floatAt(found, level) / floatAt(sums, ofShare));
    found[level] = Math.min(share, floatAt(unrelated, level) * (MOST_RATIOS[ofBits] ?? 1) * (SHARE_FACTORS[ofShare] ?? 1));
  }
  found[TEXT_MISSING] = missing;
  return normal(found);
}

/**
 * Returns the prior of reference levels. `unrelated` holds the shares of all pairs by level; `sharing` holds pairs by level, each pair counted once.
 * A number that a line holds in two fields makes two families of the same pairs. The second family adds no evidence and takes no share from the
 * first.
 */
export function referencePrior(
  unrelated: Float64Array,
  { families }: Pick<ReferenceFacts, 'families'>,
  sharing: Float64Array,
): Float64Array {
  const found = new Float64Array(REFERENCE_LEVELS);
  const missing = floatAt(unrelated, REFERENCE.missing);
  if (families.length === 0) {
    found[REFERENCE.missing] = 1;
    return found;
  }
  found[REFERENCE.missing] = missing;
  found[REFERENCE.differ] = (1 - missing) * DIFFERING;
  const weights = families.map(({ belief, seen, pairs }, place) => {
    let own = 0;
    for (let rarity = 0; rarity < RARITY_LEVELS; rarity += 1) own += floatAt(sharing, REFERENCE.first + place * RARITY_LEVELS + rarity);
    return belief * seen * Math.min(1, own / pairs) + 0.1;
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  weights.forEach((weight, place) => {
    for (let rarity = 0; rarity < RARITY_LEVELS; rarity += 1) {
      found[REFERENCE.first + place * RARITY_LEVELS + rarity] =
        ((1 - missing) * (1 - DIFFERING) * weight * (RARITY_SHARES[rarity] ?? 0)) / sum;
    }
  });
  return normal(found);
}

const RARITY_SHARES = [0.7, 0.2, 0.07, 0.03];
