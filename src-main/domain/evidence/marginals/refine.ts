import { floatAt, intAt } from '../../collections/typed-arrays.ts';
import { eachListedComponent, type Component } from '../../matching/blocking/components.ts';
import type { Pairs } from '../comparison/pairs.ts';
import { exactOdds, isSmall } from './exact.ts';
import type { Marginals } from './propagate.ts';

/** A pair with less than this share of the best odds of either of its lines does not connect them. */
const CONNECTING = 2 ** -14;

/**
 * Corrects belief propagation where pairs form cycles and it is certain of one of two matchings. Small components are computed exactly. In large ones
 * each pair is charged for exchanges of partners with one other pair.
 */
export function refine(pairs: Pairs, odds: Float64Array, aloneA: Float64Array, aloneB: Float64Array, marginals: Marginals): void {
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
