import type { FoundMatch } from '../matching/index.ts';
import { judge } from './dry-run.ts';
import type { Confidence, KnownMatch } from './types.ts';

/** Links that evidence ties and a rule speaks of, below which they say nothing about the rule. */
const FEWEST_JUDGED = 30;
/** Of the committed links, the share that may be wrong. */
const WRONG = { high: 0.01, medium: 0.05 } as const;

/** `wrong`: the share of wrong links, 0..1. */
export function confidenceOf(wrong: number): Confidence {
  if (wrong < WRONG.high) return 'high';
  return wrong < WRONG.medium ? 'medium' : 'low';
}

/** How sure a rule is: by what the evidence makes certain, where it speaks of enough of it, else as it seemed. */
export function trueConfidence(tied: readonly FoundMatch[], trusted: readonly KnownMatch[], seeming: Confidence): Confidence {
  const { agrees, contradicts } = judge(tied, trusted);
  const judged = agrees + contradicts;
  return judged < FEWEST_JUDGED ? seeming : confidenceOf(contradicts / judged);
}
