import { percentOf } from '../format/counts.ts';
import styles from './figures.module.css';

/** A share as a bar with its percentage, rounded down. */
export function ShareBar({ part, total }: { readonly part: number; readonly total: number }) {
  const percent = percentOf(part, total);
  return (
    <span className={styles.share}>
      <span className={styles.track} aria-hidden>
        <span style={{ width: `${percent}%` }} />
      </span>
      <span className="tabular">{total === 0 ? '–' : `${percent} %`}</span>
    </span>
  );
}
