import { Box, Button, Flex, Group, Skeleton, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  IconAlertTriangle,
  IconClipboardCheck,
  IconFileImport,
  IconListDetails,
  IconLock,
  IconMessage,
  IconPlayerPlay,
  IconReportMoney,
  IconSearch,
  IconSignature,
  IconUserCheck,
} from '@tabler/icons-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { HomeRow, Output } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { FigureTable } from '../../components/figure-table.tsx';
import bars from '../../components/figures.module.css';
import { KeyHint } from '../../components/key-hint.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { Bar, FigureLink, Pane, PaneHeader, Panes, StateBadge, type StateTone } from '../../components/primitives.tsx';
import { useNow } from '../../components/use-now.ts';
import { useShortcuts } from '../../components/use-shortcuts.ts';
import { WriteButton } from '../../components/writing.tsx';
import { withMinus } from '../../format/close-words.ts';
import { countText, listText, percentOf } from '../../format/counts.ts';
import { dateText, dayRangeText, momentText, monthText } from '../../format/dates.ts';
import { plainAmount } from '../../format/money.ts';
import { useNavigation } from '../../state/navigation.ts';
import { runProgress } from '../../state/run-progress.ts';
import styles from './home.module.css';
import { MonthLetters, Months } from './months.tsx';
import { breakSentence, type Need, needsOf, nextStep, shortPeriod } from './needs.ts';
import { RecentImports } from './recent-imports.tsx';

const ICONS = {
  break: IconAlertTriangle,
  run: IconPlayerPlay,
  decide: IconListDetails,
  files: IconFileImport,
  stale: IconAlertTriangle,
  balance: IconReportMoney,
  comment: IconMessage,
  prepare: IconClipboardCheck,
  review: IconUserCheck,
  close: IconLock,
  begin: IconLock,
} as const satisfies Record<Need['kind'], typeof IconSignature>;

interface NeedsListProps {
  readonly rows: readonly HomeRow[];
  readonly stale: ReadonlySet<number>;
}

/** Lists the work that is due in the visible reconciliations, one entry per line. */
function NeedsList({ rows, stale }: NeedsListProps) {
  const go = useNavigation((state) => state.go);
  const needs = rows.flatMap((row) =>
    needsOf(row, row.period !== null && stale.has(row.period.id)).map((need) => ({ ...need, id: row.reconciliation_id, name: row.name })),
  );
  return (
    <Pane className={`column ${styles.pane}`} aria-labelledby="needs-heading" data-testid="needs">
      <PaneHeader title={say('book.home.needsYou')} id="needs-heading" count={countText(needs.length)} />
      <ul className="plain fill scrolls line-above">
        {needs.length === 0 && (
          <Box component="li" className="quiet" py="sm" px={20}>
            {say('book.home.nothingWaitsForYou')}
          </Box>
        )}
        {needs.map((need) => {
          const Icon = ICONS[need.kind];
          const isBad = need.kind === 'break' || need.kind === 'stale';
          return (
            <li key={`${need.id} ${need.kind}`} className={`line-below ${styles.item} ${styles.need}`} data-testid="need">
              <Icon size={16} stroke={1.75} color={isBad ? 'var(--bad-text)' : 'var(--text-2)'} aria-hidden />
              <span className="truncate" title={need.sentence}>
                {need.sentence}
              </span>
              <span className="truncate quiet wide-only" title={need.name}>
                {need.name}
              </span>
              <Button
                size="xs"
                variant="default"
                aria-label={`${need.verb}: ${need.sentence}, ${need.name}`}
                onClick={() => go(need.place)}
              >
                {need.verb}
              </Button>
            </li>
          );
        })}
      </ul>
    </Pane>
  );
}

/** From this number of reconciliations on, the screen has a search field and pages. */
const MANY = 12;
const PAGE_ROWS = 50;

interface HomeStripProps {
  readonly home: Output<'book.home'>;
  readonly search: string;
  readonly onSearch: (text: string) => void;
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
}

