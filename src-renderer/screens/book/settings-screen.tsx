import {
  Alert,
  Anchor,
  Badge,
  Button,
  Group,
  Modal,
  NumberInput,
  Radio,
  SegmentedControl,
  Skeleton,
  Stack,
  Switch,
  Text,
  TextInput,
  useMantineColorScheme,
} from '@mantine/core';
import { IconAlertTriangle, IconExternalLink, IconInfoCircle, IconPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { OTHER_MACHINES_SENTENCE } from '../../../src-shared/contract/book/local-port.ts';
import type { ApiKey, Call, Failure, LocalPort, Output } from '../../../src-shared/contract/index.ts';
import { hostNameFrom, isLoopback, LOOPBACK, originFrom } from '../../../src-shared/values/network.ts';
import { useCommand, useOperation } from '../../api/use-operation.ts';
import { COLOR_SCHEMES } from '../../app/color-scheme-menu.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Instant } from '../../components/day.tsx';
import { FailurePanel } from '../../components/failure-panel.tsx';
import { notifyDone, notifyFailure } from '../../components/notify.tsx';
import { Page } from '../../components/page.tsx';
import { useNow } from '../../components/use-now.ts';
import { WriteButton } from '../../components/writing.tsx';
import { counted } from '../../format/counts.ts';
import { agoText } from '../../format/dates.ts';
import { ENVIRONMENT_LABELS, PERMISSION_LABELS } from '../../format/words.ts';
import { Recipes } from '../imports/recipes.tsx';
import { SyncSection } from '../sync/sync-section.tsx';
import { About } from './about.tsx';
import { Backups } from './backups.tsx';
import { Environments } from './environments.tsx';
import { Section } from './section.tsx';
import styles from './settings.module.css';
import { TextList } from './text-list.tsx';

const USUAL_PORT = 4690;
const HIGHEST_PORT = 65_535;

/** Chooses a fixed port, or a free one at each start. */
function PortForm({ port }: { readonly port: LocalPort }) {
  const { change, done, failure, isRunning, forget } = useLocalPort();
  const [isFree, setFree] = useState(port.port === null);
  const [number, setNumber] = useState<number | string>(port.port ?? USUAL_PORT);
  const wanted = isFree ? null : Number(number);
  const isPort = wanted === null || (Number.isInteger(wanted) && wanted >= 1 && wanted <= HIGHEST_PORT);
  const isChanged = wanted !== port.port;
  async function save(): Promise<void> {
    const before = port.port;
    if (await change({ port: wanted })) done('The port was changed', { port: before });
  }
  return (
    <form
      className={styles.row}
      onSubmit={(event) => {
        event.preventDefault();
        if (isPort && isChanged) void save();
      }}
    >
      <Stack gap="sm">
        <Radio.Group
          label="Port"
          labelProps={{ fw: 600 }}
          description="A spreadsheet finds the book again only at a port that stays."
          value={isFree ? 'free' : 'fixed'}
          onChange={(value) => {
            forget();
            setFree(value === 'free');
          }}
        >
          <Group gap="lg" mt="xs">
            <Radio value="fixed" label="Always this one" data-testid="port-fixed" />
            <Radio value="free" label="A free one at each start" data-testid="port-free" />
          </Group>
        </Radio.Group>
        <Group gap="sm" align="flex-start">
          {!isFree && (
            <NumberInput
              aria-label="Port number"
              w="8rem"
              value={number}
              onChange={(value) => {
                forget();
                setNumber(value);
              }}
              min={1}
              max={HIGHEST_PORT}
              allowDecimal={false}
              allowNegative={false}
              thousandSeparator=""
              clampBehavior="none"
              error={!isPort}
              data-testid="port-number"
            />
          )}
          {(isChanged || isRunning) && (
            <WriteButton type="submit" disabled={!isPort} loading={isRunning} data-testid="port-save">
              Change the port
            </WriteButton>
          )}
        </Group>
        <PortProblem isPort={isPort} message={failure?.message ?? null} />
      </Stack>
    </form>
  );
}

function PortProblem({ isPort, message }: { readonly isPort: boolean; readonly message: string | null }) {
  const text = isPort ? message : `A port is a whole number from 1 to ${HIGHEST_PORT}.`;
  if (text === null) return null;
  return (
    <div role="alert" className={styles.problem} data-testid="port-problem">
      {text}
    </div>
  );
}

/** The address for other programs: whether it is on, where it listens, and who may use it. */
function LocalAddress() {
  const { data: port, error: failure, refetch } = useOperation('local_port.get', {});
  return (
    <Section
      id="local-address"
      title="Local address"
      about="Spreadsheets, scripts and add-ins can read and write this book over HTTP, with an API key."
    >
      {port === undefined && failure === null && <Skeleton height={160} />}
      {port === undefined && failure !== null && (
        <FailurePanel title="The settings could not be read" failure={failure} onRetry={refetch} />
      )}
      {port?.served_by === 'command' && <ServedByCommand />}
      {port?.served_by === 'settings' && <OnOff port={port} />}
      {port?.status === 'on' && <Addresses port={port} />}
      {port?.served_by === 'settings' && <PortForm key={String(port.port)} port={port} />}
      {port?.served_by === 'settings' && <OtherMachines port={port} />}
      {port !== undefined && <AllowedOrigins port={port} />}
    </Section>
  );
}

function ServedByCommand() {
  return (
    <div className={styles.row}>
      <Alert color="blue" icon={<IconInfoCircle size={18} aria-hidden />} title="On, by tieout serve" data-testid="served-by-command">
        <Text size="sm">This book was opened with tieout serve, so its address stays on until that command ends.</Text>
      </Alert>
    </div>
  );
}

function OnOff({ port }: { readonly port: LocalPort }) {
  const { change, failure, isRunning } = useLocalPort();
  const message = failure?.message ?? port.message;
  return (
    <Stack className={styles.row} gap="sm">
      <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
        <Switch
          checked={port.enabled}
          disabled={isRunning}
          onChange={(event) => void change({ enabled: event.currentTarget.checked })}
          label="Other programs may reach this book"
          description="While it is off, nothing listens. Switching takes effect at once."
          data-testid="local-address-switch"
        />
        <StatusBadge status={port.status} />
      </Group>
      {message !== null && (
        <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} aria-hidden />} data-testid="local-address-failure">
          <Stack gap="sm" align="flex-start">
            <Text size="sm">{message}</Text>
            <Group gap="xs">
              <Button size="xs" variant="default" loading={isRunning} onClick={() => void change({ enabled: true })}>
                Try again
              </Button>
              <Button size="xs" variant="default" loading={isRunning} onClick={() => void change({ enabled: true, port: null })}>
                Take a free port
              </Button>
            </Group>
          </Stack>
        </Alert>
      )}
    </Stack>
  );
}

