import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './page.module.css';

interface PageProps {
  readonly title: string;
  readonly subtitle?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly testId?: string;
  /** Fills the window's height, for a screen whose grids scroll by themselves. */
  readonly isFilling?: boolean;
  /** Its panes reach the edges and are divided by lines. */
  readonly isFlush?: boolean;
}

/** The frame of every screen: heading, actions, content. */
export function Page({ title, subtitle, actions, children, testId, isFilling = false, isFlush = false }: PageProps) {
  return (
    <div className={isFlush ? styles.flush : isFilling ? styles.filling : styles.page} data-testid={testId}>
      <Stack gap={2} className={styles.heading}>
        <Group justify="space-between" align="center" gap="8px 16px">
          <Title order={1} className={styles.title} title={title}>
            {title}
          </Title>
          {actions !== undefined && <Group gap="sm">{actions}</Group>}
        </Group>
        {subtitle !== undefined && (
          <Text size="sm" c="dimmed" component="div" className={styles.subtitle}>
            {subtitle}
          </Text>
        )}
      </Stack>
      {children}
    </div>
  );
}
