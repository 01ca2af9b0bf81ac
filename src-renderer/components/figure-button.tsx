import type { ReactNode } from 'react';
import styles from './figures.module.css';

interface FigureButtonProps {
  /** Describes the lines of the figure: `508 lines to send`. */
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
  readonly testId?: string;
}

/** An underlined figure. A click or Enter opens its lines beside it. */
export function FigureButton({ label, onClick, children, testId }: FigureButtonProps) {
  return (
    <button
      type="button"
      className={`${styles.figure} ${styles.button}`}
      title={label}
      aria-label={label}
      aria-haspopup="dialog"
      onClick={onClick}
      data-testid={testId}
    >
      {children}
    </button>
  );
}
