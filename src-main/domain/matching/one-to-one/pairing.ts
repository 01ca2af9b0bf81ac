import { grownTo, intAt } from '../../collections/typed-arrays.ts';
import { areAlike } from '../../records/content-order.ts';
import type { RecordColumns } from '../../records/record-columns.ts';
import type { Component } from '../blocking/components.ts';
import { type Classes, recordsOf, sizeOf } from '../blocking/equivalence-classes.ts';
import type { Scanned } from '../blocking/pair-source.ts';
import type { MatchLimits } from '../model/limits.ts';
import { CERTAINTIES } from '../model/match.ts';
import { certaintyOf, type ClassFacts, FixedEdges } from './exact/certainty.ts';
import { ProblemReader, type ReadFrom } from './exact/cost-matrix.ts';
import { MarginList, Margins } from './exact/second-best.ts';
import { type Solution, solve, type Solver, solver } from './exact/solve.ts';
import { pairOversized } from './oversized/oversized-component.ts';

export interface Matcher extends ReadFrom {
  readonly limits: MatchLimits;
}

/** Pairs of a rule by row of side A. */
export interface Paired {
  /** Row of side B; -1 for none. */
  readonly partners: Int32Array;
  /** Certainty of each pair, as an index into `CERTAINTIES`. */
  readonly certainties: Uint8Array;
  /** Number of pairs in components too large for the exact search. */
  readonly inexact: number;
  /** Number of records of one side without a partner whose search hit the limit of work. */
  readonly gaveUp: number;
  /** Margins of the `best` pairs for which they are known, at the finer scale of the pair's records. */
  readonly margins: MarginList;
  /** Index of each pair's margin plus one; 0 for none. Most have none, and pages of zeros are never written. */
  readonly marginPlaces: Int32Array;
}

const UNIQUE = CERTAINTIES.indexOf('unique');
const BEST = CERTAINTIES.indexOf('best');
const CONTESTED = CERTAINTIES.indexOf('contested');
/** Records paired between two checks of the cancel flag. */
const STEPS_PER_LOOK = 1 << 14;

/** Called with rows of side A whose result is final, from `from` up to but excluding `to` of a list. */
type OnRowsDone = (paired: Paired, rows: Int32Array, from: number, to: number) => void;

/** Pairs the records of every component; returns null when cancelled. */
export function pairAll(matcher: Matcher, onRowsDone: OnRowsDone): Paired | null {
  const pairing = new Pairing(matcher);
  const { starts, rows } = matcher.classesA;
  const isWhole = matcher.source.eachComponent((component) => {
    if (!pairing.pair(component)) return false;
    for (let at = component.fromA; at < component.toA; at += 1) {
      const own = intAt(component.a, at);
      onRowsDone(pairing, rows, intAt(starts, own), intAt(starts, own + 1));
    }
    return true;
  });
  return isWhole ? pairing : null;
}

class Pairing implements Paired {
  readonly partners: Int32Array;
  readonly certainties: Uint8Array;
  inexact = 0;
  gaveUp = 0;
  readonly margins = new MarginList();
  readonly marginPlaces: Int32Array;
  readonly #matcher: Matcher;
  readonly #reader: ProblemReader;
  readonly #solver: Solver;
  readonly #fixedEdges = new FixedEdges();
  readonly #componentMargins = new Margins();
  readonly #alikeA: AlikeClasses;
  readonly #alikeB: AlikeClasses;
  /** By column of the problem: its number of edges, and the number of its records that are paired. */
  #degrees: Int32Array = new Int32Array(0);
  #nexts: Int32Array = new Int32Array(0);
  readonly #mayBeBarred: boolean;
  #sinceLook = 0;
  /** Records of the component whose progress its exact search has reported. */
  #advanced = 0;

