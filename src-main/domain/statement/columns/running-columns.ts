import { amountShape, decideMark, isNothing, minorOf } from '../cells/amounts.ts';
import { decideOrder } from '../cells/date-order.ts';
import { type DateOrder, dateShape, dayOfShape } from '../cells/dates.ts';
import type { GridRow } from '../model/grid-row.ts';

/** Consecutive rows at the beginning of a table that show which amounts a balance follows. */
export const RUNNING_ROWS = 400;
const FINEST_PLACES = 4;
/** Fewest steps that must hold, and their least share of all steps in tenths. */
const MIN_STEPS = 2;
const MIN_TENTHS = 8;

/** One amount column, or two of which each row fills one. */
export type Moving = readonly [number] | readonly [number, number];

/** Signed numbers of a column; null where a cell is not a number. */
type Numbers = readonly (number | null)[];

/** Finds, in consecutive rows, the column that runs with the amounts of others. */
export class RunningColumns {
  readonly #rows: readonly GridRow[];
  readonly #mark: '.' | ',';
  readonly #numbers = new Map<number, Numbers>();
  /** Whether the rows begin with the newest; null where the dates do not show it. */
  readonly #isNewestFirst: boolean | null;

  /** `columns`: those that may hold amounts. */
  constructor(rows: readonly GridRow[], dateColumn: number, columns: readonly number[]) {
    this.#rows = rows.slice(0, RUNNING_ROWS).filter((row) => dateShape(row.cells[dateColumn] ?? '') !== null);
    const bodies = this.#rows.flatMap((row) => columns.flatMap((column) => amountShape(row.cells[column] ?? '')?.body ?? []));
    this.#mark = decideMark(bodies).mark ?? '.';
    this.#isNewestFirst = directionOf(this.#rows, dateColumn);
  }

  /** Whether a column moves from row to row by the amounts of others: it is then the balance after each row. */
  runsBehind(moving: Moving, balance: number): boolean {
    if (this.#isNewestFirst === null) return this.#runs(moving, balance, false) || this.#runs(moving, balance, true);
    return this.#runs(moving, balance, this.#isNewestFirst);
  }

  /** Whether the column is the balance before each row. False where the dates do not show which row comes first. */
  runsBefore(moving: Moving, balance: number): boolean {
    return this.#isNewestFirst !== null && this.#runs(moving, balance, !this.#isNewestFirst);
  }

  /** Whether in every row one column plus the amount makes the other: the balances before and after the row. */
  isSum(before: number, amount: number, behind: number): boolean {
    const [first, moved, second] = [this.#of(before), this.#of(amount), this.#of(behind)];
    const holds = moved.filter(
      (each, index) => each !== null && each !== 0 && (first[index] ?? Number.NaN) + each === second[index],
    ).length;
    return holds >= MIN_STEPS && holds * 10 >= moved.length * MIN_TENTHS;
  }

  /** Whether each row fills exactly one of two columns; zero counts as empty. */
  isEitherOr(first: number, second: number): boolean {
    const [one, other] = [this.#of(first), this.#of(second)];
    const isNil = (value: number | null | undefined): boolean => value === null || value === undefined || value === 0;
    const rows = one.filter((value, index) => isNil(value) !== isNil(other[index])).length;
    const isUsed = one.some((value) => !isNil(value)) && other.some((value) => !isNil(value));
    return isUsed && rows * 10 >= this.#rows.length * 9;
  }

  /** Whether a column holds amounts of both signs. */
  hasBothSigns(column: number): boolean {
    const numbers = this.#of(column);
    return numbers.some((value) => value !== null && value < 0) && numbers.some((value) => value !== null && value > 0);
  }

  #runs([first, second]: Moving, balance: number, isUpwards: boolean): boolean {
    const balances = this.#of(balance);
    const one = this.#of(first);
    const other = second === undefined ? [] : this.#of(second);
    let steps = 0;
    let held = 0;
    for (let index = 1; index < balances.length; index += 1) {
      const [above, below] = [balances[index - 1] ?? null, balances[index] ?? null];
      if (above === null || below === null) continue;
      steps += 1;
      const at = isUpwards ? index - 1 : index;
      const moved = Math.abs(one[at] ?? 0) || Math.abs(other[at] ?? 0);
      if (moved === Math.abs(below - above)) held += moved === 0 ? 0 : 1;
    }
    return held >= MIN_STEPS && held * 10 >= steps * MIN_TENTHS;
  }

  #of(column: number): Numbers {
    const known = this.#numbers.get(column);
    if (known !== undefined) return known;
    const numbers = this.#rows.map((row) => {
      const cell = row.cells[column] ?? '';
      const shape = isNothing(cell) ? null : amountShape(cell);
      const minor = shape === null ? null : minorOf(shape.body, this.#mark, FINEST_PLACES);
      return typeof minor === 'number' ? (shape?.negative === true ? -minor : minor) : null;
    });
    this.#numbers.set(column, numbers);
    return numbers;
  }
}

/** Whether the last day is before the first; null where they are equal, or where the two orders of day and month disagree. */
function directionOf(rows: readonly GridRow[], dateColumn: number): boolean | null {
  const shapes = rows.flatMap((row) => dateShape(row.cells[dateColumn] ?? '') ?? []);
  const decided = decideOrder(shapes, { otherShapes: [], filename: '', currency: null, decimalComma: false });
  const orders: readonly (DateOrder | null)[] = decided.assumedBecause === null ? [decided.order] : ['dmy', 'mdy'];
  const told = new Set(
    orders.map((order) => {
      const days = shapes.flatMap((shape) => dayOfShape(shape, order) ?? []);
      return Math.sign((days.at(-1) ?? 0) - (days[0] ?? 0));
    }),
  );
  const [only] = told;
  return told.size !== 1 || only === 0 ? null : only === -1;
}
