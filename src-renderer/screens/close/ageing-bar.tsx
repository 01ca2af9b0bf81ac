import { counted } from '../../format/counts.ts';
import { plainAmount } from '../../format/money.ts';
import type { PeriodStatement } from '../../../src-shared/contract/index.ts';
import { useClosing } from './close-context.ts';
import styles from './open-items.module.css';

type Bucket = PeriodStatement['ageing'][number];

function rangeText({ from_days: from, to_days: to }: Bucket): string {
  if (to === null) return `over ${from - 1}`;
  return from === 0 ? `0–${to} days` : `${from}–${to}`;
}

/** How old the open items are, in days as of the last day. */
export function AgeingBar() {
  const { statement } = useClosing();
  const { ageing, decimal_places: places } = statement;
  const filled = ageing.filter(({ count }) => count > 0);
  const told = filled.map((bucket) => `${counted(bucket.count, 'item')} ${rangeText(bucket)}`).join(', ');
  const titleOf = (bucket: Bucket): string =>
    `${rangeText(bucket)}: ${counted(bucket.count, 'item')}${bucket.net === null ? '' : `, ${plainAmount(bucket.net, places)} net`}`;
  return (
    <div className={styles.ageing} data-testid="ageing">
      {ageing.map((bucket, place) => (
        <span key={bucket.from_days} className={styles.legend} title={titleOf(bucket)}>
          <i data-age={place + 1} />
          {rangeText(bucket)}
        </span>
      ))}
      <span className={styles.told}>{told === '' ? 'No open item' : told}</span>
      <span className={styles.bar} aria-hidden>
        {filled.map((bucket) => (
          <i key={bucket.from_days} data-age={ageing.indexOf(bucket) + 1} style={{ flexGrow: bucket.count }} title={titleOf(bucket)} />
        ))}
      </span>
    </div>
  );
}
