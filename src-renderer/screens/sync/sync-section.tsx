import { Alert, Skeleton, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { SyncRemote } from '../../../src-shared/contract/index.ts';
import { useQuery } from '../../api/use-query.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { Section } from '../book/section.tsx';
import styles from '../book/settings.module.css';
import { AddRemote } from './add-remote.tsx';
import { EditRemote } from './edit-remote.tsx';
import { RemoteRow } from './remote-row.tsx';
import { RemoveRemote } from './remove-remote.tsx';

type Open = { readonly dialog: 'add' } | { readonly dialog: 'edit' | 'remove'; readonly remote: SyncRemote };

/** The remotes that this book is synced with. */
export function SyncSection() {
  const list = useQuery('sync_remotes.list', {});
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const remotes = list.value?.remotes;
  return (
    <Section
      id="sync-remotes"
      title="Sync"
      about="Keeps this book and a remote instance in step. Without one nothing leaves this computer."
      action={
        <WriteButton
          size="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setOpen({ dialog: 'add' })}
          data-testid="add-remote"
        >
          Add a remote
        </WriteButton>
      }
    >
      {list.isLoading && <Skeleton height={80} />}
      {list.failure !== undefined && remotes === undefined && (
        <FailurePanel title="The remotes could not be read" failure={list.failure} onRetry={list.refetch} />
      )}
      {list.value?.keys_kept === 'encrypted_file' && <KeysInFile />}
      {remotes?.length === 0 && (
        <Text className={styles.row} size="sm" c="dimmed" data-testid="no-remotes">
          None yet. A remote is another Tieout, or any service that speaks the same interface: its address and a key are all it takes.
        </Text>
      )}
      {remotes !== undefined && remotes.length > 0 && (
        <ul className={styles.list} aria-label="Remotes">
          {remotes.map((remote) => (
            <RemoteRow
              key={remote.id}
              remote={remote}
              onEdit={() => setOpen({ dialog: 'edit', remote })}
              onRemove={() => setOpen({ dialog: 'remove', remote })}
            />
          ))}
        </ul>
      )}
      {open?.dialog === 'add' && <AddRemote onClose={close} />}
      {open?.dialog === 'edit' && <EditRemote remote={open.remote} onClose={close} />}
      {open?.dialog === 'remove' && <RemoveRemote remote={open.remote} onClose={close} />}
    </Section>
  );
}

function KeysInFile() {
  return (
    <div className={styles.row}>
      <Alert color="orange" icon={<IconAlertTriangle size={18} aria-hidden />} data-testid="keys-in-file">
        <Text size="sm">
          This computer has no secret store that Tieout can use: the key lies encrypted in a file beside the book. Whoever can read your
          files can use it.
        </Text>
      </Alert>
    </div>
  );
}
