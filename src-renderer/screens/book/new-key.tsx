import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ApiKey, Output } from '../../../src-shared/contract/index.ts';
import { useCommand, useQuery } from '../../api/use-query.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { notifyFailure } from '../../components/notify.tsx';
import { ENVIRONMENT_LABELS } from '../../format/words.ts';
import styles from './settings.module.css';

type Issued = Output<'api_keys.issue'>;

/** Issues a key and shows it, this once. */
export function NewKey({ onClose }: { readonly onClose: () => void }) {
  const [issued, setIssued] = useState<Issued | null>(null);
  return (
    <Modal
      opened
      onClose={onClose}
      title={issued === null ? 'New API key' : 'Copy the key now'}
      closeButtonProps={{ 'aria-label': 'Close' }}
      // A slip of the hand must not throw away what is shown once.
      closeOnClickOutside={issued === null}
      closeOnEscape={issued === null}
      data-testid="new-key-dialog"
    >
      {issued === null ? <Form onCancel={onClose} onDone={setIssued} /> : <Shown issued={issued} onClose={onClose} />}
    </Modal>
  );
}

function Form({ onCancel, onDone }: { readonly onCancel: () => void; readonly onDone: (issued: Issued) => void }) {
  const { value: book } = useQuery('book.overview', {});
  const issue = useCommand('api_keys.issue', (failure) => notifyFailure('No key was made', failure));
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<ApiKey['environment'] | null>(null);
  const [permission, setPermission] = useState<ApiKey['permission']>('read');
  const environment = chosen ?? (book?.environment === 'test' ? 'test' : 'live');
  const isComplete = name.trim() !== '';
  async function submit(): Promise<void> {
    const answer = await issue.run({ name: name.trim(), environment, permission });
    if (answer.ok) onDone(answer.value);
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) void submit();
      }}
    >
      <Stack>
        <TextInput
          label="Name"
          description="The program that will use it."
          placeholder="Month-end spreadsheet"
          value={name}
          maxLength={255}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
          data-testid="key-name"
        />
        <Radio.Group label="It may" value={permission} onChange={(value) => setPermission(value === 'read_write' ? 'read_write' : 'read')}>
          <Group gap="lg" mt="xs">
            <Radio value="read" label="Read" data-testid="key-read" />
            <Radio value="read_write" label="Read and write" data-testid="key-read-write" />
          </Group>
        </Radio.Group>
        <Radio.Group label="Environment" value={environment} onChange={(value) => setChosen(value === 'test' ? 'test' : 'live')}>
          <Group gap="lg" mt="xs">
            <Radio value="live" label={ENVIRONMENT_LABELS.live} data-testid="key-live" />
            <Radio value="test" label={ENVIRONMENT_LABELS.test} data-testid="key-test" />
          </Group>
        </Radio.Group>
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isComplete} loading={issue.isRunning} data-testid="key-create">
            Make the key
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Shown({ issued, onClose }: { readonly issued: Issued; readonly onClose: () => void }) {
  return (
    <Stack>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        The key of <b>{issued.name}</b>. It is shown this once: the book keeps only a fingerprint of it.
      </Text>
      <div className={styles.key} data-testid="issued-key">
        {issued.key}
      </div>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose} data-testid="key-done">
          Done
        </Button>
        <CopyButton text={issued.key} what="the key" testId="copy-key" isMain />
      </Group>
    </Stack>
  );
}
