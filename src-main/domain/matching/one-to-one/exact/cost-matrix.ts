import { grownTo, intAt, rangeStarts, sumOf } from '../../../collections/typed-arrays.ts';
import type { RecordColumns } from '../../../records/record-columns.ts';
import type { Component } from '../../blocking/components.ts';
import { type Classes, sizeOf } from '../../blocking/equivalence-classes.ts';
import type { PairSource } from '../../blocking/pair-source.ts';
import {
  type Distance,
  type DistanceMeter,
  distanceMeter,
  measuresEdits,
  type OwnUnits,
  type RuleView,
} from '../../comparison/predicate.ts';
import type { Watch } from '../../model/watch.ts';
import { emptyProblem, type Problem } from './solver-state.ts';

/** Source of components, and how their pairs are measured. */
export interface ReadFrom {
  readonly view: RuleView;
  readonly classesA: Classes;
  readonly classesB: Classes;
  readonly source: PairSource;
  readonly ownUnits: OwnUnits;
  readonly watch: Watch;
  readonly limits: { readonly pairs: number; readonly turned?: number };
}

/** From this many pairs on, a problem is solved from the side with fewer records. */
const TURNED_PAIRS = 1 << 12;
/** Pairs read, or distances measured, between two checks of the cancel flag. */
const STEPS_PER_LOOK = 1 << 14;

const NO_FLOATS = new Float64Array(0);

type Writable<T> = { -readonly [key in keyof T]: T[key] };

/** Reads components as problems. Its arrays are reused from one component to the next. */
export class ProblemReader {
  readonly problem: Writable<Problem> = emptyProblem();
  /** Whether its rows are classes of side B. */
  isTurned = false;
  /** Decimal places at which distances are measured. */
  scale = 0;
  readonly #from: ReadFrom;
  readonly #distanceAt: DistanceMeter;
  readonly #hasEdits: boolean;
  /** Decimal places that all records share; null if they differ. */
  readonly #commonScale: number | null;
  /** Index of each class of side B in the current component. */
  readonly #placeOfB: Int32Array;
  #sizesA: Int32Array = new Int32Array(0);
  #sizesB: Int32Array = new Int32Array(0);
  /** By class of side A: indexes of its candidates among the classes of side B. */
  #starts: Int32Array = new Int32Array(0);
  #others: Int32Array = new Int32Array(0);
  /** Columns of the edges of a turned problem. */
  #turnedColumns: Int32Array = new Int32Array(0);
  #sinceLook = 0;

  constructor(from: ReadFrom) {
    const { view, classesB, ownUnits } = from;
    this.#from = from;
    this.#distanceAt = distanceMeter(view, ownUnits);
    this.#hasEdits = measuresEdits(view);
    this.#commonScale = commonScale(view.sideA, view.sideB);
    this.#placeOfB = new Int32Array(classesB.count);
  }

