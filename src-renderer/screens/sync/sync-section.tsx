import { Alert, Button, Group, List, Modal, PasswordInput, Select, Skeleton, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { StateBadge } from '../../components/primitives.tsx';
import type { Failure, SyncProbe, SyncRemote } from '../../../src-shared/contract/index.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { PlaceLink } from '../../components/place-link.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { agoText } from '../../format/dates.ts';
import { SCHEDULES, scheduleText } from '../../format/remote-words.ts';
import { KIND_WORDS } from '../../format/sync-resources.ts';
import { remoteState } from '../../format/sync-words.ts';
import { Section } from '../book/section.tsx';
import styles from '../book/settings.module.css';
import { say } from '../../../src-shared/words/say.ts';
import { Said } from '../../components/said.tsx';

const FIELDS = ['name', 'base_url', 'api_key'] as const;
type Field = (typeof FIELDS)[number];

/** Returns the failure's message when it is about the field. A remote that cannot be used is an error of its address. */
function problemIn(failure: Failure | null, field: Field): string | undefined {
  if (failure === null) return undefined;
  const message = failure.errors?.find(({ path }) => path === field)?.message;
  const isElsewhere = FIELDS.some((name) => failure.errors?.some(({ path }) => path === name) === true);
  return message ?? (field === 'base_url' && !isElsewhere ? failure.message : undefined);
}

/** Holds a remote that is being added, and the results of its tests. */
function useNewRemote() {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [found, setFound] = useState<SyncProbe | null>(null);
  const [said, setSaid] = useState<Readonly<Record<Field, string>>>({ name: '', base_url: '', api_key: '' });
  const [schedule, setSchedule] = useState<ScheduleValue>({ every_minutes: null, when_online: false });
  const probe = useCommand('sync_remotes.probe', setFailure);
  const create = useCommand('sync_remotes.create', setFailure);
  const isReachable = said.base_url.trim() !== '' && said.api_key.trim() !== '';
  const set = (field: Field) => (value: string) => {
    setSaid((before) => ({ ...before, [field]: value }));
    setFailure(null);
    if (field !== 'name') setFound(null);
  };
  return {
    said,
    schedule,
    setSchedule,
    set,
    found,
    problemOf: (field: Field) => problemIn(failure, field),
    isReachable,
    isComplete: isReachable && said.name.trim() !== '',
    isTesting: probe.isRunning,
    isAdding: create.isRunning,
    test: async (): Promise<void> => {
      setFailure(null);
      setFound(null);
      const answer = await probe.run({ base_url: said.base_url, api_key: said.api_key });
      if (answer.ok) setFound(answer.value);
    },
    /** Resolves to null when the service refused it. */
    add: async (): Promise<SyncRemote | null> => {
      setFailure(null);
      const answer = await create.run({ ...said, ...schedule });
      return answer.ok ? answer.value : null;
    },
  };
}

/** Explains where the key of a remote is stored. */
const KEPT: Readonly<Record<SyncRemote['key_kept'], string>> = {
  secret_store: say('sync.kept.secretStore'),
  encrypted_file: say('sync.kept.encryptedFile'),
  none: say('sync.kept.none'),
};

/** Holds the changes of a remote, and the result of testing them. */
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
      notifyDone(say('sync.syncSection.saved', { name: answer.value.name }));
      onSaved();
    },
  };
}

