import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Failure } from '../../../src-shared/contract/index.ts';
import { FailureAlert } from '../../components/failure-panel.tsx';
import { DateField } from '../../components/date-field.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { dayCount, daysName, type Days } from '../../format/dates.ts';
import { countOf } from '../../format/counts.ts';
import { say } from '../../../src-shared/words/say.ts';

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
  function answer(event: FormEvent): void {
    event.preventDefault();
    if (count > 0) onAnswer(asked);
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': say('close.daysDialog.close') }}
      data-testid="days-dialog"
    >
      <form onSubmit={answer}>
        <Stack gap="md">
          <FailureAlert title={say('close.daysDialog.theseDaysCannotBeTaken')} failure={failure} />
          <Group grow>
            <DateField
              label={say('close.daysDialog.firstDay')}
              value={asked.from}
              onChange={(from) => setAsked({ ...asked, from })}
              data-autofocus
              data-testid="period-from"
            />
            <DateField
              label={say('close.daysDialog.lastDay')}
              value={asked.to}
              onChange={(to) => setAsked({ ...asked, to })}
              data-testid="period-to"
            />
          </Group>
          <Text size="sm" c="dimmed" aria-live="polite">
            {count === 0 ? say('close.daysDialog.theLastDayComes') : `${daysName(asked)}, ${countOf(count, 'count.days')}`}
          </Text>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {say('close.daysDialog.cancel')}
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
