import { Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { useState } from 'react';
import { KeyHint } from '../../components/key-hint.tsx';
import { ABOVE_THE_BAR } from './above-the-bar.ts';

interface AdjustButtonProps {
  /** The difference as people read it, without a sign. */
  readonly amount: string;
  readonly isOpen: boolean;
  readonly isRunning: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly onMatch: (reason: string) => void;
}

/** Matches lines that do not balance by one record more, and asks why; what was typed stays when the service refuses. */
export function AdjustButton({ amount, isOpen, isRunning, onOpen, onMatch }: AdjustButtonProps) {
  return (
    <Popover {...ABOVE_THE_BAR} opened={isOpen} onChange={onOpen} onDismiss={() => onOpen(false)} width={380}>
      <Popover.Target>
        <Button
          size="sm"
          variant="default"
          rightSection={<KeyHint keys="A" />}
          loading={isRunning}
          onClick={() => onOpen(!isOpen)}
          aria-keyshortcuts="A"
          data-testid="adjust-button"
        >
          Match with an adjustment of {amount}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Match with an adjustment" p="md">
        <ReasonForm amount={amount} isRunning={isRunning} onCancel={() => onOpen(false)} onMatch={onMatch} />
      </Popover.Dropdown>
    </Popover>
  );
}

interface ReasonFormProps {
  readonly amount: string;
  readonly isRunning: boolean;
  readonly onCancel: () => void;
  readonly onMatch: (reason: string) => void;
}

function ReasonForm({ amount, isRunning, onCancel, onMatch }: ReasonFormProps) {
  const [reason, setReason] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isRunning) onMatch(reason);
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Reason"
          description={`Why the lines are ${amount} apart. It is kept with the adjustment.`}
          placeholder="Bank charge"
          value={reason}
          maxLength={2_000}
          onChange={(event) => setReason(event.currentTarget.value)}
          data-autofocus
          data-testid="adjust-reason"
        />
        <Text size="xs" c="dimmed">
          Unmatching takes the adjustment away again.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" size="sm" onClick={onCancel}>
            Cancel
          </Button>
          <Button
            type="submit"
            size="sm"
            leftSection={<IconLink size={16} aria-hidden />}
            rightSection={<KeyHint keys="↵" />}
            loading={isRunning}
            data-testid="adjust-confirm"
          >
            Match
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
