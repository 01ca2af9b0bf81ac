import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { type Component, eachListedComponent } from '../../matching/blocking/components.ts';
import { firstOn } from '../comparison/find-pairs.ts';
import { AMOUNT, FIRST_LAG, LAG_FAR, lagRange, LAST_LAG, REFERENCE } from '../comparison/levels.ts';
import type { Pairs } from '../comparison/pairs.ts';
import { type Learned, priorOdds, ratios } from '../estimation/learn.ts';
import type { Book } from '../estimation/read-book.ts';
import type { LineFeatures } from '../features/line-features.ts';
import { firstRowOn } from '../frequencies/pair-chances.ts';
import { type Marginals, marginalsOf } from './propagate.ts';

/** Weight of having no listed partner, by row: 1 for having none at all, plus the odds of partners that were not listed. */
interface Alone {
  readonly a: Float64Array;
  readonly b: Float64Array;
}

/** Text level of names that share nothing. */
const SHARES_NOTHING = 1;

/**
 * Returns the weights of having no listed partner. If more lines have an amount than are listed, any of them may be the partner. They are counted by
 * lag, each as far as its own listed partners leave it free. Without them the listed pairs would look too likely.
 */
function aloneWeights(book: Book, learned: Learned, pairs: Pairs, odds: Float64Array): Alone {
  const { a, b, amounts, listedFrom, listedTo } = book;
  const alone = { a: new Float64Array(a.count).fill(1), b: new Float64Array(b.count).fill(1) };
  const freeA = freedoms(pairs, odds, a.count, true);
  const freeB = freedoms(pairs, odds, b.count, false);
  // Running totals over the lines of one amount, ordered by day; `change` holds the changes from one line to the next.
  const freeBefore = new Float64Array(b.count + 1);
  for (let place = 0; place < b.count; place += 1)
    freeBefore[place + 1] = floatAt(freeBefore, place) + floatAt(freeB, intAt(amounts.rowsB, place));
  const change = new Float64Array(b.count + 1);
  const prior = priorOdds(book.counted, learned) * ratioOfDisagreement(learned);
  const ofLag = new Float64Array(LAG_FAR);
  let day = Number.NaN;
  for (let row = 0; row < a.count; row += 1) {
    const key = intAt(amounts.keyOfA, row);
    const [from, to] = [intAt(amounts.startsB, key), intAt(amounts.startsB, key + 1)];
    const [first, last] = [listedFrom[row] as number, listedTo[row] as number];
    if (from === to || (first <= FIRST_LAG && last >= LAST_LAG) || floatAt(a.values, row) === 0) continue;
    // Rows are ordered by day.
    if (intAt(a.days, row) !== day) readShares(b, (day = intAt(a.days, row)), ofLag);
    const ofAmount = (to - from + intAt(amounts.startsA, key + 1) - intAt(amounts.startsA, key)) / (a.count + b.count);
    for (let bin = 0; bin < LAG_FAR; bin += 1) {
      const [begin, end] = lagRange(bin);
      if (begin >= first && end <= last) continue;
      const placeFrom = firstOn(b.days, amounts.rowsB, from, to, day + begin);
      const placeTo = firstOn(b.days, amounts.rowsB, placeFrom, to, day + end + 1);
      if (placeFrom === placeTo) continue;
      const each = (prior * floatAt(learned.amount, AMOUNT.equal) * floatAt(learned.lag, bin)) / (ofAmount * floatAt(ofLag, bin));
      alone.a[row] = floatAt(alone.a, row) + each * Math.max(0, floatAt(freeBefore, placeTo) - floatAt(freeBefore, placeFrom));
      change[placeFrom] = floatAt(change, placeFrom) + each * floatAt(freeA, row);
      change[placeTo] = floatAt(change, placeTo) - each * floatAt(freeA, row);
    }
  }
  let sum = 0;
  for (let place = 0; place < b.count; place += 1) {
    sum += floatAt(change, place);
    const rowB = intAt(amounts.rowsB, place);
    alone.b[rowB] = floatAt(alone.b, rowB) + Math.max(0, sum);
  }
  return alone;
}

/** Fills `ofLag` with the shares of side B's lines in each bin of days from a day on side A. */
function readShares(b: LineFeatures, day: number, ofLag: Float64Array): void {
  for (let bin = 0; bin < LAG_FAR; bin += 1) {
    const [begin, end] = lagRange(bin);
    ofLag[bin] = (firstRowOn(b, day + end + 1) - firstRowOn(b, day + begin)) / b.count;
  }
}

