import { intAt, sumOf } from '../../../collections/typed-arrays.ts';
import { WORK_LIMIT } from '../../model/limits.ts';
import { fillOf, fillRow } from './greedy-completion.ts';
import { insertRow } from './shortest-augmenting-paths.ts';
import { begin, type Problem, type SolverState, solverState } from './solver-state.ts';

/**
 * Work that any component may cost, and work for each of its pairs where it has many. A search looks at each pair once at most, and pairs a record: so what 200
 * records a side with every pair allowed cost is below the least, whatever their distances. Where as good as all records of a side have to be paired, the last
 * ones are looked for all over the component: that ends soon, or not within any multiple.
 */
const WORK = { least: 10_000_000, ofPair: 16, ofPairWhereEven: 4 } as const;
/** Components of more pairs get no more than their pairs' work. */
const MOST_PAIRS_OF_LEAST = 1 << 18;
/** Sides that differ by a smaller share of the larger one are even. */
const EVEN = 1 / 32;

/** Less work does not tell whether a search will end. */
const TELLING_WORK = WORK.least;

/** From so many rows on they do not come in their order: see `rowStep`. */
const SCATTERED_ROWS = 1_024;

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
  /** From so many rows on they come scattered; `SCATTERED_ROWS` where it is left out. */
  readonly scattered?: number;
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
export function solve({ isCancelled, advance, work, fills, scattered = SCATTERED_ROWS, state }: Solver, problem: Problem): Solution | null {
  begin(state, problem);
  const { rowCount } = problem;
  const limit = Math.min(work, limitOf(state));
  const step = rowCount < scattered ? 1 : rowStep(rowCount);
  const rowAt = (turn: number): number => (turn * step) % rowCount;
  let turn = 0;
  let looked = 0;
  for (; turn < rowCount && state.search.work <= limit && !isHopeless(state.search.work, turn / rowCount, limit); turn += 1) {
    const row = rowAt(turn);
    insertRow(state, row);
    advance(intAt(problem.supply, row));
    if (state.search.work - looked < WORK_PER_LOOK && turn % 1_024 !== 1_023) continue;
    looked = state.search.work;
    if (isCancelled()) return null;
  }
  const isOptimal = turn === rowCount;
  if (!isOptimal && fills) {
    const fill = fillOf(state);
    for (; turn < rowCount; turn += 1) {
      const row = rowAt(turn);
      fillRow(state, fill, row, intAt(problem.supply, row));
      advance(intAt(problem.supply, row));
      if (turn % 256 === 0 && isCancelled()) return null;
    }
  }
  return { isOptimal, state };
}

function limitOf({ rowCount, columnCount, edgeCount, supply, room }: SolverState): number {
  const [ofRows, ofColumns] = [sumOf(supply, rowCount), sumOf(room, columnCount)];
  const isEven = Math.abs(ofRows - ofColumns) < Math.max(ofRows, ofColumns) * EVEN;
  const ofPairs = edgeCount * (isEven ? WORK.ofPairWhereEven : WORK.ofPair);
  return edgeCount > MOST_PAIRS_OF_LEAST ? ofPairs : Math.max(WORK.least, ofPairs);
}

/** Rows cost the more the later they come. */
function isHopeless(work: number, share: number, limit: number): boolean {
  return work > TELLING_WORK && work > share * limit;
}

/**
 * A step through all rows that spreads any number of them evenly. Rows lie by date: in their order, all that is free would lie ahead, and each search would
 * push what was paired before it further on, over more and more records.
 */
function rowStep(rowCount: number): number {
  let step = Math.max(1, Math.floor(rowCount * GOLDEN));
  while (commonDivisor(step, rowCount) !== 1) step += 1;
  return step;
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;

function commonDivisor(left: number, right: number): number {
  return right === 0 ? left : commonDivisor(right, left % right);
}
