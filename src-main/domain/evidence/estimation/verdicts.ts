import type { RecordColumns } from '../../records/record-columns.ts';
import { rowById } from '../features/row-by-id.ts';
import type { EvidenceInput, PeoplesPairs } from '../model/input.ts';

/** Decisions of people about pairs of lines: 1 for true, 0 for false. */
export interface Verdicts {
  readonly isEmpty: boolean;
  /** Looks up a decision by rows of all lines; undefined if there is none. */
  readonly of: (rowA: number, rowB: number) => 0 | 1 | undefined;
}

export function verdictsOf({ a, b, people }: EvidenceInput): Verdicts {
  if (people.confirmed.length + people.rejected.length === 0) return { isEmpty: true, of: () => undefined };
  const [rowsA, rowsB] = [rowsOfPeople(a.all, people, 0), rowsOfPeople(b.all, people, 1)];
  const known = new Map<string, 0 | 1>();
  const say = (pairs: PeoplesPairs['confirmed'], verdict: 0 | 1): void => {
    for (const [idA, idB] of pairs) known.set(`${rowsA.get(idA)},${rowsB.get(idB)}`, verdict);
  };
  say(people.confirmed, 1);
  say(people.rejected, 0);
  return { isEmpty: false, of: (rowA, rowB) => known.get(`${rowA},${rowB}`) };
}

/** Returns the rows of those records of a side that people decided about, by id. */
export function rowsOfPeople(columns: RecordColumns, { confirmed, rejected }: PeoplesPairs, side: 0 | 1): Map<number, number> {
  return rowById(columns, new Set([...confirmed, ...rejected].map((pair) => pair[side])));
}
