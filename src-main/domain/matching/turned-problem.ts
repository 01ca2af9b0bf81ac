import type { Problem } from './solver-state.ts';
import { floatAt, intAt, layOut, rangeStarts, sumOf } from './typed.ts';

/** From so many pairs on, a problem is solved from the side that has fewer records. */
export const TURNED_PAIRS = 1 << 12;

/**
 * Whether a problem is better solved with its columns for rows: each search then looks for a record of the side that has more of them, and finds a free
 * one near; from the other side, a record for which there is none would be looked for everywhere.
 */
export function isBetterTurned({ rowCount, columnCount, supply, room, starts }: Problem, pairs: number = TURNED_PAIRS): boolean {
  return intAt(starts, rowCount) >= pairs && sumOf(supply, rowCount) > sumOf(room, columnCount);
}

/** The same problem with columns for rows. Its solutions are the same pairs, and as good. */
export function turned({ rowCount, columnCount, supply, room, starts, columns, days, units, edits }: Problem): Problem {
  const edges = intAt(starts, rowCount);
  const columnOf = columns.subarray(0, edges);
  const turnedStarts = rangeStarts(columnOf, columnCount);
  const order = layOut(columnOf, turnedStarts);
  const rowOf = new Int32Array(edges);
  for (let row = 0; row < rowCount; row += 1) rowOf.fill(row, intAt(starts, row), intAt(starts, row + 1));
  return {
    rowCount: columnCount,
    columnCount: rowCount,
    supply: room,
    room: supply,
    starts: turnedStarts,
    columns: order.map((edge) => intAt(rowOf, edge)),
    days: inOrder(days, order),
    units: inOrder(units, order),
    edits: inOrder(edits, order),
  };
}

function inOrder(values: Float64Array, order: Int32Array): Float64Array {
  const result = new Float64Array(order.length);
  for (let at = 0; at < order.length; at += 1) result[at] = floatAt(values, intAt(order, at));
  return result;
}
