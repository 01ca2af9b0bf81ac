import { Badge, Button, Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Backup } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { RestoreBackup } from '../../components/restore-backup.tsx';
import { backupKindText, backupSizeText } from '../../format/backup-words.ts';
import { Section, ShowInFolder } from './section.tsx';
import styles from './settings.module.css';

/** Lists the backups of the book, which Tieout or the user made, and restores them. */
export function Backups() {
  const list = useOperation('backups.list', {});
  const create = useCommand('backups.create', (failure) => notifyFailure(say('book.backups.noBackupWasMade'), failure));
  const [chosen, setChosen] = useState<Backup | null>(null);
  const isRunning = useStore(backupRun, (state) => state.isRunning);
  async function backUp(): Promise<void> {
    if (isRunning) return;
    backupRun.setState({ isRunning: true });
    const answer = await create.run({});
    backupRun.setState({ isRunning: false });
    if (answer.ok) notifyDone(say('book.backups.backedUpAndChecked', { backupSize: backupSizeText(answer.value) }));
  }
  return (
    <Section
      id="backups"
      title={say('book.backups.backups')}
      about={say('book.backups.madeAutomaticallyOnceADay')}
      action={
        <Button variant="default" size="sm" loading={isRunning} onClick={() => void backUp()} data-testid="back-up-now">
          {say('book.backups.backUpNow')}
        </Button>
      }
    >
      {list.isLoadingError && (
        <FailurePanel title={say('book.backups.theBackupsCouldNotBeListed')} failure={list.error} onRetry={list.refetch} />
      )}
      {isRunning && (
        <Stack className={styles.row} gap={6} aria-live="polite" data-testid="backup-running">
          <Text size="sm">{say('book.backups.theBookIsBeingCopiedAndChecked')}</Text>
          <Progress value={100} animated aria-label={say('book.backups.backingUp')} />
        </Stack>
      )}
      {list.isPending && <Skeleton height={120} />}
      {list.data !== undefined && (
        <Stack className={styles.row} gap={2}>
          <Group justify="space-between" gap="sm">
            <Stack gap={2} flex="1 1 16rem" miw={0}>
              <Text size="sm" fw={560}>
                {say('book.backups.whereTheyAreKept')}
              </Text>
              <span className={styles.address} data-testid="backups-folder">
                {list.data.folder}
              </span>
            </Stack>
            {list.data.backups[0] !== undefined && <ShowInFolder backup={list.data.backups[0].name} />}
          </Group>
          <Text size="sm" c="dimmed">
            {say('book.backups.allOfTheLastDays', { keptDays: list.data.kept_days, keptMonths: list.data.kept_months })}
          </Text>
        </Stack>
      )}
      {list.data?.backups.length === 0 && (
        <Text size="sm" c="dimmed" className={styles.row} data-testid="no-backups">
          {say('book.backups.noneYet')}
        </Text>
      )}
      {list.data?.backups.map((backup) => (
        <Row key={backup.name} backup={backup} onRestore={() => setChosen(backup)} />
      ))}
      {chosen !== null && <RestoreBackup backup={chosen} isReplacing onClose={() => setChosen(null)} />}
    </Section>
  );
}

/** What a check found: null while none was made since the row appeared. */
type Found = { readonly isSound: boolean; readonly message: string } | null;

/** One backup, which can be checked as a restore would, and restored. */
function Row({ backup, onRestore }: { readonly backup: Backup; readonly onRestore: () => void }) {
  const [found, setFound] = useState<Found>(null);
  const check = useCommand('backups.check', (failure) => {
    if (failure.code === 'backup_unsound') setFound({ isSound: false, message: failure.message });
    else notifyFailure(say('book.backups.notLookedAt'), failure);
  });
  async function look(): Promise<void> {
    setFound(null);
    const answer = await check.run({ name: backup.name });
    if (answer.ok) setFound({ isSound: true, message: say('book.backups.soundAndCanBeRestored') });
  }
  return (
    <Stack className={styles.row} gap={4} data-testid="backup-row">
      <Group justify="space-between" gap="xs">
        <Stack gap={2} flex="1 1 14rem" miw={0}>
          <Text size="sm" fw={560}>
            <Instant at={backup.made_at} />
          </Text>
          <Text size="sm" c="dimmed" className="tabular" style={{ overflowWrap: 'anywhere' }}>
            {backupKindText(backup)} · {backupSizeText(backup)}
          </Text>
        </Stack>
        <Group gap="sm">
          <StateBadge isChecked={backup.is_checked} found={found} />
          <Button variant="default" size="xs" loading={check.isRunning} onClick={() => void look()} data-testid="check-backup">
            {say('book.backups.checkNow')}
          </Button>
          <Button variant="default" size="xs" onClick={onRestore} data-testid="restore-backup">
            {say('book.backups.restore')}
          </Button>
        </Group>
      </Group>
      <Text size="sm" c={found?.isSound === false ? 'var(--mantine-color-error)' : 'dimmed'} aria-live="polite" data-testid="backup-found">
        {found?.message}
      </Text>
    </Stack>
  );
}

function StateBadge({ isChecked, found }: { readonly isChecked: boolean; readonly found: Found }) {
  if (found?.isSound === false) {
    return (
      <Badge color="red" leftSection={<IconAlertTriangle size={13} aria-hidden />}>
        {say('book.backups.notSound')}
      </Badge>
    );
  }
  if (found === null && !isChecked) {
    return (
      <Badge color="yellow" leftSection={<IconCircleDashed size={13} aria-hidden />}>
        {say('book.backups.notChecked')}
      </Badge>
    );
  }
  return (
    <Badge color="pine" leftSection={<IconCircleCheck size={13} aria-hidden />}>
      {found === null ? say('book.backups.checked') : say('book.backups.sound')}
    </Badge>
  );
}

/** Whether a backup that this window started is running. It continues while the user visits other screens. */
const backupRun = createStore<{ readonly isRunning: boolean }>()(() => ({ isRunning: false }));
