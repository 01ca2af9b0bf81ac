import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ApiKey } from '../../../src-shared/contract/index.ts';
import { useCommand } from '../../api/use-query.ts';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';

/** Asks before a key is revoked: there is no way back. */
export function RevokeKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const revoke = useCommand('api_keys.revoke', (failure) => notifyFailure('The key was not revoked', failure));
  async function run(): Promise<void> {
    const answer = await revoke.run({ id: apiKey.id });
    if (answer.ok) notifyDone(`Revoked: ${apiKey.name}`);
    onClose();
  }
  return (
    <Modal opened onClose={onClose} title="Revoke this key?" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Whatever uses <b>{apiKey.name}</b> is refused from now on. A revoked key cannot be brought back; make a new one instead.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button color="red" loading={revoke.isRunning} onClick={() => void run()} data-testid="revoke-confirm">
            Revoke
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
