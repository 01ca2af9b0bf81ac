import { Alert, Button, Checkbox, Group, List, Modal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { Backup, Failure } from '../../src-shared/contract/index.ts';
import { useCommand } from '../api/use-operation.ts';
import { backupSizeText } from '../format/backup-words.ts';
import { counted } from '../format/counts.ts';
import { Instant } from './day.tsx';
import { notifyDone, notifyFailure } from './notify.tsx';

interface RestoreBackupProps {
  readonly backup: Backup;
  /** Whether a book is open and the backup replaces it. */
  readonly isReplacing: boolean;
  readonly onClose: () => void;
}

type Asked = NonNullable<Failure['errors']>;

/** Returns the request's flags that confirm every question that was asked. */
function consentsFor(asked: Asked) {
  const lost = asked.filter(({ path }) => path === 'lose_sign_offs').length;
  return { ...(lost < asked.length ? { another_book: true } : {}), ...(lost === 0 ? {} : { lose_sign_offs: lost }) };
}

/** Asks before a backup replaces the book, and again when it belongs to another book or lacks sign-offs. */
export function RestoreBackup({ backup, isReplacing, onClose }: RestoreBackupProps) {
  const [asked, setAsked] = useState<Asked>([]);
  const [isSure, setSure] = useState(false);
  const restore = useCommand('backups.restore', (failure) => {
    if (failure.code !== 'restore_asks') notifyFailure('The backup was not restored', failure);
  });
  async function run(): Promise<void> {
    const answer = await restore.run({ name: backup.name, ...consentsFor(asked) });
    if (!answer.ok && answer.error.code === 'restore_asks') {
      setAsked(answer.error.errors ?? []);
      setSure(false);
      return;
    }
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
        {asked.length > 0 && <Asking asked={asked} isSure={isSure} onSure={setSure} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={restore.isRunning} data-autofocus>
            Cancel
          </Button>
          <Button
            loading={restore.isRunning}
            disabled={asked.length > 0 && !isSure}
            {...(asked.length > 0 ? { color: 'red' } : {})}
            onClick={() => void run()}
            data-testid="restore-confirm"
          >
            {asked.length > 0 ? 'Restore all the same' : 'Restore'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface AskingProps {
  readonly asked: Asked;
  readonly isSure: boolean;
  readonly onSure: (isSure: boolean) => void;
}

/** Lists the reasons why the backup is not restored yet. */
function Asking({ asked, isSure, onSure }: AskingProps) {
  return (
    <Alert color="red" icon={<IconAlertTriangle size={18} aria-hidden />} title="Nothing was restored yet" data-testid="restore-asks">
      <Stack gap="sm">
        <List size="sm" spacing={4}>
          {[...new Set(asked.map(({ message }) => message))].map((message) => (
            <List.Item key={message} style={{ overflowWrap: 'anywhere' }}>
              {message}
            </List.Item>
          ))}
        </List>
        <Checkbox
          size="sm"
          label="I know, and want this backup"
          checked={isSure}
          onChange={(event) => onSure(event.currentTarget.checked)}
          data-testid="restore-sure"
        />
      </Stack>
    </Alert>
  );
}
