import { dayFromParts } from '../../../src-shared/values/civil-date.ts';
import { dayOfShape, fits } from './dates.ts';
import type { DateOrder, DateShape } from './dates.ts';

export interface OrderEvidence {
  /** Shapes of other date columns of the same file. */
  readonly otherShapes: readonly DateShape[];
  readonly filename: string;
  /** Named by the file or the user; null when only assumed. */
  readonly currency: string | null;
  readonly decimalComma: boolean;
}

export interface DecidedOrder {
  /** Null when no date of the file has its numbers in an open order. */
  readonly order: DateOrder | null;
  /** Why this order was taken although another one reads as well; null when the rows settle it. */
  readonly assumedBecause: string | null;
}

const MONTH_FIRST_CURRENCIES = new Set(['USD', 'PHP']);

/** Decides the order of day and month over all rows of a file, in file order. */
export function decideOrder(shapes: readonly DateShape[], evidence: OrderEvidence): DecidedOrder {
  const open = shapes.filter((shape) => shape.kind === 'open');
  if (open.length === 0) return { order: shapes[0]?.kind === 'settled' ? shapes[0].order : null, assumedBecause: null };
  const settled = byRange(open) ?? byRange([...open, ...evidence.otherShapes.filter((shape) => shape.kind === 'open')]);
  if (settled !== null) return { order: settled, assumedBecause: null };
  if (open.every((shape) => shape.first === shape.second)) return { order: 'dmy', assumedBecause: null };
  if (open.every((shape) => shape.dotted)) return { order: 'dmy', assumedBecause: null };
  return bySequence(shapes) ?? byFilename(shapes, evidence.filename) ?? bySpan(shapes) ?? byHabit(evidence);
}

/** The one order that fits every row, or clearly more rows than the others. */
function byRange(open: readonly DateShape[]): DateOrder | null {
  const count = (order: DateOrder): number => open.reduce((sum, shape) => sum + (fits(shape, order) ? 1 : 0), 0);
  const dayFirst = count('dmy');
  const monthFirst = count('mdy');
  if (dayFirst !== monthFirst) return dayFirst > monthFirst ? 'dmy' : 'mdy';
  const yearFirst = count('ymd');
  return dayFirst < open.length && yearFirst > dayFirst ? 'ymd' : null;
}

function daysUnder(shapes: readonly DateShape[], order: DateOrder): number[] {
  return shapes.map((shape) => dayOfShape(shape, order)).filter((day) => day !== null);
}

function isSorted(days: readonly number[]): boolean {
  const rises = days.every((day, index) => index === 0 || day >= (days[index - 1] ?? day));
  return rises || days.every((day, index) => index === 0 || day <= (days[index - 1] ?? day));
}

/** Statements run in the order of days: the order under which they do. */
function bySequence(shapes: readonly DateShape[]): DecidedOrder | null {
  const dayFirst = daysUnder(shapes, 'dmy');
  const monthFirst = daysUnder(shapes, 'mdy');
  if (isSorted(dayFirst) === isSorted(monthFirst)) return null;
  const order = isSorted(dayFirst) ? 'dmy' : 'mdy';
  const distinct = new Set(dayFirst).size;
  return { order, assumedBecause: distinct >= 4 ? null : 'then the rows are in the order of days' };
}

/** A day in the file's name (`20180420`, `2018-04-20`) cannot lie before the rows. */
function byFilename(shapes: readonly DateShape[], filename: string): DecidedOrder | null {
  const found = /(?:^|\D)(20\d{2})[-_.]?([01]\d)[-_.]?([0-3]\d)(?:\D|$)/.exec(filename);
  if (found === null) return null;
  const named = dayFromParts(Number(found[1]), Number(found[2]), Number(found[3]));
  if (named === null) return null;
  const holds = (order: DateOrder): boolean => daysUnder(shapes, order).every((day) => day <= named && day > named - 400);
  if (holds('dmy') === holds('mdy')) return null;
  return { order: holds('dmy') ? 'dmy' : 'mdy', assumedBecause: "it agrees with the day in the file's name" };
}

/** Rows of one statement lie close together: ten days rather than ten months. */
function bySpan(shapes: readonly DateShape[]): DecidedOrder | null {
  const span = (order: DateOrder): number => {
    const days = daysUnder(shapes, order);
    return days.reduce((top, day) => Math.max(top, day), -Infinity) - days.reduce((low, day) => Math.min(low, day), Infinity);
  };
  const dayFirst = span('dmy');
  const monthFirst = span('mdy');
  if (Math.max(dayFirst, monthFirst) < 20 || Math.max(dayFirst, monthFirst) < 5 * Math.min(dayFirst, monthFirst)) return null;
  return { order: dayFirst < monthFirst ? 'dmy' : 'mdy', assumedBecause: 'then the rows lie close together' };
}

function byHabit(evidence: OrderEvidence): DecidedOrder {
  if (evidence.currency !== null && MONTH_FIRST_CURRENCIES.has(evidence.currency) && !evidence.decimalComma) {
    return { order: 'mdy', assumedBecause: `that is usual for ${evidence.currency}` };
  }
  return { order: 'dmy', assumedBecause: 'most of the world writes the day first' };
}
