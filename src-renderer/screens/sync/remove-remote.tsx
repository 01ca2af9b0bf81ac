import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { SyncRemote } from '../../../src-shared/contract/index.ts';
import { useCommand } from '../../api/use-query.ts';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';

/** Asks before a remote is removed: what is known of it does not come back. */
export function RemoveRemote({ remote, onClose }: { readonly remote: SyncRemote; readonly onClose: () => void }) {
  const remove = useCommand('sync_remotes.remove', (failure) => notifyFailure('The remote was not removed', failure));
  async function run(): Promise<void> {
    const answer = await remove.run({ id: remote.id });
    if (answer.ok) notifyDone(`Removed: ${remote.name}`);
    onClose();
  }
  return (
    <Modal opened onClose={onClose} title="Remove this remote?" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Both sides keep their data. Tieout forgets the key of <b>{remote.name}</b>, the history of its syncs, what waits for a decision,
          and which object here is which one there. Added again, the two books are compared anew.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button color="red" loading={remove.isRunning} onClick={() => void run()} data-testid="remove-remote-confirm">
            Remove
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
