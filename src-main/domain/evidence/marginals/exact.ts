import { floatAt, intAt } from '../../collections/typed-arrays.ts';

/** Most lines on the smaller side, and most states, of a component that is computed exactly. */
const MOST_SMALL = 12;
const MOST_STATES = 1 << 18;

/** A component small enough to sum over all of its matchings. Rows are lines of its larger side, columns those of its smaller side. */
interface SmallProblem {
  readonly rows: number;
  readonly columns: number;
  /** Weight of having no partner, by line. */
  readonly aloneRow: Float64Array;
  readonly aloneColumn: Float64Array;
  readonly edges: number;
  readonly edgeRow: Int32Array;
  readonly edgeColumn: Int32Array;
  readonly odds: Float64Array;
}

export function isSmall(rows: number, columns: number): boolean {
  return columns <= MOST_SMALL && (rows + 1) << columns <= MOST_STATES;
}

/**
 * Returns the odds of each edge over all matchings: the weight of the matchings with it over the weight of those without. Edges are ordered by row.
 */
export function exactOdds({ rows, columns, aloneRow, aloneColumn, edges, edgeRow, edgeColumn, odds }: SmallProblem): Float64Array {
  const states = 1 << columns;
  const starts = new Int32Array(rows + 1);
  for (let edge = 0; edge < edges; edge += 1) starts[intAt(edgeRow, edge) + 1] = edge + 1;
  for (let row = 0; row < rows; row += 1) starts[row + 1] = Math.max(intAt(starts, row + 1), intAt(starts, row));
  // Weight of all matchings of the rows so far that use exactly the columns of a state.
  const before = new Float64Array((rows + 1) * states);
  before[0] = 1;
  for (let row = 0; row < rows; row += 1) {
    const [from, to] = [row * states, (row + 1) * states];
    for (let state = 0; state < states; state += 1) {
      const weight = floatAt(before, from + state);
      if (weight === 0) continue;
      before[to + state] = floatAt(before, to + state) + weight * floatAt(aloneRow, row);
      for (let edge = intAt(starts, row); edge < intAt(starts, row + 1); edge += 1) {
        const bit = 1 << intAt(edgeColumn, edge);
        if ((state & bit) === 0) before[to + (state | bit)] = floatAt(before, to + (state | bit)) + weight * floatAt(odds, edge);
      }
    }
  }
  // Weight of all completions from a state, computed backwards by row.
  let after = new Float64Array(states);
  let earlier = new Float64Array(states);
  let all = 0;
  for (let state = 0; state < states; state += 1) {
    let weight = 1;
    for (let column = 0; column < columns; column += 1) if ((state & (1 << column)) === 0) weight *= floatAt(aloneColumn, column);
    after[state] = weight;
    all += weight * floatAt(before, rows * states + state);
  }
  const found = new Float64Array(edges);
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let state = 0; state < states; state += 1) {
      let weight = floatAt(after, state) * floatAt(aloneRow, row);
      const reached = floatAt(before, row * states + state);
      for (let edge = intAt(starts, row); edge < intAt(starts, row + 1); edge += 1) {
        const bit = 1 << intAt(edgeColumn, edge);
        if ((state & bit) !== 0) continue;
        const by = floatAt(odds, edge) * floatAt(after, state | bit);
        weight += by;
        found[edge] = floatAt(found, edge) + reached * by;
      }
      earlier[state] = weight;
    }
    [after, earlier] = [earlier, after];
  }
  return found.map((weight) => weight / Math.max(all - weight, all * 2 ** -50));
}
