import { dayFromIso, dayFromParts, daysInMonth, isoFromDay } from '../../../src-shared/values/civil-date.ts';
import { present } from '../../../src-shared/values/assert.ts';
import { failed, type Result, success } from '../../../src-shared/values/result.ts';
import type { PeriodSpan } from './input.ts';
import { dayText } from '../../../src-shared/values/notation.ts';
import { phrase } from '../../../src-shared/words/say.ts';

const MONTH = /^(\d{4})-(\d{2})$/;
const DAYS = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;
const NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const;

const HOW = phrase('ledger.periodText.howToWriteAPeriod');

/** Returns the calendar month of a day. */
export function monthOf(day: number): PeriodSpan {
  const [year = 0, month = 0] = isoFromDay(day).split('-').map(Number);
  const from = present(dayFromParts(year, month, 1), 'first of the month');
  return { from, to: from + daysInMonth(year, month) - 1 };
}

/** Parses `YYYY-MM` and `YYYY-MM-DD..YYYY-MM-DD`; otherwise fails with a sentence that says what is wrong. */
export function parsePeriod(text: string): Result<PeriodSpan, string> {
  const written = text.trim();
  const month = MONTH.exec(written);
  if (month !== null) {
    const first = dayFromParts(Number(month[1]), Number(month[2]), 1);
    return first === null ? failed(phrase('ledger.periodText.thereIsNoMonth', { written, how: HOW })) : success(monthOf(first));
  }
  const days = DAYS.exec(written);
  if (days === null) return failed(phrase('ledger.periodText.isNoPeriod', { written, how: HOW }));
  const [from, to] = [dayFromIso(days[1] ?? ''), dayFromIso(days[2] ?? '')];
  if (from === null || to === null)
    return failed(phrase('ledger.periodText.thereIsNoDay', { from: (from === null ? days[1] : days[2]) ?? '', how: HOW }));
  return from > to
    ? failed(phrase('ledger.periodText.thePeriodEndsOnBefore', { to: dayText(to), from: dayText(from) }))
    : success({ from, to });
}

/** Returns `June 2026` for a calendar month, otherwise `15/06/2026 to 14/07/2026`. */
export function periodText(period: PeriodSpan): string {
  const month = monthOf(period.from);
  if (month.from !== period.from || month.to !== period.to) return `${dayText(period.from)} to ${dayText(period.to)}`;
  const [year, number] = isoFromDay(period.from).split('-');
  return `${NAMES[Number(number) - 1] ?? ''} ${year}`;
}

/** Returns a text that `parsePeriod` accepts: `2026-06`, or both days. */
export function periodKey(period: PeriodSpan): string {
  const month = monthOf(period.from);
  const [from, to] = [isoFromDay(period.from), isoFromDay(period.to)];
  return month.from === period.from && month.to === period.to ? from.slice(0, 7) : `${from}..${to}`;
}

/** Returns a name such as `June 2026 of Cash book`. */
export function closedName({
  firstDay,
  lastDay,
  reconciliationName,
}: {
  readonly firstDay: number;
  readonly lastDay: number;
  readonly reconciliationName: string;
}): string {
  return `${periodText({ from: firstDay, to: lastDay })} of ${reconciliationName}`;
}
