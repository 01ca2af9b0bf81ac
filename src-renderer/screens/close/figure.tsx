import { plainAmount } from '../../format/money.ts';
import { type FigureKey, useClosing } from './close-context.ts';
import styles from './close.module.css';

interface FigureProps {
  readonly minor: number;
  /** Describes the figure for screen readers. */
  readonly label: string;
  readonly figure: FigureKey;
  readonly testId?: string;
}

const same = (left: FigureKey | null, right: FigureKey): boolean => JSON.stringify(left) === JSON.stringify(right);

/** A figure with details. A click or Enter opens them. */
export function Figure({ minor, label, figure, testId }: FigureProps) {
  const { statement, look, looked } = useClosing();
  const text = plainAmount(minor, statement.decimal_places);
  return (
    <button
      type="button"
      className={styles.figure}
      title="Show the lines behind this figure"
      aria-label={`${label}: ${text}`}
      aria-haspopup="dialog"
      data-on={same(looked, figure) || undefined}
      onClick={() => look(figure)}
      data-testid={testId ?? 'figure'}
    >
      {text}
    </button>
  );
}
