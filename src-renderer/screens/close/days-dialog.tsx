import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Failure } from '../../../src-shared/contract/index.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { dayCount, type Days, daysName } from '../../format/close-days.ts';
import { counted } from '../../format/counts.ts';
import { useFocusBack } from './use-focus-back.ts';

interface DaysDialogProps {
  readonly title: string;
  readonly verb: string;
  readonly days: Days;
  readonly failure: Failure | null;
  readonly isRunning: boolean;
  readonly onAnswer: (days: Days) => void;
  readonly onClose: () => void;
}

/** Asks for the first and the last day of a period. */
export function DaysDialog({ title, verb, days, failure, isRunning, onAnswer, onClose }: DaysDialogProps) {
  const [asked, setAsked] = useState(days);
  const count = dayCount(asked);
  useFocusBack();
  function answer(event: FormEvent): void {
    event.preventDefault();
    if (count > 0) onAnswer(asked);
  }
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': 'Close' }} data-testid="days-dialog">
      <form onSubmit={answer}>
        <Stack gap="md">
          <FailureAlert title="These days cannot be taken" failure={failure} />
          <Group grow>
            <TextInput
              type="date"
              label="First day"
              value={asked.from}
              onChange={(event) => setAsked({ ...asked, from: event.currentTarget.value })}
              data-autofocus
              data-testid="period-from"
            />
            <TextInput
              type="date"
              label="Last day"
              value={asked.to}
              onChange={(event) => setAsked({ ...asked, to: event.currentTarget.value })}
              data-testid="period-to"
            />
          </Group>
          <Text size="sm" c="dimmed" aria-live="polite">
            {count === 0 ? 'The last day comes before the first one.' : `${daysName(asked)}, ${counted(count, 'day')}`}
          </Text>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <WriteButton type="submit" loading={isRunning} disabled={count === 0} data-testid="period-save">
              {verb}
            </WriteButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
