import type { PeriodSignOff } from '../../../src-shared/contract/index.ts';
import { momentText } from '../../format/close-days.ts';
import { counted } from '../../format/counts.ts';
import { plainAmount } from '../../format/money.ts';
import { useClosing } from './close-context.ts';
import styles from './sign-off.module.css';

const DID: Readonly<Record<PeriodSignOff['kind'], string>> = {
  prepare: 'Prepared',
  review: 'Reviewed',
  close: 'Closed',
  reopen: 'Reopened',
};

const orUnknown = (minor: number | null, places: number): string => (minor === null ? 'not known' : plainAmount(minor, places));

/** All signatures, the newest first, with the figures that were signed. */
export function SignHistory() {
  const { statement } = useClosing();
  const { sign_offs: list } = statement;
  if (list.length === 0) return null;
  return (
    <details className={styles.history} data-testid="sign-history">
      <summary>{counted(list.length, 'sign-off')} so far</summary>
      <ol>
        {list
          .toSorted((left, right) => right.id - left.id)
          .map((signOff) => (
            <li key={signOff.id} data-testid="sign-off-row">
              <b>{DID[signOff.kind]}</b> by {signOff.by}, {momentText(signOff.at)}
              {signOff.reason !== null && <p>“{signOff.reason}”</p>}
              {signOff.figures.map((figures) => (
                <p key={figures.currency} className={styles.figures}>
                  {figures.currency} {orUnknown(figures.adjusted_bank, figures.decimal_places)} and{' '}
                  {orUnknown(figures.adjusted_books, figures.decimal_places)}, unexplained{' '}
                  {orUnknown(figures.unexplained, figures.decimal_places)}
                </p>
              ))}
            </li>
          ))}
      </ol>
    </details>
  );
}
