import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import type { RefObject } from 'react';
import { say } from '../../src-shared/words/say.ts';

interface SearchFieldProps extends Pick<TextInputProps, 'className' | 'flex' | 'maw' | 'placeholder' | 'title' | 'aria-keyshortcuts'> {
  /** Says what is searched. */
  readonly label: string;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly field?: RefObject<HTMLInputElement | null>;
  /** Moves the focus to what was found: by Enter, by the arrow down, and by Esc in an empty field. */
  readonly onLeave?: () => void;
  readonly testId: string;
}

/** The search above a list. Esc clears it. */
export function SearchField({ label, value, onText, field, onLeave, testId, ...rest }: SearchFieldProps) {
  return (
    <TextInput
      ref={field}
      size="xs"
      type="search"
      aria-label={label}
      leftSection={<IconSearch size={14} aria-hidden />}
      rightSection={
        value === '' ? null : <CloseButton size="xs" aria-label={say('common.filter.clearSearch')} onClick={() => onText('')} />
      }
      value={value}
      maxLength={200}
      onChange={(event) => onText(event.currentTarget.value)}
      onKeyDown={(event) => {
        const { key } = event;
        const isClearing = key === 'Escape' && value !== '';
        const isLeaving = onLeave !== undefined && (key === 'Escape' || key === 'ArrowDown' || key === 'Enter');
        if (!isClearing && !isLeaving) return;
        event.preventDefault();
        event.stopPropagation();
        if (isClearing) onText('');
        else onLeave?.();
      }}
      {...rest}
      data-testid={testId}
    />
  );
}
