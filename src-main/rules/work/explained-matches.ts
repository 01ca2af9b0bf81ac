import type { ReadHandle } from '../../database/database.ts';
import { type EngineInput, type EngineMatch, explained, type FoundMatch } from '../../domain/matching/index.ts';
import { engineRecordsById } from '../../records/work/engine-input.ts';

/** Everything that a run uses besides its records. */
export type RunFacts = Pick<EngineInput, 'rules' | 'types' | 'signConvention'>;

/** Returns matches of a run with their explanations, made from the present records. Skips matches with a deleted record. */
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
