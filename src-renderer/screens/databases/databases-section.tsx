import { Alert, Button, Group, Modal, PasswordInput, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconCircleCheck, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { DatabaseConnection, DatabaseLook, Failure } from '../../../src-shared/contract/index.ts';
import { say } from '../../../src-shared/words/say.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { Said } from '../../components/said.tsx';
import { WriteButton } from '../../components/writing.tsx';
import { Section } from '../book/section.tsx';
import styles from '../book/settings.module.css';

type Engine = DatabaseConnection['engine'];

const ENGINES: readonly { readonly value: Engine; readonly label: string }[] = [
  { value: 'duckdb', label: say('databases.engines.duckdb') },
  { value: 'postgres', label: say('databases.engines.postgres') },
  { value: 'spark', label: say('databases.engines.spark') },
];
const ADDRESSES: Readonly<Record<Engine, { readonly hint: string; readonly example: string }>> = {
  duckdb: { hint: say('databases.section.pathOfTheFile'), example: '/data/payments.duckdb' },
  postgres: { hint: say('databases.section.addressOfTheServer'), example: 'postgres://reader@db.example.com:5432/payments' },
  spark: { hint: say('databases.section.addressOfTheServer'), example: 'spark://reader@spark.example.com:10000' },
};

type Open =
  | { readonly dialog: 'edit'; readonly connection: DatabaseConnection | null }
  | { readonly dialog: 'remove'; readonly connection: DatabaseConnection };

/** The databases in which lines can be reconciled. */
export function DatabasesSection() {
  const list = useOperation('connections.list', {});
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const found = list.data;
  return (
    <Section
      id="databases"
      title={say('databases.section.title')}
      about={say('databases.section.about')}
      action={
        <WriteButton
          size="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setOpen({ dialog: 'edit', connection: null })}
          data-testid="add-database"
        >
          {say('databases.section.add')}
        </WriteButton>
      }
    >
      {list.isPending && <Skeleton height={60} />}
      {list.error !== null && found === undefined && (
        <FailurePanel title={say('databases.section.couldNotBeRead')} failure={list.error} onRetry={list.refetch} />
      )}
      {found?.length === 0 && (
        <Text className={styles.row} size="sm" c="dimmed" data-testid="no-databases">
          {say('databases.section.noneYet')}
        </Text>
      )}
      {found !== undefined && found.length > 0 && (
        <ul className={styles.list} aria-label={say('databases.section.title')}>
          {found.map((connection) => (
            <DatabaseRow key={connection.id} connection={connection} onOpen={setOpen} />
          ))}
        </ul>
      )}
      {open?.dialog === 'edit' && <EditDatabase connection={open.connection} onClose={close} />}
      {open?.dialog === 'remove' && <RemoveDatabase connection={open.connection} onClose={close} />}
    </Section>
  );
}

function DatabaseRow({ connection, onOpen }: { readonly connection: DatabaseConnection; readonly onOpen: (open: Open) => void }) {
  const { id, name, engine, address, password_kept: kept } = connection;
  return (
    <li className={styles.row} data-testid="database-row">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={2} flex="1 1 18rem" miw={0}>
          <Text size="sm" fw={560} className="truncate" title={name}>
            {name}
          </Text>
          <span className={styles.address}>{address === '' ? say('databases.section.filesAlone') : address}</span>
          <Text size="xs" c="dimmed">
            {ENGINES.find(({ value }) => value === engine)?.label}
            {engine !== 'duckdb' && <> · {PASSWORDS[kept]}</>}
          </Text>
        </Stack>
        <Group gap="xs">
          <Text size="sm" component="span" mr="xs">
            <PlaceLink place={{ screen: 'database', id }} testId="open-database">
              {say('databases.section.reconcile')}
            </PlaceLink>
          </Text>
          <WriteButton
            variant="default"
            size="xs"
            onClick={() => onOpen({ dialog: 'edit', connection })}
            aria-label={say('databases.section.changeNamed', { name })}
            data-testid="edit-database"
          >
            {say('databases.section.change')}
          </WriteButton>
          <WriteButton
            variant="subtle"
            color="red"
            size="xs"
            onClick={() => onOpen({ dialog: 'remove', connection })}
            aria-label={say('databases.section.deleteNamed', { name })}
            data-testid="remove-database"
          >
            {say('databases.section.delete')}
          </WriteButton>
        </Group>
      </Group>
    </li>
  );
}

const PASSWORDS: Readonly<Record<DatabaseConnection['password_kept'], string>> = {
  secret_store: say('databases.section.passwordInStore'),
  encrypted_file: say('databases.section.passwordInFile'),
  none: say('databases.section.noPassword'),
};

/** Holds a connection that is added or changed, and what its trial found. */
function useDraft(connection: DatabaseConnection | null, onClose: () => void) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [look, setLook] = useState<DatabaseLook | null>(null);
  const [engine, setEngine] = useState<Engine>(connection?.engine ?? 'duckdb');
  const [said, setSaid] = useState({ name: connection?.name ?? '', address: connection?.address ?? '', password: '' });
  const attempt = useCommand('connections.try', setFailure);
  const create = useCommand('connections.create', setFailure);
  const update = useCommand('connections.update', setFailure);
  const clear = (): void => {
    setFailure(null);
    setLook(null);
  };
  const { name, address } = said;
  const password = said.password === '' || engine === 'duckdb' ? {} : { password: said.password };
  return {
    engine,
    said,
    look,
    failure,
    isRunning: attempt.isRunning || create.isRunning || update.isRunning,
    isComplete: name.trim() !== '' && (engine === 'duckdb' || address.trim() !== ''),
    set: (field: keyof typeof said) => (value: string) => {
      clear();
      setSaid((before) => ({ ...before, [field]: value }));
    },
    choose: (value: Engine) => {
      clear();
      setEngine(value);
    },
    attempt: async (): Promise<void> => {
      clear();
      const answer = await attempt.run({ ...(connection === null ? {} : { id: connection.id }), engine, address, ...password });
      if (answer.ok) setLook(answer.value);
    },
    save: async (): Promise<void> => {
      clear();
      const given = { name, address, ...password };
      const answer = connection === null ? await create.run({ ...given, engine }) : await update.run({ ...given, id: connection.id });
      if (!answer.ok) return;
      notifyDone(say('databases.section.saved', { name: answer.value.name }));
      onClose();
    },
  };
}

