import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { OTHER_MACHINES_SENTENCE } from '../../../src-shared/contract/book/local-port.ts';
import type { LocalPort } from '../../../src-shared/contract/index.ts';
import { hostNameFrom, isLoopback, LOOPBACK } from '../../../src-shared/values/network.ts';
import { WriteButton } from '../../components/writing.tsx';
import styles from './settings.module.css';
import { TextList } from './text-list.tsx';
import { useLocalPort } from './use-local-port.ts';

/** Whether other machines may come, which has to be said in words. */
export function OtherMachines({ port }: { readonly port: LocalPort }) {
  const [isAsking, setAsking] = useState(false);
  const { change, failure, isRunning } = useLocalPort();
  const isOwn = isLoopback(port.address);
  return (
    <Stack className={styles.row} gap="md">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} flex="1 1 16rem" miw={0}>
          <Text size="sm" fw={600}>
            {isOwn ? 'Only this computer' : 'Other machines may reach this book'}
          </Text>
          <Text size="xs" c="dimmed">
            {isOwn
              ? `It listens on ${port.address}, where no other machine gets through.`
              : `It listens on ${port.address}, without encryption.`}
          </Text>
        </Stack>
        {isOwn ? (
          <WriteButton variant="default" size="xs" onClick={() => setAsking(true)} data-testid="other-machines-ask">
            Let other machines in…
          </WriteButton>
        ) : (
          <WriteButton
            variant="default"
            size="xs"
            loading={isRunning}
            onClick={() => void change({ address: LOOPBACK })}
            data-testid="other-machines-end"
          >
            This computer only
          </WriteButton>
        )}
      </Group>
      {failure !== null && (
        <div role="alert" className={styles.problem}>
          {failure.message}
        </div>
      )}
      {!isOwn && <HostNames port={port} />}
      {isAsking && <AskDialog onClose={() => setAsking(false)} />}
    </Stack>
  );
}

function HostNames({ port }: { readonly port: LocalPort }) {
  const { change, done, failure, isRunning } = useLocalPort();
  async function set(names: string[], title: string): Promise<boolean> {
    const before = port.host_names;
    const isSet = await change({ host_names: names });
    if (isSet) done(title, { host_names: before });
    return isSet;
  }
  return (
    <TextList
      label="Names of this machine"
      about="Other machines may call it by its address, and by the names on this list."
      empty="No names: only the address is answered."
      placeholder="office-pc"
      items={port.host_names}
      read={hostNameFrom}
      onChange={set}
      failure={failure?.message ?? null}
      isRunning={isRunning}
      testId="host-names"
    />
  );
}

function AskDialog({ onClose }: { readonly onClose: () => void }) {
  const { change, failure, isRunning, forget } = useLocalPort();
  const [address, setAddress] = useState('0.0.0.0');
  const [sentence, setSentence] = useState('');
  const problemOf = (field: string): string | null =>
    failure?.errors?.some(({ path }) => path === field) === true ? failure.message : null;
  const elsewhere = failure !== null && problemOf('sentence') === null && problemOf('address') === null ? failure.message : null;
  async function allow(): Promise<void> {
    if (await change({ address: address.trim(), sentence })) onClose();
  }
  return (
    <Modal opened onClose={onClose} title="Let other machines in?" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void allow();
        }}
      >
        <Stack>
          <Alert color="orange" icon={<IconAlertTriangle size={18} aria-hidden />}>
            <Text size="sm">
              Every machine in your network can then try. Each request needs an API key, but nothing is encrypted on the way: who listens in
              the network can read keys and records.
            </Text>
          </Alert>
          <TextInput
            label="Address to listen on"
            description="0.0.0.0 is every address of this computer."
            value={address}
            onChange={(event) => {
              forget();
              setAddress(event.currentTarget.value);
            }}
            error={problemOf('address')}
            data-testid="other-machines-address"
          />
          <TextInput
            label={`Type: ${OTHER_MACHINES_SENTENCE}`}
            value={sentence}
            onChange={(event) => {
              forget();
              setSentence(event.currentTarget.value);
            }}
            error={problemOf('sentence') ?? elsewhere}
            errorProps={{ role: 'alert' }}
            data-autofocus
            autoComplete="off"
            data-testid="other-machines-sentence"
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" loading={isRunning} data-testid="other-machines-allow">
              Let them in
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
