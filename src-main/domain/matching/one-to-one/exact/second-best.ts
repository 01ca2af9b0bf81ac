import { FloatList } from '../../../collections/growable-array.ts';
import { type CostHeap, costHeap, dropFirst, pushCost } from '../../../collections/lexicographic-heap.ts';
import { floatAt, grownTo, intAt } from '../../../collections/typed-arrays.ts';
import type { Margin } from '../../model/match.ts';
import type { SolverState } from './solver-state.ts';

/**
 * Cheapest paths in a solved component from all places where one more record can become unpaired, or capacity can become free, to its columns:
 * another record takes the place, or a column gives up a pair. Many paths pass that node, so results are cached for all pairs of the component and
 * extended as far as a pair needs them. Its arrays are reused from one component to the next.
 */
class OutsideWays {
  /** Cost of the path found by the last call. */
  days = 0;
  units = 0;
  /** Edges and nodes visited by the last call. */
  work = 0;
  readonly #heap: CostHeap = costHeap();
  #isBegun = false;
  /** Nodes are rows, then columns. For each node: the cheapest known path to it, and 1 if that is final. */
  #settled: Uint8Array = new Uint8Array(0);
  #nodeDays: Float64Array = new Float64Array(0);
  #nodeUnits: Float64Array = new Float64Array(0);

  /** Starts with another component. */
  begin(): void {
    this.#isBegun = false;
  }

  /** Searches the cheapest path to a column; returns false if none costs less than the given bound. */
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

  /** An unpaired record takes another partner. */
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

  /** A column with one record too many gives up a pair. */
  #fromColumn({ firstCarrying, nextCarrying, edgeRow }: SolverState, column: number, days: number, units: number): void {
    for (let edge = intAt(firstCarrying, column); edge >= 0; edge = intAt(nextCarrying, edge))
      this.#reach(intAt(edgeRow, edge), days, units);
  }
}

/** Edges that may be visited for the margins of one component: a number for each of its edges, plus a constant. Beyond it, margins are unknown. */
const MARGIN_WORK = { ofEdge: 6, besides: 4_096 } as const;

/**
 * Computes margins in solved components. Without a pair, its two records are free. The cost of that is the cheapest path in reduced costs from the
 * row to the column over the remaining moves (one pair more, one pair less, unpaired). The reduced costs are those by which the potentials prove the
 * solution optimal, so none is negative. Its arrays are reused from one component to the next.
 */
export class Margins {
  readonly #heap: CostHeap = costHeap();
  #stamp = 0;
  /** Nodes are rows, then columns, then one for "unpaired" and "free capacity". */
  #reached: Int32Array = new Int32Array(0);
  #settled: Int32Array = new Int32Array(0);
  #atDays: Float64Array = new Float64Array(0);
  #atUnits: Float64Array = new Float64Array(0);
  #work = 0;
  readonly #outsideWays = new OutsideWays();
  /** The target column, and the cheapest known path to it. */
  #target = 0;
  #bestDays = 0;
  #bestUnits = 0;

  /** Starts with a component; its work is counted from here. */
  begin({ rowCount, columnCount, edgeCount }: SolverState): void {
    const nodes = rowCount + columnCount + 1;
    this.#reached = grownTo(this.#reached, nodes);
    this.#settled = grownTo(this.#settled, nodes);
    this.#atDays = grownTo(this.#atDays, nodes);
    this.#atUnits = grownTo(this.#atUnits, nodes);
    this.#work = MARGIN_WORK.ofEdge * edgeCount + MARGIN_WORK.besides;
    this.#outsideWays.begin();
  }

