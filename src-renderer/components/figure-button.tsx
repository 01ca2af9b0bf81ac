import type { ReactNode } from 'react';
import styles from './figures.module.css';

interface FigureButtonProps {
  /** What stands behind the figure: `508 lines to send`. */
  readonly label: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
  readonly testId?: string;
}

/** A figure with lines behind it that open beside it: underlined; a click or Enter shows them. */
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