const STATUS = {
  off: { color: 'gray', text: 'Off' },
  on: { color: 'pine', text: 'On' },
  failed: { color: 'red', text: 'Failed' },
} as const;

function StatusBadge({ status }: { readonly status: LocalPort['status'] }) {
  return (
    <Badge color={STATUS[status].color} data-testid="local-address-status">
      {STATUS[status].text}
    </Badge>
  );
}

function Addresses({ port }: { readonly port: LocalPort }) {
  return (
    <Stack className={styles.row} gap="xs">
      <Group gap="sm">
        <span className={styles.address} data-testid="local-address-url">
          {port.base_url}
        </span>
        <CopyButton text={port.base_url ?? ''} what="the address" testId="copy-address" />
        <Anchor href={port.docs_url ?? ''} target="_blank" rel="noreferrer" size="sm" data-testid="docs-link">
          <Group gap={4} wrap="nowrap" component="span">
            Documentation
            <IconExternalLink size={14} aria-hidden />
          </Group>
        </Anchor>
      </Group>
      {port.other_urls.map((url) => (
        <Text key={url} size="sm" c="dimmed" component="div">
          From other machines: <span className={styles.address}>{url}</span>
        </Text>
      ))}
    </Stack>
  );
}

/** The web pages that may call the address. */
function AllowedOrigins({ port }: { readonly port: LocalPort }) {
  const { change, done, failure, isRunning } = useLocalPort();
  async function set(origins: string[], title: string): Promise<boolean> {
    const before = port.allowed_origins;
    const isSet = await change({ allowed_origins: origins });
    if (isSet) done(title, { allowed_origins: before });
    return isSet;
  }
  return (
    <div className={styles.row}>
      <TextList
        label="Web pages that may call it"
        about="Add-ins of a spreadsheet run as web pages. Name the origin of each; every other page is refused."
        empty="No page is on the list. Programs that are not web pages need no entry."
        placeholder="https://addin.example.com"
        items={port.allowed_origins}
        read={originFrom}
        onChange={set}
        failure={failure?.message ?? null}
        isRunning={isRunning}
        testId="allowed-origins"
      />
    </div>
  );
}

