import { assert } from '../../../../../src-shared/values/assert.ts';
import { type CostHeap, costHeap } from '../../../collections/lexicographic-heap.ts';
import { floatAt, grownTo, intAt } from '../../../collections/typed-arrays.ts';

const NO_INTS = new Int32Array(0);
const NO_FLOATS = new Float64Array(0);

/**
 * One component: rows (classes of side A) with `supply` records each, columns (classes of side B) with `room`, and the edges between them in row
 * order. The edges of row r are `starts[r]` up to but excluding `starts[r + 1]`. A pair on edge e costs `days[e]`, then `units[e]`, then `edits[e]`;
 * `edits` is empty if nothing is measured in edits. Arrays may be longer than the counts.
 */
export interface Problem {
  readonly rowCount: number;
  readonly columnCount: number;
  readonly supply: Int32Array;
  readonly room: Int32Array;
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  readonly days: Float64Array;
  readonly units: Float64Array;
  readonly edits: Float64Array;
}

export function emptyProblem(): Problem {
  return {
    rowCount: 0,
    columnCount: 0,
    supply: NO_INTS,
    room: NO_INTS,
    starts: NO_INTS,
    columns: NO_INTS,
    days: NO_FLOATS,
    units: NO_FLOATS,
    edits: NO_FLOATS,
  };
}

/** State of a problem being solved; `flow[e]` is the number of pairs on edge e. Its arrays are reused from one problem to the next. */
export interface SolverState {
  rowCount: number;
  columnCount: number;
  edgeCount: number;
  supply: Int32Array;
  room: Int32Array;
  starts: Int32Array;
  columns: Int32Array;
  days: Float64Array;
  /** Units times `editWeight` plus edits. This is the problem's own array if both are equal. */
  units: Float64Array;
  /** Array for these sums if they differ. */
  folded: Float64Array;
  editWeight: number;
  /** Whether some units were reduced to a bound, see `foldEdits`. */
  isCapped: boolean;
  edgeRow: Int32Array;
  flow: Int32Array;
  roomLeft: Int32Array;
  /** Number of a row's records that stay unpaired. */
  unpaired: Int32Array;
  /** Doubly linked list of the edges with flow into each column; -1 ends it. */
  firstCarrying: Int32Array;
  lastCarrying: Int32Array;
  nextCarrying: Int32Array;
  previousCarrying: Int32Array;
  /** In days. Leaving a record unpaired costs more than any augmenting path can save. */
  penalty: number;
  rowDays: Float64Array;
  rowUnits: Float64Array;
  columnDays: Float64Array;
  columnUnits: Float64Array;
  readonly search: Search;
}

export interface Search {
  readonly heap: CostHeap;
  /** Number of searches over all problems. Marks of other searches do not count. */
  stamp: number;
  /** Search in which a column was last reached, and in which it was settled. */
  reached: Int32Array;
  settled: Int32Array;
  atDays: Float64Array;
  atUnits: Float64Array;
  arrival: Int32Array;
  settledColumns: Int32Array;
  settledCount: number;
  rowReached: Int32Array;
  /** Edge with flow over which a row was reached; -1 for the source. */
  rowArrival: Int32Array;
  rowAtDays: Float64Array;
  rowAtUnits: Float64Array;
  reachedRows: Int32Array;
  reachedCount: number;
  /** Edges visited over all searches of a problem, as the measure of work. */
  work: number;
  /** The row that gives up a partner at the least loss. */
  surrender: number;
  endDays: number;
  endUnits: number;
  /** Cost of the nearest column with capacity that was reached. Entries with a higher cost are never taken from the heap. */
  roomDays: number;
  roomUnits: number;
}

/** Bound of the units, so that sums over a whole component stay safe integers. */
const SAFE_UNITS = Number.MAX_SAFE_INTEGER;

export function solverState(): SolverState {
  return {
    rowCount: 0,
    columnCount: 0,
    edgeCount: 0,
    supply: NO_INTS,
    room: NO_INTS,
    starts: NO_INTS,
    columns: NO_INTS,
    days: NO_FLOATS,
    units: NO_FLOATS,
    folded: NO_FLOATS,
    editWeight: 1,
    isCapped: false,
    edgeRow: NO_INTS,
    flow: NO_INTS,
    roomLeft: NO_INTS,
    unpaired: NO_INTS,
    firstCarrying: NO_INTS,
    lastCarrying: NO_INTS,
    nextCarrying: NO_INTS,
    previousCarrying: NO_INTS,
    penalty: 0,
    rowDays: NO_FLOATS,
    rowUnits: NO_FLOATS,
    columnDays: NO_FLOATS,
    columnUnits: NO_FLOATS,
    search: {
      heap: costHeap(),
      stamp: 0,
      reached: NO_INTS,
      settled: NO_INTS,
      atDays: NO_FLOATS,
      atUnits: NO_FLOATS,
      arrival: NO_INTS,
      settledColumns: NO_INTS,
      settledCount: 0,
      rowReached: NO_INTS,
      rowArrival: NO_INTS,
      rowAtDays: NO_FLOATS,
      rowAtUnits: NO_FLOATS,
      reachedRows: NO_INTS,
      reachedCount: 0,
      work: 0,
      surrender: 0,
      endDays: 0,
      endUnits: 0,
      roomDays: 0,
      roomUnits: 0,
    },
  };
}

