import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useState } from 'react';
import type { Failure, Stream } from '../../../src-shared/contract/index.ts';
import { useConnection } from '../../api/connection-context.ts';
import { useCommand } from '../../api/use-query.ts';
import { FailureAlert } from '../../components/failure-alert.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { WriteButton } from '../../components/writing.tsx';

type Day = Stream['read_by'];

const DAYS: readonly { readonly value: Day; readonly label: string; readonly description: string }[] = [
  {
    value: 'booking_date',
    label: 'Booking date',
    description: 'The day of the bank’s balances; of a ledger the posting date. The value date stands beside it.',
  },
  {
    value: 'value_date',
    label: 'Value date',
    description: 'Where the file says one. The booking date is kept as a field, and the balances of a file are still proved by it.',
  },
];
const DONE: Readonly<Record<Day, string>> = {
  booking_date: 'Later imports are read by booking date',
  value_date: 'Later imports are read by value date',
};

/** Which day of a line later imports take as its date. */
export function ReadBy({ stream }: { readonly stream: Stream }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <WriteButton
        variant="default"
        leftSection={<IconCalendar size={16} aria-hidden />}
        onClick={() => setOpen(true)}
        data-testid="read-by"
      >
        Date of lines
      </WriteButton>
      {isOpen && <ReadByDialog stream={stream} onClose={() => setOpen(false)} />}
    </>
  );
}

function ReadByDialog({ stream, onClose }: { readonly stream: Stream; readonly onClose: () => void }) {
  const [chosen, setChosen] = useState<Day>(stream.read_by);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { change, isRunning } = useChange(stream, setFailure);
  async function save(): Promise<void> {
    if (await change(chosen)) onClose();
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title="Date of the stream’s lines"
      closeButtonProps={{ 'aria-label': 'Close' }}
      data-testid="read-by-dialog"
    >
      <Stack>
        <Text size="sm">The day that later imports take as the date of a line. Lines that are in the stream stay as they are.</Text>
        <Radio.Group
          label="Date"
          value={chosen}
          onChange={(value) => {
            setChosen(value as Day);
            setFailure(null);
          }}
        >
          <Stack gap="xs" mt="xs">
            {DAYS.map((day) => (
              <Radio key={day.value} {...day} data-testid={`read-by-${day.value}`} />
            ))}
          </Stack>
        </Radio.Group>
        <FailureAlert title="The date was not changed" failure={failure} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={isRunning} onClick={() => void save()} data-testid="read-by-save">
            Save
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Changes the setting; it can be taken back from its notification. */
function useChange({ key, read_by: before }: Stream, onFailure: (failure: Failure) => void) {
  const { client } = useConnection();
  const update = useCommand('streams.update', onFailure);
  async function change(to: Day): Promise<boolean> {
    if (to === before) return true;
    const answer = await update.run({ key, read_by: to });
    if (!answer.ok) return false;
    const back = async (): Promise<void> => {
      const undone = await client.call('streams.update', { key, read_by: before });
      if (!undone.ok) notifyFailure('This could not be undone', undone.error);
    };
    notifyDone(DONE[to], () => void back());
    return true;
  }
  return { change, isRunning: update.isRunning };
}
