import { Badge, Button, Group, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { useState } from 'react';
import { useStore } from 'zustand';
import type { Backup } from '../../../src-shared/contract/index.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { RestoreBackup } from '../../components/restore-backup.tsx';
import { backupKindText, backupSizeText } from '../../format/backup-words.ts';
import { backupRun } from '../../state/backup-run.ts';
import { Section } from './section.tsx';
import styles from './settings.module.css';

/** Lists the backups of the book, which Tieout or the user made, and restores them. */
export function Backups() {
  const list = useOperation('backups.list', {});
  const create = useCommand('backups.create', (failure) => notifyFailure('No backup was made', failure));
  const [chosen, setChosen] = useState<Backup | null>(null);
  const isRunning = useStore(backupRun, (state) => state.isRunning);
  async function backUp(): Promise<void> {
    if (isRunning) return;
    backupRun.setState({ isRunning: true });
    const answer = await create.run({});
    backupRun.setState({ isRunning: false });
    if (answer.ok) notifyDone(`Backed up and checked: ${backupSizeText(answer.value)}`);
  }
  return (
    <Section
      id="backups"
      title="Backups"
      about="Made automatically, once a day when something has changed and before an update, a restore and the first sync. Each is checked when it is written."
      action={
        <Button variant="default" size="sm" loading={isRunning} onClick={() => void backUp()} data-testid="back-up-now">
          Back up now
        </Button>
      }
    >
      {list.isLoadingError && <FailurePanel title="The backups could not be listed" failure={list.error} onRetry={list.refetch} />}
      {isRunning && (
        <Stack className={styles.row} gap={6} aria-live="polite" data-testid="backup-running">
          <Text size="sm">The book is being copied and checked. You can go on working.</Text>
          <Progress value={100} animated aria-label="Backing up" />
        </Stack>
      )}
      {list.isPending && <Skeleton height={120} />}
      {list.data !== undefined && (
        <Stack className={styles.row} gap={2}>
          <Text size="sm" fw={560}>
            Where they are kept
          </Text>
          <span className={styles.address} data-testid="backups-folder">
            {list.data.folder}
          </span>
          <Text size="sm" c="dimmed">
            All of the last {list.data.kept_days} days, then the last one of each of {list.data.kept_months} months. Those made by hand
            stay. Copy one to another disk now and then: each is one file that opens anywhere.
          </Text>
        </Stack>
      )}
      {list.data?.backups.length === 0 && (
        <Text size="sm" c="dimmed" className={styles.row} data-testid="no-backups">
          None yet.
        </Text>
      )}
      {list.data?.backups.map((backup) => (
        <Row key={backup.name} backup={backup} onRestore={() => setChosen(backup)} />
      ))}
      {chosen !== null && <RestoreBackup backup={chosen} isReplacing onClose={() => setChosen(null)} />}
    </Section>
  );
}

function Row({ backup, onRestore }: { readonly backup: Backup; readonly onRestore: () => void }) {
  return (
    <Group className={styles.row} justify="space-between" gap="xs" data-testid="backup-row">
      <Stack gap={2} flex="1 1 14rem" miw={0}>
        <Text size="sm" fw={560}>
          <Instant at={backup.made_at} />
        </Text>
        <Text size="sm" c="dimmed" className="tabular" style={{ overflowWrap: 'anywhere' }}>
          {backupKindText(backup)} · {backupSizeText(backup)}
        </Text>
      </Stack>
      <Group gap="sm">
        {backup.is_checked ? (
          <Badge color="pine" leftSection={<IconCircleCheck size={13} aria-hidden />}>
            Checked
          </Badge>
        ) : (
          <Badge color="yellow" leftSection={<IconCircleDashed size={13} aria-hidden />}>
            Not checked
          </Badge>
        )}
        <Button variant="default" size="xs" onClick={onRestore} data-testid="restore-backup">
          Restore…
        </Button>
      </Group>
    </Group>
  );
}