  constructor(matcher: Matcher) {
    const { view, classesA, classesB, watch } = matcher;
    this.#matcher = matcher;
    this.#mayBeBarred = (matcher.source.scanned?.isBarred ?? null) !== null;
    this.partners = new Int32Array(view.sideA.count).fill(-1);
    this.certainties = new Uint8Array(view.sideA.count);
    this.marginPlaces = new Int32Array(view.sideA.count);
    this.#reader = new ProblemReader(matcher);
    this.#solver = {
      ...solver(watch.isCancelled, (records) => {
        this.#advanced += records;
        watch.advance(records);
      }),
      work: matcher.limits.work,
      fills: matcher.source.scanned === null,
      scattered: matcher.limits.scattered,
    };
    this.#alikeA = new AlikeClasses(view.sideA, classesA);
    this.#alikeB = new AlikeClasses(view.sideB, classesB);
  }

  /** Returns false when cancelled. */
  pair(component: Component): boolean {
    const { classesA, classesB, watch } = this.#matcher;
    const a = intAt(component.a, component.fromA);
    const b = intAt(component.b, component.fromB);
    const [countA, countB] = [component.toA - component.fromA, component.toB - component.fromB];
    this.#sinceLook += countB;
    if (this.#sinceLook >= STEPS_PER_LOOK) {
      this.#sinceLook = 0;
      if (watch.isCancelled()) return false;
    }
    if (countA > 1 || countB > 1 || this.#mayBeBarred) return this.#pairClasses(component);
    const pairs = Math.min(sizeOf(classesA, a), sizeOf(classesB, b));
    if (sizeOf(classesA, a) === 1 && sizeOf(classesB, b) === 1) this.#tie(intAt(classesA.first, a), intAt(classesB.first, b), UNIQUE);
    else this.#tieClasses(a, b, pairs, 0, 0, this.#certaintyOf(pairs, true, a, b, 1, 1));
    watch.advance(pairs);
    return true;
  }

  #tie(rowA: number, rowB: number, certainty: number): void {
    this.partners[rowA] = rowB;
    this.certainties[rowA] = certainty;
  }

  /** Pairs records of two classes in content order on both sides. */
  #tieClasses(a: number, b: number, pairs: number, fromA: number, fromB: number, certainty: number): void {
    const { classesA, classesB } = this.#matcher;
    const placeA = intAt(classesA.starts, a) + fromA;
    const placeB = intAt(classesB.starts, b) + fromB;
    for (let pair = 0; pair < pairs; pair += 1) {
      this.#tie(intAt(classesA.rows, placeA + pair), intAt(classesB.rows, placeB + pair), certainty);
    }
  }

  /** Returns false when cancelled. */
  #pairClasses(component: Component): boolean {
    const { scanned } = this.#matcher.source;
    const pairs = this.#pairsOf(component);
    this.#advanced = 0;
    if (scanned !== null && pairs > this.#matcher.limits.pairs) return this.#pairOversized(component, scanned);
    if (!this.#reader.read(component, pairs)) return false;
    const solution = solve(this.#solver, this.#reader.problem);
    if (solution === null) return false;
    if (scanned !== null && !solution.isOptimal) return this.#pairOversized(component, scanned);
    this.#componentMargins.begin(solution.state);
    this.#deal(component, solution);
    return true;
  }

  /** Returns an upper bound of a component's candidate pairs. */
  #pairsOf({ a, fromA, toA }: Component): number {
    let pairs = 0;
    for (let at = fromA; at < toA; at += 1) pairs += this.#matcher.source.countOf(intAt(a, at));
    return pairs;
  }

  /** Returns false when cancelled. */
  #pairOversized(component: Component, scanned: Scanned): boolean {
    const { view, classesA, classesB, limits, watch } = this.#matcher;
    const tie = (rowA: number, rowB: number): void => {
      this.#tie(rowA, rowB, CONTESTED);
      this.inexact += 1;
    };
    // The largest possible number of pairs. The sum over all components is at most the records of either side, by which a stage is measured.
    const records = Math.min(
      recordsOf(classesA, component.a, component.fromA, component.toA),
      recordsOf(classesB, component.b, component.fromB, component.toB),
    );
    const { isCancelled, advance } = watch;
    // Progress that an exact search reported before it gave up is not reported again.
    const left = Math.max(0, records - this.#advanced);
    const unsought = pairOversized({ view, classesA, classesB, scanned, limits, isCancelled, advance, records: left }, component, tie);
    this.gaveUp += unsought ?? 0;
    return unsought !== null;
  }

  /** Assigns the records of the classes to the pairs. */
  #deal({ a, b, fromA, fromB }: Component, solution: Solution): void {
    const { problem, isTurned } = this.#reader;
    const { flow } = solution.state;
    const fixed = this.#fixedEdges.of(solution);
    const { rowCount, columnCount, starts, columns } = problem;
    this.#degrees = grownTo(this.#degrees, columnCount);
    this.#nexts = grownTo(this.#nexts, columnCount);
    const degrees = this.#degrees;
    const nexts = this.#nexts;
    degrees.fill(0, 0, columnCount);
    nexts.fill(0, 0, columnCount);
    const edges = intAt(starts, rowCount);
    for (let edge = 0; edge < edges; edge += 1) {
      const column = intAt(columns, edge);
      degrees[column] = intAt(degrees, column) + 1;
    }
    for (let row = 0; row < rowCount; row += 1) {
      const end = intAt(starts, row + 1);
      const degree = end - intAt(starts, row);
      let next = 0;
      for (let edge = intAt(starts, row); edge < end; edge += 1) {
        const pairs = intAt(flow, edge);
        if (pairs === 0) continue;
        const column = intAt(columns, edge);
        const [degreeOfColumn, nextOfColumn] = [intAt(degrees, column), intAt(nexts, column)];
        const isFixed = fixed[edge] === 1;
        const own = intAt(a, fromA + (isTurned ? column : row));
        const other = intAt(b, fromB + (isTurned ? row : column));
        const certainty = isTurned
          ? this.#certaintyOf(pairs, isFixed, own, other, degreeOfColumn, degree)
          : this.#certaintyOf(pairs, isFixed, own, other, degree, degreeOfColumn);
        this.#tieClasses(own, other, pairs, isTurned ? nextOfColumn : next, isTurned ? next : nextOfColumn, certainty);
        if (!solution.isOptimal) this.inexact += pairs;
        if (certainty === BEST) this.#keepMargin(own, other, edge);
        next += pairs;
        nexts[column] = nextOfColumn + pairs;
      }
    }
  }

  /** Stores the margin of the only pair of two classes. */
  #keepMargin(a: number, b: number, edge: number): void {
    const { view, classesA, classesB } = this.#matcher;
    const row = intAt(classesA.first, a);
    const own = Math.max(view.sideA.decimalPlaces[row] as number, view.sideB.decimalPlaces[intAt(classesB.first, b)] as number);
    const { scale } = this.#reader;
    const unitScale = own === scale ? 1 : 10 ** (scale - own);
    this.marginPlaces[row] = this.#componentMargins.of(this.#solver.state, edge, unitScale, this.margins) + 1;
  }

  #certaintyOf(pairs: number, isFixed: boolean, a: number, b: number, degreeA: number, degreeB: number): number {
    const { classesA, classesB } = this.#matcher;
    const [sizeA, sizeB] = [sizeOf(classesA, a), sizeOf(classesB, b)];
    if (!isFixed && (degreeA > 1 || degreeB > 1 || sizeA > 1 || sizeB > 1)) return CONTESTED;
    if (sizeA === 1 && sizeB === 1) return degreeA === 1 && degreeB === 1 ? UNIQUE : BEST;
    const ofA: ClassFacts = { size: sizeA, degree: degreeA, isAlike: () => this.#alikeA.has(a) };
    const ofB: ClassFacts = { size: sizeB, degree: degreeB, isAlike: () => this.#alikeB.has(b) };
    return CERTAINTIES.indexOf(certaintyOf(pairs, isFixed, ofA, ofB));
  }
}

/** Finds classes whose records are all indistinguishable; each is examined once. */
class AlikeClasses {
  readonly #columns: RecordColumns;
  readonly #classes: Classes;
  readonly #known: Uint8Array;

  constructor(columns: RecordColumns, classes: Classes) {
    this.#columns = columns;
    this.#classes = classes;
    this.#known = new Uint8Array(classes.count);
  }

  has(index: number): boolean {
    const columns = this.#columns;
    const known = this.#known;
    const classes = this.#classes;
    if (known[index] === 0)
      known[index] = areAlike(columns, classes.rows, intAt(classes.starts, index), intAt(classes.starts, index + 1)) ? 1 : 2;
    return known[index] === 1;
  }
}
