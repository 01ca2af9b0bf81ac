import { log2Of } from './logarithm.ts';
import { LOG_ODDS_STEPS, MOST_LOG_ODDS, MOST_PART, PART_STEPS, type Weight } from './weight.ts';

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
