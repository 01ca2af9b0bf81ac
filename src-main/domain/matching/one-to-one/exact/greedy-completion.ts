import { floatAt, intAt } from '../../../collections/typed-arrays.ts';
import { type End, pushAlong } from './shortest-augmenting-paths.ts';
import type { SolverState } from './solver-state.ts';

/** A fill in progress: columns from which no room can be reached any more are `dead` for good. */
interface Fill {
  readonly dead: Uint8Array;
}

export function fillOf(state: SolverState): Fill {
  return { dead: new Uint8Array(state.columnCount) };
}

/**
 * Pairs what is left of a row without looking for the least total distance: the nearest column with room, else the
 * shortest augmenting path that frees one. The number of pairs is still the largest possible, and a chain that fails is never
 * walked again, so the work stays near the number of edges.
 */
export function fillRow(state: SolverState, fill: Fill, row: number, records: number): void {
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
