import type { Run } from '../../src-shared/contract/index.ts';
import { counted, countText } from './counts.ts';

type RuleFigures = Run['rule_summary'][string];

/** Returns notes about a rule's part in a run beside its counts; empty when everything was computed to the end. */
export function ruleNotes({ matches, proposed, gave_up: gaveUp, exact_matches: exact, evidence }: RuleFigures, locale?: string): string[] {
  const notes: string[] = [...(evidence?.words ?? [])];
  const isGivenUp = gaveUp !== undefined && gaveUp > 0;
  const near = exact === undefined ? 0 : matches + proposed - exact;
  if (near > 0) {
    const share = `${countText(near, locale)} of ${countText(matches + proposed, locale)}`;
    const pairs = isGivenUp ? 'pairs that lie near' : 'as many pairs as there can be';
    notes.push(`${share} stand in groups too large to be paired exactly: ${pairs}, not surely the nearest ones.`);
  }
  if (isGivenUp) {
    const [sought, missing] = exact === undefined ? ['sums', 'combinations'] : ['partners', 'pairs'];
    notes.push(`The search for ${sought} was given up for ${counted(gaveUp, 'line', 'lines', locale)}: ${missing} may be missing.`);
  }
  return notes;
}

export function elapsedText(elapsedMs: number): string {
  if (elapsedMs < 1_000) return 'under 1 s';
  return elapsedMs < 60_000 ? `${Math.round(elapsedMs / 1_000)} s` : `${Math.round(elapsedMs / 60_000)} min`;
}
