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
  /** Whether the panes reach the edges and lines divide them. */
  readonly isFlush?: boolean;
}

/** The frame of every screen: its name and actions go into the window's header, its content below. */
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

/** Renders a screen's content into a slot of the frame. */
function InFrame({ slot, children }: { readonly slot: FrameSlot; readonly children: ReactNode }) {
  const element = useStore(frameSlots, (state) => state.slots[slot]);
  return element === null ? null : createPortal(children, element);
}
