import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCalendarCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { Coverage } from '../../src-shared/contract/index.ts';
import { present } from '../../src-shared/values/assert.ts';
import { dayFromIso, dayFromParts, daysInMonth } from '../../src-shared/values/civil-date.ts';
import { say } from '../../src-shared/words/say.ts';
import { countOf, listText } from '../format/counts.ts';
import { notation } from '../../src-shared/values/notation.ts';
import { dateRangeText, dateText, monthText } from '../format/dates.ts';
import { moneyText, plainAmount } from '../format/money.ts';
import styles from './coverage.module.css';

const MONTHS_SHOWN = 12;
const SENTENCES_SHOWN = 6;
const LEGEND: readonly DayKind[] = ['covered', 'overlap', 'quiet', 'unknown', 'missing'];

interface CoverageCardProps {
  readonly coverage: Coverage;
  /** The stream of these statements, for screens that show several. */
  readonly of?: string | null;
  /** Set where other cards on the screen are in another currency. */
  readonly namesCurrency?: boolean;
}

/** Shows which days the statements of an account cover. Renders nothing until a file names its days. */
export function CoverageCard({ coverage, of = null, namesCurrency = false }: CoverageCardProps) {
  const [isWhole, setWhole] = useState(false);
  const first = coverage.covered[0];
  const last = coverage.covered.at(-1);
  if (first === undefined || last === undefined) return null;
  const months = monthCount(coverage);
  const statements = of ?? say('streams.coverageCard.statements');
  const what = coverage.account === null ? statements : say('streams.coverageCard.of', { what: statements, account: coverage.account });
  return (
    <Stack className="card" p="md" gap="sm" data-testid="coverage">
      <Group justify="space-between" gap="sm">
        <Text fw={560}>
          {namesCurrency && coverage.currency !== null ? say('streams.coverageCard.in', { what, currency: coverage.currency }) : what} ·{' '}
          {dateRangeText(first.date_start, last.date_end)}
        </Text>
        <Verdict coverage={coverage} />
      </Group>
      <Group gap="md" align="flex-start" aria-hidden>
        {calendarOf(coverage, isWhole ? months : MONTHS_SHOWN).map((month) => (
          <Month key={`${month.year}-${month.month}`} month={month} />
        ))}
      </Group>
      <Group justify="space-between" gap="sm">
        <Legend coverage={coverage} />
        {months > MONTHS_SHOWN && (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setWhole(!isWhole)}>
            {isWhole
              ? say('streams.coverageCard.showTheLastMonths', { monthsShown: MONTHS_SHOWN })
              : say('streams.coverageCard.showAllMonths', { months })}
          </Button>
        )}
      </Group>
      <Sentences coverage={coverage} />
    </Stack>
  );
}

function Verdict({ coverage }: { readonly coverage: Coverage }) {
  const doubts = doubtsOf(coverage);
  if (doubts > 0) {
    return (
      <Badge color="orange" leftSection={<IconAlertTriangle size={13} aria-hidden />}>
        {say('streams.coverageCard.thingsToLookAt', { doubts })}
      </Badge>
    );
  }
  return (
    <Badge color="pine" leftSection={<IconCalendarCheck size={13} aria-hidden />}>
      {coverage.gaps.length === 0 ? say('streams.coverageCard.noGap') : say('streams.coverageCard.nothingMissing')}
    </Badge>
  );
}

function Month({ month: { year, month, days } }: { readonly month: CalendarMonth }) {
  const first = new Date(0);
  first.setUTCFullYear(year, month - 1, 1);
  // `getUTCDay` counts from Sunday.
  const before = (first.getUTCDay() - notation().week + 7) % 7;
  return (
    <Stack gap={4}>
      <Text size="xs" c="dimmed" className="tabular">
        {monthText(isoOf(year, month, 1))}
      </Text>
      <div className={styles.month}>
        {days.map((kind, index) => (
          <span
            key={`${index + 1}`}
            className={styles.day}
            data-kind={kind}
            title={`${dateText(isoOf(year, month, index + 1))}: ${DAY_WORDS[kind].toLowerCase()}`}
            style={index === 0 ? { gridColumnStart: before + 1 } : undefined}
          />
        ))}
      </div>
    </Stack>
  );
}

function isoOf(year: number, month: number, day: number): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}

