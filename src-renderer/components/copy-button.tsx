import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect } from 'react';
import { notifyFailure } from './notify.tsx';

interface CopyButtonProps {
  readonly text: string;
  /** Names the text for screen readers: `the address`. */
  readonly what: string;
  readonly testId: string;
  readonly isMain?: boolean;
}

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ text, what, testId, isMain = false }: CopyButtonProps) {
  const { copy, copied, error } = useClipboard({ timeout: 2_000 });
  useEffect(() => {
    if (error !== null) notifyFailure('Nothing was copied', { message: `Select ${what} and copy it with the keyboard.` });
  }, [error, what]);
  return (
    <Button
      size={isMain ? 'sm' : 'compact-sm'}
      variant={isMain ? 'filled' : 'default'}
      leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      onClick={() => copy(text)}
      aria-label={copied ? `Copied ${what}` : `Copy ${what}`}
      data-testid={testId}
    >
      {copied ? 'Copied' : 'Copy'}
    </Button>
  );
}
