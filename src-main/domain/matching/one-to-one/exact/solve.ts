import { floatAt, intAt, sumOf } from '../../../collections/typed-arrays.ts';
import { WORK_LIMIT } from '../../model/limits.ts';
import { type End, insertRow, pushAlong } from './shortest-augmenting-paths.ts';
import { begin, type Problem, type SolverState, solverState } from './solver-state.ts';

/**
 * Work allowed for any component, and for each pair of a large one. A search visits each pair at most once for each pair of records, so 200 records
 * on each side with all pairs allowed stay below `least`, whatever their distances. If nearly all records of a side must be paired, the last searches
 * visit the whole component, and either end soon or exceed any multiple.
 */
const WORK = { least: 10_000_000, ofPair: 16, ofPairWhereEven: 4 } as const;
/** Components with more pairs get only the work of their pairs. */
const MOST_PAIRS_OF_LEAST = 1 << 18;
/** Sides that differ by a smaller share of the larger one count as even. */
const EVEN = 1 / 32;

/** With less work it is unknown whether a search will end. */
const TELLING_WORK = WORK.least;

/** From this many rows on they are visited in scattered order, see `rowStep`. */
const SCATTERED_ROWS = 1_024;

/** Work between two checks of the cancel flag. */
const WORK_PER_LOOK = 500_000;

/**
 * If `isOptimal`, no other solution has more pairs, or as many at a smaller distance, and the potentials prove it. Otherwise the number of pairs is
 * the largest possible, and the distance is not minimal. Read the solution before the state is used for another problem.
 */
export interface Solution {
  readonly isOptimal: boolean;
  readonly state: SolverState;
}

/** Parameters and state of the search for a matching. */
export interface Solver {
  readonly isCancelled: () => boolean;
  /** Called with the number of records of each row that is done. */
  readonly advance: (records: number) => void;
  /** Work allowed for a component. */
  readonly work: number;
  /** Whether a search that gives up is completed without regard to distance; otherwise it pairs nothing. */
  readonly fills: boolean;
  /** From this many rows on they are visited in scattered order; `SCATTERED_ROWS` by default. */
  readonly scattered?: number | undefined;
  readonly state: SolverState;
}

export function solver(
  isCancelled: () => boolean,
  advance: (records: number) => void = () => undefined,
  work: number = WORK_LIMIT,
): Solver {
  return { isCancelled, advance, work, fills: true, state: solverState() };
}

/** Returns the solution with the most pairs, then the least distance, or null when cancelled. */
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

/** Later rows cost more than earlier ones. */
function isHopeless(work: number, share: number, limit: number): boolean {
  return work > TELLING_WORK && work > share * limit;
}

/**
 * Returns a step through all rows that spreads any prefix of them evenly. Rows are ordered by date. In that order all free capacity would lie ahead,
 * and each search would push earlier pairs forward over more and more records.
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

/** State of a fill. Columns from which no free capacity can be reached are `dead` for good. */
interface Fill {
  readonly dead: Uint8Array;
}

function fillOf(state: SolverState): Fill {
  return { dead: new Uint8Array(state.columnCount) };
}

/**
 * Pairs the rest of a row without minimizing the distance: with the nearest column that has capacity, or else by the shortest augmenting path. The
 * number of pairs is still the largest possible. A chain that fails is never visited again, so the work is close to the number of edges.
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

/** Searches breadth first from the row, over columns and the rows paired with them. */
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
