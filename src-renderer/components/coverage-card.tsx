import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCalendarCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { Coverage } from '../../src-shared/contract/index.ts';
import {
  breakSentence,
  type CalendarMonth,
  calendarOf,
  type DayKind,
  doubtsOf,
  gapSentence,
  monthCount,
  overlapSentence,
  DAY_WORDS,
} from '../format/coverage.ts';
import { dateRangeText, dateText } from '../format/dates.ts';
import styles from './coverage.module.css';
import { say } from '../../src-shared/words/say.ts';

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
  return (
    <Stack className="card" p="md" gap="sm" data-testid="coverage">
      <Group justify="space-between" gap="sm">
        <Text fw={560}>
          {of ?? say('streams.coverageCard.statements')}
          {coverage.account === null ? '' : say('streams.coverageCard.of', { account: coverage.account })}
          {namesCurrency && coverage.currency !== null ? say('streams.coverageCard.in', { currency: coverage.currency }) : ''} ·{' '}
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
  const name = new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(first);
  // Weeks begin on Monday; `getUTCDay` counts from Sunday.
  const before = (first.getUTCDay() + 6) % 7;
  return (
    <Stack gap={4}>
      <Text size="xs" c="dimmed" className="tabular">
        {name}
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
