import type { ReactNode } from 'react';
import styles from './state-badge.module.css';

/** Shapes. `done`: a dot. `prepared`: a square. `open`: a ring. `broken`: a diamond. `under_way`: a half-filled circle. `none`: a dash. */
export type StateTone = 'done' | 'prepared' | 'open' | 'broken' | 'under_way' | 'none';

interface StateBadgeProps {
  readonly tone: StateTone;
  readonly children: ReactNode;
  /** Whether the badge has no background, for use among figures. */
  readonly isPlain?: boolean;
  readonly title?: string | undefined;
}

/** A state in words with its own shape, so that colour is not the only sign. */
export function StateBadge({ tone, children, isPlain = false, title }: StateBadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone} data-plain={isPlain || undefined} title={title}>
      <span className={styles.words}>{children}</span>
    </span>
  );
}
