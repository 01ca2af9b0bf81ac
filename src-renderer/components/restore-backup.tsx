import { Alert, Button, Checkbox, Group, List, Modal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { Backup, Failure } from '../../src-shared/contract/index.ts';
import { useCommand } from '../api/use-operation.ts';
import { backupSizeText } from '../format/backup-words.ts';
import { Instant } from './day.tsx';
import { notifyDone, notifyFailure } from './notify.tsx';
import { say } from '../../src-shared/words/say.ts';

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
    if (failure.code !== 'restore_asks') notifyFailure(say('book.restoreBackup.theBackupWasNotRestored'), failure);
  });
  async function run(): Promise<void> {
    const answer = await restore.run({ name: backup.name, ...consentsFor(asked) });
    if (!answer.ok && answer.error.code === 'restore_asks') {
      setAsked(answer.error.errors ?? []);
      setSure(false);
      return;
    }
    if (answer.ok) notifyDone(say('book.restoreBackup.restoredLines', { records: answer.value.records }));
    onClose();
  }
  return (
    <Modal
      opened
      onClose={restore.isRunning ? () => {} : onClose}
      title={say('book.restoreBackup.restoreThisBackup')}
      closeButtonProps={{ 'aria-label': say('book.restoreBackup.close'), disabled: restore.isRunning }}
    >
      <Stack>
        <Text size="sm">
          {say('book.restoreBackup.theBookBecomesWhatItWasOn')} <Instant at={backup.made_at} />: {backupSizeText(backup)}.
        </Text>
        <Text size="sm">
          {isReplacing ? say('book.restoreBackup.whatWasDoneSinceThenIsNotInItTheBook') : say('book.restoreBackup.whatIsLeftOfTheDamaged')}
        </Text>
        {asked.length > 0 && <Asking asked={asked} isSure={isSure} onSure={setSure} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={restore.isRunning} data-autofocus>
            {say('book.restoreBackup.cancel')}
          </Button>
          <Button
            loading={restore.isRunning}
            disabled={asked.length > 0 && !isSure}
            {...(asked.length > 0 ? { color: 'red' } : {})}
            onClick={() => void run()}
            data-testid="restore-confirm"
          >
            {asked.length > 0 ? say('book.restoreBackup.restoreAllTheSame') : say('book.restoreBackup.restore')}
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
    <Alert
      color="red"
      icon={<IconAlertTriangle size={18} aria-hidden />}
      title={say('book.restoreBackup.nothingWasRestoredYet')}
      data-testid="restore-asks"
    >
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
          label={say('book.restoreBackup.iKnowAndWant')}
          checked={isSure}
          onChange={(event) => onSure(event.currentTarget.checked)}
          data-testid="restore-sure"
        />
      </Stack>
    </Alert>
  );
}
