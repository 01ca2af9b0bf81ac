import { dayFromIso, daysInMonth, isoFromDay } from '../../src-shared/values/civil-date.ts';
import { say } from '../../src-shared/words/say.ts';

/** Returns a day as the service's sentences write it, `30/06/2026`. */
export function fullDay(iso: string): string {
  const [year, month, day] = iso.split('-');
  return dayFromIso(iso) === null ? iso : `${day}/${month}/${year}`;
}

/** Returns a day without its year, `30/06`. */
export function shortDay(iso: string): string {
  return fullDay(iso).slice(0, 5);
}

/** Returns day and time of an instant in the reader's time zone, `02/07/2026 10:05`. */
export function momentText(at: string): string {
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return at;
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${two(moment.getDate())}/${two(moment.getMonth() + 1)}/${moment.getFullYear()}`;
  return `${day} ${two(moment.getHours())}:${two(moment.getMinutes())}`;
}

export interface Days {
  readonly from: string;
  readonly to: string;
}

/** Returns the first and the last day of the month of `iso`. */
export function monthOf(iso: string): Days {
  const [year = '', month = ''] = iso.split('-');
  return { from: `${year}-${month}-01`, to: `${year}-${month}-${String(daysInMonth(Number(year), Number(month))).padStart(2, '0')}` };
}

function plusDays(iso: string, days: number): string {
  const day = dayFromIso(iso);
  return day === null ? iso : isoFromDay(day + days);
}

/** Returns the next period: from the day after this one to the end of that day's month. */
export function daysAfter({ to }: Pick<Days, 'to'>): Days {
  const from = plusDays(to, 1);
  return { from, to: monthOf(from).to };
}

const MONTHS = [
  say('close.closeDays.january'),
  say('close.closeDays.february'),
  say('close.closeDays.march'),
  say('close.closeDays.april'),
  say('close.closeDays.may'),
  say('close.closeDays.june'),
  say('close.closeDays.july'),
  say('close.closeDays.august'),
  say('close.closeDays.september'),
  say('close.closeDays.october'),
  say('close.closeDays.november'),
  say('close.closeDays.december'),
];

/** Returns `June 2026` for a whole month, else `03/06/2026 to 20/06/2026`. */
export function daysName({ from, to }: Days): string {
  const month = monthOf(from);
  const [year = '', number = ''] = from.split('-');
  if (month.from === from && month.to === to) return `${MONTHS[Number(number) - 1] ?? ''} ${year}`;
  return say('close.closeDays.to', { fullDay: fullDay(from), fullDay2: fullDay(to) });
}

/** Returns the number of days, both ends included. Returns 0 when they are in the wrong order or no dates. */
export function dayCount({ from, to }: Days): number {
  const [first, last] = [dayFromIso(from), dayFromIso(to)];
  return first === null || last === null ? 0 : Math.max(0, last - first + 1);
}
