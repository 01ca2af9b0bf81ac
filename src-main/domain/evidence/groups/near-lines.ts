import { floatAt, intAt, layOut, rangeStarts } from '../../collections/typed-arrays.ts';
import { FIRST_LAG, LAST_LAG } from '../comparison/levels.ts';
import { Runs } from '../../groups/runs.ts';
import { firstOn } from '../comparison/find-pairs.ts';
import type { MissingLines } from './missing-lines.ts';
import { type Frame, LINE } from './open-lines.ts';

/** Instalments continue for longer than a single payment takes. */
const LAST_INSTALMENT = 190;
/** Most lines of one name that are examined, the nearest in days. */
const MOST_LINES = 64;

/** Open lines of one name near a day, ascending. */
export interface NearLines {
  readonly rows: readonly number[];
  /** Probability of each line's days. */
  readonly usual: readonly number[];
  /** Their values in a row. */
  readonly runs: Runs;
}

const NOTHING: NearLines = { rows: [], usual: [], runs: new Runs(new Float64Array(0)) };

/**
 * Finds the open lines of a name near a target. The lines of the current day are cached, because targets are visited by day and a few names are near
 * all of them.
 */
export class NearLinesFinder {
  readonly #frame: Frame;
  readonly #missing: MissingLines;
  /** Rows grouped by name and currency, and by day within a group. */
  readonly #kinds = new Map<number, number>();
  readonly #starts: Int32Array;
  readonly #rows: Int32Array;
  #day = Number.NaN;
  readonly #known = new Map<number, NearLines>();

  constructor(frame: Frame, missing: MissingLines) {
    this.#frame = frame;
    this.#missing = missing;
    const { features, state, currencies } = frame.members;
    const keys = features.names.map((name, row) => {
      if (state[row] === LINE.closed || name < 0) return -1;
      const key = this.#keyOf(name, intAt(currencies, row));
      const kind = this.#kinds.get(key) ?? this.#kinds.size;
      this.#kinds.set(key, kind);
      return kind;
    });
    this.#starts = rangeStarts(keys, this.#kinds.size);
    this.#rows = layOut(keys, this.#starts);
  }

  /** Returns the names of open lines, ascending. */
  names(): number[] {
    const { scales } = this.#frame.members;
    return [...new Set(Array.from(this.#kinds.keys(), (key) => Math.floor(key / scales.length)))].toSorted((left, right) => left - right);
  }

  of(target: number, name: number): NearLines {
    const { targets } = this.#frame;
    const day = intAt(targets.features.days, target);
    if (day !== this.#day) this.#known.clear();
    this.#day = day;
    const kind = this.#kinds.get(this.#keyOf(name, intAt(targets.currencies, target)));
    if (kind === undefined) return NOTHING;
    const known = this.#known.get(kind);
    if (known !== undefined) return known;
    const found = this.#described(target, this.#nearest(kind, day));
    this.#known.set(kind, found);
    return found;
  }

  #keyOf(name: number, currency: number): number {
    return name * this.#frame.members.scales.length + currency;
  }

  /** Returns the lines nearest to a day; among equally distant ones the first. */
  #nearest(kind: number, day: number): number[] {
    const frame = this.#frame;
    const starts = this.#starts;
    const rows = this.#rows;
    const { days } = frame.members.features;
    const [back, ahead] = frame.targets.side === 'b' ? [LAST_LAG, 0 - FIRST_LAG] : [0 - FIRST_LAG, LAST_INSTALMENT];
    const from = firstOn(days, rows, intAt(starts, kind), intAt(starts, kind + 1), day - back);
    const to = firstOn(days, rows, from, intAt(starts, kind + 1), day + ahead + 1);
    if (to - from <= MOST_LINES) return Array.from(rows.subarray(from, to));
    const within = (away: number): readonly [number, number] => [
      firstOn(days, rows, from, to, day - away),
      firstOn(days, rows, from, to, day + away + 1),
    ];
    // Binary search for the smallest distance within which there are too many lines.
    let [low, high] = [0, Math.max(back, ahead)];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const [first, end] = within(middle);
      if (end - first > MOST_LINES) high = middle;
      else low = middle + 1;
    }
    const [edge] = within(low);
    const [first, end] = low === 0 ? [edge, edge] : within(low - 1);
    const before = Math.min(first - edge, MOST_LINES - (end - first));
    const after = MOST_LINES - (end - first) - before;
    return [...rows.subarray(edge, edge + before), ...rows.subarray(first, end + after)];
  }

  #described(target: number, rows: readonly number[]): NearLines {
    const { values } = this.#frame.members;
    const usual = rows.map((row) => this.#missing.usualDays(this.#frame, target, row));
    return { rows, usual, runs: new Runs(Float64Array.from(rows, (row) => floatAt(values, row))) };
  }
}

/** Returns the rows nearest to a target in days, at most `most`, ascending; among equally distant ones the first. */
export function nearestRows({ targets, members }: Frame, target: number, rows: readonly number[], most: number): number[] {
  const day = intAt(targets.features.days, target);
  const away = (row: number): number => Math.abs(intAt(members.features.days, row) - day);
  const ascending = (left: number, right: number): number => left - right;
  if (rows.length <= most) return rows.toSorted(ascending);
  const counts = new Int32Array(LAST_INSTALMENT + 1);
  for (const row of rows) counts[away(row)] = intAt(counts, away(row)) + 1;
  let edge = 0;
  let left = most;
  for (; intAt(counts, edge) <= left; edge += 1) left -= intAt(counts, edge);
  const inside = rows.filter((row) => away(row) < edge);
  const atEdge = rows.filter((row) => away(row) === edge).toSorted(ascending);
  return [...inside, ...atEdge.slice(0, left)].toSorted(ascending);
}
