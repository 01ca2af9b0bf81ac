import { assert } from '../../../src-shared/values/assert.ts';
import { type CostHeap, costHeap, dropFirst, pushCost } from './cost-heap.ts';
import { floatAt, intAt, itemAt } from './typed.ts';

/**
 * One component: rows (classes of side A) with `supply` records each, columns (classes of side B) with `room`, and the
 * edges between them in row order. A pair over edge e costs `days[e]`, then `units[e]`, into which `solve` has folded the edits.
 */
export interface Problem {
  readonly supply: Int32Array;
  readonly room: Int32Array;
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly days: Float64Array;
  readonly units: Float64Array;
}

/**
 * `flow[e]`: pairs over edge e. When `isOptimal`, no other solution has more pairs, or as many at a smaller distance, and
 * the potentials prove it; otherwise the number of pairs is the largest possible and nothing is known about the distance.
 */
export interface Solution {
  readonly flow: Int32Array;
  readonly isOptimal: boolean;
  readonly state: SolverState;
}

export interface SolverState {
  readonly problem: Problem;
  readonly edgeRow: Int32Array;
  readonly flow: Int32Array;
  readonly roomLeft: Int32Array;
  /** Records of a row that stay without a partner. */
  readonly unpaired: Int32Array;
  /** Edges with flow into each column. */
  readonly carrying: readonly number[][];
  /** In days: leaving a record without a partner costs more than any chain of exchanges can save. */
  readonly penalty: number;
  readonly rowDays: Float64Array;
  readonly rowUnits: Float64Array;
  readonly columnDays: Float64Array;
  readonly columnUnits: Float64Array;
  readonly search: Search;
}

interface Search {
  readonly heap: CostHeap;
  stamp: number;
  /** Search in which a column was last reached, and in which it was settled. */
  readonly reached: Int32Array;
  readonly settled: Int32Array;
  readonly atDays: Float64Array;
  readonly atUnits: Float64Array;
  readonly arrival: Int32Array;
  readonly settledColumns: number[];
  readonly rowReached: Int32Array;
  /** Edge with flow over which a row was reached, -1 for the source. */
  readonly rowArrival: Int32Array;
  readonly rowAtDays: Float64Array;
  readonly rowAtUnits: Float64Array;
  readonly reachedRows: number[];
  /** Edges looked at over all searches: the measure of work. */
  work: number;
  endDays: number;
  endUnits: number;
  /** Cost of the nearest column with room that was reached: nothing dearer is ever taken from the heap. */
  roomDays: number;
  roomUnits: number;
}

export function solverState(problem: Problem): SolverState {
  const rows = problem.supply.length;
  const columns = problem.room.length;
  const edgeRow = new Int32Array(problem.columns.length);
  for (let row = 0; row < rows; row += 1) edgeRow.fill(row, intAt(problem.starts, row), intAt(problem.starts, row + 1));
  const largest = problem.days.reduce((most, days) => Math.max(most, days), 0);
  const penalty = 1 + 2 * (rows + columns + 2) * (largest + 1);
  assert(Number.isSafeInteger(penalty * 8), 'the penalty of an unpaired record is a safe integer');
  return {
    problem,
    edgeRow,
    flow: new Int32Array(problem.columns.length),
    roomLeft: problem.room.slice(),
    unpaired: new Int32Array(rows),
    carrying: Array.from({ length: columns }, () => []),
    penalty,
    rowDays: new Float64Array(rows),
    rowUnits: new Float64Array(rows),
    columnDays: new Float64Array(columns),
    columnUnits: new Float64Array(columns),
    search: {
      heap: costHeap(),
      stamp: 0,
      reached: new Int32Array(columns),
      settled: new Int32Array(columns),
      atDays: new Float64Array(columns),
      atUnits: new Float64Array(columns),
      arrival: new Int32Array(columns),
      settledColumns: [],
      rowReached: new Int32Array(rows),
      rowArrival: new Int32Array(rows),
      rowAtDays: new Float64Array(rows),
      rowAtUnits: new Float64Array(rows),
      reachedRows: [],
      work: 0,
      endDays: 0,
      endUnits: 0,
      roomDays: 0,
      roomUnits: 0,
    },
  };
}

/**
 * Pairs the records of one row, exchanging partners of earlier rows where that is better: successive shortest paths
 * with potentials, so that after each row the solution is the best one for the rows so far.
 */
export function insertRow(state: SolverState, row: number): void {
  liftRow(state, row);
  let left = intAt(state.problem.supply, row);
  while (left > 0) {
    const end = nearestEnd(state, row);
    raisePotentials(state);
    left -= pushAlong(state, row, end, left);
  }
}

/** The row's potential becomes the least it can pay, so that no edge of it has a negative reduced cost. */
function liftRow(state: SolverState, row: number): void {
  const { problem } = state;
  let days = state.penalty;
  let units = 0;
  for (let edge = intAt(problem.starts, row); edge < intAt(problem.starts, row + 1); edge += 1) {
    const column = intAt(problem.columns, edge);
    const edgeDays = floatAt(problem.days, edge) - floatAt(state.columnDays, column);
    const edgeUnits = floatAt(problem.units, edge) - floatAt(state.columnUnits, column);
    if (edgeDays < days || (edgeDays === days && edgeUnits < units)) {
      days = edgeDays;
      units = edgeUnits;
    }
  }
  state.rowDays[row] = days;
  state.rowUnits[row] = units;
}

