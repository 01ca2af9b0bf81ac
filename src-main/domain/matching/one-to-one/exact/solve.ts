import { floatAt, intAt, sumOf } from '../../../collections/typed-arrays.ts';
import { WORK_LIMIT } from '../../model/limits.ts';
import { type End, insertRow, pushAlong } from './shortest-augmenting-paths.ts';
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

/** A fill in progress: columns from which no room can be reached any more are `dead` for good. */
interface Fill {
  readonly dead: Uint8Array;
}

function fillOf(state: SolverState): Fill {
  return { dead: new Uint8Array(state.columnCount) };
}

/**
 * Pairs what is left of a row without looking for the least total distance: the nearest column with room, else the
 * shortest augmenting path that frees one. The number of pairs is still the largest possible, and a chain that fails is never
 * walked again, so the work stays near the number of edges.
 */
function fillRow(state: SolverState, fill: Fill, row: number, records: number): void {
  let left = records;
  while (left > 0) {
    const end = nearestRoom(state, row) ?? chainToRoom(state, fill, row);
    if (end === null) {
      state.unpaired[row] = intAt(state.unpaired, row) + left;
      return;
    }
    left -= pushAlong(state, row, end, left);
  }
}

function nearestRoom(state: SolverState, row: number): End | null {
  const { starts, columns, days, units, search } = state;
  let best = -1;
  for (let edge = intAt(starts, row); edge < intAt(starts, row + 1); edge += 1) {
    if (intAt(state.roomLeft, intAt(columns, edge)) === 0) continue;
    const nearer =
      best < 0 ||
      floatAt(days, edge) < floatAt(days, best) ||
      (floatAt(days, edge) === floatAt(days, best) && floatAt(units, edge) < floatAt(units, best));
    if (nearer) best = edge;
  }
  if (best < 0) return null;
  const column = intAt(columns, best);
  search.arrival[column] = best;
  return column;
}

/** Breadth first from the row over columns and the rows that hold them. */
function chainToRoom(state: SolverState, fill: Fill, source: number): End | null {
  const { starts, columns, search } = state;
  search.stamp += 1;
  const seen: number[] = [];
  const queue = [source];
  search.rowReached[source] = search.stamp;
  for (const row of queue) {
    for (let edge = intAt(starts, row); edge < intAt(starts, row + 1); edge += 1) {
      const column = intAt(columns, edge);
      if (fill.dead[column] === 1 || intAt(search.reached, column) === search.stamp) continue;
      search.reached[column] = search.stamp;
      search.arrival[column] = edge;
      if (intAt(state.roomLeft, column) > 0) return column;
      seen.push(column);
      for (let held = intAt(state.firstCarrying, column); held >= 0; held = intAt(state.nextCarrying, held)) {
        const holder = intAt(state.edgeRow, held);
        if (intAt(search.rowReached, holder) === search.stamp) continue;
        search.rowReached[holder] = search.stamp;
        search.rowArrival[holder] = held;
        queue.push(holder);
      }
    }
  }
  for (const column of seen) fill.dead[column] = 1;
  return null;
}
