import { Alert, Button, Code, Flex, Group, Loader, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle, IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { START_ANEW_SENTENCE } from '../../../src-shared/contract/book/backups.ts';
import type { Backup, BookCondition } from '../../../src-shared/contract/index.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { Instant } from '../../components/day.tsx';
import { OtherBooks } from './books.tsx';
import { RestoreBackup } from '../../components/restore-backup.tsx';
import { backupKindText, backupSizeText } from '../../format/backup-words.ts';
import styles from './rescue.module.css';
import { say } from '../../../src-shared/words/say.ts';
import { Said } from '../../components/said.tsx';

const TITLES: Readonly<Record<BookCondition['condition'], string>> = {
  open: say('book.titles.open'),
  read_only: say('book.titles.readOnly'),
  missing: say('book.titles.missing'),
  empty: say('book.titles.empty'),
  damaged: say('book.titles.readOnly'),
  restoring: say('book.titles.restoring'),
};

/** Replaces the window while no book can be opened. Explains the fault and offers the ways to recover. */
export function RescueScreen({ condition }: { readonly condition: BookCondition }) {
  if (condition.condition === 'restoring') return <Restoring message={condition.message} />;
  return (
    <Flex component="main" align="center" justify="safe center" mih="100vh" py={32} px={20} direction="column" data-testid="rescue-screen">
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
        <OtherBooks />
        <StartAnew folder={condition.folder} />
      </Stack>
    </Flex>
  );
}

function Restoring({ message }: { readonly message: string | null }) {
  return (
    <Flex
      component="main"
      align="center"
      justify="safe center"
      mih="100vh"
      py={32}
      px={20}
      direction="column"
      data-testid="rescue-restoring"
    >
      <Group>
        <Loader size="sm" />
        <Text style={{ overflowWrap: 'anywhere' }}>{message ?? TITLES.restoring}</Text>
      </Group>
    </Flex>
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
        {say('book.rescue.goBackToABackup')}
      </Title>
      {newest === null && (
        <Text size="sm" c="dimmed" data-testid="no-backups">
          {say('book.rescue.noBackupIsKept', { folder: list.data?.folder ?? condition.folder, folder2: condition.folder })}
        </Text>
      )}
      {shown.length > 0 && (
        <div className="card">
          {shown.map((backup) => (
            <Group key={backup.name} className={styles.row} justify="space-between" gap="sm" data-testid="backup-row">
              <Stack gap={2} miw={0} flex="1 1 14rem">
                <Text size="sm" fw={560}>
                  {backup.name === newest?.name ? (
                    <Said words="book.rescue.newest" with={{ at: <Instant at={backup.made_at} /> }} />
                  ) : (
                    <Instant at={backup.made_at} />
                  )}
                </Text>
                <Text size="sm" c="dimmed" className="tabular">
                  {backupKindText(backup)} · {backupSizeText(backup)}
                  {!backup.is_checked && ` · ${say('book.rescue.notChecked')}`}
                </Text>
              </Stack>
              <Button
                variant={backup.name === newest?.name ? 'filled' : 'default'}
                size="sm"
                leftSection={<IconHistory size={16} aria-hidden />}
                onClick={() => setChosen(backup)}
                data-testid="restore-backup"
              >
                {say('book.rescue.restore')}
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
          {say('book.rescue.showAllBackups', { others: others.length + (newest === null ? 0 : 1) })}
        </Button>
      )}
      {command !== null && (
        <Text size="xs" c="dimmed">
          <Said words="book.rescue.onTheCommandLine" with={{ command: <Code style={{ overflowWrap: 'anywhere' }}>{command}</Code> }} />
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
        {say('book.rescue.beginANewBook')}
      </Title>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {say('book.rescue.anEmptyBookTakesThePlace', { folder, startAnewSentence: START_ANEW_SENTENCE })}
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void start.run({ sentence });
        }}
      >
        <Group align="flex-start" gap="sm">
          <TextInput
            aria-label={say('book.rescue.type', { startAnewSentence: START_ANEW_SENTENCE })}
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
            {say('book.rescue.beginANewBook')}
          </Button>
        </Group>
      </form>
    </Stack>
  );
}
