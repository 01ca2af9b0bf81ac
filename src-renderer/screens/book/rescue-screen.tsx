import { Alert, Button, Code, Group, Loader, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle, IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { START_ANEW_SENTENCE } from '../../../src-shared/contract/book/backups.ts';
import type { Backup, BookCondition } from '../../../src-shared/contract/index.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { Instant } from '../../components/day.tsx';
import { RestoreBackup } from '../../components/restore-backup.tsx';
import { backupKindText, backupSizeText } from '../../format/backup-words.ts';
import styles from './rescue.module.css';

const TITLES: Readonly<Record<BookCondition['condition'], string>> = {
  open: 'The book is open',
  read_only: 'The book is damaged',
  missing: 'The book is gone',
  empty: 'The book is empty',
  damaged: 'The book is damaged',
  restoring: 'A backup is being restored',
};

/** Replaces the window while no book can be opened. Explains the fault and offers the ways to recover. */
export function RescueScreen({ condition }: { readonly condition: BookCondition }) {
  if (condition.condition === 'restoring') return <Restoring />;
  return (
    <main className={styles.page} data-testid="rescue-screen">
      <Stack gap="xl" maw={680} w="100%">
        <Stack gap="sm">
          <Title order={1}>{TITLES[condition.condition]}</Title>
          <Alert color="red" icon={<IconAlertTriangle size={20} aria-hidden />}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }} data-testid="rescue-message">
              {condition.message}
            </Text>
          </Alert>
        </Stack>
        <WayBack condition={condition} />
        <StartAnew folder={condition.folder} />
      </Stack>
    </main>
  );
}

function Restoring() {
  return (
    <main className={styles.page} data-testid="rescue-restoring">
      <Group>
        <Loader size="sm" />
        <Text>{TITLES.restoring}. The backup is checked first; the book opens by itself.</Text>
      </Group>
    </main>
  );
}

function WayBack({ condition }: { readonly condition: BookCondition }) {
  const list = useOperation('backups.list', {});
  const [chosen, setChosen] = useState<Backup | null>(null);
  const [isAll, setAll] = useState(false);
  const { newest_backup: newest, command } = condition;
  const others = list.data?.backups.filter(({ name }) => name !== newest?.name) ?? [];
  const shown = [...(newest === null ? [] : [newest]), ...(isAll ? others : [])];
  return (
    <Stack component="section" gap="sm" aria-labelledby="way-back">
      <Title order={2} id="way-back">
        Go back to a backup
      </Title>
      {newest === null && (
        <Text size="sm" c="dimmed" data-testid="no-backups">
          No backup is kept in {list.data?.folder ?? condition.folder}. One from elsewhere can be copied there, or restored on the command
          line: tieout restore FILE --data {condition.folder}
        </Text>
      )}
      {shown.length > 0 && (
        <div className="card">
          {shown.map((backup) => (
            <Group key={backup.name} className={styles.row} justify="space-between" gap="sm" data-testid="backup-row">
              <Stack gap={2} miw={0} flex="1 1 14rem">
                <Text size="sm" fw={560}>
                  <Instant at={backup.made_at} />
                  {backup.name === newest?.name && ' (newest)'}
                </Text>
                <Text size="sm" c="dimmed" className="tabular">
                  {backupKindText(backup)} · {backupSizeText(backup)}
                  {!backup.is_checked && ' · not checked'}
                </Text>
              </Stack>
              <Button
                variant={backup.name === newest?.name ? 'filled' : 'default'}
                size="sm"
                leftSection={<IconHistory size={16} aria-hidden />}
                onClick={() => setChosen(backup)}
                data-testid="restore-backup"
              >
                Restore…
              </Button>
            </Group>
          ))}
        </div>
      )}
      {others.length > 0 && !isAll && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => setAll(true)}
          style={{ alignSelf: 'flex-start' }}
          data-testid="all-backups"
        >
          Show all {others.length + (newest === null ? 0 : 1)} backups
        </Button>
      )}
      {command !== null && (
        <Text size="xs" c="dimmed">
          On the command line: <Code style={{ overflowWrap: 'anywhere' }}>{command}</Code>
        </Text>
      )}
      {chosen !== null && <RestoreBackup backup={chosen} isReplacing={false} onClose={() => setChosen(null)} />}
    </Stack>
  );
}

/** Starts a new book when no backup exists. The user confirms it by typing a sentence. */
function StartAnew({ folder }: { readonly folder: string }) {
  const [sentence, setSentence] = useState('');
  const [failure, setFailure] = useState<string | null>(null);
  const start = useCommand('book.start_anew', ({ message }) => setFailure(message));
  return (
    <Stack component="section" gap="sm" aria-labelledby="start-anew">
      <Title order={2} id="start-anew">
        Begin a new book
      </Title>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        An empty book takes the place of this one in {folder}. What is left of it stays among the backups. Type “{START_ANEW_SENTENCE}” if
        that is what you want.
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void start.run({ sentence });
        }}
      >
        <Group align="flex-start" gap="sm">
          <TextInput
            aria-label={`Type “${START_ANEW_SENTENCE}”`}
            value={sentence}
            error={failure}
            onChange={(event) => {
              setSentence(event.currentTarget.value);
              setFailure(null);
            }}
            data-testid="start-anew-sentence"
          />
          <Button
            type="submit"
            variant="default"
            color="red"
            loading={start.isRunning}
            disabled={sentence.trim() === ''}
            data-testid="start-anew"
          >
            Begin a new book
          </Button>
        </Group>
      </form>
    </Stack>
  );
}
