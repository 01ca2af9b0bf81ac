import { type CostHeap, costHeap, dropFirst, pushCost } from '../../../collections/lexicographic-heap.ts';
import { floatAt, grownTo, intAt } from '../../../collections/typed-arrays.ts';
import type { SolverState } from './solver-state.ts';

/**
 * In a solved component, the nearest ways to columns from where one more record is without a partner, or room is to spare: another record takes its
 * place, or a column lets go of a pair. Many ways lead over there, so what is found is kept for all pairs of the component, and is looked for as far as one of
 * them needs it. Its arrays serve one component after another.
 */
export class OutsideWays {
  /** Of the way that was asked for last. */
  days = 0;
  units = 0;
  /** Edges and nodes looked at for that. */
  work = 0;
  readonly #heap: CostHeap = costHeap();
  #isBegun = false;
  /** Nodes: rows, then columns. Of each the nearest way to it; 1 where there is none nearer. */
  #settled: Uint8Array = new Uint8Array(0);
  #nodeDays: Float64Array = new Float64Array(0);
  #nodeUnits: Float64Array = new Float64Array(0);

  /** Takes up another component. */
  begin(): void {
    this.#isBegun = false;
  }

  /** Looks for the nearest way to a column: false where there is none that costs less than so much. */
  to(state: SolverState, column: number, mostDays: number, mostUnits: number): boolean {
    this.work = 1;
    if (!this.#isBegun) this.#goOut(state);
    const heap = this.#heap;
    const settled = this.#settled;
    const target = state.rowCount + column;
    while (heap.length > 0 && settled[target] === 0) {
      const node = intAt(heap.column, 0);
      const days = floatAt(heap.days, 0);
      const units = floatAt(heap.units, 0);
      if (days > mostDays || (days === mostDays && units >= mostUnits)) break;
      dropFirst(heap);
      if (settled[node] === 1) continue;
      settled[node] = 1;
      if (node < state.rowCount) this.#fromRow(state, node, days, units);
      else this.#fromColumn(state, node - state.rowCount, days, units);
    }
    this.days = floatAt(this.#nodeDays, target);
    this.units = floatAt(this.#nodeUnits, target);
    return settled[target] === 1;
  }

  #goOut({ rowCount, columnCount, unpaired, roomLeft, room, columnDays, columnUnits }: SolverState): void {
    const nodes = rowCount + columnCount;
    this.#isBegun = true;
    this.work += nodes;
    this.#settled = grownTo(this.#settled, nodes);
    this.#nodeDays = grownTo(this.#nodeDays, nodes);
    this.#nodeUnits = grownTo(this.#nodeUnits, nodes);
    this.#heap.length = 0;
    this.#settled.fill(0, 0, nodes);
    this.#nodeDays.fill(Number.POSITIVE_INFINITY, 0, nodes);
    for (let row = 0; row < rowCount; row += 1) if (intAt(unpaired, row) > 0) this.#reach(row, 0, 0);
    for (let column = 0; column < columnCount; column += 1) {
      if (intAt(roomLeft, column) < intAt(room, column))
        this.#reach(rowCount + column, 0 - floatAt(columnDays, column), 0 - floatAt(columnUnits, column));
    }
  }

  #reach(node: number, days: number, units: number): void {
    const known = floatAt(this.#nodeDays, node);
    if (days > known || (days === known && units >= floatAt(this.#nodeUnits, node))) return;
    this.#nodeDays[node] = days;
    this.#nodeUnits[node] = units;
    pushCost(this.#heap, days, units, node);
  }

  /** A record without a partner takes another one. */
  #fromRow(state: SolverState, row: number, days: number, units: number): void {
    const { rowCount, starts, columns, columnDays, columnUnits } = state;
    const baseDays = days - floatAt(state.rowDays, row);
    const baseUnits = units - floatAt(state.rowUnits, row);
    const end = intAt(starts, row + 1);
    this.work += end - intAt(starts, row) + 1;
    for (let edge = intAt(starts, row); edge < end; edge += 1) {
      const column = intAt(columns, edge);
      const atDays = baseDays + floatAt(state.days, edge) - floatAt(columnDays, column);
      this.#reach(rowCount + column, atDays, baseUnits + floatAt(state.units, edge) - floatAt(columnUnits, column));
    }
  }

  /** A column with a record too many gives up a pair. */
  #fromColumn({ firstCarrying, nextCarrying, edgeRow }: SolverState, column: number, days: number, units: number): void {
    for (let edge = intAt(firstCarrying, column); edge >= 0; edge = intAt(nextCarrying, edge))
      this.#reach(intAt(edgeRow, edge), days, units);
  }
}
