import { assert } from '../../../../../src-shared/values/assert.ts';
import { dropFirst, pushCost } from '../../../collections/lexicographic-heap.ts';
import { floatAt, intAt, sumOf } from '../../../collections/typed-arrays.ts';
import { WORK_LIMIT } from '../../model/limits.ts';
import { begin, type Problem, type Search, type SolverState, solverState } from './solver-state.ts';

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

/**
 * Pairs the records of one row, exchanging partners of earlier rows if that is better: successive shortest paths with potentials. After each row the
 * solution is optimal for the rows so far.
 */
function insertRow(state: SolverState, row: number): void {
  const nearest = liftRow(state, row);
  let left = intAt(state.supply, row);
  // Free capacity in the nearest column ends the search at once.
  if (left > 0 && nearest >= 0) left -= pushInto(state, row, nearest, left);
  while (left > 0) {
    const end = nearestEnd(state, row);
    raisePotentials(state);
    left -= pushAlong(state, row, end, left);
  }
}

/**
 * Sets the row's potential to the least cost it can have, so that none of its edges has a negative reduced cost. Returns the edge with that cost, of
 * the first column; -1 if staying unpaired costs that.
 */
function liftRow(state: SolverState, row: number): number {
  const { columns, days: dayCosts, units: unitCosts, columnDays, columnUnits } = state;
  let days = state.penalty;
  let units = 0;
  let nearest = -1;
  const end = intAt(state.starts, row + 1);
  for (let edge = intAt(state.starts, row); edge < end; edge += 1) {
    const column = intAt(columns, edge);
    const edgeDays = floatAt(dayCosts, edge) - floatAt(columnDays, column);
    if (edgeDays > days) continue;
    const edgeUnits = floatAt(unitCosts, edge) - floatAt(columnUnits, column);
    if (edgeDays < days || edgeUnits < units) {
      days = edgeDays;
      units = edgeUnits;
      nearest = edge;
    } else if (edgeUnits === units && nearest >= 0 && column < intAt(columns, nearest)) nearest = edge;
  }
  state.rowDays[row] = days;
  state.rowUnits[row] = units;
  return nearest;
}

/** Pairs records of a row over its nearest edge as far as there is capacity. The search would find the same edge at the same cost. */
function pushInto(state: SolverState, row: number, edge: number, wanted: number): number {
  const { search, roomLeft, starts } = state;
  const column = intAt(state.columns, edge);
  const amount = Math.min(wanted, intAt(roomLeft, column));
  if (amount === 0) return 0;
  search.work += intAt(starts, row + 1) - intAt(starts, row) + 1;
  changeFlow(state, edge, amount);
  roomLeft[column] = intAt(roomLeft, column) - amount;
  return amount;
}

/** End of the cheapest augmenting path: column e with free capacity or, as -1 - r, row r, which gives up a partner. */
type End = number;

function nearestEnd(state: SolverState, source: number): End {
  const { search, roomLeft, edgeRow } = state;
  const { heap } = search;
  search.stamp += 1;
  heap.length = 0;
  search.settledCount = 0;
  search.reachedCount = 0;
  search.surrender = source;
  search.endDays = Number.POSITIVE_INFINITY;
  search.endUnits = 0;
  search.roomDays = Number.POSITIVE_INFINITY;
  search.roomUnits = 0;
  reach(state, search, source, -1, 0, 0);
  while (heap.length > 0) {
    const column = intAt(heap.column, 0);
    const days = floatAt(heap.days, 0);
    const units = floatAt(heap.units, 0);
    dropFirst(heap);
    if (intAt(search.settled, column) === search.stamp) continue;
    if (days > search.endDays || (days === search.endDays && units >= search.endUnits)) break;
    search.settled[column] = search.stamp;
    if (intAt(roomLeft, column) > 0) {
      search.endDays = days;
      search.endUnits = units;
      return column;
    }
    search.settledColumns[search.settledCount] = column;
    search.settledCount += 1;
    for (let edge = intAt(state.firstCarrying, column); edge >= 0; edge = intAt(state.nextCarrying, edge)) {
      const row = intAt(edgeRow, edge);
      if (intAt(search.rowReached, row) !== search.stamp) reach(state, search, row, edge, days, units);
    }
  }
  return -1 - search.surrender;
}

function reach(state: SolverState, search: Search, row: number, via: number, days: number, units: number): void {
  search.rowReached[row] = search.stamp;
  search.rowArrival[row] = via;
  search.rowAtDays[row] = days;
  search.rowAtUnits[row] = units;
  search.reachedRows[search.reachedCount] = row;
  search.reachedCount += 1;
  const lossDays = days + state.penalty - floatAt(state.rowDays, row);
  const lossUnits = units - floatAt(state.rowUnits, row);
  if (lossDays < search.endDays || (lossDays === search.endDays && lossUnits < search.endUnits)) {
    search.surrender = row;
    search.endDays = lossDays;
    search.endUnits = lossUnits;
  }
  relax(state, search, row, days, units);
}