/** The settings of this book and this window: access and appearance. */
export function SettingsScreen() {
  return (
    <Page title="Settings" testId="settings-screen">
      <div className={styles.sections}>
        <Backups />
        <SyncSection />
        <LocalAddress />
        <ApiKeys />
        <Environments />
        <Recipes />
        <Appearance />
        <About />
      </div>
    </Page>
  );
}

/** The keys of the local address: their owners, their last use, and how to revoke them. */
function ApiKeys() {
  const keys = useOperation('api_keys.list', {});
  const [isAdding, setAdding] = useState(false);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  // The use of a key does not change the book, so no event reports it.
  const { refetch } = keys;
  useEffect(() => void refetch(), [refetch]);
  return (
    <Section
      id="api-keys"
      title="API keys"
      about="Each program has a key of its own, so that one can be revoked without the others."
      action={
        <WriteButton size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)} data-testid="new-key">
          New key
        </WriteButton>
      }
    >
      {keys.isPending && <Skeleton height={120} />}
      {keys.isLoadingError && <FailurePanel title="The keys could not be read" failure={keys.error} onRetry={keys.refetch} />}
      {keys.data !== undefined && <KeyList keys={keys.data} onRevoke={setRevoking} />}
      {isAdding && <NewKey onClose={() => setAdding(false)} />}
      {revoking !== null && <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />}
    </Section>
  );
}

function KeyList({ keys, onRevoke }: { readonly keys: readonly ApiKey[]; readonly onRevoke: (key: ApiKey) => void }) {
  const [showsRevoked, setShowsRevoked] = useState(false);
  const revoked = keys.filter((key) => key.revoked_at !== null);
  const shown = keys.filter((key) => showsRevoked || key.revoked_at === null);
  return (
    <>
      {shown.length === 0 ? (
        <Text className={styles.row} size="sm" c="dimmed" data-testid="no-keys">
          {keys.length === 0 ? 'No keys yet. A program gets in only with a key.' : 'No key works any more.'}
        </Text>
      ) : (
        <ul className={styles.list} aria-label="API keys">
          {shown.map((key) => (
            <Row key={key.id} apiKey={key} onRevoke={() => onRevoke(key)} />
          ))}
        </ul>
      )}
      {revoked.length > 0 && (
        <div className={styles.row} data-quiet>
          <Anchor component="button" type="button" size="sm" onClick={() => setShowsRevoked(!showsRevoked)} data-testid="show-revoked">
            {showsRevoked ? 'Hide revoked keys' : `Show ${counted(revoked.length, 'revoked key')}`}
          </Anchor>
        </div>
      )}
    </>
  );
}

