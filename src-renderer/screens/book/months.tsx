import { VisuallyHidden } from '@mantine/core';
import { IconCheck, IconSignature, IconUser, IconX } from '@tabler/icons-react';
import type { HomeRow } from '../../../src-shared/contract/index.ts';
import { useNavigation } from '../../state/navigation.ts';
import { type Place, placeText } from '../../state/places.ts';
import styles from './months.module.css';
import { monthText } from '../../format/dates.ts';
import { say } from '../../../src-shared/words/say.ts';

type Month = HomeRow['months'][number];
type State = NonNullable<Month['period']>['state'] | 'stale';

const ICON = { size: 11, stroke: 2.75, 'aria-hidden': true } as const;
const MARKS = {
  closed: <IconCheck {...ICON} />,
  reviewed: <IconUser {...ICON} />,
  prepared: <IconSignature {...ICON} />,
  stale: <IconX {...ICON} />,
  open: null,
} as const satisfies Record<State, unknown>;
const WORDS = {
  closed: 'closed',
  reviewed: 'reviewed',
  prepared: 'prepared',
  stale: say('book.words.stale'),
  open: 'open',
} as const satisfies Record<State, string>;

/** The letters above the months of all rows. The current month is highlighted. */
export function MonthLetters({ months }: { readonly months: readonly string[] }) {
  return (
    <>
      <VisuallyHidden>{say('book.months.monthsTo', { monthName: monthText(months.at(-1) ?? '') })}</VisuallyHidden>
      <span className={styles.months} aria-hidden>
        {months.map((month, place) => (
          <span key={month} className={styles.letter} data-present={place === months.length - 1 || undefined}>
            {monthText(month).slice(0, 1)}
          </span>
        ))}
      </span>
    </>
  );
}

interface MonthsProps {
  readonly row: HomeRow;
  readonly stale: ReadonlySet<number>;
  readonly tabIndex: number;
}

/** The last months of a reconciliation with the states of their periods. Each opens its close. */
export function Months({ row, stale, tabIndex }: MonthsProps) {
  return (
    <span className={styles.months}>
      {row.months.map((month) => (
        <MonthMark key={month.month} month={month} reconciliationId={row.reconciliation_id} stale={stale} tabIndex={tabIndex} />
      ))}
    </span>
  );
}

interface MonthMarkProps {
  readonly month: Month;
  readonly reconciliationId: number;
  readonly stale: ReadonlySet<number>;
  readonly tabIndex: number;
}

function MonthMark({ month: { month, period }, reconciliationId, stale, tabIndex }: MonthMarkProps) {
  const go = useNavigation((state) => state.go);
  if (period === null)
    return <span className={styles.mark} data-state="none" title={say('book.months.noPeriod', { monthName: monthText(month) })} />;
  const state: State = stale.has(period.id) ? 'stale' : period.state;
  const words = `${period.name}: ${WORDS[state]}`;
  const place: Place = { screen: 'close', key: reconciliationId, periodId: period.id };
  return (
    <a
      href={`#${placeText(place)}`}
      className={styles.mark}
      data-state={state}
      data-testid="home-month"
      title={words}
      aria-label={words}
      tabIndex={tabIndex}
      onClick={(event) => {
        event.preventDefault();
        event.stopPropagation();
        go(place);
      }}
    >
      {MARKS[state]}
    </a>
  );
}