/** Edits name and schedule, and optionally the address or the key, which are tested first. */
function EditRemote({ remote, onClose }: { readonly remote: SyncRemote; readonly onClose: () => void }) {
  const { key_kept: keyKept } = remote;
  const { said, set, schedule, setSchedule, problems, isTried, isComplete, isSaving, save } = useChange(remote, onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      title={say('sync.syncSection.changeNamed', { name: remote.name })}
      closeButtonProps={{ 'aria-label': say('sync.syncSection.close') }}
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
            about={say('sync.syncSection.whereItAnswersNow')}
          />
          <Schedule value={schedule} onChange={setSchedule} isFirst={remote.last_synced_at === null} />
          <KeyField
            label={keyKept === 'none' ? say('sync.syncSection.apiKey') : say('sync.syncSection.newApiKey')}
            about={KEPT[keyKept]}
            value={said.api_key}
            onChange={set('api_key')}
            error={problems.api_key}
            isFirst={keyKept === 'none'}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {say('sync.syncSection.cancel')}
            </Button>
            <Button type="submit" disabled={!isComplete} loading={isSaving} data-testid="remote-save">
              {isTried ? say('sync.syncSection.testAndSave') : say('sync.syncSection.save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

type Open = { readonly dialog: 'add' } | { readonly dialog: 'edit' | 'remove'; readonly remote: SyncRemote };

/** The remotes of this book. */
export function SyncSection() {
  const list = useOperation('sync_remotes.list', {});
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const remotes = list.data?.remotes;
  return (
    <Section
      id="sync-remotes"
      title={say('sync.syncSection.sync')}
      about={say('sync.syncSection.keepsThisBookEqual')}
      action={
        <WriteButton
          size="sm"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setOpen({ dialog: 'add' })}
          data-testid="add-remote"
        >
          {say('sync.syncSection.addAConnection')}
        </WriteButton>
      }
    >
      {list.isPending && <Skeleton height={80} />}
      {list.error !== null && remotes === undefined && (
        <FailurePanel title={say('sync.syncSection.theConnectionsCouldNotBeRead')} failure={list.error} onRetry={list.refetch} />
      )}
      {list.data?.keys_kept === 'encrypted_file' && <KeysInFile />}
      {remotes?.length === 0 && (
        <Text className={styles.row} size="sm" c="dimmed" data-testid="no-remotes">
          {say('sync.syncSection.noneYetAConnection')}
        </Text>
      )}
      {remotes !== undefined && remotes.length > 0 && (
        <ul className={styles.list} aria-label={say('sync.syncSection.connections')}>
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
        <Text size="sm">{say('sync.syncSection.thisComputerHasNoSecret')}</Text>
      </Alert>
    </div>
  );
}

/** Asks for the address and the key of a remote, and adds it when it answers. */
function AddRemote({ onClose }: { readonly onClose: () => void }) {
  const { said, set, schedule, setSchedule, found, problemOf, isReachable, isComplete, isTesting, isAdding, test, add } = useNewRemote();
  async function submit(): Promise<void> {
    const added = await add();
    if (added === null) return;
    notifyDone(say('sync.syncSection.addedLookAtItsPreview', { name: added.name }));
    onClose();
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={say('sync.syncSection.addAConnection')}
      closeButtonProps={{ 'aria-label': say('sync.syncSection.close') }}
      data-testid="add-remote-dialog"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isComplete && !isTesting && !isAdding) void submit();
        }}
      >
        <Stack>
          <NameField value={said.name} onChange={set('name')} error={problemOf('name')} isFirst />
          <AddressField value={said.base_url} onChange={set('base_url')} error={problemOf('base_url')} />
          <KeyField
            label={say('sync.syncSection.apiKey')}
            about={say('sync.syncSection.madeOnTheOther')}
            value={said.api_key}
            onChange={set('api_key')}
            error={problemOf('api_key')}
          />
          {found !== null && <ProbeResult probe={found} />}
          <Schedule value={schedule} onChange={setSchedule} isFirst />
          <Group justify="space-between">
            <Button
              variant="default"
              disabled={!isReachable || isAdding}
              loading={isTesting}
              onClick={() => void test()}
              data-testid="remote-test"
            >
              {say('sync.syncSection.test')}
            </Button>
            <Group gap="sm">
              <Button variant="default" onClick={onClose}>
                {say('sync.syncSection.cancel')}
              </Button>
              <Button type="submit" disabled={!isComplete || isTesting} loading={isAdding} data-testid="remote-save">
                {say('sync.syncSection.testAndAdd')}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface RemoteRowProps {
  readonly remote: SyncRemote;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** One remote: its address, its state, and its schedule. */
function RemoteRow({ remote, onEdit, onRemove }: RemoteRowProps) {
  const { id, name, base_url: baseUrl, kind, key_kept: keyKept, message } = remote;
  const state = remoteState(remote);
  return (
    <li className={styles.row} data-testid="remote-row">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={2} flex="1 1 18rem" miw={0}>
          <Group gap="xs" miw={0}>
            <Text size="sm" fw={560} className="truncate" title={name}>
              {name}
            </Text>
            <StateBadge tone={state.tone}>{state.words}</StateBadge>
            {keyKept === 'none' && <StateBadge tone="broken">{say('sync.syncSection.keyMissingGiveItAgain')}</StateBadge>}
          </Group>
          <span className={styles.address}>{baseUrl}</span>
          <Text size="xs" c="dimmed">
            {KIND_WORDS[kind].replace(/^./, (first) => first.toUpperCase())} · <Synced remote={remote} />
          </Text>
          {message !== null && (
            <Text size="xs" c={remote.state === 'failed' ? 'red' : 'dimmed'} data-testid="remote-message">
              {message}
            </Text>
          )}
        </Stack>
        <Group gap="xs">
          <Text size="sm" component="span" mr="xs">
            <PlaceLink place={{ screen: 'sync', id }} testId="open-sync">
              {say('sync.syncSection.openSync')}
            </PlaceLink>
          </Text>
          <WriteButton
            variant="default"
            size="xs"
            onClick={onEdit}
            aria-label={say('sync.syncSection.changeNamed', { name })}
            data-testid="edit-remote"
          >
            {keyKept === 'none' ? say('sync.syncSection.giveTheKey') : say('sync.syncSection.change')}
          </WriteButton>
          <WriteButton
            variant="subtle"
            color="red"
            size="xs"
            onClick={onRemove}
            aria-label={say('sync.syncSection.removeNamed', { name })}
            data-testid="remove-remote"
          >
            {say('sync.syncSection.remove')}
          </WriteButton>
        </Group>
      </Group>
    </li>
  );
}

function Synced({ remote }: { readonly remote: SyncRemote }) {
  const now = useNow();
  const { last_synced_at: at } = remote;
  return (
    <>
      {at === null ? (
        say('sync.syncSection.neverSynced')
      ) : (
        <>
          {say('sync.syncSection.synced')} <Instant at={at} text={agoText(at, now)} />
        </>
      )}{' '}
      · {scheduleText(remote)}
    </>
  );
}

/** Asks before a remote is removed: what is known about it is lost. */
function RemoveRemote({ remote, onClose }: { readonly remote: SyncRemote; readonly onClose: () => void }) {
  const remove = useCommand('sync_remotes.remove', (failure) => notifyFailure(say('sync.syncSection.theConnectionWasNotRemoved'), failure));
  async function run(): Promise<void> {
    const answer = await remove.run({ id: remote.id });
    if (answer.ok) notifyDone(say('sync.syncSection.removed', { name: remote.name }));
    onClose();
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={say('sync.syncSection.removeThisConnection')}
      closeButtonProps={{ 'aria-label': say('sync.syncSection.close') }}
    >
      <Stack>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Said words="sync.syncSection.bothSidesKeepTheirData" with={{ name: <b>{remote.name}</b> }} />
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {say('sync.syncSection.keepIt')}
          </Button>
          <Button color="red" loading={remove.isRunning} onClick={() => void run()} data-testid="remove-remote-confirm">
            {say('sync.syncSection.remove')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

interface FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error: string | undefined;
  readonly isFirst?: boolean;
}

function NameField({ value, onChange, error, isFirst = false }: FieldProps) {
  return (
    <TextInput
      label={say('sync.syncSection.name')}
      description={say('sync.syncSection.anyNameYouLike')}
      placeholder={say('sync.syncSection.headOffice')}
      value={value}
      maxLength={255}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      data-autofocus={isFirst || undefined}
      data-testid="remote-name"
    />
  );
}

interface AddressFieldProps extends FieldProps {
  readonly about?: string;
}

function AddressField({ value, onChange, error, about = say('sync.syncSection.withV1AtTheEnd') }: AddressFieldProps) {
  return (
    <TextInput
      label={say('sync.syncSection.address')}
      description={about}
      placeholder="https://books.example.com/v1"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      errorProps={{ role: 'alert' }}
      autoComplete="off"
      spellCheck={false}
      data-testid="remote-address"
    />
  );
}

interface KeyFieldProps extends FieldProps {
  readonly label: string;
  readonly about: string;
}

function KeyField({ value, onChange, error, isFirst = false, label, about }: KeyFieldProps) {
  return (
    <PasswordInput
      label={label}
      description={about}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
      errorProps={{ role: 'alert' }}
      autoComplete="off"
      data-autofocus={isFirst || undefined}
      data-testid="remote-key"
    />
  );
}

/** The result of a test: the kind of the remote, and what it does not support. */
function ProbeResult({ probe }: { readonly probe: SyncProbe }) {
  const { kind, version, cannot, may_write: mayWrite, known_as: known } = probe;
  const knownWords = known === null ? [] : [say('sync.syncSection.itIsTheOneYouKnowAs', { name: known.name, baseUrl: known.base_url })];
  const limits = [...knownWords, ...(mayWrite === false ? [say('sync.syncSection.theKeyMayOnlyRead')] : []), ...cannot];
  return (
    <Alert
      color={mayWrite === false || known !== null ? 'orange' : 'pine'}
      icon={<IconCircleCheck size={18} aria-hidden />}
      title={say('sync.syncSection.itAnswers', { kindWords: KIND_WORDS[kind], version: version === null ? '' : `, ${version}` })}
      aria-live="polite"
      data-testid="probe-result"
    >
      {limits.length === 0 ? (
        <Text size="sm">{say('sync.syncSection.itCanDoAllThatASyncNeeds')}</Text>
      ) : (
        <List size="sm">
          {limits.map((limit) => (
            <List.Item key={limit}>{limit}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}

interface ScheduleValue {
  readonly every_minutes: number | null;
  readonly when_online: boolean;
}

interface ScheduleProps {
  readonly value: ScheduleValue;
  readonly onChange: (value: ScheduleValue) => void;
  /** Whether no sync was made yet. The first one is made by hand, so that the user looks at its preview. */
  readonly isFirst: boolean;
}

/** The schedule of automatic syncs. */
function Schedule({ value, onChange, isFirst }: ScheduleProps) {
  const { every_minutes: minutes, when_online: whenOnline } = value;
  const chosen = String(minutes ?? '');
  const isKnown = SCHEDULES.some((schedule) => schedule.value === chosen);
  const other = {
    value: chosen,
    label: scheduleText({ every_minutes: minutes, when_online: false }).replace(/^./, (first) => first.toUpperCase()),
  };
  return (
    <Stack gap="sm">
      <Select
        label={say('sync.syncSection.sync')}
        description={isFirst ? say('sync.syncSection.openAndFromTheSecondTime') : say('sync.syncSection.whileTieoutIsOpen')}
        data={isKnown ? SCHEDULES : [...SCHEDULES, other]}
        value={chosen}
        allowDeselect={false}
        onChange={(next) => onChange({ every_minutes: next === null || next === '' ? null : Number(next), when_online: whenOnline })}
        data-testid="remote-schedule"
      />
      <Switch
        checked={whenOnline}
        onChange={(event) => onChange({ every_minutes: minutes, when_online: event.currentTarget.checked })}
        label={say('sync.syncSection.alsoWhenTheNetwork')}
        data-testid="remote-when-online"
      />
    </Stack>
  );
}
