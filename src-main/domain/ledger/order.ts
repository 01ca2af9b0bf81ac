import { present } from '../../../src-shared/values/assert.ts';
import { dayFromParts } from '../../../src-shared/values/civil-date.ts';
import type { PeriodSpan } from './input.ts';
import { monthOf, periodText } from './period-text.ts';
import type { Refusal } from './sign-off.ts';
import { dayText } from '../../../src-shared/values/notation.ts';
import { phrase } from '../../../src-shared/words/say.ts';

/** Last day that a date can name. */
const LAST_DAY = present(dayFromParts(9999, 12, 31), 'the last day of the calendar');

/**
 * Returns the period after the existing ones: the rest of the month after the last one, the month of `day` if there are none, or null if the last one
 * ends with the calendar.
 */
export function nextPeriod(periods: readonly PeriodSpan[], day: number): PeriodSpan | null {
  const last = periods.reduce<PeriodSpan | null>((latest, period) => (latest === null || period.to > latest.to ? period : latest), null);
  if (last === null) return monthOf(day);
  return last.to >= LAST_DAY ? null : { from: last.to + 1, to: monthOf(last.to + 1).to };
}

/**
 * Returns why a new period cannot be added to the existing ones, or null if it can: it must follow the last one or precede the first one directly.
 */
export function faultOfPeriod(period: PeriodSpan, periods: readonly PeriodSpan[]): Refusal | null {
  if (period.from > period.to) {
    return {
      code: 'period_reversed',
      message: phrase('ledger.order.thePeriodEndsOnBefore', { to: dayText(period.to), from: dayText(period.from) }),
    };
  }
  const crossed = periods.find((other) => other.from <= period.to && other.to >= period.from);
  if (crossed !== undefined) {
    const isSame = crossed.from === period.from && crossed.to === period.to;
    const message = isSame
      ? phrase('ledger.order.thePeriodIsThereAlready', { period: periodText(period) })
      : phrase('ledger.order.overlapsThePeriodPeriodsFollow', { period: periodText(period), crossed: periodText(crossed) });
    return { code: 'period_overlaps', message };
  }
  if (periods.length === 0) return null;
  const first = Math.min(...periods.map(({ from }) => from));
  const last = Math.max(...periods.map(({ to }) => to));
  if (period.from === last + 1 || period.to === first - 1) return null;
  const [from, to] = period.from > last ? [last + 1, period.from - 1] : [period.to + 1, first - 1];
  const message = phrase('ledger.order.wouldLeaveAGapFrom', { period: periodText(period), from: dayText(from), to: dayText(to) });
  return { code: 'period_gap', message };
}

/**
 * Returns the closed period that a day belongs to: the first one that ends on or after it, because a statement covers everything up to its last day.
 * Returns null if there is none. A match belongs to the last day of its records, so one that reaches past a closed period changes nothing in it.
 */
export function closedPeriodOf<P extends PeriodSpan & { readonly state: string }>(day: number, periods: readonly P[]): P | null {
  const closed = periods.filter(({ state, to }) => state === 'closed' && to >= day);
  return closed.reduce<P | null>((first, period) => (first === null || period.to < first.to ? period : first), null);
}
