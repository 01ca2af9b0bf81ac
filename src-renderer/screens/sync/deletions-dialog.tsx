import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import type { SyncDeletions } from '../../../src-shared/contract/index.ts';
import { WriteButton } from '../../components/writing.tsx';
import { counted } from '../../format/counts.ts';

interface DeletionsDialogProps {
  readonly deletions: SyncDeletions;
  readonly opened: boolean;
  readonly onAccept: () => void;
  readonly onClose: () => void;
}

function takesWords({ count, of, takes }: SyncDeletions['list'][number]): string {
  if (of !== null) return `${count} of ${of}`;
  const parts = Object.entries(takes).map(([name, taken]) => `${taken} ${name}`);
  return parts.length === 0 ? '' : `with ${parts.join(', ')}`;
}

/** Asks before a sync deletes more than goes without a person's word, with all that would go. */
export function DeletionsDialog({ deletions, opened, onAccept, onClose }: DeletionsDialogProps) {
  const words = counted(deletions.count, 'deletion');
  return (
    <Modal opened={opened} onClose={onClose} title={`Allow ${words}?`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack data-testid="sync-deletions">
        <Text size="sm">
          Somebody deleted this on one side, so the sync would delete it on the other one. The book is backed up before.
        </Text>
        <List size="sm">
          {deletions.list.map((one) => (
            <List.Item key={`${one.side} ${one.resource} ${one.name}`}>
              {one.side === 'here' ? 'Here' : 'There'}: {one.resource} <b>{one.name}</b> {takesWords(one)}
            </List.Item>
          ))}
        </List>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Delete nothing
          </Button>
          <WriteButton color="red" onClick={onAccept} data-testid="sync-deletions-accept">
            Delete {deletions.count} and sync
          </WriteButton>
        </Group>
      </Stack>
    </Modal>
  );
}
