import { Group, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { Result } from '../../../src-shared/values/result.ts';
import { WriteButton, WriteIcon } from '../../components/writing.tsx';
import styles from './settings.module.css';
import { say } from '../../../src-shared/words/say.ts';

interface TextListProps {
  readonly label: string;
  readonly about: string;
  readonly empty: string;
  readonly placeholder: string;
  readonly items: readonly string[];
  /** Returns the item to store, or the error in what the user typed. */
  readonly read: (text: string) => Result<string, string>;
  /** Resolves to whether the service accepted the new list. `title` describes the change. */
  readonly onChange: (items: string[], title: string) => Promise<boolean>;
  readonly failure: string | null;
  readonly isRunning: boolean;
  readonly testId: string;
}

/** A short list of texts with controls to add and remove one. */
export function TextList(props: TextListProps) {
  const { label, about, empty, items, onChange, testId } = props;
  return (
    <Stack gap="sm" data-testid={testId}>
      <Stack gap={2}>
        <Text size="sm" fw={600}>
          {label}
        </Text>
        <Text size="xs" c="dimmed">
          {about}
        </Text>
      </Stack>
      {items.length === 0 && (
        <Text size="sm" c="dimmed">
          {empty}
        </Text>
      )}
      {items.map((item) => {
        const others = items.filter((each) => each !== item);
        return <Item key={item} text={item} onRemove={() => void onChange(others, say('book.textList.takenOff', { item }))} />;
      })}
      <AddForm {...props} />
    </Stack>
  );
}

function AddForm({ label, placeholder, items, read, onChange, failure, isRunning, testId }: TextListProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  async function add(): Promise<void> {
    const item = read(typed);
    if (!item.ok) return setProblem(item.error);
    if (items.includes(item.value)) return setProblem(say('book.textList.isOnTheList', { value: item.value }));
    if (await onChange([...items, item.value], say('book.textList.added', { value: item.value }))) setTyped('');
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <Group gap="sm" align="flex-start">
        <TextInput
          aria-label={label}
          placeholder={placeholder}
          flex="1 1 14rem"
          maw="26rem"
          value={typed}
          onChange={(event) => {
            setProblem(null);
            setTyped(event.currentTarget.value);
          }}
          error={problem ?? failure}
          errorProps={{ role: 'alert' }}
          data-testid={`${testId}-input`}
        />
        <WriteButton
          type="submit"
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={typed.trim() === ''}
          loading={isRunning}
          data-testid={`${testId}-add`}
        >
          {say('book.textList.add')}
        </WriteButton>
      </Group>
    </form>
  );
}

function Item({ text, onRemove }: { readonly text: string; readonly onRemove: () => void }) {
  return (
    <div className={styles.item}>
      <span className={styles.address}>{text}</span>
      <Tooltip label={say('book.textList.takeOffTheList', { text })}>
        <WriteIcon variant="subtle" color="gray" aria-label={say('book.textList.takeOffTheList', { text })} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </WriteIcon>
      </Tooltip>
    </div>
  );
}
