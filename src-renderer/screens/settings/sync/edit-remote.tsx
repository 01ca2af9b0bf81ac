import { Button, Group, Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Failure, SyncRemote } from '../../../../src-shared/contract/index.ts';
import { useCommand } from '../../../api/use-query.ts';
import { notifyDone } from '../../../components/failures/notify.tsx';
import { Schedule, type ScheduleValue } from './schedule.tsx';

/** Where the key of a remote is. */
const KEPT: Readonly<Record<SyncRemote['key_kept'], string>> = {
  secret_store: 'It is kept in the secret store of this computer. Leave this empty to keep the one there is.',
  encrypted_file: 'It is kept in an encrypted file beside the book. Leave this empty to keep the one there is.',
  none: 'It is not on this computer, or cannot be opened here any more.',
};

/** Name, schedule and, where one is typed, a new key, which is tried first. */
export function EditRemote({ remote, onClose }: { readonly remote: SyncRemote; readonly onClose: () => void }) {
  const { id, base_url: baseUrl, key_kept: keyKept } = remote;
  const [failure, setFailure] = useState<Failure | null>(null);
  const [name, setName] = useState(remote.name);
  const [key, setKey] = useState('');
  const [schedule, setSchedule] = useState<ScheduleValue>({ every_minutes: remote.every_minutes, when_online: remote.when_online });
  const update = useCommand('sync_remotes.update', setFailure);
  const nameProblem = failure?.errors?.find(({ path }) => path === 'name')?.message;
  async function save(): Promise<void> {
    setFailure(null);
    const answer = await update.run({ id, name, ...schedule, ...(key.trim() === '' ? {} : { api_key: key }) });
    if (!answer.ok) return;
    notifyDone(`Saved: ${answer.value.name}`);
    onClose();
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Change ${remote.name}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      data-testid="edit-remote-dialog"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '' && !update.isRunning) void save();
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            value={name}
            maxLength={255}
            onChange={(event) => setName(event.currentTarget.value)}
            error={nameProblem}
            data-autofocus={keyKept !== 'none' || undefined}
            data-testid="remote-name"
          />
          <TextInput
            label="Address"
            description="To sync with another one, add it as a remote of its own."
            value={baseUrl}
            readOnly
            variant="filled"
          />
          <Schedule value={schedule} onChange={setSchedule} isFirst={remote.last_synced_at === null} />
          <PasswordInput
            label={keyKept === 'none' ? 'API key' : 'New API key'}
            description={KEPT[keyKept]}
            value={key}
            onChange={(event) => {
              setFailure(null);
              setKey(event.currentTarget.value);
            }}
            error={nameProblem === undefined ? failure?.message : undefined}
            errorProps={{ role: 'alert' }}
            autoComplete="off"
            data-autofocus={keyKept === 'none' || undefined}
            data-testid="remote-key"
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={name.trim() === ''} loading={update.isRunning} data-testid="remote-save">
              {key.trim() === '' ? 'Save' : 'Test and save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