/** Returns, by row, the probability that no listed pair takes it. */
function freedoms({ starts, columns }: Pairs, odds: Float64Array, lines: number, isA: boolean): Float64Array {
  const sums = new Float64Array(lines).fill(1);
  for (let row = 0; row + 1 < starts.length; row += 1) {
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      const line = isA ? row : intAt(columns, at);
      sums[line] = floatAt(sums, line) + floatAt(odds, at);
    }
  }
  return sums.map((sum) => 1 / sum);
}

/** Returns the likelihood ratio, at most 1, of words and references that were not found to agree. */
function ratioOfDisagreement({ text, textU, reference, referenceU }: Learned): number {
  const ofText = floatAt(ratios(text, textU), SHARES_NOTHING);
  const ofReference = floatAt(ratios(reference, referenceU), REFERENCE.missing);
  return Math.min(1, ofText) * Math.min(1, ofReference);
}

interface WeighedMarginals extends Marginals {
  /** By row: probability that a line has no partner among its candidates. */
  readonly withoutPartner: { readonly a: Float64Array; readonly b: Float64Array };
}

/** Returns the probability of each pair in competition with all others, listed or not. */
export function weighPairs(book: Book, learned: Learned, pairs: Pairs, odds: Float64Array): WeighedMarginals {
  const { a: aloneA, b: aloneB } = aloneWeights(book, learned, pairs, odds);
  const marginals = marginalsOf(pairs, odds, aloneA, aloneB);
  const withoutPartner = chancesOfNone(pairs, marginals, aloneA.length, aloneB.length);
  refine(pairs, odds, aloneA, aloneB, marginals);
  return { ...marginals, withoutPartner };
}

function chancesOfNone(
  { starts, columns }: Pairs,
  { likely }: Marginals,
  linesA: number,
  linesB: number,
): WeighedMarginals['withoutPartner'] {
  const [a, b] = [new Float64Array(linesA).fill(1), new Float64Array(linesB).fill(1)];
  for (let row = 0; row + 1 < starts.length; row += 1) {
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      const column = intAt(columns, at);
      a[row] = floatAt(a, row) - floatAt(likely, at);
      b[column] = floatAt(b, column) - floatAt(likely, at);
    }
  }
  return { a, b };
}

/** A pair with less than this share of the best odds of either of its lines does not connect them. */
const CONNECTING = 2 ** -14;

/**
 * Corrects belief propagation where pairs form cycles and it is certain of one of two matchings. Small components are computed exactly. In large ones
 * each pair is charged for exchanges of partners with one other pair.
 */
function refine(pairs: Pairs, odds: Float64Array, aloneA: Float64Array, aloneB: Float64Array, marginals: Marginals): void {
  const strong = connecting(pairs, odds, aloneA, aloneB);
  const refiner = new Refiner(pairs, odds, aloneA, aloneB, marginals, strong);
  eachListedComponent({ starts: strong.starts, columns: strong.columns }, aloneB.length, (component) => {
    refiner.visit(component);
    return true;
  });
}

interface Strong {
  readonly starts: Int32Array;
  readonly columns: Int32Array;
  /** Indexes among all pairs. */
  readonly places: Int32Array;
}

function connecting({ starts, columns, count }: Pairs, odds: Float64Array, aloneA: Float64Array, aloneB: Float64Array): Strong {
  const best = aloneB.slice();
  for (let at = 0; at < count; at += 1) best[intAt(columns, at)] = Math.max(floatAt(best, intAt(columns, at)), floatAt(odds, at));
  const kept = new Int32Array(count);
  const keptStarts = new Int32Array(starts.length);
  let next = 0;
  for (let row = 0; row + 1 < starts.length; row += 1) {
    let top = floatAt(aloneA, row);
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) top = Math.max(top, floatAt(odds, at));
    for (let at = intAt(starts, row); at < intAt(starts, row + 1); at += 1) {
      const weight = floatAt(odds, at);
      if (weight < top * CONNECTING || weight < floatAt(best, intAt(columns, at)) * CONNECTING) continue;
      kept[next] = at;
      next += 1;
    }
    keptStarts[row + 1] = next;
  }
  const places = kept.slice(0, next);
  return { starts: keptStarts, columns: places.map((at) => intAt(columns, at)), places };
}

class Refiner {
  readonly #pairs: Pairs;
  readonly #odds: Float64Array;
  readonly #alone: { readonly a: Float64Array; readonly b: Float64Array };
  readonly #marginals: Marginals;
  readonly #strong: Strong;
  /** Index of each line within the current component. */
  readonly #placeA: Int32Array;
  readonly #placeB: Int32Array;

  constructor(pairs: Pairs, odds: Float64Array, a: Float64Array, b: Float64Array, marginals: Marginals, strong: Strong) {
    this.#pairs = pairs;
    this.#odds = odds;
    this.#alone = { a, b };
    this.#marginals = marginals;
    this.#strong = strong;
    this.#placeA = new Int32Array(a.length);
    this.#placeB = new Int32Array(b.length);
  }

