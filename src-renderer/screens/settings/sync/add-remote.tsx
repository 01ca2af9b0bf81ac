import { Button, Group, Modal, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Failure, SyncProbe } from '../../../../src-shared/contract/index.ts';
import { useCommand } from '../../../api/use-query.ts';
import { notifyDone } from '../../../components/failures/notify.tsx';
import { ProbeResult } from './probe-result.tsx';
import { Schedule, type ScheduleValue } from './schedule.tsx';

const FIELDS = ['name', 'base_url', 'api_key'] as const;
type Field = (typeof FIELDS)[number];

/** The field that a failure is about; that of a remote which cannot be used is its address. */
function problemOf(failure: Failure | null, field: Field): string | undefined {
  if (failure === null) return undefined;
  const told = failure.errors?.find(({ path }) => path === field)?.message;
  const isElsewhere = FIELDS.some((name) => failure.errors?.some(({ path }) => path === name) === true);
  return told ?? (field === 'base_url' && !isElsewhere ? failure.message : undefined);
}

/** Asks for the address and the key of a remote, and adds it once it answers. */
export function AddRemote({ onClose }: { readonly onClose: () => void }) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [found, setFound] = useState<SyncProbe | null>(null);
  const [said, setSaid] = useState<Readonly<Record<Field, string>>>({ name: '', base_url: '', api_key: '' });
  const [schedule, setSchedule] = useState<ScheduleValue>({ every_minutes: null, when_online: false });
  const probe = useCommand('sync_remotes.probe', setFailure);
  const create = useCommand('sync_remotes.create', setFailure);
  const isReachable = said.base_url.trim() !== '' && said.api_key.trim() !== '';
  const isComplete = isReachable && said.name.trim() !== '';
  const isBusy = probe.isRunning || create.isRunning;
  const set = (field: Field) => (event: { readonly currentTarget: { readonly value: string } }) => {
    const { value } = event.currentTarget;
    setSaid((before) => ({ ...before, [field]: value }));
    setFailure(null);
    if (field !== 'name') setFound(null);
  };
  async function test(): Promise<void> {
    setFailure(null);
    setFound(null);
    const answer = await probe.run({ base_url: said.base_url, api_key: said.api_key });
    if (answer.ok) setFound(answer.value);
  }
  async function add(): Promise<void> {
    setFailure(null);
    const answer = await create.run({ ...said, ...schedule });
    if (!answer.ok) return;
    notifyDone(`Added: ${answer.value.name}. Look at its preview before the first sync.`);
    onClose();
  }
  return (
    <Modal opened onClose={onClose} title="Add a remote" closeButtonProps={{ 'aria-label': 'Close' }} data-testid="add-remote-dialog">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete && !isBusy) void add();
        }}
      >
        <Stack>
          <TextInput
            label="Name"
            description="As you call it: whose books they are."
            placeholder="Head office"
            value={said.name}
            maxLength={255}
            onChange={set('name')}
            error={problemOf(failure, 'name')}
            data-autofocus
            data-testid="remote-name"
          />
          <TextInput
            label="Address"
            description="With /v1 at the end."
            placeholder="https://books.example.com/v1"
            value={said.base_url}
            onChange={set('base_url')}
            error={problemOf(failure, 'base_url')}
            errorProps={{ role: 'alert' }}
            autoComplete="off"
            spellCheck={false}
            data-testid="remote-address"
          />
          <PasswordInput
            label="API key"
            description="Made on the other side. It is kept outside of the book and of its backups."
            value={said.api_key}
            onChange={set('api_key')}
            error={problemOf(failure, 'api_key')}
            errorProps={{ role: 'alert' }}
            autoComplete="off"
            data-testid="remote-key"
          />
          {found !== null && <ProbeResult probe={found} />}
          <Schedule value={schedule} onChange={setSchedule} isFirst />
          <Group justify="space-between">
            <Button
              variant="default"
              disabled={!isReachable || create.isRunning}
              loading={probe.isRunning}
              onClick={() => void test()}
              data-testid="remote-test"
            >
              Test
            </Button>
            <Group gap="sm">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" disabled={!isComplete || probe.isRunning} loading={create.isRunning} data-testid="remote-save">
                Test and add
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
