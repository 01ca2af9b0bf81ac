import type { ReadHandle } from '../../database/database.ts';
import { type EngineInput, type EngineMatch, explained, type FoundMatch } from '../../domain/matching/index.ts';
import { engineRecordsById } from '../../records/work/engine-input.ts';

/** What a run looked at beside its records. */
export type RunFacts = Pick<EngineInput, 'rules' | 'types' | 'signConvention'>;

/** Matches of a run with the reasons for them, made from their records as they are now; a match of a record that is gone is skipped. */
export function explainedMatches(read: ReadHandle, facts: RunFacts, matches: readonly FoundMatch[]): EngineMatch[] {
  const records = engineRecordsById(
    read,
    matches.flatMap((match) => [...match.aIds, ...match.bIds]),
  );
  const there = new Set(records.map(({ id }) => id));
  const isThere = (id: number): boolean => there.has(id);
  const whole = matches.filter((match) => match.aIds.every(isThere) && match.bIds.every(isThere));
  return explained(facts, records, whole);
}
