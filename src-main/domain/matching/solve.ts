import { insertRow, type Problem, type Solution, solverState } from './assignment.ts';
import { fillOf, fillRow } from './fill.ts';
import { floatAt, intAt } from './typed.ts';

/**
 * Work (edges looked at) that a component may cost before its exact search gives up: some seconds. 200 records a side
 * with every pair allowed need a few per cent of it, 46,000 records a side with a million sparse pairs two thirds.
 */
export const WORK_LIMIT = 200_000_000;
/** Units past this count as this, so that sums over a whole component stay safe integers. */
const SAFE_UNITS = Number.MAX_SAFE_INTEGER;

/** A problem whose edges have a third cost: after days and units, edits. */
export interface EditedProblem extends Problem {
  readonly edits: Float64Array;
}

/** Work between two looks at the cancel flag. */
const WORK_PER_LOOK = 500_000;

/** Most pairs, then least distance. Null when cancelled. `work` is for tests; `advance` hears of the records of each row that is done. */
export function solve(
  given: EditedProblem,
  isCancelled: () => boolean,
  work: number = WORK_LIMIT,
  advance: (records: number) => void = () => undefined,
): Solution | null {
  const problem: Problem = { ...given, units: folded(given) };
  const state = solverState(problem);
  const rows = problem.supply.length;
  let row = 0;
  let looked = 0;
  for (; row < rows && state.search.work <= work; row += 1) {
    insertRow(state, row);
    advance(intAt(problem.supply, row));
    if (state.search.work - looked < WORK_PER_LOOK && row % 1_024 !== 1_023) continue;
    looked = state.search.work;
    if (isCancelled()) return null;
  }
  const isOptimal = row === rows;
  const fill = fillOf(state);
  for (; row < rows; row += 1) {
    fillRow(state, fill, row, intAt(problem.supply, row));
    advance(intAt(problem.supply, row));
    if (row % 256 === 0 && isCancelled()) return null;
  }
  return { flow: state.flow, isOptimal, state };
}

/**
 * Units and edits as one number: a unit weighs more than the edits of any chain of exchanges, which visits a row or a column once. Without
 * edits a unit is a unit.
 */
function folded({ supply, room, units, edits }: EditedProblem): Float64Array {
  const nodes = supply.length + room.length + 2;
  const mostEdits = edits.reduce((most, count) => Math.max(most, count), 0);
  const weight = 1 + 2 * nodes * mostEdits;
  const mostUnits = Math.floor((Math.floor(SAFE_UNITS / (8 * nodes)) - mostEdits) / weight);
  return units.map((count, edge) => Math.min(count, mostUnits) * weight + floatAt(edits, edge));
}
