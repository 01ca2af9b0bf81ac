import type { Run } from '../../src-shared/contract/index.ts';
import { countText } from './counts.ts';
import { say } from '../../src-shared/words/say.ts';

type RuleFigures = Run['rule_summary'][string];

/** Returns notes about a rule's part in a run beside its counts; empty when everything was computed to the end. */
export function ruleNotes({ matches, proposed, gave_up: gaveUp, exact_matches: exact, evidence }: RuleFigures, locale?: string): string[] {
  const notes: string[] = [...(evidence?.words ?? [])];
  const isGivenUp = gaveUp !== undefined && gaveUp > 0;
  const near = exact === undefined ? 0 : matches + proposed - exact;
  if (near > 0) {
    const share = say('runs.run.of', { near: countText(near, locale), matches: countText(matches + proposed, locale) });
    const pairs = isGivenUp ? say('runs.run.pairsThatLieNear') : say('runs.run.asManyPairsAsThereCanBe');
    notes.push(say('runs.run.standInGroupsToo', { share, pairs }));
  }
  if (isGivenUp) {
    const [sought, missing] = exact === undefined ? ['sums', 'combinations'] : ['partners', 'pairs'];
    notes.push(say('runs.run.theSearchForWasGivenUp', { sought, gaveUp, missing }, locale));
  }
  return notes;
}

export function elapsedText(elapsedMs: number): string {
  if (elapsedMs < 1_000) return say('runs.run.underASecond');
  return elapsedMs < 60_000 ? `${Math.round(elapsedMs / 1_000)} s` : say('runs.run.min', { round: Math.round(elapsedMs / 60_000) });
}
