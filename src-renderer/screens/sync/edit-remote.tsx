import { Button, Group, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Failure, SyncRemote } from '../../../src-shared/contract/index.ts';
import { useCommand } from '../../api/use-query.ts';
import { notifyDone } from '../../components/notify.tsx';
import { AddressField, KeyField, NameField } from './fields.tsx';
import { Schedule, type ScheduleValue } from './schedule.tsx';

/** Where the key of a remote is. */
const KEPT: Readonly<Record<SyncRemote['key_kept'], string>> = {
  secret_store: 'It is kept in the secret store of this computer. Leave this empty to keep the one there is.',
  encrypted_file: 'It is kept in an encrypted file beside the book. Leave this empty to keep the one there is.',
  none: 'It is not on this computer, or cannot be opened here any more.',
};

/** What of a remote is changed, and what came of trying it. */
function useChange(remote: SyncRemote, onSaved: () => void) {
  const { id, base_url: baseUrl } = remote;
  const [failure, setFailure] = useState<Failure | null>(null);
  const [said, setSaid] = useState({ name: remote.name, base_url: baseUrl, api_key: '' });
  const [schedule, setSchedule] = useState<ScheduleValue>({ every_minutes: remote.every_minutes, when_online: remote.when_online });
  const update = useCommand('sync_remotes.update', setFailure);
  const nameProblem = failure?.errors?.find(({ path }) => path === 'name')?.message;
  const isMoved = said.base_url.trim() !== baseUrl;
  const hasNewKey = said.api_key.trim() !== '';
  const problem = nameProblem === undefined ? failure?.message : undefined;
  return {
    said,
    set: (field: keyof typeof said) => (value: string) => {
      setFailure(null);
      setSaid((before) => ({ ...before, [field]: value }));
    },
    schedule,
    setSchedule,
    problems: { name: nameProblem, base_url: isMoved ? problem : undefined, api_key: isMoved ? undefined : problem },
    isTried: isMoved || hasNewKey,
    isComplete: said.name.trim() !== '' && said.base_url.trim() !== '',
    isSaving: update.isRunning,
    save: async (): Promise<void> => {
      setFailure(null);
      const moved = isMoved ? { base_url: said.base_url } : {};
      const answer = await update.run({ id, name: said.name, ...schedule, ...moved, ...(hasNewKey ? { api_key: said.api_key } : {}) });
      if (!answer.ok) return;
      notifyDone(`Saved: ${answer.value.name}`);
      onSaved();
    },
  };
}

/** Name, schedule and, where they are typed, another address or a new key, which are tried first. */
export function EditRemote({ remote, onClose }: { readonly remote: SyncRemote; readonly onClose: () => void }) {
  const { key_kept: keyKept } = remote;
  const { said, set, schedule, setSchedule, problems, isTried, isComplete, isSaving, save } = useChange(remote, onClose);
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
          if (isComplete && !isSaving) void save();
        }}
      >
        <Stack>
          <NameField value={said.name} onChange={set('name')} error={problems.name} isFirst={keyKept !== 'none'} />
          <AddressField
            value={said.base_url}
            onChange={set('base_url')}
            error={problems.base_url}
            about="Where it answers now. To sync with another one, add it as a remote of its own."
          />
          <Schedule value={schedule} onChange={setSchedule} isFirst={remote.last_synced_at === null} />
          <KeyField
            label={keyKept === 'none' ? 'API key' : 'New API key'}
            about={KEPT[keyKept]}
            value={said.api_key}
            onChange={set('api_key')}
            error={problems.api_key}
            isFirst={keyKept === 'none'}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isComplete} loading={isSaving} data-testid="remote-save">
              {isTried ? 'Test and save' : 'Save'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