/** Shows the number of reconciliations and their states, the search, and the legend of the colours. */
function HomeStrip({ home, search, onSearch, offset, onOffset }: HomeStripProps) {
  const { states, total } = home;
  const all = states.open + states.prepared + states.reviewed + states.closed;
  return (
    <Bar style={{ columnGap: 22 }}>
      <Count count={all} label={all === 1 ? say('book.home.reconciliation') : say('book.home.reconciliations')} />
      <Box component="span" w={1} h={18} bg="var(--line-2)" aria-hidden />
      <Count count={states.closed} label={say('book.home.closed')} />
      <Count count={states.reviewed} label={say('book.home.reviewed')} />
      <Count count={states.prepared} label={say('book.home.prepared')} />
      <Count count={states.open} label={say('book.home.stillOpen')} isOpen={states.open > 0} />
      <span className="grow" />
      {all > MANY && <Search text={search} onChange={onSearch} />}
      {total > PAGE_ROWS && <Pages total={total} offset={offset} onOffset={onOffset} />}
      <span className="wide-only">
        <AgeLegend />
      </span>
    </Bar>
  );
}

function Count({ count, label, isOpen = false }: { readonly count: number; readonly label: string; readonly isOpen?: boolean }) {
  return (
    <span className="mid tabular">
      <Text component="b" fz="lg" fw={620} c={isOpen ? 'var(--open-text)' : 'var(--text)'}>
        {countText(count)}
      </Text>{' '}
      {label}
    </span>
  );
}

function Search({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  useShortcuts({ '/': () => input.current?.focus() });
  return (
    <TextInput
      ref={input}
      w={200}
      value={text}
      placeholder={say('book.home.searchByName')}
      aria-label={say('book.home.searchReconciliationsByName')}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={<KeyHint keys="/" />}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        onChange('');
        event.currentTarget.blur();
      }}
      data-testid="home-search"
    />
  );
}

function Pages({
  total,
  offset,
  onOffset,
}: {
  readonly total: number;
  readonly offset: number;
  readonly onOffset: (offset: number) => void;
}) {
  const last = Math.min(total, offset + PAGE_ROWS);
  return (
    <Group component="span" gap="xs" data-testid="home-pages">
      <span className="tabular">
        {say('book.home.of', { offset: countText(offset + 1), last: countText(last), total: countText(total) })}
      </span>
      <Button size="xs" variant="default" disabled={offset === 0} onClick={() => onOffset(Math.max(0, offset - PAGE_ROWS))}>
        {say('book.home.back')}
      </Button>
      <Button size="xs" variant="default" disabled={last >= total} onClick={() => onOffset(offset + PAGE_ROWS)}>
        {say('book.home.next')}
      </Button>
    </Group>
  );
}

type HomeAnswer = Output<'book.home'>;

/** Reads the rows. The previous rows stay visible while the next page or search loads. */
function useHome(input: { readonly limit: number; readonly offset: number; readonly q?: string }) {
  const query = useOperation('book.home', input);
  const [held, setHeld] = useState<HomeAnswer | undefined>(undefined);
  if (query.data !== undefined && query.data !== held) setHeld(query.data);
  return { ...query, shown: query.data ?? held };
}

/** Lists every reconciliation of the book, the work that is due, and the last imports. */
export function Home() {
  const [search, setSearch] = useState('');
  const [offset, setOffset] = useState(0);
  const [q] = useDebouncedValue(search.trim(), 200);
  const home = useHome({ limit: PAGE_ROWS, offset, ...(q === '' ? {} : { q }) });
  const [staleOf, setStaleOf] = useState<ReadonlyMap<number, readonly number[]>>(new Map());
  if (home.error !== null && home.shown === undefined) {
    return (
      <Box p={20}>
        <FailurePanel title={say('book.home.theReconciliationsCouldNotBeRead')} failure={home.error} onRetry={home.refetch} />
      </Box>
    );
  }
  if (home.shown === undefined) return <HomeSkeleton />;
  const { rows, imports } = home.shown;
  const stale = new Set([...staleOf.values()].flat());
  return (
    <>
      <HomeStrip
        home={home.shown}
        search={search}
        onSearch={(text) => {
          setSearch(text);
          setOffset(0);
        }}
        offset={offset}
        onOffset={setOffset}
      />
      <div className={styles.rows}>
        <HomeTable home={home.shown} stale={stale} />
        {rows.length === 0 && (
          <Box component="p" className="plain quiet" py="sm" px={20}>
            {say('book.home.noReconciliationOfThatName')}
          </Box>
        )}
      </div>
      <Panes className={styles.two} columns="1.15fr 1fr">
        <NeedsList rows={rows} stale={stale} />
        <RecentImports imports={imports} />
      </Panes>
      <StaleChecks rows={rows} onFound={(id, periods) => setStaleOf((before) => new Map([...before, [id, periods]]))} />
    </>
  );
}

