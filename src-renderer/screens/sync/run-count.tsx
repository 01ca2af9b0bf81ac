import { FigureButton } from '../../components/figure-button.tsx';
import { counted, countText } from '../../format/counts.ts';
import styles from './sync.module.css';

interface RunCountProps {
  readonly count: number;
  /** `sent`. */
  readonly label: string;
  readonly onClick: () => void;
}

/** How many moved one way; what they are opens beside it. */
export function RunCount({ count, label, onClick }: RunCountProps) {
  if (count === 0) return <td className={`${styles.num} ${styles.quiet}`}>–</td>;
  return (
    <td className={styles.num}>
      <FigureButton label={`${counted(count, 'thing')} ${label}`} onClick={onClick} testId="run-figure">
        {countText(count)}
      </FigureButton>
    </td>
  );
}
