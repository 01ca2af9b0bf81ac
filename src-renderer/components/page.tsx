import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useStore } from 'zustand';
import { type FrameSlot, frameSlots } from '../state/frame-slots.ts';
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

/** Every screen: its name and actions in the header of the window, its content below. */
export function Page({ title, subtitle, actions, children, testId, isFilling = false, isFlush = false }: PageProps) {
  return (
    <div className={isFlush ? styles.flush : isFilling ? styles.filling : styles.page} data-testid={testId}>
      <InFrame slot="title">
        <Title order={1} className="truncate" title={title}>
          {title}
        </Title>
      </InFrame>
      {actions !== undefined && <InFrame slot="actions">{actions}</InFrame>}
      {subtitle !== undefined && (
        <Text size="sm" c="dimmed" component="div" className={styles.subtitle}>
          {subtitle}
        </Text>
      )}
      {children}
    </div>
  );
}

/** Puts what belongs to a screen into its place in the frame. */
function InFrame({ slot, children }: { readonly slot: FrameSlot; readonly children: ReactNode }) {
  const element = useStore(frameSlots, (state) => state.slots[slot]);
  return element === null ? null : createPortal(children, element);
}