/** Shows the names at once. The figures of a large book take a moment. */
function HomeSkeleton() {
  const { data: value } = useOperation('reconciliations.list', { limit: 100 });
  return (
    <Box className="scrolls" p={20} aria-busy="true" aria-label={say('book.home.loading')}>
      {(value?.data ?? []).slice(0, PAGE_ROWS).map(({ id, name }) => (
        <Flex key={id} className="row line-below" h={38}>
          <Box className="truncate" w="18rem">
            <PlaceLink place={{ screen: 'reconciliation', id }} title={name}>
              {name}
            </PlaceLink>
          </Box>
          <Skeleton height={12} flex={1} />
        </Flex>
      ))}
    </Box>
  );
}

interface HomeTableProps {
  readonly home: Output<'book.home'>;
  readonly stale: ReadonlySet<number>;
}

/** One row per reconciliation. The arrow keys and J and K move between rows, Enter opens one, C opens its close. */
function HomeTable({ home: { rows, month }, stale }: HomeTableProps) {
  const table = useRef<HTMLTableElement>(null);
  const [current, setCurrent] = useState(0);
  const go = useNavigation((state) => state.go);
  const at = Math.min(current, rows.length - 1);
  function move(by: number): void {
    const elements = [...(table.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const focused = elements.findIndex((element) => element.contains(document.activeElement));
    elements[focused === -1 ? at : Math.max(0, Math.min(rows.length - 1, focused + by))]?.focus();
  }
  useShortcuts({
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    j: () => move(1),
    k: () => move(-1),
    c: () => {
      const row = rows[at];
      if (row !== undefined) go({ screen: 'close', key: row.reconciliation_id, periodId: row.period?.id ?? null });
    },
  });
  const months = rows[0]?.months.map((each) => each.month) ?? [];
  return (
    <FigureTable
      ref={table}
      columns={[
        { head: say('book.home.reconciliationColumn') },
        { head: <MonthLetters months={months} />, width: 130, className: styles.wide },
        { head: monthText(month), width: 112 },
        { head: say('book.home.matched'), width: 112, className: styles.wide },
        { head: say('book.home.openItemsByAge'), width: 212, narrow: 150, wide: 260 },
        { head: say('book.home.balance'), width: 140, wide: 170, className: styles.middle },
        { head: say('book.home.lastRun'), width: 116, className: 'wide-only' },
        { head: say('book.home.next'), width: 172, narrow: 160, wide: 260 },
      ]}
      className={styles.table}
      data-testid="home-table"
    >
      <tbody>
        {rows.map((row, place) => (
          <Row
            key={row.reconciliation_id}
            row={row}
            month={month}
            stale={stale}
            isCurrent={place === at}
            onCurrent={() => setCurrent(place)}
          />
        ))}
      </tbody>
    </FigureTable>
  );
}

interface StaleChecksProps {
  readonly rows: readonly HomeRow[];
  readonly onFound: (reconciliationId: number, stalePeriods: readonly number[]) => void;
}

/** Returns how many of the latest periods to read: back to the oldest that is signed and not closed, 0 if there is none. */
function periodsToAsk({ months }: HomeRow): number {
  const periods = months.flatMap(({ period }) => (period === null ? [] : [period])).toReversed();
  return periods.findLastIndex(({ state }) => state === 'prepared' || state === 'reviewed') + 1;
}

/** Reads which signed periods are stale once the rows are visible: a large period takes seconds. */
function StaleChecks({ rows, onFound }: StaleChecksProps) {
  return rows.map((row) => {
    const limit = periodsToAsk(row);
    return limit === 0 ? null : <StaleCheck key={row.reconciliation_id} id={row.reconciliation_id} limit={limit} onFound={onFound} />;
  });
}

interface StaleCheckProps {
  readonly id: number;
  readonly limit: number;
  readonly onFound: StaleChecksProps['onFound'];
}

function StaleCheck({ id, limit, onFound }: StaleCheckProps) {
  const { data: value } = useOperation('periods.list', { reconciliation_id: id, limit });
  const onStale = useEffectEvent((periods: readonly number[]) => onFound(id, periods));
  useEffect(() => {
    if (value !== undefined) onStale(value.data.filter(({ stale }) => stale).map((period) => period.id));
  }, [value]);
  return null;
}

const STATES: Readonly<Record<string, { readonly tone: StateTone; readonly label: string }>> = {
  open: { tone: 'open', label: say('book.states.open.label') },
  prepared: { tone: 'prepared', label: say('book.states.prepared.label') },
  reviewed: { tone: 'done', label: say('book.states.reviewed.label') },
  closed: { tone: 'done', label: say('book.states.closed.label') },
  stale: { tone: 'broken', label: say('book.states.stale.label') },
};

interface RowProps {
  readonly row: HomeRow;
  readonly month: string;
  readonly stale: ReadonlySet<number>;
  /** Whether the Tab key reaches this row and its links. Exactly one row is current. */
  readonly isCurrent: boolean;
  readonly onCurrent: () => void;
}

/** A reconciliation: the states of its months, what is open, and its next step. */
function Row({ row, month, stale, isCurrent, onCurrent }: RowProps) {
  const go = useNavigation((state) => state.go);
  const place = { screen: 'reconciliation', id: row.reconciliation_id } as const;
  const element = useRef<HTMLTableRowElement>(null);
  const tabIndex = isCurrent ? 0 : -1;
  return (
    <tr
      ref={element}
      tabIndex={tabIndex}
      className={styles.row}
      data-testid="home-row"
      data-row
      onFocus={onCurrent}
      onClick={() => element.current?.focus()}
      onDoubleClick={() => go(place)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.target !== event.currentTarget) return;
        event.preventDefault();
        go(place);
      }}
    >
      <td>
        <NameCell row={row} tabIndex={tabIndex} />
      </td>
      <td className={styles.wide}>
        <Months row={row} stale={stale} tabIndex={tabIndex} />
      </td>
      <td>
        <PeriodCell row={row} month={month} stale={stale} />
      </td>
      <td className={styles.wide}>
        <ShareBar part={row.matched} total={row.records} />
      </td>
      <td>
        <OpenCell row={row} tabIndex={tabIndex} />
      </td>
      <td className={styles.middle}>
        <BalanceCell row={row} />
      </td>
      <td className="wide-only">
        <LastRunCell row={row} />
      </td>
      <td>
        <NextCell row={row} isStale={row.period !== null && stale.has(row.period.id)} />
      </td>
    </tr>
  );
}

