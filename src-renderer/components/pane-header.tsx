import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './page.module.css';

interface PaneHeaderProps {
  readonly title: string;
  readonly id: string;
  readonly count?: string | undefined;
  readonly children?: ReactNode;
}

/** The name of a pane, with its actions. */
export function PaneHeader({ title, id, count, children }: PaneHeaderProps) {
  return (
    <div className={styles.paneHeader}>
      <Title order={2} id={id}>
        {title}
      </Title>
      {count !== undefined && <span className={styles.paneCount}>{count}</span>}
      <span className={styles.grow} />
      {children}
    </div>
  );
}