/** Where the cheapest chain of exchanges ends: in a column with room, or with a row that gives up a partner. */
export type End = { readonly column: number } | { readonly row: number };

function nearestEnd(state: SolverState, source: number): End {
  const { search, roomLeft, edgeRow } = state;
  const { heap } = search;
  search.stamp += 1;
  heap.length = 0;
  search.settledColumns.length = 0;
  search.reachedRows.length = 0;
  let surrender = source;
  search.endDays = Number.POSITIVE_INFINITY;
  search.endUnits = 0;
  search.roomDays = Number.POSITIVE_INFINITY;
  search.roomUnits = 0;
  const reach = (row: number, via: number, days: number, units: number): void => {
    search.rowReached[row] = search.stamp;
    search.rowArrival[row] = via;
    search.rowAtDays[row] = days;
    search.rowAtUnits[row] = units;
    search.reachedRows.push(row);
    const lossDays = days + state.penalty - floatAt(state.rowDays, row);
    const lossUnits = units - floatAt(state.rowUnits, row);
    if (lossDays < search.endDays || (lossDays === search.endDays && lossUnits < search.endUnits)) {
      surrender = row;
      search.endDays = lossDays;
      search.endUnits = lossUnits;
    }
    relax(state, row, days, units);
  };
  reach(source, -1, 0, 0);
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
      return { column };
    }
    search.settledColumns.push(column);
    for (const edge of itemAt(state.carrying, column)) {
      const row = intAt(edgeRow, edge);
      if (intAt(search.rowReached, row) !== search.stamp) reach(row, edge, days, units);
    }
  }
  return { row: surrender };
}

function relax(state: SolverState, row: number, days: number, units: number): void {
  const { problem, search, columnDays, columnUnits, roomLeft } = state;
  const { columns, starts, days: dayCosts, units: unitCosts } = problem;
  const { settled, reached, atDays: knownDays, atUnits: knownUnits, arrival, heap, stamp } = search;
  const baseDays = days - floatAt(state.rowDays, row);
  const baseUnits = units - floatAt(state.rowUnits, row);
  const end = intAt(starts, row + 1);
  search.work += end - intAt(starts, row) + 1;
  for (let edge = intAt(starts, row); edge < end; edge += 1) {
    const column = intAt(columns, edge);
    if (intAt(settled, column) === stamp) continue;
    const atDays = baseDays + floatAt(dayCosts, edge) - floatAt(columnDays, column);
    const atUnits = baseUnits + floatAt(unitCosts, edge) - floatAt(columnUnits, column);
    if (atDays > search.roomDays || (atDays === search.roomDays && atUnits > search.roomUnits)) continue;
    if (intAt(reached, column) === stamp) {
      const known = floatAt(knownDays, column);
      if (atDays > known || (atDays === known && atUnits >= floatAt(knownUnits, column))) continue;
    }
    reached[column] = stamp;
    knownDays[column] = atDays;
    knownUnits[column] = atUnits;
    arrival[column] = edge;
    if (intAt(roomLeft, column) > 0) {
      search.roomDays = atDays;
      search.roomUnits = atUnits;
    }
    pushCost(heap, atDays, atUnits, column);
  }
}

/** Keeps every reduced cost non-negative and makes the found path free of cost. */
function raisePotentials(state: SolverState): void {
  const { search } = state;
  for (const row of search.reachedRows) {
    state.rowDays[row] = floatAt(state.rowDays, row) + search.endDays - floatAt(search.rowAtDays, row);
    state.rowUnits[row] = floatAt(state.rowUnits, row) + search.endUnits - floatAt(search.rowAtUnits, row);
  }
  for (const column of search.settledColumns) {
    state.columnDays[column] = floatAt(state.columnDays, column) + floatAt(search.atDays, column) - search.endDays;
    state.columnUnits[column] = floatAt(state.columnUnits, column) + floatAt(search.atUnits, column) - search.endUnits;
  }
}

/** Moves as many records as fit along the path that the search (or the fill) left in `arrival` and `rowArrival`. */
export function pushAlong(state: SolverState, source: number, end: End, wanted: number): number {
  const { search, problem, edgeRow, flow } = state;
  let amount = 'column' in end ? Math.min(wanted, intAt(state.roomLeft, end.column)) : wanted;
  const gained: number[] = [];
  const lost: number[] = [];
  let row: number;
  if ('column' in end) {
    const edge = intAt(search.arrival, end.column);
    gained.push(edge);
    row = intAt(edgeRow, edge);
  } else row = end.row;
  while (row !== source) {
    const given = intAt(search.rowArrival, row);
    lost.push(given);
    amount = Math.min(amount, intAt(flow, given));
    const edge = intAt(search.arrival, intAt(problem.columns, given));
    gained.push(edge);
    row = intAt(edgeRow, edge);
  }
  assert(amount > 0, 'an augmenting path moves at least one record');
  for (const edge of lost) changeFlow(state, edge, -amount);
  for (const edge of gained) changeFlow(state, edge, amount);
  if ('column' in end) state.roomLeft[end.column] = intAt(state.roomLeft, end.column) - amount;
  else state.unpaired[end.row] = intAt(state.unpaired, end.row) + amount;
  return amount;
}

function changeFlow(state: SolverState, edge: number, by: number): void {
  const before = intAt(state.flow, edge);
  const after = before + by;
  state.flow[edge] = after;
  const carrying = itemAt(state.carrying, intAt(state.problem.columns, edge));
  if (before === 0) carrying.push(edge);
  else if (after === 0) carrying.splice(carrying.indexOf(edge), 1);
}