function NameCell({ row, tabIndex }: { readonly row: HomeRow; readonly tabIndex: number }) {
  const go = useNavigation((state) => state.go);
  const sides = say('book.homeRow.against', { sideA: listText(row.side_a), sideB: listText(row.side_b) });
  const currency =
    row.currency === null
      ? ''
      : `${row.currency_count > 1 ? say('book.homeRow.currencies', { currency: row.currency, more: row.currency_count - 1 }) : row.currency} · `;
  return (
    <>
      <a
        href={`#/reconciliations/${row.reconciliation_id}`}
        className={`truncate ${styles.name}`}
        title={row.name}
        tabIndex={tabIndex}
        data-testid="reconciliation-open"
        onClick={(event) => {
          event.preventDefault();
          go({ screen: 'reconciliation', id: row.reconciliation_id });
        }}
      >
        {row.name}
      </a>
      <span className={`quiet ${styles.sides}`} title={sides}>
        {currency}
        {sides}
      </span>
    </>
  );
}

/** Returns the words for a closed period. When its figures do not agree, they say that it is no proof. */
function closedWords({ doubts, amount }: HomeRow['balance']): { readonly tone: StateTone; readonly label: string } {
  if (doubts.length === 0) return { tone: 'done', label: say('book.homeRow.closed') };
  return { tone: 'open', label: amount === null ? say('book.homeRow.closedNotProved') : say('book.homeRow.closedDiffers') };
}

