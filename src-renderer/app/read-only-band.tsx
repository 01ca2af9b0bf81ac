import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { Backup, BookCondition } from '../../src-shared/contract/index.ts';
import { Instant } from '../components/day.tsx';
import { RestoreBackup } from '../components/restore-backup.tsx';
import { useNavigation } from '../state/navigation.ts';

/** Above every screen of a damaged book: it can be looked at, and how to have a sound one back. */
export function ReadOnlyBand({ condition }: { readonly condition: BookCondition }) {
  const go = useNavigation((state) => state.go);
  const [chosen, setChosen] = useState<Backup | null>(null);
  const { newest_backup: newest, message } = condition;
  return (
    <Alert
      color="red"
      radius={0}
      role="alert"
      icon={<IconAlertTriangle size={20} aria-hidden />}
      title="This book is damaged and can only be read"
      data-testid="read-only-band"
    >
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 20rem" style={{ overflowWrap: 'anywhere' }}>
          {message} {newest === null && 'No backup of it is kept here.'}
        </Text>
        <Group gap="xs">
          {newest !== null && (
            <Button size="xs" color="red" onClick={() => setChosen(newest)} data-testid="restore-newest">
              Restore the backup of&nbsp;
              <Instant at={newest.made_at} />…
            </Button>
          )}
          <Button size="xs" variant="default" onClick={() => go({ screen: 'settings' })}>
            All backups
          </Button>
        </Group>
      </Group>
      {chosen !== null && <RestoreBackup backup={chosen} isReplacing={false} onClose={() => setChosen(null)} />}
    </Alert>
  );
}
