import type { Separation } from '../../src-shared/contract/index.ts';
import { say } from '../../src-shared/words/say.ts';

type Facts = Pick<Separation, 'record_count' | 'gone_count' | 'match_id'> & {
  readonly records: readonly Pick<Separation['records'][number], 'side'>[];
};

function goneSentence({ record_count: count, gone_count: gone }: Facts): string | null {
  if (gone === 0) return null;
  if (gone === count) return say('matches.separations.itsLinesAreAllDeleted');
  return say('matches.separations.ofItsLinesAreDeleted', { gone, lines: count });
}

/** Returns one sentence for each fact about separated lines that the lines themselves do not show. */
export function separationNotes(facts: Facts): string[] {
  const left = facts.records.filter((record) => record.side === null).length;
  return [
    goneSentence(facts),
    left === 0 ? null : say('matches.separations.aStreamOfTheseLines'),
    facts.match_id === null ? null : say('matches.separations.theyAreMatchedAgain'),
  ].filter((sentence) => sentence !== null);
}

/** Returns how many remaining lines are not shown; null when all are. */
export function moreLinesText(facts: Facts, shown: number): string | null {
  const more = facts.record_count - facts.gone_count - shown;
  return more <= 0 ? null : say('matches.separations.andMoreLines', { more });
}
