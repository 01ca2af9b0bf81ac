import { insertRow, type Problem, type Solution, solverState } from './assignment.ts';
import { fillOf, fillRow } from './fill.ts';
import { intAt } from './typed.ts';

/**
 * Work (edges looked at) that a component may cost before its exact search gives up: some seconds. 200 records a side
 * with every pair allowed need a few per cent of it, 46,000 records a side with a million sparse pairs two thirds.
 */
export const WORK_LIMIT = 200_000_000;
/** Units past this count as this, so that sums over a whole component stay safe integers. */
const SAFE_UNITS = Number.MAX_SAFE_INTEGER;

/** Most pairs, then least distance. Null when cancelled. `work` is for tests. */
export function solve(given: Problem, isCancelled: () => boolean, work: number = WORK_LIMIT): Solution | null {
  const problem = { ...given, units: clamped(given) };
  const state = solverState(problem);
  const rows = problem.supply.length;
  let row = 0;
  for (; row < rows && state.search.work <= work; row += 1) {
    insertRow(state, row);
    if (row % 64 === 0 && isCancelled()) return null;
  }
  const isOptimal = row === rows;
  const fill = fillOf(state);
  for (; row < rows; row += 1) {
    fillRow(state, fill, row, intAt(problem.supply, row));
    if (row % 256 === 0 && isCancelled()) return null;
  }
  return { flow: state.flow, isOptimal, state };
}

function clamped(problem: Problem): Float64Array {
  const most = Math.floor(SAFE_UNITS / (8 * (problem.supply.length + problem.room.length + 2)));
  return problem.units.map((units) => Math.min(units, most));
}
