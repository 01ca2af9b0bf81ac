import { dayFromIso, dayFromParts } from '../../src-shared/values/civil-date.ts';
import type { Reading } from '../../src-shared/values/line-filter.ts';
import { say } from '../../src-shared/words/say.ts';

const MS_PER_DAY = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Formats of a day: in full, with a two-digit year, or without a year. */
const DAY_STYLES = {
  medium: { dateStyle: 'medium', timeZone: 'UTC' },
  short: { day: 'numeric', month: 'short', year: '2-digit', timeZone: 'UTC' },
  yearless: { day: 'numeric', month: 'short', timeZone: 'UTC' },
} as const;

function dayFormat(style: keyof typeof DAY_STYLES, locale: string | undefined): Intl.DateTimeFormat {
  const key = `${style} ${locale ?? ''}`;
  const found = formats.get(key) ?? new Intl.DateTimeFormat(locale, DAY_STYLES[style]);
  formats.set(key, found);
  return found;
}

/** Returns an ISO date in the reader's format, `1 Jun 2026`. Text that is no date is returned unchanged. */
export function dateText(iso: string, locale?: string): string {
  const day = dayFromIso(iso);
  return day === null ? iso : dayFormat('medium', locale).format(day * MS_PER_DAY);
}

/** Returns a date for narrow columns, `1 Jun 26`. */
export function shortDateText(iso: string, locale?: string): string {
  const day = dayFromIso(iso);
  return day === null ? iso : dayFormat('short', locale).format(day * MS_PER_DAY);
}

function rangeText(style: keyof typeof DAY_STYLES, start: string | null, end: string | null, locale: string | undefined): string {
  const from = start === null ? null : dayFromIso(start);
  const to = end === null ? null : dayFromIso(end);
  return from === null || to === null ? '' : dayFormat(style, locale).formatRange(from * MS_PER_DAY, to * MS_PER_DAY);
}

/** Returns a range, `1 – 30 Jun 2026` in English. Empty when either end is missing. */
export function dateRangeText(start: string | null, end: string | null, locale?: string): string {
  return rangeText('medium', start, end, locale);
}

/** Returns a range without the year for narrow columns, `15 – 20 Jun`. One day when both ends are the same. */
export function dayRangeText(start: string | null, end: string | null, locale?: string): string {
  return rangeText('yearless', start, end, locale);
}

/** Returns date and time of an instant in the reader's format and time zone. */
export function instantText(at: string, locale?: string): string {
  const ms = Date.parse(at);
  return Number.isNaN(ms) ? at : new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(ms);
}

/** Returns the time of day in the reader's format, `10:42`. */
export function timeText(atMs: number, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(atMs);
}

/** Returns an instant in few characters: `Today 10:42`, else the date. */
export function momentText(at: string, nowMs: number, locale?: string): string {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return at;
  const isToday = new Date(ms).toDateString() === new Date(nowMs).toDateString();
  return isToday
    ? say('common.dates.today', { time: timeText(ms, locale) })
    : new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(ms);
}

/** Returns a duration, `< 0.1 s`, `0.4 s`, `12 s`, `3 min`; a dash when it has not ended. */
export function durationText(start: string | null, end: string | null, locale?: string): string {
  const ms = start === null || end === null ? Number.NaN : Date.parse(end) - Date.parse(start);
  if (Number.isNaN(ms) || ms < 0) return '–';
  if (ms < 100) return `< ${new Intl.NumberFormat(locale).format(0.1)} s`;
  const [value, unit] = ms < 120_000 ? [ms / 1_000, 's'] : [ms / 60_000, 'min'];
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: value < 10 ? 1 : 0 }).format(value)} ${unit}`;
}

const STEPS = [
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
  ['day', MS_PER_DAY, 14],
] as const;

/** Returns the time since an instant, `3 minutes ago`, or its date after two weeks. `nowMs` is in milliseconds since 1970. */
export function agoText(at: string, nowMs: number, locale?: string): string {
  const ms = Date.parse(at);
  if (Number.isNaN(ms)) return at;
  const elapsedMs = Math.max(0, nowMs - ms);
  if (elapsedMs < 60_000) return say('common.dates.justNow');
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  for (const [unit, lengthMs, most] of STEPS) {
    const count = Math.floor(elapsedMs / lengthMs);
    if (count < most) return relative.format(-count, unit);
  }
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(ms);
}

/** Whether the reader writes the day before the month. */
const IS_DAY_FIRST = new Intl.DateTimeFormat().formatToParts(0).find(({ type }) => type === 'day' || type === 'month')?.type === 'day';

/** Returns how the dates that the reader types at a moment are meant. */
export function readingAt(nowMs: number): Reading {
  const now = new Date(nowMs);
  return { today: dayFromParts(now.getFullYear(), now.getMonth() + 1, now.getDate()) ?? 0, isDayFirst: IS_DAY_FIRST };
}
