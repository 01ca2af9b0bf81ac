import type { Separation } from '../../src-shared/contract/index.ts';
import { counted } from './counts.ts';

type Facts = Pick<Separation, 'record_count' | 'gone_count' | 'match_id'> & {
  readonly records: readonly Pick<Separation['records'][number], 'side'>[];
};

function goneSentence({ record_count: count, gone_count: gone }: Facts): string | null {
  if (gone === 0) return null;
  if (gone === count) return 'Its lines are all deleted, so it keeps nothing apart any more.';
  return `${gone} of its ${counted(count, 'line')} ${gone === 1 ? 'is' : 'are'} deleted, so it keeps nothing apart any more.`;
}

/** Returns one sentence for each fact about separated lines that the lines themselves do not show. */
export function separationNotes(facts: Facts): string[] {
  const left = facts.records.filter((record) => record.side === null).length;
  return [
    goneSentence(facts),
    left === 0 ? null : 'A stream of these lines has left this reconciliation.',
    facts.match_id === null ? null : 'They are matched again by hand. Should that be undone, a run still leaves them apart.',
  ].filter((sentence) => sentence !== null);
}

/** Returns how many remaining lines are not shown; null when all are. */
export function moreLinesText(facts: Facts, shown: number): string | null {
  const more = facts.record_count - facts.gone_count - shown;
  return more <= 0 ? null : `and ${counted(more, 'more line', 'more lines')}`;
}
