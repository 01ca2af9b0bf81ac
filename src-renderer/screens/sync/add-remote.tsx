import { Button, Group, Modal, Stack } from '@mantine/core';
import { notifyDone } from '../../components/notify.tsx';
import { AddressField, KeyField, NameField } from './fields.tsx';
import { ProbeResult } from './probe-result.tsx';
import { Schedule } from './schedule.tsx';
import { useNewRemote } from './use-new-remote.ts';

/** Asks for the address and the key of a remote, and adds it once it answers. */
export function AddRemote({ onClose }: { readonly onClose: () => void }) {
  const { said, set, schedule, setSchedule, found, problemOf, isReachable, isComplete, isTesting, isAdding, test, add } = useNewRemote();
  async function submit(): Promise<void> {
    const added = await add();
    if (added === null) return;
    notifyDone(`Added: ${added.name}. Look at its preview before the first sync.`);
    onClose();
  }
  return (
    <Modal opened onClose={onClose} title="Add a remote" closeButtonProps={{ 'aria-label': 'Close' }} data-testid="add-remote-dialog">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete && !isTesting && !isAdding) void submit();
        }}
      >
        <Stack>
          <NameField value={said.name} onChange={set('name')} error={problemOf('name')} isFirst />
          <AddressField value={said.base_url} onChange={set('base_url')} error={problemOf('base_url')} />
          <KeyField
            label="API key"
            about="Made on the other side. It is kept outside of the book and of its backups."
            value={said.api_key}
            onChange={set('api_key')}
            error={problemOf('api_key')}
          />
          {found !== null && <ProbeResult probe={found} />}
          <Schedule value={schedule} onChange={setSchedule} isFirst />
          <Group justify="space-between">
            <Button
              variant="default"
              disabled={!isReachable || isAdding}
              loading={isTesting}
              onClick={() => void test()}
              data-testid="remote-test"
            >
              Test
            </Button>
            <Group gap="sm">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" disabled={!isComplete || isTesting} loading={isAdding} data-testid="remote-save">
                Test and add
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
