import { dayFromIso, dayFromParts, daysInMonth, isoFromDay } from '../../src-shared/values/civil-date.ts';
import type { Reading } from '../../src-shared/values/line-filter.ts';
import { agoInWords, dateText, dayText, grouped, notation, numberText, yearlessDayText } from '../../src-shared/values/notation.ts';
import { say } from '../../src-shared/words/say.ts';

export { dateText };

/** Returns a date without its year for narrow columns, `30/06`. */
export function shortDay(iso: string): string {
  const day = dayFromIso(iso);
  return day === null ? iso : yearlessDayText(day);
}

/** Returns a range, `01/06/2026 to 30/06/2026`; one day when both ends are the same. Empty when either end is missing. */
export function dateRangeText(start: string | null, end: string | null): string {
  if (start === null || end === null) return '';
  return start === end ? dateText(start) : say('common.dates.to', { from: dateText(start), to: dateText(end) });
}

/** Returns a range without the year for narrow columns, `15/06 – 20/06`; one day when both ends are the same. */
export function dayRangeText(start: string | null, end: string | null): string {
  if (start === null || end === null) return '';
  return start === end ? shortDay(start) : `${shortDay(start)} – ${shortDay(end)}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Returns the day of an instant in the reader's time zone. */
function dayOfInstant(atMs: number): string {
  const at = new Date(atMs);
  return dayText(dayFromParts(at.getFullYear(), at.getMonth() + 1, at.getDate()) ?? 0);
}

/** Returns the time of day in the reader's time zone, `10:42`, or with seconds `10:42:05`. */
export function timeText(atMs: number, hasSeconds = false): string {
  const at = new Date(atMs);
  return [at.getHours(), at.getMinutes(), ...(hasSeconds ? [at.getSeconds()] : [])].map(two).join(':');
}

/** Returns day and time of an instant in the reader's time zone, `02/07/2026 10:05`. */
export function instantText(at: string): string {
  const ms = Date.parse(at);
  return Number.isNaN(ms) ? at : `${dayOfInstant(ms)} ${timeText(ms)}`;
}

function isSameDay(leftMs: number, rightMs: number): boolean {
  return new Date(leftMs).toDateString() === new Date(rightMs).toDateString();
}

/** Returns the time of an instant of today, the date of any other. */
export function momentIn(at: string, nowMs: number, hasSeconds = false): string {
  const ms = Date.parse(at);
  return isSameDay(ms, nowMs) ? timeText(ms, hasSeconds) : dayOfInstant(ms);
}

/** Returns an instant in few characters: `Today 10:42`, else the date. */
export function momentText(at: string, nowMs: number): string {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return at;
  return isSameDay(ms, nowMs) ? say('common.dates.today', { time: timeText(ms) }) : dayOfInstant(ms);
}

/** Returns the time between two instants as `elapsedText` writes it; a dash when the second has not come. */
export function durationText(start: string | null, end: string | null): string {
  const ms = start === null || end === null ? Number.NaN : Date.parse(end) - Date.parse(start);
  return Number.isNaN(ms) || ms < 0 ? '–' : elapsedText(ms);
}

/** Returns a duration, `< 0.1 s`, `0.4 s`, `12 s`, `3 min`. A whole and its parts are written alike, so that no part seems longer. */
export function elapsedText(ms: number): string {
  if (ms < 100) return `< ${numberText(0.1, 1)} s`;
  const [value, unit] = ms < 120_000 ? [ms / 1_000, 's'] : [ms / 60_000, 'min'];
  return `${numberText(value, value < 10 ? 1 : 0)} ${unit}`;
}

const STEPS = [
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', 86_400_000, 14],
] as const;

/** Returns the time since an instant, `3 minutes ago`, or its date after two weeks. `nowMs` is in milliseconds since 1970. */
export function agoText(at: string, nowMs: number): string {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return at;
  const elapsedMs = Math.max(0, nowMs - ms);
  if (elapsedMs < 60_000) return say('common.dates.justNow');
  for (const [unit, lengthMs, most] of STEPS) {
    const count = Math.floor(elapsedMs / lengthMs);
    if (count < most) return agoInWords(count, unit);
  }
  return dayOfInstant(ms);
}

/** Returns how the dates that the reader types at a moment are meant. */
export function readingAt(nowMs: number): Reading {
  const now = new Date(nowMs);
  const today = dayFromParts(now.getFullYear(), now.getMonth() + 1, now.getDate()) ?? 0;
  return { today, isDayFirst: notation().days !== 'mdy' };
}

/**
 * Returns the ISO date of a day that the reader types, in the order of the book or as ISO, with any mark between its parts: `30/6/26`, `30.06.2026`.
 * A day without a year is of the present one. Null for any other text.
 */
export function dayTyped(text: string, nowMs: number): string | null {
  const parts = text.trim().split(/[/.\-\s]+/u);
  if (parts.length > 3 || !parts.every((part) => /^\d{1,4}$/u.test(part))) return null;
  const numbers = parts.map(Number);
  const isYearFirst = parts[0]?.length === 4;
  const order = isYearFirst ? 'ymd' : notation().days === 'mdy' || (notation().days === 'ymd' && parts.length === 2) ? 'mdy' : 'dmy';
  const at = (letter: string): number | undefined => numbers[(parts.length === 2 ? order.replace('y', '') : order).indexOf(letter)];
  const typedYear = at('y');
  const yearDigits = parts[order.indexOf('y')]?.length;
  if (parts.length < 2 || (parts.length === 3 && yearDigits !== 2 && yearDigits !== 4)) return null;
  const year = typedYear === undefined ? new Date(nowMs).getFullYear() : typedYear + (yearDigits === 2 ? 2_000 : 0);
  const day = dayFromParts(year, at('m') ?? 0, at('d') ?? 0);
  return day === null ? null : isoFromDay(day);
}

export interface Days {
  readonly from: string;
  readonly to: string;
}

/** Returns the first and the last day of the month of `iso`. */
export function monthOf(iso: string): Days {
  const [year = '', month = ''] = iso.split('-');
  return { from: `${year}-${month}-01`, to: `${year}-${month}-${two(daysInMonth(Number(year), Number(month)))}` };
}

/** Returns the next period: from the day after this one to the end of that day's month. */
export function daysAfter({ to }: Pick<Days, 'to'>): Days {
  const day = dayFromIso(to);
  const from = day === null ? to : isoFromDay(day + 1);
  return { from, to: monthOf(from).to };
}

const MONTHS = [
  say('common.months.january'),
  say('common.months.february'),
  say('common.months.march'),
  say('common.months.april'),
  say('common.months.may'),
  say('common.months.june'),
  say('common.months.july'),
  say('common.months.august'),
  say('common.months.september'),
  say('common.months.october'),
  say('common.months.november'),
  say('common.months.december'),
];

/** Returns `2026-06`, or a day of that month, as `June 2026`. */
export function monthText(iso: string): string {
  const [year = '', number = ''] = iso.split('-');
  return `${MONTHS[Number(number) - 1] ?? ''} ${year}`;
}

/** Returns `June 2026` for a whole month, else `03/06/2026 to 20/06/2026`. */
export function daysName({ from, to }: Days): string {
  const month = monthOf(from);
  return month.from === from && month.to === to ? monthText(from) : say('common.dates.to', { from: dateText(from), to: dateText(to) });
}

/** Returns the number of days, both ends included. Returns 0 when they are in the wrong order or no dates. */
export function dayCount({ from, to }: Days): number {
  const [first, last] = [dayFromIso(from), dayFromIso(to)];
  return first === null || last === null ? 0 : Math.max(0, last - first + 1);
}

const SAMPLE = '2026-06-30';

/** Returns an amount and a day as a person may type them into a search. A day without its year is one where slashes are written. */
export function searchSamples(): { readonly amount: string; readonly day: string } {
  return { amount: grouped('350.00'), day: notation().days === 'ymd' ? SAMPLE : shortDay(SAMPLE) };
}
