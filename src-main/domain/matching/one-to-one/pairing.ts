import { grownTo, intAt, rangeStarts, sumOf } from '../../collections/typed-arrays.ts';
import { areAlike } from '../../records/content-order.ts';
import type { RecordColumns } from '../../records/record-columns.ts';
import type { Component } from '../blocking/components.ts';
import { type Classes, recordsOf, sizeOf } from '../blocking/equivalence-classes.ts';
import type { PairSource, Scanned } from '../blocking/pair-source.ts';
import { type Distance, type DistanceMeter, distanceMeter, measuresEdits, type OwnUnits, type RuleView } from '../comparison/predicate.ts';
import type { MatchLimits } from '../model/limits.ts';
import { CERTAINTIES } from '../model/match.ts';
import type { Watch } from '../model/watch.ts';
import { certaintyOf, type ClassFacts, FixedEdges } from './exact/certainty.ts';
import { MarginList, Margins } from './exact/second-best.ts';
import { type Solution, solve, type Solver, solver } from './exact/solve.ts';
import { emptyProblem, type Problem } from './exact/solver-state.ts';
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

/** Source of components, and how their pairs are measured. */
interface ReadFrom {
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

const NO_FLOATS = new Float64Array(0);

type Writable<T> = { -readonly [key in keyof T]: T[key] };

/** Reads components as problems. Its arrays are reused from one component to the next. */
class ProblemReader {
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