/** Sets the state to a problem with no pairs yet. The problem's arrays must not change until it is solved. */
export function begin(state: SolverState, problem: Problem): void {
  const { rowCount, columnCount } = problem;
  state.rowCount = rowCount;
  state.columnCount = columnCount;
  state.edgeCount = intAt(problem.starts, rowCount);
  state.supply = problem.supply;
  state.room = problem.room;
  state.starts = problem.starts;
  state.columns = problem.columns;
  state.days = problem.days;
  makeRoom(state, problem.columns.length);
  let largest = 0;
  for (let row = 0; row < rowCount; row += 1) {
    state.rowDays[row] = 0;
    state.rowUnits[row] = 0;
    state.unpaired[row] = 0;
    for (let edge = intAt(problem.starts, row); edge < intAt(problem.starts, row + 1); edge += 1) {
      state.edgeRow[edge] = row;
      state.flow[edge] = 0;
      if (floatAt(problem.days, edge) > largest) largest = floatAt(problem.days, edge);
    }
  }
  for (let column = 0; column < columnCount; column += 1) {
    state.columnDays[column] = 0;
    state.columnUnits[column] = 0;
    state.roomLeft[column] = intAt(problem.room, column);
    state.firstCarrying[column] = -1;
    state.lastCarrying[column] = -1;
  }
  state.penalty = 1 + 2 * (rowCount + columnCount + 2) * (largest + 1);
  assert(Number.isSafeInteger(state.penalty * 8), 'the penalty of an unpaired record is a safe integer');
  foldEdits(state, problem);
  state.search.work = 0;
}

/** `edgeRoom` is the capacity of the problem's arrays, so that the state's arrays grow together with them. */
function makeRoom(state: SolverState, edgeRoom: number): void {
  const { rowCount, columnCount, search } = state;
  if (state.edgeRow.length < edgeRoom) {
    state.edgeRow = new Int32Array(edgeRoom);
    state.flow = new Int32Array(edgeRoom);
    state.nextCarrying = new Int32Array(edgeRoom);
    state.previousCarrying = new Int32Array(edgeRoom);
  }
  if (state.unpaired.length < rowCount) {
    state.unpaired = grownTo(state.unpaired, rowCount);
    state.rowDays = grownTo(state.rowDays, rowCount);
    state.rowUnits = grownTo(state.rowUnits, rowCount);
    search.rowReached = grownTo(search.rowReached, rowCount);
    search.rowArrival = grownTo(search.rowArrival, rowCount);
    search.rowAtDays = grownTo(search.rowAtDays, rowCount);
    search.rowAtUnits = grownTo(search.rowAtUnits, rowCount);
    search.reachedRows = grownTo(search.reachedRows, rowCount);
  }
  if (state.roomLeft.length < columnCount) {
    state.roomLeft = grownTo(state.roomLeft, columnCount);
    state.firstCarrying = grownTo(state.firstCarrying, columnCount);
    state.lastCarrying = grownTo(state.lastCarrying, columnCount);
    state.columnDays = grownTo(state.columnDays, columnCount);
    state.columnUnits = grownTo(state.columnUnits, columnCount);
    search.reached = grownTo(search.reached, columnCount);
    search.settled = grownTo(search.settled, columnCount);
    search.atDays = grownTo(search.atDays, columnCount);
    search.atUnits = grownTo(search.atUnits, columnCount);
    search.arrival = grownTo(search.arrival, columnCount);
    search.settledColumns = grownTo(search.settledColumns, columnCount);
  }
}

/**
 * Combines units and edits into one number. A unit weighs more than the edits of any augmenting path, which visits each row and column at most once.
 * Without edits the weight is 1.
 */
function foldEdits(state: SolverState, { units, edits }: Problem): void {
  const { edgeCount } = state;
  const nodes = state.rowCount + state.columnCount + 2;
  const mostEdits = edits.length === 0 ? 0 : largestOf(edits, edgeCount);
  const weight = 1 + 2 * nodes * mostEdits;
  const mostUnits = Math.floor((Math.floor(SAFE_UNITS / (8 * nodes)) - mostEdits) / weight);
  state.editWeight = weight;
  state.isCapped = largestOf(units, edgeCount) > mostUnits;
  if (mostEdits === 0 && !state.isCapped) {
    state.units = units;
    return;
  }
  state.folded = grownTo(state.folded, edgeCount);
  state.units = state.folded;
  for (let edge = 0; edge < edgeCount; edge += 1) {
    const ofEdge = mostEdits === 0 ? 0 : floatAt(edits, edge);
    state.units[edge] = Math.min(floatAt(units, edge), mostUnits) * weight + ofEdge;
  }
}

function largestOf(values: Float64Array, count: number): number {
  let largest = 0;
  for (let at = 0; at < count; at += 1) if (floatAt(values, at) > largest) largest = floatAt(values, at);
  return largest;
}