/** Explains the kinds of days that the calendar shows. */
function Legend({ coverage }: { readonly coverage: Coverage }) {
  const kinds = new Set<string>(['covered', ...coverage.gaps.map((gap) => (gap.kind === 'weekend' ? 'quiet' : gap.kind))]);
  if (coverage.overlaps.length > 0) kinds.add('overlap');
  return (
    <Group gap="sm" aria-hidden>
      {LEGEND.filter((kind) => kinds.has(kind)).map((kind) => (
        <Group key={kind} gap={6}>
          <span className={styles.day} data-kind={kind} />
          <Text size="xs" c="dimmed">
            {DAY_WORDS[kind]}
          </Text>
        </Group>
      ))}
    </Group>
  );
}

/** The sentences about gaps and breaks, the most serious first: missing days, then balances that do not follow, then the rest. */
function Sentences({ coverage }: { readonly coverage: Coverage }) {
  const [isWhole, setWhole] = useState(false);
  const gaps = (kind: Coverage['gaps'][number]['kind']) =>
    coverage.gaps.filter((gap) => gap.kind === kind).map((gap) => gapSentence(gap, coverage));
  const all = [
    ...gaps('missing'),
    ...coverage.breaks.map((found) => breakSentence(found, coverage)),
    ...gaps('unknown'),
    ...gaps('quiet'),
    ...coverage.overlaps.map((overlap) => overlapSentence(overlap, coverage)),
  ];
  if (all.length === 0) return null;
  return (
    <Stack gap={4} align="flex-start">
      {(isWhole ? all : all.slice(0, SENTENCES_SHOWN)).map((sentence) => (
        <Text key={sentence} size="sm">
          {sentence}
        </Text>
      ))}
      {all.length > SENTENCES_SHOWN && (
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setWhole(!isWhole)}>
          {isWhole ? say('streams.coverageCard.showLess') : say('streams.coverageCard.showAll', { all: all.length })}
        </Button>
      )}
    </Stack>
  );
}

type Gap = Coverage['gaps'][number];
type Break = Coverage['breaks'][number];

type DayKind = 'covered' | 'overlap' | Gap['kind'] | 'outside';

/** Labels of the kinds of days in the calendar. */
const DAY_WORDS: Readonly<Record<DayKind, string>> = {
  covered: say('streams.dayWords.covered'),
  overlap: say('streams.dayWords.overlap'),
  quiet: say('streams.dayWords.quiet'),
  weekend: say('streams.dayWords.weekend'),
  unknown: say('streams.dayWords.unknown'),
  missing: say('streams.dayWords.missing'),
  outside: say('streams.dayWords.outside'),
};

/** A month of the calendar. `days[0]` is its first day, and `weekday` is the weekday of that day: 0 is Monday. */
interface CalendarMonth {
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

const money = (minor: number, { currency, decimal_places }: Coverage): string =>
  currency === null ? plainAmount(minor, decimal_places) : moneyText(minor, currency, decimal_places);

/** Returns a sentence that explains a gap and says what to do about it. */
export function gapSentence(gap: Gap, coverage: Coverage): string {
  const when = `${dateRangeText(gap.date_start, gap.date_end)} (${countOf(gap.days, 'count.days')})`;
  switch (gap.kind) {
    case 'missing':
      return say('streams.coverage.aStatementIsMissing', { when, money: money(gap.difference ?? 0, coverage) });
    case 'quiet':
      return say('streams.coverage.noStatementButTheBalances', { when });
    case 'weekend':
      return say('streams.coverage.noStatementAndNoWorkingDay', { when });
    case 'unknown':
      return say('streams.coverage.noStatementTheFiles', { when });
  }
}

export function breakSentence(found: Break, coverage: Coverage): string {
  const names = found.import_batch_ids.map((id) => nameOf(id, coverage));
  return say('streams.coverage.opensWithButCloses', {
    date: dateText(found.date),
    names: names[1] ?? '',
    money: money(found.opening_balance, coverage),
    names2: names[0] ?? '',
    money2: money(found.closing_balance, coverage),
    money3: money(found.difference, coverage),
  });
}

export function overlapSentence(overlap: Coverage['overlaps'][number], coverage: Coverage): string {
  const files = listText(overlap.import_batch_ids.map((id) => nameOf(id, coverage)));
  return say('streams.coverage.speakOfTheSame', { dateRange: dateRangeText(overlap.date_start, overlap.date_end), files });
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