function relax(state: SolverState, search: Search, row: number, days: number, units: number): void {
  const { columnDays, columnUnits, roomLeft, columns, days: dayCosts, units: unitCosts } = state;
  const { settled, reached, atDays: knownDays, atUnits: knownUnits, arrival, heap, stamp } = search;
  const baseDays = days - floatAt(state.rowDays, row);
  const baseUnits = units - floatAt(state.rowUnits, row);
  const start = intAt(state.starts, row);
  const end = intAt(state.starts, row + 1);
  search.work += end - start + 1;
  // A node that is no nearer than a known end is not visited.
  const { endDays, endUnits } = search;
  let { roomDays, roomUnits } = search;
  for (let edge = start; edge < end; edge += 1) {
    const column = intAt(columns, edge);
    const atDays = baseDays + floatAt(dayCosts, edge) - floatAt(columnDays, column);
    if (atDays > roomDays || atDays > endDays || intAt(settled, column) === stamp) continue;
    const atUnits = baseUnits + floatAt(unitCosts, edge) - floatAt(columnUnits, column);
    if ((atDays === roomDays && atUnits > roomUnits) || (atDays === endDays && atUnits >= endUnits)) continue;
    if (intAt(reached, column) === stamp) {
      const known = floatAt(knownDays, column);
      if (atDays > known || (atDays === known && atUnits >= floatAt(knownUnits, column))) continue;
    }
    reached[column] = stamp;
    knownDays[column] = atDays;
    knownUnits[column] = atUnits;
    arrival[column] = edge;
    if (intAt(roomLeft, column) > 0) {
      roomDays = atDays;
      roomUnits = atUnits;
    }
    pushCost(heap, atDays, atUnits, column);
  }
  search.roomDays = roomDays;
  search.roomUnits = roomUnits;
}

/** Updates the potentials so that every reduced cost stays non-negative and the found path costs nothing. */
function raisePotentials(state: SolverState): void {
  const { search } = state;
  for (let index = 0; index < search.reachedCount; index += 1) {
    const row = intAt(search.reachedRows, index);
    state.rowDays[row] = floatAt(state.rowDays, row) + search.endDays - floatAt(search.rowAtDays, row);
    state.rowUnits[row] = floatAt(state.rowUnits, row) + search.endUnits - floatAt(search.rowAtUnits, row);
  }
  for (let index = 0; index < search.settledCount; index += 1) {
    const column = intAt(search.settledColumns, index);
    state.columnDays[column] = floatAt(state.columnDays, column) + floatAt(search.atDays, column) - search.endDays;
    state.columnUnits[column] = floatAt(state.columnUnits, column) + floatAt(search.atUnits, column) - search.endUnits;
  }
}

/** Moves as many records as possible along the path that the search (or the fill) left in `arrival` and `rowArrival`. */
function pushAlong(state: SolverState, source: number, end: End, wanted: number): number {
  const { search, columns, edgeRow, flow } = state;
  let amount = end >= 0 ? Math.min(wanted, intAt(state.roomLeft, end)) : wanted;
  // The first pass counts how many fit, the others move them.
  const last = end >= 0 ? intAt(edgeRow, intAt(search.arrival, end)) : -1 - end;
  for (let row = last; row !== source;) {
    const given = intAt(search.rowArrival, row);
    amount = Math.min(amount, intAt(flow, given));
    row = intAt(edgeRow, intAt(search.arrival, intAt(columns, given)));
  }
  assert(amount > 0, 'an augmenting path moves at least one record');
  // A column loses pairs before it gains others, because the order of a column's edges affects the result.
  for (let row = last; row !== source;) {
    const given = intAt(search.rowArrival, row);
    changeFlow(state, given, -amount);
    row = intAt(edgeRow, intAt(search.arrival, intAt(columns, given)));
  }
  if (end >= 0) changeFlow(state, intAt(search.arrival, end), amount);
  for (let row = last; row !== source;) {
    const edge = intAt(search.arrival, intAt(columns, intAt(search.rowArrival, row)));
    changeFlow(state, edge, amount);
    row = intAt(edgeRow, edge);
  }
  if (end >= 0) state.roomLeft[end] = intAt(state.roomLeft, end) - amount;
  else state.unpaired[-1 - end] = intAt(state.unpaired, -1 - end) + amount;
  return amount;
}

function changeFlow(state: SolverState, edge: number, by: number): void {
  const before = intAt(state.flow, edge);
  const after = before + by;
  state.flow[edge] = after;
  if (before === 0) carry(state, edge);
  else if (after === 0) drop(state, edge);
}

/** Appends an edge to those that carry pairs into its column; the list keeps the order of insertion. */
function carry(state: SolverState, edge: number): void {
  const { firstCarrying, lastCarrying, nextCarrying, previousCarrying } = state;
  const column = intAt(state.columns, edge);
  const last = intAt(lastCarrying, column);
  if (last < 0) firstCarrying[column] = edge;
  else nextCarrying[last] = edge;
  previousCarrying[edge] = last;
  nextCarrying[edge] = -1;
  lastCarrying[column] = edge;
}

function drop(state: SolverState, edge: number): void {
  const { firstCarrying, lastCarrying, nextCarrying, previousCarrying } = state;
  const column = intAt(state.columns, edge);
  const next = intAt(nextCarrying, edge);
  const previous = intAt(previousCarrying, edge);
  if (previous < 0) firstCarrying[column] = next;
  else nextCarrying[previous] = next;
  if (next < 0) lastCarrying[column] = previous;
  else previousCarrying[next] = previous;
}
