import { separationKey } from '../model/input.ts';

/** Pairs that a person separated. Larger groups are left out, because a one-to-one rule cannot make them again. */
export interface SeparatedPairs {
  /** Returns whether a record is in a separated pair, so that it must not be exchanged with others. */
  readonly concerns: (id: number) => boolean;
  readonly separates: (aId: number, bId: number) => boolean;
}

const PAIR = /^(\d+),(\d+)$/;

export function separatedPairs(separations: ReadonlySet<string>): SeparatedPairs {
  const concerned = new Set<number>();
  for (const key of separations) {
    const pair = PAIR.exec(key);
    if (pair === null) continue;
    concerned.add(Number(pair[1]));
    concerned.add(Number(pair[2]));
  }
  return {
    concerns: (id) => concerned.has(id),
    separates: (aId, bId) => concerned.has(aId) && concerned.has(bId) && separations.has(separationKey([aId, bId])),
  };
}

/** Groups of any size that a person separated. */
interface SeparatedSets {
  /** Returns false if no separated group of this many records holds the record, so that no lookup is needed. */
  readonly mayHold: (id: number, count: number) => boolean;
  readonly holds: (ids: readonly number[]) => boolean;
  /** Returns whether a record is in a separated group, so that it must not be exchanged with others. */
  readonly concerns: (id: number) => boolean;
}

export function separatedSets(separations: ReadonlySet<string>): SeparatedSets {
  const counts = new Map<number, Set<number>>();
  for (const key of separations) {
    const ids = key.split(',');
    for (const id of ids) counts.set(Number(id), (counts.get(Number(id)) ?? new Set()).add(ids.length));
  }
  return {
    mayHold: (id, count) => counts.get(id)?.has(count) === true,
    holds: (ids) => separations.has(separationKey(ids)),
    concerns: (id) => counts.has(id),
  };
}
