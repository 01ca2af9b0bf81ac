import { insertRow } from './assignment.ts';
import { fillOf, fillRow } from './fill.ts';
import { begin, type Problem, type SolverState, solverState } from './solver-state.ts';
import { intAt } from './typed.ts';

/**
 * Work (edges looked at) that a component may cost before its exact search gives up: some seconds. 200 records a side
 * with every pair allowed need a few per cent of it.
 */
export const WORK_LIMIT = 200_000_000;

/** From this much work on, a search whose work so far tells that it will not end within a multiple of its limit ends at once. */
const TELLING_WORK = 20_000_000;
const HOPELESS = 2;

/** Work between two looks at the cancel flag. */
const WORK_PER_LOOK = 500_000;

/**
 * When `isOptimal`, no other solution has more pairs, or as many at a smaller distance, and the potentials prove it; otherwise the number
 * of pairs is the largest possible and nothing is known about the distance. Read it before the state serves another problem.
 */
export interface Solution {
  readonly isOptimal: boolean;
  readonly state: SolverState;
}

/** What one search of a matching is done with. */
export interface Solver {
  readonly isCancelled: () => boolean;
  /** Hears of the records of each row that is done. */
  readonly advance: (records: number) => void;
  /** Work that a component may cost. */
  readonly work: number;
  /** Whether a search that gives up is to be filled up; else nothing is paired then. */
  readonly fills: boolean;
  readonly state: SolverState;
}

export function solver(
  isCancelled: () => boolean,
  advance: (records: number) => void = () => undefined,
  work: number = WORK_LIMIT,
): Solver {
  return { isCancelled, advance, work, fills: true, state: solverState() };
}

/** Most pairs, then least distance. Null when cancelled. */
export function solve({ isCancelled, advance, work, fills, state }: Solver, problem: Problem): Solution | null {
  begin(state, problem);
  const { rowCount } = problem;
  let row = 0;
  let looked = 0;
  for (; row < rowCount && state.search.work <= work && !isHopeless(state.search.work, row / rowCount, work); row += 1) {
    insertRow(state, row);
    advance(intAt(problem.supply, row));
    if (state.search.work - looked < WORK_PER_LOOK && row % 1_024 !== 1_023) continue;
    looked = state.search.work;
    if (isCancelled()) return null;
  }
  const isOptimal = row === rowCount;
  if (!isOptimal && fills) {
    const fill = fillOf(state);
    for (; row < rowCount; row += 1) {
      fillRow(state, fill, row, intAt(problem.supply, row));
      advance(intAt(problem.supply, row));
      if (row % 256 === 0 && isCancelled()) return null;
    }
  }
  return { isOptimal, state };
}

/** Work grows about evenly with the rows. */
function isHopeless(work: number, share: number, limit: number): boolean {
  return work > TELLING_WORK && work > share * limit * HOPELESS;
}