  /** Reads a component of at most `pairs` pairs into `problem`; returns false when cancelled. */
  read(component: Component, pairs: number): boolean {
    const { problem } = this;
    const from = this.#from;
    const [countA, countB] = [component.toA - component.fromA, component.toB - component.fromB];
    this.#makeRoom(countA, countB, pairs);
    if (!this.#list(component)) return false;
    const sizesA = this.#sizesA;
    const sizesB = this.#sizesB;
    const starts = this.#starts;
    const edges = intAt(starts, countA);
    // From the side with fewer records, each search finds a free record nearby. From the other side, a record without a partner would be searched
    // through the whole component.
    this.isTurned = edges >= (from.limits.turned ?? TURNED_PAIRS) && sumOf(sizesA, countA) > sumOf(sizesB, countB);
    this.scale = this.#commonScale ?? this.#finestScale(component);
    [problem.rowCount, problem.supply] = this.isTurned ? [countB, sizesB] : [countA, sizesA];
    [problem.columnCount, problem.room] = this.isTurned ? [countA, sizesA] : [countB, sizesB];
    return this.isTurned ? this.#turn(component, edges) : this.#measure(component);
  }

  #makeRoom(countA: number, countB: number, pairs: number): void {
    const { problem } = this;
    this.#sizesA = grownTo(this.#sizesA, countA);
    this.#sizesB = grownTo(this.#sizesB, countB);
    this.#starts = grownTo(this.#starts, countA + 1);
    if (this.#others.length >= pairs) return;
    // Contents of the previous component are dropped. Capacity that is not written takes no memory.
    const room = Math.max(pairs, Math.min(2 * pairs, this.#from.limits.pairs));
    this.#others = new Int32Array(room);
    this.#turnedColumns = new Int32Array(0);
    problem.days = new Float64Array(room);
    problem.units = new Float64Array(room);
    problem.edits = this.#hasEdits ? new Float64Array(room) : NO_FLOATS;
  }

  /** Lists the pairs of each class of side A; returns false when cancelled. */
  #list({ a, b, fromA, toA, fromB, toB }: Component): boolean {
    const sizesA = this.#sizesA;
    const sizesB = this.#sizesB;
    const starts = this.#starts;
    const others = this.#others;
    const placeOfB = this.#placeOfB;
    const { classesA, classesB, source } = this.#from;
    for (let at = fromB; at < toB; at += 1) {
      placeOfB[intAt(b, at)] = at - fromB;
      sizesB[at - fromB] = sizeOf(classesB, intAt(b, at));
    }
    let edge = 0;
    for (let at = fromA; at < toA; at += 1) {
      const own = intAt(a, at);
      sizesA[at - fromA] = sizeOf(classesA, own);
      starts[at - fromA] = edge;
      const end = source.read(own, others, edge);
      if (this.#isCancelled(end - edge)) return false;
      for (; edge < end; edge += 1) others[edge] = intAt(placeOfB, intAt(others, edge));
    }
    starts[toA - fromA] = edge;
    return true;
  }

  /** Measures the pairs in the order in which they are listed; returns false when cancelled. */
  #measure({ a, b, fromA, toA, fromB }: Component): boolean {
    const { problem, scale } = this;
    const starts = this.#starts;
    const others = this.#others;
    const { first: firstOfA } = this.#from.classesA;
    const { first: firstOfB } = this.#from.classesB;
    problem.starts = starts;
    problem.columns = others;
    for (let row = 0; row < toA - fromA; row += 1) {
      const own = intAt(firstOfA, intAt(a, fromA + row));
      const end = intAt(starts, row + 1);
      for (let edge = intAt(starts, row); edge < end; edge += 1) {
        this.#keep(edge, this.#distanceAt(own, intAt(firstOfB, intAt(b, fromB + intAt(others, edge))), scale));
      }
      if (this.#isCancelled(end - intAt(starts, row))) return false;
    }
    return true;
  }

  /** Orders the pairs by their class of side B and measures them; returns false when cancelled. */
  #turn({ a, b, fromA, toA, fromB, toB }: Component, edges: number): boolean {
    const { problem, scale } = this;
    const starts = this.#starts;
    const others = this.#others;
    const { first: firstOfA } = this.#from.classesA;
    const { first: firstOfB } = this.#from.classesB;
    if (this.#turnedColumns.length < edges) this.#turnedColumns = new Int32Array(others.length);
    const turnedColumns = this.#turnedColumns;
    problem.columns = turnedColumns;
    problem.starts = rangeStarts(others.subarray(0, edges), toB - fromB);
    const nexts = problem.starts.slice();
    for (let row = 0; row < toA - fromA; row += 1) {
      const own = intAt(firstOfA, intAt(a, fromA + row));
      const end = intAt(starts, row + 1);
      for (let at = intAt(starts, row); at < end; at += 1) {
        const other = intAt(others, at);
        const edge = intAt(nexts, other);
        nexts[other] = edge + 1;
        turnedColumns[edge] = row;
        this.#keep(edge, this.#distanceAt(own, intAt(firstOfB, intAt(b, fromB + other)), scale));
      }
      if (this.#isCancelled(end - intAt(starts, row))) return false;
    }
    return true;
  }

  #keep(edge: number, { days, units, edits }: Distance): void {
    const { problem } = this;
    problem.days[edge] = days;
    problem.units[edge] = units;
    if (this.#hasEdits) problem.edits[edge] = edits;
  }

  #isCancelled(steps: number): boolean {
    this.#sinceLook += steps;
    if (this.#sinceLook < STEPS_PER_LOOK) return false;
    this.#sinceLook = 0;
    return this.#from.watch.isCancelled();
  }

  /** All distances within a component are measured at one scale. */
  #finestScale({ a, b, fromA, toA, fromB, toB }: Component): number {
    const { view, classesA, classesB } = this.#from;
    return Math.max(finestScale(view.sideA, classesA, a.subarray(fromA, toA)), finestScale(view.sideB, classesB, b.subarray(fromB, toB)));
  }
}

function finestScale({ decimalPlaces }: RecordColumns, { first }: Classes, members: Int32Array): number {
  let scale = 0;
  for (const member of members) scale = Math.max(scale, decimalPlaces[intAt(first, member)] as number);
  return scale;
}

function commonScale(sideA: RecordColumns, sideB: RecordColumns): number | null {
  const scale = sideA.decimalPlaces[0] ?? sideB.decimalPlaces[0] ?? 0;
  for (const { count, decimalPlaces } of [sideA, sideB]) {
    for (let row = 0; row < count; row += 1) if (decimalPlaces[row] !== scale) return null;
  }
  return scale;
}
