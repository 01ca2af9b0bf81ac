import { IconAlertTriangle } from '@tabler/icons-react';
import { fullDay } from '../../format/close-days.ts';
import { sideInWords, withMinus } from '../../format/close-words.ts';
import { plainAmount } from '../../format/money.ts';
import { useClosing } from './close-context.ts';
import styles from './close.module.css';
import { AgreeBand } from './agree-band.tsx';
import { SideColumn } from './side-column.tsx';
import own from './statement.module.css';

/** The statement of a period in one currency. */
export function StatementView() {
  const { statement, isNeutral } = useClosing();
  const general = statement.warnings.filter(({ code }) => code === 'other_currency' || code === 'work_in_progress');
  return (
    <div data-testid="statement">
      <div className={styles.title}>
        <h2>{isNeutral ? 'Reconciliation statement' : 'Bank reconciliation statement'}</h2>
        <span>
          as of {fullDay(statement.period.to)}, {statement.currency}
        </span>
        <span className={styles.aside}>Enter shows the lines behind a figure</span>
      </div>
      {general.map(({ message }) => (
        <p key={message} className={own.note}>
          <IconAlertTriangle size={14} aria-hidden />
          {withMinus(message)}
        </p>
      ))}
      <div className={own.statement}>
        <SideColumn slot="bank" />
        <SideColumn slot="books" />
      </div>
      <OpeningDifference />
      <AgreeBand />
    </div>
  );
}

/** By how much the opening balances differ beyond the items from before, and the ways out. */
function OpeningDifference() {
  const { statement, enter, isLocked } = useClosing();
  const { opening_difference: difference, decimal_places: places, warnings } = statement;
  if (difference === null || difference === 0) return null;
  const message = warnings.find(({ code }) => code === 'opening_difference')?.message;
  const within = sideInWords(statement);
  return (
    <div className={own.opening} data-testid="opening-difference">
      <IconAlertTriangle size={16} aria-hidden />
      <p>
        <b>Opening difference {plainAmount(difference, places)}.</b> {message === undefined ? '' : withMinus(message)} Import the lines from
        before {fullDay(statement.period.from)}, or correct an opening balance.
      </p>
      {!isLocked &&
        (['bank', 'books'] as const).map((slot) => (
          <button
            key={slot}
            type="button"
            className={styles.link}
            onClick={() => enter({ slot, which: 'opening' })}
            data-testid={`correct-opening-${slot}`}
          >
            Correct {within[slot]}
          </button>
        ))}
    </div>
  );
}
