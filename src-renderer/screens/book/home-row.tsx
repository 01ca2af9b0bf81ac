import { useRef } from 'react';
import { useStore } from 'zustand';
import { FigureLink, StateBadge, type StateTone } from '../../components/primitives.tsx';
import type { HomeRow } from '../../../src-shared/contract/index.ts';
import { useCommand } from '../../api/use-operation.ts';
import { AgeBar } from '../../components/age-bar.tsx';
import { Instant } from '../../components/day.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { ShareBar } from '../../components/share-bar.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { withMinus } from '../../format/close-words.ts';
import { countText, listText, ofWhichText } from '../../format/counts.ts';
import { dateText, dayRangeText, momentText } from '../../format/dates.ts';
import { plainAmount } from '../../format/money.ts';
import { useNavigation } from '../../state/navigation.ts';
import { runProgress } from '../../state/run-progress.ts';
import styles from './home.module.css';
import { Months } from './months.tsx';
import { breakSentence, needsOf, nextStep, shortPeriod } from './needs.ts';
import { say } from '../../../src-shared/words/say.ts';

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
export function Row({ row, month, stale, isCurrent, onCurrent }: RowProps) {
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
      : `${row.currency}${row.currency_count > 1 ? say('book.homeRow.andMore', { currencyCount: row.currency_count - 1 }) : ''} · `;
  return (
    <>
      <a
        href={`#/reconciliations/${row.reconciliation_id}`}
        className={styles.name}
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
    <span className={styles.open}>
      <span className="wide-only">
        <AgeBar counts={ages} />
      </span>
      <span className="amount">
        {open === 0 ? (
          '–'
        ) : (
          <FigureLink
            place={{ screen: 'reconciliation', id: row.reconciliation_id }}
            label={say('book.homeRow.openLinesOfAges', { open, ofWhich: ofWhichText(proposed), name: row.name, asOf: dateText(row.as_of) })}
            tabIndex={tabIndex}
          >
            {countText(open)}
          </FigureLink>
        )}
      </span>
      <span
        className={`amount mid ${styles.net}`}
        title={open === 0 ? undefined : say('book.homeRow.sideALessSide', { currency: currency ?? '' })}
      >
        {open === 0 || net === null ? '' : plainAmount(net, scale)}
      </span>
      {proposed > 0 && (
        <small className={`quiet ${styles.proposed}`}>{say('book.homeRow.ofThemProposed', { proposed: countText(proposed) })}</small>
      )}
    </span>
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
