import { dayFromIso, daysInMonth, isoFromDay } from '../../src-shared/values/civil-date.ts';

/** `30/06/2026`, as the sentences of the service write it. */
export function fullDay(iso: string): string {
  const [year, month, day] = iso.split('-');
  return dayFromIso(iso) === null ? iso : `${day}/${month}/${year}`;
}

/** `30/06`, where the year is in no doubt. */
export function shortDay(iso: string): string {
  return fullDay(iso).slice(0, 5);
}

/** The day and the time of an instant, `02/07/2026 10:05`, in the reader's time zone. */
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

/** The month of a day. */
export function monthOf(iso: string): Days {
  const [year = '', month = ''] = iso.split('-');
  return { from: `${year}-${month}-01`, to: `${year}-${month}-${String(daysInMonth(Number(year), Number(month))).padStart(2, '0')}` };
}

function plusDays(iso: string, days: number): string {
  const day = dayFromIso(iso);
  return day === null ? iso : isoFromDay(day + days);
}

/** What follows a period: from the day behind it to the end of that month. */
export function daysAfter({ to }: Pick<Days, 'to'>): Days {
  const from = plusDays(to, 1);
  return { from, to: monthOf(from).to };
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** `June 2026` of a whole month, else `03/06/2026 to 20/06/2026`. */
export function daysName({ from, to }: Days): string {
  const month = monthOf(from);
  const [year = '', number = ''] = from.split('-');
  if (month.from === from && month.to === to) return `${MONTHS[Number(number) - 1] ?? ''} ${year}`;
  return `${fullDay(from)} to ${fullDay(to)}`;
}

/** Days from one to the other, both counted; 0 where they stand the other way round or are none. */
export function dayCount({ from, to }: Days): number {
  const [first, last] = [dayFromIso(from), dayFromIso(to)];
  return first === null || last === null ? 0 : Math.max(0, last - first + 1);
}
