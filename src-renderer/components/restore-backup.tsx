import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { Backup } from '../../src-shared/contract/index.ts';
import { useCommand } from '../api/use-query.ts';
import { counted } from '../format/values/counts.ts';
import { backupSizeText } from '../format/words/backup-words.ts';
import { notifyDone, notifyFailure } from './failures/notify.tsx';
import { Instant } from './figures/day.tsx';

interface RestoreBackupProps {
  readonly backup: Backup;
  /** A book is open, in whose place it comes. */
  readonly isReplacing: boolean;
  readonly onClose: () => void;
}

/** Asks before a backup takes the place of the book. */
export function RestoreBackup({ backup, isReplacing, onClose }: RestoreBackupProps) {
  const restore = useCommand('backups.restore', (failure) => notifyFailure('The backup was not restored', failure));
  async function run(): Promise<void> {
    const answer = await restore.run({ name: backup.name });
    if (answer.ok) notifyDone(`Restored: ${counted(answer.value.records, 'line')}`);
    onClose();
  }
  return (
    <Modal
      opened
      onClose={restore.isRunning ? () => {} : onClose}
      title="Restore this backup?"
      closeButtonProps={{ 'aria-label': 'Close', disabled: restore.isRunning }}
    >
      <Stack>
        <Text size="sm">
          The book becomes what it was on <Instant at={backup.made_at} />: {backupSizeText(backup)}.
        </Text>
        <Text size="sm">
          {isReplacing
            ? 'What was done since then is not in it. The book as it is now is backed up before, so you can come back to it; imports and runs that are under way end.'
            : 'What is left of the damaged book stays among the backups.'}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={restore.isRunning} data-autofocus>
            Cancel
          </Button>
          <Button loading={restore.isRunning} onClick={() => void run()} data-testid="restore-confirm">
            Restore
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
