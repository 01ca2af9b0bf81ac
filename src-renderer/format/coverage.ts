import type { Coverage } from '../../src-shared/contract/index.ts';
import { present } from '../../src-shared/values/assert.ts';
import { dayFromIso, daysInMonth, dayFromParts } from '../../src-shared/values/civil-date.ts';
import { countOf, listText } from './counts.ts';
import { dateRangeText, dateText } from './dates.ts';
import { moneyText, plainAmount } from './money.ts';
import { say } from '../../src-shared/words/say.ts';

type Gap = Coverage['gaps'][number];
type Break = Coverage['breaks'][number];

export type DayKind = 'covered' | 'overlap' | Gap['kind'] | 'outside';

/** Labels of the kinds of days in the calendar. */
export const DAY_WORDS: Readonly<Record<DayKind, string>> = {
  covered: say('streams.dayWords.covered'),
  overlap: say('streams.dayWords.overlap'),
  quiet: say('streams.dayWords.quiet'),
  weekend: say('streams.dayWords.weekend'),
  unknown: say('streams.dayWords.unknown'),
  missing: say('streams.dayWords.missing'),
  outside: say('streams.dayWords.outside'),
};

/** A month of the calendar. `days[0]` is its first day, and `weekday` is the weekday of that day: 0 is Monday. */
export interface CalendarMonth {
  readonly year: number;
  /** From 1 to 12. */
  readonly month: number;
  readonly days: readonly DayKind[];
}

interface Range {
  readonly date_start: string;
  readonly date_end: string;
}

/** Returns both days of a range as days since 1970-01-01. */
function daysOf(range: Range): [number, number] {
  return [present(dayFromIso(range.date_start), 'date'), present(dayFromIso(range.date_end), 'date')];
}

/** Returns the last `limit` months that coverage reaches into, the oldest first. Empty when nothing is covered. */
export function calendarOf(coverage: Coverage, limit: number): CalendarMonth[] {
  const first = coverage.covered[0];
  const last = coverage.covered.at(-1);
  if (first === undefined || last === undefined) return [];
  const kinds = [
    ...coverage.covered.map((range) => ({ days: daysOf(range), kind: 'covered' as DayKind })),
    ...coverage.gaps.map((gap) => ({ days: daysOf(gap), kind: gap.kind as DayKind })),
    ...coverage.overlaps.map((range) => ({ days: daysOf(range), kind: 'overlap' as DayKind })),
  ];
  const months = monthsBetween(first.date_start, last.date_end).slice(-limit);
  return months.map(([year, month]) => {
    const begin = present(dayFromParts(year, month, 1), 'first of the month');
    const days: DayKind[] = Array.from({ length: daysInMonth(year, month) }, () => 'outside');
    for (const { days: range, kind } of kinds) {
      for (let day = Math.max(range[0], begin); day <= Math.min(range[1], begin + days.length - 1); day += 1) days[day - begin] = kind;
    }
    return { year, month, days };
  });
}

export function monthCount(coverage: Coverage): number {
  const first = coverage.covered[0];
  const last = coverage.covered.at(-1);
  return first === undefined || last === undefined ? 0 : monthsBetween(first.date_start, last.date_end).length;
}

function monthsBetween(from: string, to: string): [number, number][] {
  const number = (iso: string): number => Number(iso.slice(0, 4)) * 12 + Number(iso.slice(5, 7)) - 1;
  const first = number(from);
  return Array.from({ length: number(to) - first + 1 }, (_, index) => [Math.floor((first + index) / 12), ((first + index) % 12) + 1]);
}

const money = (minor: number, { currency, decimal_places }: Coverage, locale?: string): string =>
  currency === null ? plainAmount(minor, decimal_places, locale) : moneyText(minor, currency, decimal_places, locale);

/** Returns a sentence that explains a gap and says what to do about it. */
export function gapSentence(gap: Gap, coverage: Coverage, locale?: string): string {
  const when = `${dateRangeText(gap.date_start, gap.date_end, locale)} (${countOf(gap.days, 'count.days', locale)})`;
  switch (gap.kind) {
    case 'missing':
      return say('streams.coverage.aStatementIsMissing', { when, money: money(gap.difference ?? 0, coverage, locale) });
    case 'quiet':
      return say('streams.coverage.noStatementButTheBalances', { when });
    case 'weekend':
      return say('streams.coverage.noStatementAndNoWorkingDay', { when });
    case 'unknown':
      return say('streams.coverage.noStatementTheFiles', { when });
  }
}

export function breakSentence(found: Break, coverage: Coverage, locale?: string): string {
  const names = found.import_batch_ids.map((id) => nameOf(id, coverage));
  return say('streams.coverage.opensWithButCloses', {
    date: dateText(found.date, locale),
    names: names[1] ?? '',
    money: money(found.opening_balance, coverage, locale),
    names2: names[0] ?? '',
    money2: money(found.closing_balance, coverage, locale),
    money3: money(found.difference, coverage, locale),
  });
}

export function overlapSentence(overlap: Coverage['overlaps'][number], coverage: Coverage, locale?: string): string {
  const files = listText(overlap.import_batch_ids.map((id) => nameOf(id, coverage)));
  return say('streams.coverage.speakOfTheSame', { dateRange: dateRangeText(overlap.date_start, overlap.date_end, locale), files });
}

function nameOf(batchId: number, coverage: Coverage): string {
  return (
    coverage.statements.find((statement) => statement.import_batch_id === batchId)?.filename ?? say('streams.coverage.import', { batchId })
  );
}

/** Returns the number of gaps that may hide lines and of balances that do not follow each other. */
export function doubtsOf(coverage: Coverage): number {
  return coverage.gaps.filter((gap) => gap.kind === 'missing' || gap.kind === 'unknown').length + coverage.breaks.length;
}
