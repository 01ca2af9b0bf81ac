import { floatAt, grownTo, intAt } from './typed-arrays.ts';

/**
 * A binary heap of columns ordered by (days, units, column). Entries are not moved when a column gets nearer: the new entry is pushed as well, and
 * the reader must skip the outdated one.
 */
export interface CostHeap {
  length: number;
  days: Float64Array;
  units: Float64Array;
  column: Int32Array;
}

export function costHeap(): CostHeap {
  return { length: 0, days: new Float64Array(8), units: new Float64Array(8), column: new Int32Array(8) };
}

export function pushCost(heap: CostHeap, days: number, units: number, column: number): void {
  if (heap.length === heap.column.length) grow(heap);
  let hole = heap.length;
  heap.length += 1;
  while (hole > 0) {
    const above = (hole - 1) >> 1;
    if (!isBefore(heap, days, units, column, above)) break;
    move(heap, above, hole);
    hole = above;
  }
  place(heap, hole, days, units, column);
}

/** Removes the first entry, which the caller must have read at index 0. */
export function dropFirst(heap: CostHeap): void {
  heap.length -= 1;
  const last = heap.length;
  if (last === 0) return;
  const days = floatAt(heap.days, last);
  const units = floatAt(heap.units, last);
  const column = intAt(heap.column, last);
  let hole = 0;
  for (;;) {
    let below = 2 * hole + 1;
    if (below >= last) break;
    const sibling = below + 1;
    if (sibling < last && isBefore(heap, floatAt(heap.days, sibling), floatAt(heap.units, sibling), intAt(heap.column, sibling), below)) {
      below = sibling;
    }
    if (isBefore(heap, days, units, column, below)) break;
    move(heap, below, hole);
    hole = below;
  }
  place(heap, hole, days, units, column);
}

function isBefore(heap: CostHeap, days: number, units: number, column: number, index: number): boolean {
  const otherDays = floatAt(heap.days, index);
  if (days !== otherDays) return days < otherDays;
  const otherUnits = floatAt(heap.units, index);
  if (units !== otherUnits) return units < otherUnits;
  return column < intAt(heap.column, index);
}

function move(heap: CostHeap, from: number, to: number): void {
  place(heap, to, floatAt(heap.days, from), floatAt(heap.units, from), intAt(heap.column, from));
}

function place(heap: CostHeap, index: number, days: number, units: number, column: number): void {
  heap.days[index] = days;
  heap.units[index] = units;
  heap.column[index] = column;
}

function grow(heap: CostHeap): void {
  const room = heap.column.length + 1;
  heap.days = grownTo(heap.days, room);
  heap.units = grownTo(heap.units, room);
  heap.column = grownTo(heap.column, room);
}
