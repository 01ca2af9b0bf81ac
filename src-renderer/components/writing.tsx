import { ActionIcon, type ActionIconProps, Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ComponentPropsWithoutRef, MouseEvent } from 'react';
import { useOperation } from '../api/use-operation.ts';

type OfElement<Props> = Props & Omit<ComponentPropsWithoutRef<'button'>, keyof Props>;

/** Why nothing can be changed in this window; null where it can. */
export function useReadOnlyReason(): string | null {
  const { data: value } = useOperation('book.condition', {});
  return value?.condition === 'read_only' ? 'This book can only be read. Restore a backup to go on working.' : null;
}

/** Stands for a button that cannot be used: it keeps the focus and says why, and neither acts nor sends its form. */
const UNUSABLE = { 'data-disabled': true, 'aria-disabled': true, onClick: (event: MouseEvent) => event.preventDefault() } as const;

/** A button that changes the book. */
export function WriteButton(props: OfElement<ButtonProps>) {
  const reason = useReadOnlyReason();
  if (reason === null) return <Button {...props} />;
  return (
    <Tooltip label={reason} events={{ hover: true, focus: true, touch: true }}>
      <Button {...props} disabled={false} {...UNUSABLE} />
    </Tooltip>
  );
}

/** A small one, that its label alone explains. */
export function WriteIcon(props: OfElement<ActionIconProps>) {
  const reason = useReadOnlyReason();
  if (reason === null) return <ActionIcon {...props} />;
  return <ActionIcon {...props} disabled={false} {...UNUSABLE} title={reason} />;
}