function PeriodCell({ row: { period, balance }, month, stale }: Pick<RowProps, 'row' | 'month' | 'stale'>) {
  if (period === null) return <StateBadge tone="none">{say('book.homeRow.noPeriod')}</StateBadge>;
  const state = stale.has(period.id) ? 'stale' : period.state;
  const { tone, label } = state === 'closed' ? closedWords(balance) : (STATES[state] ?? { tone: 'none' as const, label: period.state });
  // A period that does not end in the current month is named, so that the delay is visible.
  const isPresent = period.to.startsWith(month);
  return (
    <StateBadge tone={tone} title={period.name}>
      {label}
      {isPresent ? '' : `, ${shortPeriod(period.name)}`}
    </StateBadge>
  );
}

function OpenCell({ row, tabIndex }: { readonly row: HomeRow; readonly tabIndex: number }) {
  const { open, proposed, open_net: net, open_by_age: ages, decimal_places: scale, currency } = row;
  return (
    <Flex component="span" columnGap="sm" rowGap={0} align="center" wrap="wrap">
      <span className="wide-only">
        <AgeBar counts={ages} />
      </span>
      <span className="amount">
        {open === 0 ? (
          '–'
        ) : (
          <FigureLink
            place={{ screen: 'reconciliation', id: row.reconciliation_id }}
            label={say('book.homeRow.openLinesOfAges', { open, proposed, name: row.name, asOf: dateText(row.as_of) })}
            tabIndex={tabIndex}
          >
            {countText(open)}
          </FigureLink>
        )}
      </span>
      <span
        className={`amount mid grow ${styles.net}`}
        title={open === 0 ? undefined : say('book.homeRow.sideALessSide', { currency: currency ?? '' })}
      >
        {open === 0 || net === null ? '' : plainAmount(net, scale)}
      </span>
      {proposed > 0 && (
        <Text size="xs" c="dimmed" w="100%" ta="right">
          {say('book.homeRow.ofThemProposed', { proposed: countText(proposed) })}
        </Text>
      )}
    </Flex>
  );
}

/** Returns a sentence that says why the figures do not agree; undefined when they do. */
const whyOf = ({ doubts }: HomeRow['balance']): string | undefined =>
  doubts.length === 0 ? undefined : withMinus(`${listText(doubts)}.`).replace(/^./u, (first) => first.toUpperCase());

function BalanceCell({ row: { balance } }: { readonly row: HomeRow }) {
  const { state, from, to, amount, decimal_places: places } = balance;
  if (state === 'proved') {
    return (
      <StateBadge tone="done" isPlain title={say('book.homeRow.bothBalancesFollow')}>
        {say('book.homeRow.proved')}
      </StateBadge>
    );
  }
  if (state === 'breaks') {
    const why = whyOf(balance);
    return (
      <StateBadge tone="broken" isPlain title={`${breakSentence(balance)}.${why === undefined ? '' : ` ${why}`}`}>
        {say('book.homeRow.breaks', { days: dayRangeText(from, to) }).trimEnd()}
      </StateBadge>
    );
  }
  if (state === 'differs') {
    return (
      <StateBadge tone="broken" isPlain title={whyOf(balance)}>
        {say('book.homeRow.offBy', { amount: plainAmount(amount ?? 0, places) })}
      </StateBadge>
    );
  }
  if (state === 'bank_proved') {
    return (
      <StateBadge tone="none" isPlain title={say('book.homeRow.theLinesOfTheBanks')}>
        {say('book.homeRow.bankFileProved')}
      </StateBadge>
    );
  }
  const words = balance.earlier
    ? say('book.homeRow.ofAnEarlierDay')
    : balance.computed
      ? say('book.homeRow.computedNotStated')
      : state === 'not_stated'
        ? say('book.homeRow.notStated')
        : say('book.homeRow.booksNotStated');
  return (
    <StateBadge tone="open" isPlain title={whyOf(balance) ?? words}>
      {words}
    </StateBadge>
  );
}

