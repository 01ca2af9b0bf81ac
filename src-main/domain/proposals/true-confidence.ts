import type { FoundMatch } from '../matching/index.ts';
import { judge } from './dry-run.ts';
import type { Confidence, KnownMatch } from './types.ts';

/** Least number of a rule's matches that evidence must judge before it affects the confidence. */
const FEWEST_JUDGED = 30;
/** Highest share of wrong links among the committed ones, by confidence. */
const WRONG = { high: 0.01, medium: 0.05 } as const;

/** `wrong` is the share of wrong links, 0..1. */
export function confidenceOf(wrong: number): Confidence {
  if (wrong < WRONG.high) return 'high';
  return wrong < WRONG.medium ? 'medium' : 'low';
}

/** Returns the confidence in a rule, measured by certain links if these judge enough of its matches, otherwise as it was estimated. */
export function trueConfidence(tied: readonly FoundMatch[], trusted: readonly KnownMatch[], seeming: Confidence): Confidence {
  const { agrees, contradicts } = judge(tied, trusted);
  const judged = agrees + contradicts;
  return judged < FEWEST_JUDGED ? seeming : confidenceOf(contradicts / judged);
}
