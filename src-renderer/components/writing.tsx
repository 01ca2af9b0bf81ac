import { ActionIcon, type ActionIconProps, Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ComponentPropsWithoutRef, MouseEvent } from 'react';
import { useOperation } from '../api/use-operation.ts';
import { say } from '../../src-shared/words/say.ts';

type OfElement<Props> = Props & Omit<ComponentPropsWithoutRef<'button'>, keyof Props>;

/** Returns why the window is read-only, or null when it is not. */
export function useReadOnlyReason(): string | null {
  const { data: value } = useOperation('book.condition', {});
  return value?.condition === 'read_only' ? say('common.writing.thisBookCanOnlyBeRead') : null;
}

/** Props of a button that is disabled but focusable: its tooltip explains why. It neither acts nor submits its form. */
const UNUSABLE = { 'data-disabled': true, 'aria-disabled': true, onClick: (event: MouseEvent) => event.preventDefault() } as const;

/** A button that changes the book. It is disabled in a read-only window. */
export function WriteButton(props: OfElement<ButtonProps>) {
  const reason = useReadOnlyReason();
  if (reason === null) return <Button {...props} />;
  return (
    <Tooltip label={reason} events={{ hover: true, focus: true, touch: true }}>
      <Button {...props} disabled={false} {...UNUSABLE} />
    </Tooltip>
  );
}

/** An icon button that changes the book. Only its label explains it. */
export function WriteIcon(props: OfElement<ActionIconProps>) {
  const reason = useReadOnlyReason();
  if (reason === null) return <ActionIcon {...props} />;
  return <ActionIcon {...props} disabled={false} {...UNUSABLE} title={reason} />;
}