function LastRunCell({ row }: { readonly row: HomeRow }) {
  const now = useNow();
  const live = useStore(runProgress, (state) => state.running[row.reconciliation_id]);
  if (live !== undefined || row.is_running)
    return <span className="tabular">{say('book.homeRow.running', { progress: live === undefined ? '' : `, ${live.progress} %` })}</span>;
  if (row.last_run_at === null) return <span>{say('book.homeRow.never')}</span>;
  return <Instant at={row.last_run_at} text={momentText(row.last_run_at, now)} />;
}

function NextCell({ row, isStale }: { readonly row: HomeRow; readonly isStale: boolean }) {
  const needs = needsOf(row, isStale);
  if (needs[0]?.kind === 'run') return <RunHere id={row.reconciliation_id} />;
  const step = nextStep(row, needs);
  if (step === null) return <span className="quiet">{say('book.homeRow.nothingToDo')}</span>;
  return (
    <PlaceLink place={step.place} title={step.next} testId="home-next">
      {step.next}
    </PlaceLink>
  );
}

/** Starts the first run of a reconciliation and opens it. */
function RunHere({ id }: { readonly id: number }) {
  const go = useNavigation((state) => state.go);
  const run = useCommand('runs.start', (failure) => notifyFailure(say('book.homeRow.theRunDidNotStart'), failure));
  const isRunning = useStore(runProgress, (state) => state.running[id] !== undefined);
  async function start(): Promise<void> {
    const answer = await run.run({ id });
    if (answer.ok) go({ screen: 'reconciliation', id });
  }
  return (
    <WriteButton
      size="xs"
      variant="default"
      loading={run.isRunning}
      disabled={isRunning}
      onClick={() => void start()}
      data-testid="reconciliation-run"
    >
      {say('book.homeRow.run')}
    </WriteButton>
  );
}

/** A share as a bar with its percentage, rounded down. */
function ShareBar({ part, total }: { readonly part: number; readonly total: number }) {
  const percent = percentOf(part, total);
  return (
    <Flex component="span" display="inline-flex" gap="sm" align="center">
      <span className={bars.track} aria-hidden>
        <span style={{ width: `${percent}%` }} />
      </span>
      <span className="tabular">{total === 0 ? '–' : `${percent} %`}</span>
    </Flex>
  );
}

/** Labels of the age groups of open lines, the youngest first. */
const AGE_LABELS = [say('close.ageBar.shortUpToAWeek'), '8–30', '31–60', say('close.ageBar.overSixty')] as const;
const AGE_WORDS = [
  say('close.ageBar.upToAWeek'),
  say('close.ageBar.upToThirtyDays'),
  say('close.ageBar.upToSixtyDays'),
  say('close.ageBar.overSixtyDays'),
] as const;
const HEIGHT = 16;

/** Open lines by age as small columns. The largest group has the full height. */
function AgeBar({ counts }: { readonly counts: readonly number[] }) {
  const most = Math.max(1, ...counts);
  const text = AGE_WORDS.map((words, place) => `${words}: ${countText(counts[place] ?? 0)}`).join(', ');
  return (
    <Flex component="span" display="inline-flex" gap={2} align="flex-end" flex="none" w={84} h={16} title={text.replaceAll(', ', '\n')}>
      <VisuallyHidden>{text}</VisuallyHidden>
      {AGE_WORDS.map((words, place) => {
        const count = counts[place] ?? 0;
        const height = count === 0 ? 1 : Math.max(3, Math.round((count / most) * HEIGHT));
        return <span key={words} className={bars.age} data-age={count === 0 ? 'none' : place + 1} style={{ height }} />;
      })}
    </Flex>
  );
}

function AgeLegend() {
  return (
    <span className={bars.legend} aria-hidden>
      {AGE_LABELS.map((label, place) => (
        <span key={label}>
          <Box component="span" w={8} h={8} bdrs={2} data-age={place + 1} />
          {label}
        </span>
      ))}
    </span>
  );
}
