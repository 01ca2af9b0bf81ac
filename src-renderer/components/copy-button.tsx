import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect } from 'react';
import { notifyFailure } from './notify.tsx';
import { say } from '../../src-shared/words/say.ts';

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
    if (error !== null)
      notifyFailure(say('common.copyButton.nothingWasCopied'), {
        message: say('common.copyButton.selectAndCopyItWithTheKeyboard', { what }),
      });
  }, [error, what]);
  return (
    <Button
      size={isMain ? 'sm' : 'compact-sm'}
      variant={isMain ? 'filled' : 'default'}
      leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      onClick={() => copy(text)}
      aria-label={copied ? say('common.copyButton.copiedWhat', { what }) : say('common.copyButton.copyWhat', { what })}
      data-testid={testId}
    >
      {copied ? say('common.copyButton.copied') : say('common.copyButton.copy')}
    </Button>
  );
}