  /**
   * Returns the index in `margins` of the margin of an edge that carries the only pair of its row and column in an optimal solution. Returns -1 if
   * the work of the component is used up, or if units were too large to be exact. `unitScale` is the number of the component's units in one of the
   * margin's.
   */
  of(state: SolverState, edge: number, unitScale: number, margins: MarginList): number {
    if (state.isCapped || this.#work < 0 || !this.#search(state, edge)) return -1;
    const { penalty, editWeight } = state;
    // A path passes "unpaired" at most once, and the days of all its edges sum to less than half of the penalty.
    const pairs = nearest(this.#bestDays / penalty);
    const units = nearest(this.#bestUnits / editWeight);
    if (units % unitScale !== 0) return -1;
    return margins.push(pairs, this.#bestDays - pairs * penalty, nearest(units / unitScale), this.#bestUnits - units * editWeight);
  }

  /** Finds the cheapest path from the edge's row to its column that avoids the edge; returns false if the work is used up. */
  #search(state: SolverState, edge: number): boolean {
    const { rowCount, columnCount, edgeRow, columns } = state;
    const heap = this.#heap;
    const row = intAt(edgeRow, edge);
    const column = intAt(columns, edge);
    const outside = rowCount + columnCount;
    this.#target = rowCount + column;
    this.#stamp += 1;
    heap.length = 0;
    // Both records stay unpaired.
    this.#bestDays = state.penalty - floatAt(state.rowDays, row) - floatAt(state.columnDays, column);
    this.#bestUnits = 0 - floatAt(state.rowUnits, row) - floatAt(state.columnUnits, column);
    this.#reach(row, 0, 0);
    while (heap.length > 0) {
      const node = intAt(heap.column, 0);
      const days = floatAt(heap.days, 0);
      const units = floatAt(heap.units, 0);
      dropFirst(heap);
      if (intAt(this.#settled, node) === this.#stamp) continue;
      if (!this.#isNearer(days, units)) break;
      this.#settled[node] = this.#stamp;
      if (node < rowCount) this.#fromRow(state, node, edge, days, units);
      else if (node < outside) this.#fromColumn(state, node - rowCount, days, units);
      else this.#fromOutside(state, column, days, units);
      if (this.#work < 0) return false;
    }
    return true;
  }

  #isNearer(days: number, units: number): boolean {
    return days < this.#bestDays || (days === this.#bestDays && units < this.#bestUnits);
  }

  #reach(node: number, days: number, units: number): void {
    if (!this.#isNearer(days, units)) return;
    if (node === this.#target) {
      this.#bestDays = days;
      this.#bestUnits = units;
      return;
    }
    if (intAt(this.#reached, node) === this.#stamp) {
      const known = floatAt(this.#atDays, node);
      if (days > known || (days === known && units >= floatAt(this.#atUnits, node))) return;
    }
    this.#reached[node] = this.#stamp;
    this.#atDays[node] = days;
    this.#atUnits[node] = units;
    pushCost(this.#heap, days, units, node);
  }

  /** An unpaired record takes another partner, or none. */
  #fromRow(state: SolverState, row: number, without: number, days: number, units: number): void {
    const { rowCount, columnCount, starts, columns, columnDays, columnUnits } = state;
    const baseDays = days - floatAt(state.rowDays, row);
    const baseUnits = units - floatAt(state.rowUnits, row);
    const end = intAt(starts, row + 1);
    this.#work -= end - intAt(starts, row) + 1;
    for (let edge = intAt(starts, row); edge < end; edge += 1) {
      if (edge === without) continue;
      const column = intAt(columns, edge);
      this.#reach(
        rowCount + column,
        baseDays + floatAt(state.days, edge) - floatAt(columnDays, column),
        baseUnits + floatAt(state.units, edge) - floatAt(columnUnits, column),
      );
    }
    this.#reach(rowCount + columnCount, baseDays + state.penalty, baseUnits);
  }

  /** A column with one record too many gives up a pair, or has capacity for it. */
  #fromColumn(state: SolverState, column: number, days: number, units: number): void {
    for (let edge = intAt(state.firstCarrying, column); edge >= 0; edge = intAt(state.nextCarrying, edge)) {
      this.#work -= 1;
      this.#reach(intAt(state.edgeRow, edge), days, units);
    }
    if (intAt(state.roomLeft, column) > 0) this.#reach(state.rowCount + state.columnCount, days, units);
  }

  /** One more record is unpaired, or capacity is free; from here on the path is known. */
  #fromOutside(state: SolverState, column: number, days: number, units: number): void {
    const outsideWays = this.#outsideWays;
    // That path avoids the pair's own edge, which starts at the row, and the row is reached from the column alone.
    const isThere = outsideWays.to(state, column, this.#bestDays - days, this.#bestUnits - units);
    if (isThere) this.#reach(this.#target, days + outsideWays.days, units + outsideWays.units);
    this.#work -= outsideWays.work;
  }
}

/** Returns the nearest integer, without negative zero. */
function nearest(value: number): number {
  return Math.round(value) + 0;
}

const FIGURES = 4;

/** A list of margins without an object for each. */
export class MarginList {
  readonly #figures = new FloatList();

  get length(): number {
    return this.#figures.length / FIGURES;
  }

  /** Returns the index of the new margin. */
  push(pairs: number, days: number, units: number, edits: number): number {
    const figures = this.#figures;
    figures.push(pairs);
    figures.push(days);
    figures.push(units);
    figures.push(edits);
    return this.length - 1;
  }

  at(place: number): Margin {
    const figure = (index: number): number => this.#figures.at(place * FIGURES + index);
    return { pairs: figure(0), days: figure(1), units: figure(2), edits: figure(3) };
  }
}