/** Asks where a database is and who reads it; tries that before it is kept, if the person wants. */
function EditDatabase({ connection, onClose }: { readonly connection: DatabaseConnection | null; readonly onClose: () => void }) {
  const { engine, said, look, failure, isRunning, isComplete, set, choose, attempt, save } = useDraft(connection, onClose);
  const title = connection === null ? say('databases.section.add') : say('databases.section.changeNamed', { name: connection.name });
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': say('databases.section.close') }}
      data-testid="database-dialog"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete && !isRunning) void save();
        }}
      >
        <Stack>
          <TextInput
            label={say('databases.section.name')}
            value={said.name}
            maxLength={255}
            onChange={(event) => set('name')(event.currentTarget.value)}
            data-autofocus
            data-testid="database-name"
          />
          <Select
            label={say('databases.section.kind')}
            data={[...ENGINES]}
            value={engine}
            allowDeselect={false}
            disabled={connection !== null}
            onChange={(value) => choose(ENGINES.find((each) => each.value === value)?.value ?? 'duckdb')}
            data-testid="database-engine"
          />
          <TextInput
            label={say('databases.section.address')}
            description={ADDRESSES[engine].hint}
            placeholder={ADDRESSES[engine].example}
            value={said.address}
            onChange={(event) => set('address')(event.currentTarget.value)}
            autoComplete="off"
            spellCheck={false}
            data-testid="database-address"
          />
          {engine !== 'duckdb' && (
            <PasswordInput
              label={say('databases.section.password')}
              description={connection === null ? say('databases.section.passwordAbout') : PASSWORDS[connection.password_kept]}
              value={said.password}
              onChange={(event) => set('password')(event.currentTarget.value)}
              autoComplete="off"
              data-testid="database-password"
            />
          )}
          {failure !== null && <FailurePanel title={say('databases.section.cannotBeUsed')} failure={failure} />}
          {look !== null && <Seen look={look} />}
          <Group justify="space-between">
            <Button variant="default" loading={isRunning} onClick={() => void attempt()} data-testid="database-try">
              {say('databases.section.try')}
            </Button>
            <Button type="submit" disabled={!isComplete} loading={isRunning} data-testid="database-save">
              {say('databases.section.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Says what a trial saw. */
function Seen({ look: { tables, reads_only: readsOnly } }: { readonly look: DatabaseLook }) {
  const rights =
    readsOnly === null
      ? say('databases.section.rightsUnknown')
      : readsOnly
        ? say('databases.section.readsOnly')
        : say('databases.section.canChange');
  return (
    <Alert color={readsOnly === false ? 'orange' : 'pine'} icon={<IconCircleCheck size={18} aria-hidden />} data-testid="database-seen">
      <Text size="sm">{say('databases.section.sees', { count: tables.length, some: tables.slice(0, 8).join(', ') })}</Text>
      <Text size="sm">{rights}</Text>
    </Alert>
  );
}

/** Asks before a connection is deleted, and says what goes with it. */
function RemoveDatabase({ connection, onClose }: { readonly connection: DatabaseConnection; readonly onClose: () => void }) {
  const remove = useCommand('connections.remove', (failure) => notifyFailure(say('databases.section.wasNotDeleted'), failure));
  async function run(): Promise<void> {
    const answer = await remove.run({ id: connection.id });
    if (answer.ok) notifyDone(say('databases.section.deleted', { name: connection.name }));
    onClose();
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={say('databases.section.deleteThis')}
      closeButtonProps={{ 'aria-label': say('databases.section.close') }}
    >
      <Stack>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Said words="databases.section.whatGoes" with={{ name: <b>{connection.name}</b> }} />
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {say('databases.section.keepIt')}
          </Button>
          <Button color="red" loading={remove.isRunning} onClick={() => void run()} data-testid="remove-database-confirm">
            {say('databases.section.delete')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