function Row({ apiKey, onRevoke }: { readonly apiKey: ApiKey; readonly onRevoke: () => void }) {
  const now = useNow();
  const { name, environment, permission, created_at: createdAt, last_used_at: usedAt, revoked_at: revokedAt } = apiKey;
  return (
    <li className={`${styles.row} ${styles.item}`} data-testid="key-row">
      <Stack gap={2} miw={0} flex={1}>
        <Group gap="xs" wrap="nowrap" miw={0}>
          <Text size="sm" fw={560} className="truncate" title={name} {...(revokedAt === null ? {} : { c: 'dimmed' })}>
            {name}
          </Text>
          <Badge color={environment === 'live' ? 'pine' : 'orange'}>{ENVIRONMENT_LABELS[environment]}</Badge>
        </Group>
        <Text size="xs" c="dimmed">
          {PERMISSION_LABELS[permission]} · made <Instant at={createdAt} text={agoText(createdAt, now)} /> ·{' '}
          {usedAt === null ? (
            'never used'
          ) : (
            <>
              last used <Instant at={usedAt} text={agoText(usedAt, now)} />
            </>
          )}
        </Text>
      </Stack>
      {revokedAt === null ? (
        <WriteButton
          size="compact-sm"
          variant="subtle"
          color="red"
          onClick={onRevoke}
          aria-label={`Revoke ${name}`}
          data-testid="revoke-key"
        >
          Revoke
        </WriteButton>
      ) : (
        <Text size="xs" c="dimmed">
          Revoked <Instant at={revokedAt} text={agoText(revokedAt, now)} />
        </Text>
      )}
    </li>
  );
}

/** Chooses light, dark, or the system's colour scheme. */
function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section id="appearance" title="Appearance" about="Of this window alone.">
      <div className={styles.row}>
        <SegmentedControl
          aria-label="Colours"
          className={styles.choice}
          value={colorScheme}
          onChange={setColorScheme}
          data={COLOR_SCHEMES.map(({ scheme, label }) => ({ value: scheme, label }))}
          data-testid="appearance-scheme"
        />
      </div>
    </Section>
  );
}

type Issued = Output<'api_keys.issue'>;

/** Issues a key and shows it once. */
function NewKey({ onClose }: { readonly onClose: () => void }) {
  const [issued, setIssued] = useState<Issued | null>(null);
  return (
    <Modal
      opened
      onClose={onClose}
      title={issued === null ? 'New API key' : 'Copy the key now'}
      closeButtonProps={{ 'aria-label': 'Close' }}
      // A stray click must not close the dialog, because the key is shown only once.
      closeOnClickOutside={issued === null}
      closeOnEscape={issued === null}
      data-testid="new-key-dialog"
    >
      {issued === null ? <Form onCancel={onClose} onDone={setIssued} /> : <Shown issued={issued} onClose={onClose} />}
    </Modal>
  );
}

function Form({ onCancel, onDone }: { readonly onCancel: () => void; readonly onDone: (issued: Issued) => void }) {
  const { data: book } = useOperation('book.overview', {});
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

/** Allows access from other machines, which the user confirms by typing a sentence. */
function OtherMachines({ port }: { readonly port: LocalPort }) {
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

/** Asks before a key is revoked, which cannot be undone. */
function RevokeKey({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const revoke = useCommand('api_keys.revoke', (failure) => notifyFailure('The key was not revoked', failure));
  async function run(): Promise<void> {
    const answer = await revoke.run({ id: apiKey.id });
    if (answer.ok) notifyDone(`Revoked: ${apiKey.name}`);
    onClose();
  }
  return (
    <Modal opened onClose={onClose} title="Revoke this key?" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          Whatever uses <b>{apiKey.name}</b> is refused from now on. A revoked key cannot be brought back; make a new one instead.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep it
          </Button>
          <Button color="red" loading={revoke.isRunning} onClick={() => void run()} data-testid="revoke-confirm">
            Revoke
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Changes the local address and holds the result for the control that asked for it. */
function useLocalPort() {
  const [failure, setFailure] = useState<Failure | null>(null);
  const update = useCommand('local_port.update', setFailure);
  const change = async (input: Call<'local_port.update'>): Promise<boolean> => {
    setFailure(null);
    return (await update.run(input)).ok;
  };
  // The control may be gone by then, or show another value.
  const restore = useCommand('local_port.update', (failed) => notifyFailure('This could not be undone', failed));
  return {
    change,
    failure,
    isRunning: update.isRunning,
    forget: () => setFailure(null),
    /** Confirms the change and offers to restore the previous settings. */
    done: (title: string, before: Call<'local_port.update'>) => notifyDone(title, () => void restore.run(before)),
  };
}