  visit(component: Component): void {
    const { starts } = this.#strong;
    const countA = component.toA - component.fromA;
    const countB = component.toB - component.fromB;
    let edges = 0;
    for (let at = component.fromA; at < component.toA; at += 1) {
      const row = intAt(component.a, at);
      edges += intAt(starts, row + 1) - intAt(starts, row);
    }
    // Belief propagation is exact on a tree.
    if (edges === countA + countB - 1) return;
    if (isSmall(Math.max(countA, countB), Math.min(countA, countB))) this.#count(component, edges);
    else this.#exchange(component);
  }

  #count(component: Component, edges: number): void {
    const placeA = this.#placeA;
    const placeB = this.#placeB;
    const strong = this.#strong;
    const alone = this.#alone;
    const linesA = component.a.subarray(component.fromA, component.toA);
    const linesB = component.b.subarray(component.fromB, component.toB);
    linesA.forEach((line, place) => (placeA[line] = place));
    linesB.forEach((line, place) => (placeB[line] = place));
    const isTurned = linesB.length > linesA.length;
    const list: { readonly row: number; readonly column: number; readonly at: number }[] = [];
    for (const line of linesA) {
      for (let edge = intAt(strong.starts, line); edge < intAt(strong.starts, line + 1); edge += 1) {
        const [ofA, ofB] = [intAt(placeA, line), intAt(placeB, intAt(strong.columns, edge))];
        list.push({ row: isTurned ? ofB : ofA, column: isTurned ? ofA : ofB, at: intAt(strong.places, edge) });
      }
    }
    if (isTurned) list.sort((left, right) => left.row - right.row || left.column - right.column);
    const aloneOfA = Float64Array.from(linesA, (line) => floatAt(alone.a, line));
    const aloneOfB = Float64Array.from(linesB, (line) => floatAt(alone.b, line));
    const found = exactOdds({
      rows: Math.max(linesA.length, linesB.length),
      columns: Math.min(linesA.length, linesB.length),
      aloneRow: isTurned ? aloneOfB : aloneOfA,
      aloneColumn: isTurned ? aloneOfA : aloneOfB,
      edges,
      edgeRow: Int32Array.from(list, ({ row }) => row),
      edgeColumn: Int32Array.from(list, ({ column }) => column),
      odds: Float64Array.from(list, ({ at }) => floatAt(this.#odds, at)),
    });
    list.forEach(({ at }, edge) => {
      const value = floatAt(found, edge);
      this.#marginals.odds[at] = value;
      this.#marginals.likely[at] = value / (1 + value);
      this.#marginals.isOpen[at] = 0;
    });
  }

  /** Reduces the odds of each likely pair by the exchanges of partners with another likely pair. */
  #exchange({ a, fromA, toA }: Component): void {
    const marginals = this.#marginals;
    const odds = this.#odds;
    const placeA = this.#placeA;
    const placeB = this.#placeB;
    const { starts, columns } = this.#pairs;
    const likely: number[] = [];
    for (let at = fromA; at < toA; at += 1) {
      const row = intAt(a, at);
      placeA[row] = -1;
      for (let edge = intAt(starts, row); edge < intAt(starts, row + 1); edge += 1) {
        if (!(floatAt(marginals.likely, edge) > 0.5)) continue;
        placeA[row] = edge;
        placeB[intAt(columns, edge)] = row;
        likely.push(edge);
        break;
      }
    }
    const cost = new Map<number, number>();
    for (const edge of likely) {
      const own = intAt(columns, edge);
      const row = intAt(placeB, own);
      for (let other = intAt(starts, row); other < intAt(starts, row + 1); other += 1) {
        const column = intAt(columns, other);
        const otherRow = intAt(placeB, column);
        if (other === edge || intAt(placeA, otherRow) < 0 || intAt(columns, intAt(placeA, otherRow)) !== column) continue;
        const back = edgeBetween(this.#pairs, otherRow, own);
        if (back < 0) continue;
        const ratio = (floatAt(odds, other) * floatAt(odds, back)) / (floatAt(odds, edge) * floatAt(odds, intAt(placeA, otherRow)));
        cost.set(edge, (cost.get(edge) ?? 0) + ratio);
      }
    }
    for (const [edge, ratio] of cost) {
      const value = 1 / (1 / floatAt(marginals.odds, edge) + ratio);
      marginals.odds[edge] = value;
      marginals.likely[edge] = value / (1 + value);
    }
  }
}

function edgeBetween({ starts, columns }: Pairs, row: number, column: number): number {
  for (let edge = intAt(starts, row); edge < intAt(starts, row + 1); edge += 1) if (intAt(columns, edge) === column) return edge;
  return -1;
}

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

function isSmall(rows: number, columns: number): boolean {
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
